import { readChangeTime } from '../../../../../nodes/VisitorService/polling/changeTime';

const HOUR = 3_600_000;
const TIME = Date.UTC(2026, 0, 31, 8, 30, 15, 250);

describe('the time of a change', () => {
	it.each([
		['2026-01-31T08:30:15.250Z', TIME],
		['2026-01-31T08:30:15.250000Z', TIME],
		['2026-01-31T09:30:15.250+01:00', TIME],
		['2026-01-31T09:30:15.250+0100', TIME],
		['2026-01-31 08:30:15.250Z', TIME],
		['2026-01-31T08:30:15Z', TIME - 250],
		[TIME, TIME],
		[String(TIME), TIME],
		[TIME / 1000, TIME],
		[Math.floor(TIME / 1000), TIME - 250],
		['Sat, 31 Jan 2026 08:30:15 GMT', TIME - 250],
	])('is read exactly from %p', (written, time) => {
		expect(readChangeTime(written)).toEqual({ earliest: time, latest: time });
	});

	it.each(['2026-01-31T08:30:15.250', '2026-01-31 08:30:15.250', '20260131T083015.250'])(
		'lies within the zones of the world where %p leaves its own out',
		(written) => {
			expect(readChangeTime(written)).toEqual({
				earliest: TIME - 14 * HOUR,
				latest: TIME + 12 * HOUR,
			});
		},
	);

	it('may be any of a day where only that is written', () => {
		const day = Date.UTC(2026, 0, 31);
		expect(readChangeTime('2026-01-31')).toEqual({
			earliest: day - 14 * HOUR,
			latest: day + 36 * HOUR,
		});
	});

	it.each([
		null,
		undefined,
		'',
		'yesterday',
		42,
		'42',
		-1,
		true,
		{},
		[],
		NaN,
		Infinity,
		'2026-13-01T00:00:00Z',
	])('is not taken from %p', (written) => {
		expect(readChangeTime(written)).toBeUndefined();
	});
});
