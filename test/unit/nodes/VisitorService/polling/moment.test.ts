import { readMoment, tickOf } from '../../../../../nodes/VisitorService/polling/moment';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const TIME = Date.UTC(2026, 0, 31, 8, 30, 15, 250);

const moment = (written: unknown) => readMoment({ at: written }, 'at');

describe('the moment of a change', () => {
	it.each([
		['2026-01-31T08:30:15.250Z', TIME, 0],
		['2026-01-31T09:30:15.250+01:00', TIME, 0],
		[TIME, TIME, 0],
		['2026-01-31T08:30:15Z', TIME - 250, SECOND],
		[Math.floor(TIME / 1000), TIME - 250, SECOND],
		['2026-01-31T08:30:00Z', TIME - 15_250, MINUTE],
		['2026-01-31T08:30Z', TIME - 15_250, MINUTE],
		['2026-01-31T09:30:15.00025+01:00', TIME - 250, SECOND],
		['2026-01-31T08:30:15.250', TIME - 14 * HOUR, 0],
		['2026-01-31', Date.UTC(2026, 0, 31) - 14 * HOUR, MINUTE],
	])('written as %p is read with what it leaves open', (written, time, tick) => {
		expect(moment(written)).toBe(time);
		expect(tickOf(time)).toBe(tick);
	});

	it.each([null, undefined, '', 0, 'yesterday', 42, true, {}, '0001-01-01T00:00:00Z'])(
		'is not taken from %p',
		(written) => {
			expect(moment(written)).toBeUndefined();
		},
	);
});
