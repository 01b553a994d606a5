import { DateTime } from 'luxon';

import { type Instant, readInstant } from '../../../../../nodes/VisitorService/values/instant';
import fc from '../../../../properties';

const SECOND = Date.UTC(2026, 0, 31, 8, 0, 5);
const MINUTE = SECOND - 5000;
const HOUR = 3_600_000;

type Expected = [value: unknown, time: number, ...rest: Array<Instant['precision' | 'zone']>];

describe('readInstant', () => {
	it.each<Expected>([
		['2026-01-31T08:00:05Z', SECOND, 'second', 'UTC'],
		['2026-01-31t08:00:05z', SECOND, 'second', 'UTC'],
		[' 2026-01-31T08:00:05Z\n', SECOND, 'second', 'UTC'],
		['2026-01-31T08:00Z', MINUTE, 'second', 'UTC'],
		['2026-01-31T08Z', MINUTE, 'second', 'UTC'],
		['2026-01-31T08:00:05.250Z', SECOND + 250, 'millisecond', 'UTC'],
		['2026-01-31T08:00:05,25Z', SECOND + 250, 'millisecond', 'UTC'],
		['2026-01-31T08:00:05.000Z', SECOND, 'second', 'UTC'],
		['2026-01-31T08:00:05.250000Z', SECOND + 250, 'millisecond', 'UTC'],
		['2026-01-31T08:00:05.250999Z', SECOND + 250, 'finer', 'UTC'],
		['2026-01-31T08:00:05.1234567Z', SECOND + 123, 'finer', 'UTC'],
		['2026-01-31T08:00:05.000000001Z', SECOND, 'finer', 'UTC'],
		['2026-01-31T09:30:05+01:30', SECOND, 'second', 'offset'],
		['2026-01-31T09:30:05.250+0130', SECOND + 250, 'millisecond', 'offset'],
		['2026-01-31T07:00:05-01', SECOND, 'second', 'offset'],
		['2026-01-31T24:00:00Z', Date.UTC(2026, 1, 1), 'second', 'UTC'],
		['2026-01-31T24:00Z', Date.UTC(2026, 1, 1), 'second', 'UTC'],
		['2026-01-31T24:00:00.000Z', Date.UTC(2026, 1, 1), 'second', 'UTC'],
		['2026-02-01T02:00:05+18:00', SECOND, 'second', 'offset'],
		['2026-01-30T14:00:05-1800', SECOND, 'second', 'offset'],
		['2016-12-31T23:59:60Z', Date.UTC(2017, 0, 1), 'second', 'UTC'],
		['2024-02-29T08:00:05Z', Date.UTC(2024, 1, 29, 8, 0, 5), 'second', 'UTC'],
		['0001-01-01T00:00:00Z', -62_135_596_800_000, 'second', 'UTC'],
		['9999-12-31T23:59:59Z', 253_402_300_799_000, 'second', 'UTC'],
		['20260131T080005Z', SECOND, 'second', 'UTC'],
		['20260131T080005.250Z', SECOND + 250, 'millisecond', 'UTC'],
		['21000101T000000Z', Date.UTC(2100, 0), 'second', 'UTC'],
		['20260131T0900+0100', MINUTE, 'second', 'offset'],
		['20260131080005.0Z', SECOND, 'second', 'UTC'],
		['2026-031T08:00:05Z', SECOND, 'second', 'offset'],
		['2026-W05-6T08:00:05Z', SECOND, 'second', 'offset'],
		['2026-01-31T09:00:05+01:00[Europe/Berlin]', SECOND, 'second', 'offset'],
	])('reads ISO 8601: %j', (value, earliest, precision, zone) => {
		expect(readInstant(value)).toEqual({
			earliest,
			latest: earliest,
			precision,
			zone,
		});
	});

	it.each<Expected>([
		['2026-01-31 08:00:05Z', SECOND, 'second', 'UTC'],
		['2026-01-31 08:00:05 UTC', SECOND, 'second', 'UTC'],
		['2026-01-31 08:00:05+00', SECOND, 'second', 'offset'],
		['2026-01-31 13:30:05.123456+05:30', SECOND + 123, 'finer', 'offset'],
		['2026-01-31 08:00:05 +0000', SECOND, 'second', 'offset'],
		['2026-01-31 09:00:05 Europe/Berlin', SECOND, 'second', 'offset'],
	])('reads what databases and languages write: %j', (value, earliest, precision, zone) => {
		expect(readInstant(value)).toEqual({
			earliest,
			latest: earliest,
			precision,
			zone,
		});
	});

	it.each<[string, string, number, Instant['precision'], Instant['zone']]>([
		['Sat, 31 Jan 2026 08:00:05 GMT', 'HTTP date', SECOND, 'second', 'UTC'],
		['Saturday, 31-Jan-26 08:00:05 GMT', 'HTTP date', SECOND, 'second', 'UTC'],
		['Sat Jan 31 08:00:05 2026', 'HTTP date', SECOND, 'second', 'UTC'],
		['Sat, 31 Jan 2026 09:00:05 +0100', 'RFC 2822', SECOND, 'second', 'offset'],
		['31 Jan 2026 08:00 +0000', 'RFC 2822', MINUTE, 'second', 'offset'],
		[`/Date(${SECOND})/`, '/Date(…)/', SECOND, 'second', 'UTC'],
		[`/Date(${SECOND + 250}+0100)/`, '/Date(…)/', SECOND + 250, 'millisecond', 'UTC'],
		['/Date(-62135596800000)/', '/Date(…)/', -62_135_596_800_000, 'second', 'UTC'],
	])('reads %s as a time written as %s', (value, _, earliest, precision, zone) => {
		expect(readInstant(value)).toEqual({ earliest, latest: earliest, precision, zone });
	});

	it.each<[number | string, string, number, Instant['precision']]>([
		[SECOND / 1000, 'seconds', SECOND, 'second'],
		[SECOND / 1000 + 0.1, 'seconds', SECOND + 100, 'millisecond'],
		['1769846405.123', 'seconds', SECOND + 123, 'millisecond'],
		['1769846405.123456', 'seconds', SECOND + 123, 'finer'],
		[100_000_000, 'seconds', Date.UTC(1973, 2, 3, 9, 46, 40), 'second'],
		[946_684_799, 'seconds', Date.UTC(1999, 11, 31, 23, 59, 59), 'second'],
		[9_999_999_999, 'seconds', 9_999_999_999_000, 'second'],
		[-1_000_000_000, 'seconds', -1_000_000_000_000, 'second'],
		[SECOND, 'milliseconds', SECOND, 'second'],
		[SECOND + 250, 'milliseconds', SECOND + 250, 'millisecond'],
		[SECOND + 0.5, 'milliseconds', SECOND, 'finer'],
		[946_684_799_000, 'milliseconds', Date.UTC(1999, 11, 31, 23, 59, 59), 'second'],
		[SECOND * 1e3 + 123_456, 'microseconds', SECOND + 123, 'finer'],
		[SECOND * 1e3, 'microseconds', SECOND, 'second'],
		[SECOND * 1e6, 'nanoseconds', SECOND, 'second'],
		[`${SECOND}123456`, 'nanoseconds', SECOND, 'finer'],
	])('reads %j as epoch %s', (value, _, earliest, precision) => {
		const expected = { earliest, latest: earliest, precision, zone: 'UTC' };
		expect(readInstant(value)).toEqual(expected);
		expect(readInstant(` ${value} `)).toEqual(expected);
	});

	it.each([
		['a Date', new Date(SECOND)],
		['a DateTime of luxon', DateTime.fromMillis(SECOND, { zone: 'Asia/Tokyo' })],
		['a DateTime of another copy of luxon', { toMillis: () => SECOND }],
	])('reads %s as a point in time', (_, value) => {
		expect(readInstant(value)).toMatchObject({ earliest: SECOND, latest: SECOND });
	});

	describe('of a time that names no zone', () => {
		const texts = [
			'2026-01-31T08:00:05',
			'2026-01-31 08:00:05',
			'20260131T080005',
			'20260131080005',
			'2026-031T08:00:05',
		];

		it.each([...texts, 20_260_131_080_005])('tells the span of all zones for %j', (value) => {
			expect(readInstant(value)).toMatchObject({
				earliest: SECOND - 14 * HOUR,
				latest: SECOND + 12 * HOUR,
				precision: 'second',
				zone: 'none',
			});
		});

		it.each(texts)('takes the zone it is given for %j', (value) => {
			const time = SECOND - HOUR;
			expect(readInstant(value, 'Europe/Berlin')).toMatchObject({
				earliest: time,
				latest: time,
				zone: 'none',
			});
			expect(readInstant(value, 'no zone')).toEqual(readInstant(value));
		});

		it('tells both times if the clocks of its zone were set back over it', () => {
			expect(readInstant('2026-10-25T02:30:00', 'Europe/Berlin')).toMatchObject({
				earliest: Date.UTC(2026, 9, 25, 0, 30),
				latest: Date.UTC(2026, 9, 25, 1, 30),
			});
		});

		it('leaves a time that names one as it is', () => {
			const value = '2026-01-31T08:00:05Z';
			expect(readInstant(value, 'Europe/Berlin')).toEqual(readInstant(value));
		});
	});

	describe('of a date alone', () => {
		const day = Date.UTC(2026, 0, 31);

		it.each(['2026-01-31', '20260131', '2026-031', '2026-W05-6', 20_260_131])(
			'tells the whole day for %j',
			(value) => {
				expect(readInstant(value)).toEqual({
					earliest: day - 14 * HOUR,
					latest: day + 36 * HOUR,
					precision: 'day',
					zone: 'none',
				});
				expect(readInstant(value, 'Europe/Berlin')).toMatchObject({
					earliest: day - HOUR,
					latest: day + 23 * HOUR,
					precision: 'day',
				});
			},
		);

		it('tells a day of 23 hours when the clocks are set forward', () => {
			const { earliest = 0, latest = 0 } = readInstant('2026-03-29', 'Europe/Berlin') ?? {};
			expect(latest - earliest).toBe(23 * HOUR);
		});
	});

	it('reads the same moment from every way to write it', () => {
		const ways: Array<(time: DateTime) => unknown> = [
			(time) => time.toISO(),
			(time) => time.toISO({ format: 'basic' }),
			(time) => time.toISO({ includeOffset: false }),
			(time) => time.toISO({ extendedZone: true }),
			(time) => time.toFormat("kkkk-'W'WW-c'T'HH:mm:ss.SSSZZ"),
			(time) => time.toFormat("yyyy-ooo'T'HH:mm:ss.SSSZZ"),
			(time) => time.toSQL(),
			(time) => time.toSQL({ includeOffset: false }),
			(time) => time.toUTC().toFormat("yyyy-MM-dd HH:mm:ss.SSS'000+00'"),
			(time) => time.toUTC().toFormat('yyyyMMddHHmmss.SSSZZZ'),
			(time) => time.toFormat('yyyyMMddHHmmssSSS'),
			(time) => time.toMillis(),
			(time) => time.toMillis() / 1000,
			(time) => time.toMillis() * 1000,
			(time) => `${time.toMillis()}000000`,
			(time) => `/Date(${time.toMillis()})/`,
			(time) => time.toJSDate(),
			(time) => time,
		];
		const seconds = [(time: DateTime) => time.toRFC2822(), (time: DateTime) => time.toHTTP()];
		const zones = ['UTC', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Kiritimati'];
		fc.assert(
			fc.property(
				fc.integer({ min: 1e11, max: Date.UTC(2099, 11) }),
				fc.constantFrom(...zones),
				(milliseconds, zone) => {
					const time = DateTime.fromMillis(milliseconds, { zone });
					for (const write of ways) {
						const { earliest = NaN, latest = NaN } = readInstant(write(time), zone) ?? {};
						// Some times without a zone are shown twice by its clocks.
						expect([earliest, latest]).toContain(milliseconds);
						expect(latest - earliest).toBeLessThanOrEqual(HOUR);
					}
					const whole = milliseconds - (milliseconds % 1000);
					expect(seconds.map((write) => readInstant(write(time))?.earliest)).toEqual([
						whole,
						whole,
					]);
				},
			),
			{ numRuns: 300 },
		);
	});

	it('reads anything, and nothing it reads is out of order', () => {
		fc.assert(
			fc.property(fc.oneof(fc.anything(), fc.stringMatching(/^[\d :TZ.+/-]{1,30}$/)), (value) => {
				const { earliest, latest } = readInstant(value) ?? { earliest: 0, latest: 0 };
				expect(Number.isInteger(earliest)).toBe(true);
				expect(latest).toBeGreaterThanOrEqual(earliest);
			}),
			{ numRuns: 2000 },
		);
	});

	it.each([
		undefined,
		null,
		true,
		'',
		' ',
		'yesterday',
		'31.01.2026',
		'01/31/2026',
		'2026',
		'2026-01',
		'2026-1-5',
		'2026-13-01',
		'2026-02-29',
		'2026-02-30T08:00:05Z',
		'2026-01-31T25:00:00Z',
		'2026-01-31T24:30Z',
		'2026-01-31T24:00:01Z',
		'2026-01-31T24:00:00.001Z',
		'2026-01-31 24:30:00',
		'20260131T2430',
		20_260_131_243_000,
		'2026-W05-6T24:30:00Z',
		'2026-01-31T08:00:05+99:00',
		'2026-01-31T08:00:05-18:01',
		'2026-01-31T08:00:05+23:59',
		'2026-01-31T08:00+99',
		'2026-01-31 08:00:05 +1900',
		'2026-01-31T08:00:05+19:00[Europe/Berlin]',
		'20260131T080005-2300',
		'2026-W05-6T08:00:05+99:00',
		'Sat, 31 Jan 2026 08:00:05 +9900',
		'2026-01-31T08:60:00Z',
		'0000-00-00 00:00:00',
		'Sun, 31 Jan 2026 08:00:05 GMT',
		'31 Jan 2026',
		'/Date(now)/',
		'1.7e9',
		'0x6553f100',
		'1,769,846,405',
		'12345678',
		'17000000000000000',
		'9'.repeat(30),
		'2026-01-31T08:00:05Z'.padEnd(200, '0'),
		0,
		-1,
		42,
		99_999_999,
		10_101_010,
		20_261_331,
		5e10,
		1e19,
		NaN,
		Infinity,
		[SECOND],
		{},
		{ toMillis: SECOND },
		new Date(NaN),
		DateTime.invalid('test'),
	])('finds no point in time in %p', (value) => {
		expect(readInstant(value)).toBeUndefined();
		expect(readInstant(value, 'Europe/Berlin')).toBeUndefined();
	});
});
