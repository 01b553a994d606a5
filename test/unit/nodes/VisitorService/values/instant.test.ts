import { DateTime } from 'luxon';

import { readInstant } from '../../../../../nodes/VisitorService/values/instant';
import fc from '../../../../properties';

const SECOND = Date.UTC(2026, 0, 31, 8, 0, 5);
const MINUTE = SECOND - 5000;
const HOUR = 3_600_000;

type Expected = [value: unknown, time: number, finer?: 'finer'];

it.each<Expected>([
	['2026-01-31T08:00:05Z', SECOND],
	[' 2026-01-31t08:00:05z\n', SECOND],
	['2026-01-31T08:00Z', MINUTE],
	['2026-01-31T08:00:05,25Z', SECOND + 250],
	['2026-01-31T08:00:05.000Z', SECOND],
	['2026-01-31T08:00:05.250000Z', SECOND + 250],
	['2026-01-31T08:00:05.1234567Z', SECOND + 123, 'finer'],
	['2026-01-31T08:00:05.000000001Z', SECOND, 'finer'],
	['2026-01-31T09:30:05+01:30', SECOND],
	['2026-01-31T09:30:05.250+0130', SECOND + 250],
	['2026-01-31T07:00:05-01', SECOND],
	['2026-02-01T02:00:05+18:00', SECOND],
	['20260131T080005Z', SECOND],
	['2026-01-31T24:00:00Z', Date.UTC(2026, 1, 1)],
	['2024-02-29T08:00:05Z', Date.UTC(2024, 1, 29, 8, 0, 5)],
	['0001-01-01T00:00:00Z', -62_135_596_800_000],
	['9999-12-31T23:59:59Z', 253_402_300_799_000],
	['2026-01-31T09:00:05+01:00[Europe/Berlin]', SECOND],
	['2026-01-31 08:00:05 UTC', SECOND],
	['2026-01-31 08:00:05+00', SECOND],
	['2026-01-31 13:30:05.123456 +0530', SECOND + 123, 'finer'],
	['Sat, 31 Jan 2026 08:00:05 GMT', SECOND],
	['Saturday, 31-Jan-26 08:00:05 GMT', SECOND],
	['Sat Jan 31 08:00:05 2026', SECOND],
	['Sat, 31 Jan 2026 09:00:05 +0100', SECOND],
	['31 Jan 2026 08:00 +0000', MINUTE],
	[`/Date(${SECOND})/`, SECOND],
	[`/Date(${SECOND + 250}+0100)/`, SECOND + 250],
	['/Date(-62135596800000)/', -62_135_596_800_000],
	[SECOND / 1000, SECOND],
	[SECOND / 1000 + 0.1, SECOND + 100],
	['1769846405.123456', SECOND + 123, 'finer'],
	[100_000_000, Date.UTC(1973, 2, 3, 9, 46, 40)],
	[9_999_999_999, 9_999_999_999_000],
	[-1_000_000_000, -1_000_000_000_000],
	[` ${SECOND + 250} `, SECOND + 250],
	[SECOND + 0.5, SECOND, 'finer'],
	[SECOND * 1e3 + 123_456, SECOND + 123, 'finer'],
	[SECOND * 1e6, SECOND],
	[`${SECOND}123456`, SECOND, 'finer'],
	[new Date(SECOND), SECOND],
	[DateTime.fromMillis(SECOND, { zone: 'Asia/Tokyo' }), SECOND],
	// Another copy of luxon.
	[{ toMillis: () => SECOND, toJSDate: () => ({}) }, SECOND],
])('reads %j as %d, with its zone', (value, earliestAt, ...finer) => {
	const read = { earliestAt, hasSubMilliseconds: finer.length > 0, hasZone: true };
	expect(readInstant(value)).toEqual(read);
	expect(readInstant(value, 'Europe/Berlin')).toEqual(read);
});

