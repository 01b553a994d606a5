import {
	endOf,
	readMoment,
	timeOf,
	versionText,
} from '../../../../../nodes/VisitorService/polling/versions';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const TIME = Date.UTC(2026, 0, 31, 8, 30, 15, 250);

const moment = (written: unknown) => readMoment({ at: written }, 'at');

describe('the moment of a change', () => {
	it.each([
		['2026-01-31T08:30:15.250Z', TIME, 0, ''],
		['2026-01-31T09:30:15.250+01:00', TIME, 0, ''],
		[TIME, TIME, 0, ''],
		['2026-01-31T08:30:15Z', TIME - 250, SECOND, ''],
		[Math.floor(TIME / 1000), TIME - 250, SECOND, ''],
		['2026-01-31T08:30:00Z', TIME - 15_250, MINUTE, ''],
		['2026-01-31T08:30Z', TIME - 15_250, MINUTE, ''],
		['2026-01-31T09:30:15.00025+01:00', TIME - 250, 0, '25'],
		['2026-01-31T08:30:15.00026Z', TIME - 250, 0, '26'],
		['2026-01-31T08:30:15.250', TIME - 14 * HOUR, 0, ''],
		['2026-01-31', Date.UTC(2026, 0, 31) - 14 * HOUR, MINUTE, ''],
	])('written as %p is read with what it leaves open', (written, time, tick, finer) => {
		expect(moment(written)).toEqual({ time, tick, finer });
	});

	it.each([null, undefined, '', 0, 'yesterday', 42, true, {}, '0001-01-01T00:00:00Z'])(
		'is not taken from %p',
		(written) => {
			expect(moment(written)).toBeUndefined();
		},
	);
});

describe('the text of a version', () => {
	const scale = { unit: 0, createdUnit: DAY, spread: 0 };

	it.each([
		['2026-01-31T08:30:15.250Z', false, 0],
		['2026-01-31T08:30:15Z', false, SECOND],
		['2026-01-31T08:30:00Z', false, MINUTE],
		['2026-01-31T08:30:15.000250Z', false, 0],
		['2026-01-31T08:30:15.250Z', true, DAY],
	])(
		'of %p, a creation: %p, holds its time and where that may end',
		(written, isCreation, length) => {
			const made = moment(written);
			const text = versionText(made, isCreation);
			expect(timeOf(text)).toBe(made?.time);
			expect(endOf(text, scale) - timeOf(text)).toBe(length);
		},
	);

	it('tells a creation from an update of the same time, and microseconds', () => {
		const texts = ['2026-01-31T08:30:15.000250Z', '2026-01-31T08:30:15.000251Z'].flatMap(
			(written) => [true, false].map((isCreation) => versionText(moment(written), isCreation)),
		);
		expect(new Set(texts).size).toBe(4);
		expect(versionText(undefined, false)).toBe('');
	});
});
