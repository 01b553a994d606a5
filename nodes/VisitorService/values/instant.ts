import { DateTime } from 'luxon';
import { readDecimal } from './scalar';

/** A point in time as somebody wrote it. */
export interface Instant {
	/** The first moment that can be meant, in milliseconds since 1970. */
	earliest: number;
	/**
	 * The last moment that can be meant: later by a day for a date alone, by all zones of the world
	 * for an unknown zone, and by an hour if the clocks of its zone showed it twice.
	 */
	latest: number;
	/** The smallest unit that was written, zeros at the end of a fraction of a second left out. */
	precision: 'day' | 'second' | 'millisecond' | 'finer';
	/** What was written of the zone. Numbers count in UTC. */
	zone: 'UTC' | 'offset' | 'none';
}

/** Milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The zones that are farthest from UTC: +14:00 and -12:00. */
export const EASTERNMOST = 14 * HOUR;
export const WESTERNMOST = 12 * HOUR;

/** No zone is farther from UTC, by any rule: java.time and others refuse more. */
const MAX_OFFSET = 18 * HOUR;

/** Beyond it a Date is invalid (ECMA-262 §21.4.1.1). */
const MAX_TIME = 8.64e15;

/** A longer text is not a time, and reading it would take time. */
const MAX_TIME_LENGTH = 100;

/**
 * A number that counts from 1970 has nine or ten digits in seconds (1973 to 2286), three more in
 * each finer unit. Fewer digits are counters. Those between two units have as many digits as a date
 * or a time without signs (20260131, 20260131080000), and are read as such.
 */
const EPOCHS = [
	{ from: 1e8, millisecond: 1e-3 },
	{ from: 1e11, millisecond: 1 },
	{ from: 1e14, millisecond: 1e3 },
	{ from: 1e17, millisecond: 1e6 },
];

/** What most services write: a list may hold a million of these, and Date.parse is quick. */
const COMMON = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?:0\d|1[0-7]):\d\d)$/;

/** Digits after the milliseconds, up to the last one that is not zero. */
const FINER = /[.,]\d{3}(\d*[1-9])/;

/** ISO 8601, RFC 3339, and what databases and languages write with a space. */
const CALENDAR =
	/^(\d{4}-\d\d-\d\d)(?:(?:T|\s+)([01]\d|2[0-4])(?::?([0-5]\d)(?::?([0-5]\d|60)(?:[.,](\d+))?)?)?\s*(Z|UTC|GMT|[+-]\d\d(?::?[0-5]\d)?)?)?$/i;

/** `/Date(1769846401000+0100)/` of .NET: in UTC; the offset says where it was written. */
const MICROSOFT_DATE = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/;

/** RFC 9557, as Java writes it. The offset says all that is needed. */
const ZONE_NAME_AFTER_OFFSET = /(Z|[+-]\d\d(?::?\d\d)?)\[[^[\]]*\]$/i;

/** In all notations. After a date alone it would be its day. */
const OFFSET = /[+-]\d\d(?::?[0-5]\d)?$/;
const TIME = /[T:]\d/i;

/** RFC 2822, and the three forms of an HTTP date (RFC 9110 §5.6.7). */
const NAMED_MONTH =
	/^(?:[A-Z][a-z]{2,8},? )?(?:\d{1,2}[ -])?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ -]/;

/** `2026-W05-6`, `2026-031`, `2026-01-31 08:00:00 Europe/Berlin`. */
const OTHER_ISO = /^\d{4}-?(?:W\d\d-?\d|\d{3}(?!\d))|^\d{4}-?\d\d-?\d\d[T ].*[A-Za-z\]]$/;

/**
 * The one reader of times: ISO 8601, SQL, RFC 2822, HTTP dates, `/Date(…)/`, numbers counted from
 * 1970 as numbers or text, a Date, and luxon's DateTime.
 *
 * @param zone where a time without a zone is at home, e.g. "Europe/Berlin"; without it such a time
 *   may be that of any zone
 */
export function readInstant(value: unknown, zone?: string): Instant | undefined {
	if (typeof value === 'string') return readWritten(value, zone);
	if (typeof value === 'number') return readCounted(value, zone);
	if (value instanceof Date) return exactly(value.getTime(), 'UTC');
	if (typeof value !== 'object' || value === null || !('toMillis' in value)) return undefined;
	// Another copy of luxon may have made it, so that instanceof says nothing.
	const { toMillis } = value;
	const time: unknown = typeof toMillis === 'function' ? toMillis.call(value) : undefined;
	return typeof time === 'number' ? exactly(time, 'offset') : undefined;
}

function readWritten(written: string, zone: string | undefined): Instant | undefined {
	if (COMMON.test(written) && isRealDay(written)) {
		const isFiner = written.length > 24 && FINER.test(written);
		const read = exactly(Date.parse(written), written.endsWith('Z') ? 'UTC' : 'offset', isFiner);
		if (read !== undefined) return read;
	}
	const text = written.trim().replace(ZONE_NAME_AFTER_OFFSET, '$1');
	if (text.length > MAX_TIME_LENGTH || isBeyondZones(text)) return undefined;
	const number = readDecimal(text);
	if (number !== undefined) return readEpoch(number) ?? readCalendar(withSigns(text), zone);
	const [, milliseconds] = MICROSOFT_DATE.exec(text) ?? [];
	if (milliseconds !== undefined) return exactly(Number(milliseconds), 'UTC');
	return readCalendar(withSigns(text), zone) ?? readNames(text, zone);
}

function readCounted(value: number, zone: string | undefined): Instant | undefined {
	return readEpoch(value) ?? readCalendar(withSigns(String(value)), zone);
}