it.each([
	['2026-01-31T08:00:05', SECOND - HOUR, SECOND - 14 * HOUR],
	['2026-01-31 08:00:05', SECOND - HOUR, SECOND - 14 * HOUR],
	['2026-01-31', Date.UTC(2026, 0, 30, 23), Date.UTC(2026, 0, 30, 10)],
	['2026-07-31', Date.UTC(2026, 6, 30, 22), Date.UTC(2026, 6, 30, 10)],
	// Shown twice by the clocks of the zone, and not at all.
	['2026-10-25T02:30:00', Date.UTC(2026, 9, 25, 0, 30), Date.UTC(2026, 9, 24, 12, 30)],
	['2026-03-29T02:30:00', Date.UTC(2026, 2, 29, 1, 30), Date.UTC(2026, 2, 28, 12, 30)],
])('reads %j as the first moment in its zone, else in any', (value, inBerlin, anywhere) => {
	const read = { hasSubMilliseconds: false, hasZone: false };
	expect(readInstant(value, 'Europe/Berlin')).toEqual({ ...read, earliestAt: inBerlin });
	expect(readInstant(value)).toEqual({ ...read, earliestAt: anywhere });
});

it('reads the same moment from every way to write it', () => {
	const ways: Array<(time: DateTime) => unknown> = [
		(time) => time.toISO(),
		(time) => time.toISO({ includeOffset: false }),
		(time) => time.toISO({ extendedZone: true }),
		(time) => time.toSQL(),
		(time) => time.toSQL({ includeOffset: false }),
		(time) => time.toMillis() / 1000,
		// A number of so many digits before 1998 rather counts from elsewhere.
		(time) => `${time.toMillis()}${time.year < 1999 ? '' : '000000'}`,
		(time) => `/Date(${time.toMillis()})/`,
		(time) => time.toJSDate(),
	];
	const zones = ['UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati'];
	fc.assert(
		fc.property(
			fc.integer({ min: 1e11, max: Date.UTC(2099, 11) }),
			fc.constantFrom(...zones),
			(milliseconds, zone) => {
				const time = DateTime.fromMillis(milliseconds, { zone });
				for (const write of ways) {
					// Some times without a zone are shown twice by its clocks.
					const { earliestAt = NaN } = readInstant(write(time), zone) ?? {};
					expect([0, HOUR / 2, HOUR]).toContain(milliseconds - earliestAt);
				}
				const whole = milliseconds - (milliseconds % 1000);
				expect(readInstant(time.toRFC2822())?.earliestAt).toBe(whole);
				expect(readInstant(time.toHTTP())?.earliestAt).toBe(whole);
			},
		),
		{ numRuns: 300 },
	);
});

it.each([
	...[
		undefined,
		null,
		true,
		[SECOND],
		{},
		{ toMillis: SECOND, toJSDate: SECOND },
		{ toMillis: () => SECOND },
		// File times of Windows, ticks of .NET, digits of a date.
		...['134142912000000000', 134_142_912_000_000_000, '639054432000000000', 202_601_310_800],
		...['202601310800', '2601310800', '20260131080000', 20_260_131, '20260131080000000'],
		NaN,
		Infinity,
		new Date(NaN),
	],
	DateTime.invalid('test'),
	...['', ' ', 'yesterday', '31.01.2026', '01/31/2026', '2026', '2026-01', '2026-1-5'],
	...['2026-13-01', '2026-02-29', '2026-02-30T08:00:05Z', '2026-04-31', '0000-00-00 00:00:00'],
	...['2026-01-31T25:00:00Z', '2026-01-31T24:00:01Z', '2026-01-31T08:60:00Z'],
	...['2026-01-31T08:00:05+99:00', '2026-01-31T08:00:05+23:59', '2026-01-31 08:00:05 +1900'],
	...['Sun, 31 Jan 2026 08:00:05 GMT', '31 Jan 2026', '/Date(now)/'],
	...['1.7e9', '0x6553f100', '1,769,846,405', '12345678', '20260131', '17000000000000000'],
	...['9'.repeat(30), '2026-01-31T08:00:05Z'.padEnd(200, '0')],
	...[0, -1, 99_999_999, 20_260_131_080_005, 5e10, 1e19],
])('finds no point in time in %p', (value) => {
	expect(readInstant(value)).toBeUndefined();
	expect(readInstant(value, 'Europe/Berlin')).toBeUndefined();
});
