import {
	isTickOver,
	readMoment,
	versionKey,
} from '../../../../../nodes/VisitorService/polling/versions';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TIME = Date.UTC(2026, 0, 31, 8, 30, 15, 250);

const moment = (written: unknown) => readMoment({ at: written }, 'at');

describe('the moment of a change', () => {
	it.each([
		['2026-01-31T08:30:15.250Z', TIME, 0],
		['2026-01-31T08:30:15.000250Z', TIME - 250, 0],
		['2026-01-31T08:30:15Z', TIME - 250, SECOND],
		['2026-01-31T08:30:00Z', TIME - 15_250, MINUTE],
		['2026-01-31T08:30Z', TIME - 15_250, MINUTE],
		['2026-01-31T00:00:00Z', TIME - (TIME % DAY), DAY],
		[TIME, TIME, 0],
		[Math.floor(TIME / 1000), TIME - 250, SECOND],
	])('written as %p is that of the last change that would be written so', (written, time, tick) => {
		expect(moment(written)).toMatchObject({ earliest: time, latest: time + tick, tick });
	});

	it.each([
		['2026-01-31T08:30:15.250Z', TIME],
		['2026-01-31T09:30:15.250+01:00', TIME],
		['2026-01-31T10:30:15.25+0200', TIME],
		[TIME, TIME],
		['2026-01-31T08:30:15.000250Z', [TIME - 250, '25']],
		['2026-01-31T09:30:15.00025+01:00', [TIME - 250, '25']],
		['2026-01-31 10:30:15.000250+02', [TIME - 250, '25']],
		['2026-01-31T08:30:15.00026Z', [TIME - 250, '26']],
		['1769848215000251', '1769848215000251'],
		[1769848215000251, 1769848215000251],
		['2026-01-31T08:30:15', '2026-01-31T08:30:15'],
		['2026-01-31', '2026-01-31'],
	])('written as %p is told from others by %p', (written, state) => {
		expect(moment(written)?.state).toEqual(state);
	});

	it('lies within the zones of the world if its own is left out', () => {
		expect(moment('2026-01-31T08:30:15.250')).toMatchObject({
			earliest: TIME - 14 * HOUR,
			latest: TIME + 12 * HOUR,
			tick: 0,
		});
	});

	it('a change may be at any time of a day if only that is written', () => {
		const day = Date.UTC(2026, 0, 31);
		expect(moment('2026-01-31')).toMatchObject({
			earliest: day - 14 * HOUR,
			latest: day + 36 * HOUR,
			tick: DAY,
		});
	});

	it.each([null, undefined, '', 0, 'yesterday', 42, true, {}, '0001-01-01T00:00:00Z'])(
		'the moment of a change is not taken from %p',
		(written) => {
			expect(moment(written)).toBeUndefined();
		},
	);
});

describe('the key of a version', () => {
	it('the key of a version is another one for another ID and another time, and the same for an ID that is written in another way', () => {
		const keys = [versionKey(1, 'a'), versionKey(1, 'b'), versionKey(2, 'a')];
		expect(new Set(keys).size).toBe(3);
		expect(versionKey('1', 'a')).toBe(keys[0]);
	});
});

describe('a state that can no longer change without another time', () => {
	const OVERLAP = 300;
	const moment = { latest: 10_000, tick: 1000 };
	const over = (reached: number, wasMetBefore = false, sinceLastPoll = 0) =>
		isTickOver(moment, { reached, overlap: OVERLAP, sinceLastPoll }, wasMetBefore);

	it('takes a state for past when its time and the overlap are over', () => {
		expect(over(10_300)).toBe(true);
		expect(over(10_299)).toBe(false);
	});

	it('takes a state for past that an earlier poll met long enough ago', () => {
		expect(over(0, true, 1300)).toBe(true);
		expect(over(0, true, 1299)).toBe(false);
		expect(over(0, false, 1300)).toBe(false);
	});

	it('takes a state for past at once if its time tells each change', () => {
		const { latest } = moment;
		expect(
			isTickOver({ latest, tick: 0 }, { reached: 0, overlap: OVERLAP, sinceLastPoll: 0 }, false),
		).toBe(true);
	});
});