function readEpoch(value: number): Instant | undefined {
	const distance = Math.abs(value);
	for (const { from, millisecond } of EPOCHS) {
		if (distance < from) return undefined;
		if (distance >= from * 100) continue;
		const milliseconds = value / millisecond;
		// A fraction such as .1 has no exact binary form, and must not become the millisecond before.
		const whole = Math.floor(milliseconds + 0.0005);
		const isFiner = milliseconds - whole > 0.0005;
		return exactly(whole, 'UTC', isFiner);
	}
	return undefined;
}

/** `2026-01-31T0800` of `20260131T0800`, and so on. Digits of other years are counters. */
function withSigns(text: string): string {
	if (!/^(?:19|20)\d{6}|^\d{8}T/i.test(text)) return text;
	return text
		.replace(/^(\d{14})(?=\d)/, '$1.')
		.replace(/^(\d{8})(?=\d)/, '$1T')
		.replace(/^(\d{4})(\d\d)(\d\d)/, '$1-$2-$3');
}

function readCalendar(text: string, zone: string | undefined): Instant | undefined {
	const found = CALENDAR.exec(text);
	if (found === null) return undefined;
	const [, date = '', hours, minutes, seconds, fraction, written] = found;
	const midnight = Date.parse(date);
	if (Number.isNaN(midnight) || !isRealDay(date)) return undefined;
	if (hours === undefined) return wholeDay(midnight, zone);

	// 24:00 is the end of the day (ISO 8601-1), and there is nothing after it.
	const isAfterDay =
		hours === '24' && [minutes, seconds, fraction].some((part) => Number(part) > 0);
	if (isAfterDay) return undefined;
	const milliseconds = Number(fraction?.slice(0, 3).padEnd(3, '0') ?? 0);
	const local =
		midnight +
		Number(hours) * HOUR +
		Number(minutes ?? 0) * MINUTE +
		Number(seconds ?? 0) * 1000 +
		milliseconds;
	const isFiner = FINER.test(text);
	if (written === undefined) return inZone(local, zone, isFiner);
	return exactly(local - offsetOf(written), /^[+-]/.test(written) ? 'offset' : 'UTC', isFiner);
}

/** Date.parse makes 1 March of a 29 February that the year does not have. */
function isRealDay(date: string): boolean {
	const day = date.slice(8, 10);
	if (day < '29' || (day < '31' && date.slice(5, 7) !== '02')) return true;
	return new Date(date.slice(0, 10)).getUTCDate() === Number(day);
}

/** Such an offset is a slip, or no offset at all. */
function isBeyondZones(text: string): boolean {
	const found = OFFSET.exec(text);
	if (found === null || !TIME.test(text.slice(0, found.index))) return false;
	return Math.abs(offsetOf(found[0])) > MAX_OFFSET;
}

/** @param zone `Z`, `UTC`, `+01`, `-0530` or `+01:00` */
function offsetOf(zone: string): number {
	const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
	const distance = Number(hours ?? 0) * HOUR + Number(minutes ?? 0) * MINUTE;
	return sign === '-' ? -distance : distance;
}

/** Forms with names in them, which are rare: luxon reads them all, but slowly. */
function readNames(text: string, zone: string | undefined): Instant | undefined {
	if (NAMED_MONTH.test(text)) {
		const asHttp = DateTime.fromHTTP(text);
		if (asHttp.isValid) return exactly(asHttp.toMillis(), 'UTC');
		return exactly(DateTime.fromRFC2822(text).toMillis(), 'offset');
	}
	if (!OTHER_ISO.test(text)) return undefined;
	const isSql = text.includes(' ');
	const readIn = (home: string) =>
		(isSql
			? DateTime.fromSQL(text, { zone: home })
			: DateTime.fromISO(text, { zone: home })
		).toMillis();
	const local = readIn('utc');
	// Read alike wherever it is at home: it names its zone.
	if (local === readIn('UTC+14')) return exactly(local, 'offset');
	if (Number.isNaN(local)) return undefined;
	return /T/.test(text) ? inZone(local, zone, FINER.test(text)) : wholeDay(local, zone);
}

/** @param local the time on the clock, as if that were in UTC */
function inZone(local: number, zone: string | undefined, isFiner: boolean): Instant {
	const [earliest, latest] = spanAtHome(local, zone);
	return { earliest, latest, zone: 'none', precision: precisionOf(local, isFiner) };
}

function wholeDay(midnight: number, zone: string | undefined): Instant {
	const [earliest] = spanAtHome(midnight, zone);
	// A day may have 23 or 25 hours.
	const [, latest] = spanAtHome(midnight + DAY, zone);
	return { earliest, latest, precision: 'day', zone: 'none' };
}

/** The clocks of a zone show some times twice, when they are set back, and skip others. */
function spanAtHome(local: number, zone: string | undefined): [earliest: number, latest: number] {
	const offsetAt = (time: number) => DateTime.fromMillis(time, { zone }).offset * MINUTE;
	const before = local - offsetAt(local - DAY);
	const after = local - offsetAt(local + DAY);
	if (zone === undefined || Number.isNaN(before)) return [local - EASTERNMOST, local + WESTERNMOST];
	const shown = [before, after].filter((time) => time + offsetAt(time) === local);
	return shown.length === 0 ? [before, before] : [Math.min(...shown), Math.max(...shown)];
}

function exactly(time: number, zone: Instant['zone'], isFiner = false): Instant | undefined {
	const whole = Math.floor(time);
	if (!(Math.abs(whole) <= MAX_TIME)) return undefined;
	return { earliest: whole, latest: whole, precision: precisionOf(whole, isFiner), zone };
}

function precisionOf(time: number, isFiner: boolean): Instant['precision'] {
	if (isFiner) return 'finer';
	return time % 1000 === 0 ? 'second' : 'millisecond';
}
