import { DateTime } from 'luxon';
import { readDecimal } from './scalar';

/** A point in time, as exactly as it was written. */
export interface Instant {
	/**
	 * Milliseconds since 1970. The earliest possible moment, if the time is a date alone, in an
	 * unknown zone, or repeated because clocks are set back.
	 */
	earliestAt: number;
	/** Whether it has a fraction of a millisecond other than zero. */
	hasSubMilliseconds: boolean;
	/** Whether it names its zone. Numbers are in UTC. */
	hasZone: boolean;
}

/* Spans in milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The zones that are farthest from UTC: +14:00 and -12:00. */
export const MAX_EAST_OFFSET_MS = 14 * HOUR;
export const MAX_WEST_OFFSET_MS = 12 * HOUR;

/** Farther from 1970 a Date is invalid (ECMA-262 §21.4.1.1). */
const MAX_DATE_AT = 8.64e15;

/** A longer text is not a time, and parsing it would be slow. */
const MAX_TIME_LENGTH = 100;

/**
 * A number that counts from 1970 has nine or ten digits in seconds (1973 to 2286), and three more
 * in each finer unit. Other numbers are counters, or dates without hyphens.
 */
const EPOCHS = [
	{ from: 1e8, millisecond: 1e-3 },
	{ from: 1e11, millisecond: 1 },
	{ from: 1e14, millisecond: 1e3 },
	// From 1998: lower numbers count from 1601 (Windows) or from the year 1 (.NET).
	{ from: 9e17, until: 1e19, millisecond: 1e6 },
];

/**
 * A date in digits, such as 202601310800 and 2601310800, which would otherwise be times of 1976 and
 * 2052. A year of two digits counts from 22, because 21 and less could be times until 2038.
 */
const DIGITS_OF_DATE =
	/^(?:(?:19|20)\d\d|2[2-9]|3\d)(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d$/;

/**
 * ISO 8601, RFC 3339, the forms of databases and languages with a space, and RFC 9557, of which
 * only the offset is needed. No zone is more than 14 hours from UTC, but java.time writes up to 18.
 */
const CALENDAR =
	/^(\d{4})-?(\d\d)-?(\d\d)(?:(?:T|\s+)(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?\s*(?:(Z|UTC|GMT|[+-](?:0\d|1[0-8])(?::?[0-5]\d)?)(?:\[[^[\]]*\])?)?)?$/i;

/** What most services write, on days that each month has. `Date.parse` reads it the same way. */
const USUAL =
	/^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?Z$/;

/** `/Date(1769846401000+0100)/` of .NET is in UTC. The offset only tells where it was written. */
const MICROSOFT_DATE = /^\/Date\((-?\d{1,16})(?:[+-]\d{4})?\)\/$/;

/** RFC 2822, and the three forms of an HTTP date (RFC 9110 §5.6.7). */
const NAMED_MONTH =
	/^(?:[A-Z][a-z]{2,8},? )?(?:\d{1,2}[ -])?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[ -]/;

/**
 * The one reader of times, in all forms that services were seen to write (`test/envelopes`): ISO
 * 8601, SQL, RFC 2822, HTTP dates, `/Date(…)/`, numbers that count from 1970, also as text, a Date,
 * and luxon's DateTime.
 *
 * @param zone of a time that names none, e.g. "Europe/Berlin"; undefined = it may be of any zone
 */
export function readInstant(value: unknown, zone?: string): Instant | undefined {
	if (typeof value === 'string') return readTimeText(value.trim(), zone);
	if (typeof value === 'number') return readEpoch(value);
	if (value instanceof Date) return toInstant(value.getTime());
	// A DateTime may be from another copy of luxon, so instanceof does not help. A Duration has
	// toMillis too, but is not a time.
	if (typeof value !== 'object' || value === null) return undefined;
	if (!('toMillis' in value && 'toJSDate' in value)) return undefined;
	const { toMillis } = value;
	const time: unknown = typeof toMillis === 'function' ? toMillis.call(value) : undefined;
	return typeof time === 'number' ? toInstant(time) : undefined;
}

function readTimeText(text: string, zone: string | undefined): Instant | undefined {
	if (text.length > MAX_TIME_LENGTH) return undefined;
	if (USUAL.test(text)) return toInstant(Date.parse(text));
	const number = readDecimal(text);
	if (number !== undefined) return readEpoch(number);
	const [, milliseconds] = MICROSOFT_DATE.exec(text) ?? [];
	if (milliseconds !== undefined) return toInstant(Number(milliseconds));
	return readIsoDate(text, zone) ?? readNamedMonth(text);
}

function readEpoch(value: number): Instant | undefined {
	const distance = Math.abs(value);
	const unit = EPOCHS.find(({ from, until = from * 100 }) => distance >= from && distance < until);
	if (unit === undefined || DIGITS_OF_DATE.test(String(value))) return undefined;
	const milliseconds = value / unit.millisecond;
	// A fraction such as .1 has no exact binary form. It must not become the millisecond before.
	const whole = Math.floor(milliseconds + 0.0005);
	return toInstant(whole, milliseconds - whole > 0.0005);
}

function readIsoDate(text: string, home: string | undefined): Instant | undefined {
	const found = CALENDAR.exec(text);
	if (found === null) return undefined;
	const [, year, month, day = ''] = found;
	const [hours = '00', minutes = '00', seconds = '00', fraction = '', zone] = found.slice(4);
	const date = `${year}-${month}-${day}`;
	// Date.parse makes 1 March of a 29 February that the year does not have.
	if (day > '28' && new Date(date).getUTCDate() !== Number(day)) return undefined;
	const milliseconds = fraction.slice(0, 3).padEnd(3, '0');
	const local = Date.parse(`${date}T${hours}:${minutes}:${seconds}.${milliseconds}Z`);
	const isFiner = /[1-9]/.test(fraction.slice(3));
	if (zone === undefined) return toInstant(earliestInZone(local, home), isFiner, false);
	return toInstant(local - offsetOf(zone), isFiner);
}

/** @param zone `Z`, `UTC`, `+01`, `-0530` or `+01:00` */
function offsetOf(zone: string): number {
	const [, sign, hours, minutes] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? [];
	const distance = Number(hours ?? 0) * HOUR + Number(minutes ?? 0) * MINUTE;
	return sign === '-' ? -distance : distance;
}

/** luxon reads all of these, but slowly. They are rare. */
function readNamedMonth(text: string): Instant | undefined {
	if (!NAMED_MONTH.test(text)) return undefined;
	const asHttp = DateTime.fromHTTP(text);
	return toInstant((asHttp.isValid ? asHttp : DateTime.fromRFC2822(text)).toMillis());
}

/**
 * The first moment at which the clocks of a zone show a time. They show a time twice when they are
 * set back, and skip times when they are set forward.
 *
 * @param local the time on the clock, as if that were in UTC
 */
function earliestInZone(local: number, zone: string | undefined): number {
	if (zone === undefined) return local - MAX_EAST_OFFSET_MS;
	const steady = offsetOfDay(Math.floor(local / DAY), zone);
	if (steady !== undefined) return local - steady;
	const offsetAt = (time: number) => DateTime.fromMillis(time, { zone }).offset * MINUTE;
	const before = local - offsetAt(local - DAY);
	const after = local - offsetAt(local + DAY);
	const shown = [before, after].filter((time) => time + offsetAt(time) === local);
	return shown.length === 0 ? before : Math.min(...shown);
}

/** By zone and day: luxon is slow, and the times of a list are of few days. */
const offsetsOfDays = new Map<string, number | undefined>();
const MAX_DAYS = 10_000;

/** The offset of a zone on a day since 1970; undefined if its clocks may be set then. */
function offsetOfDay(day: number, zone: string): number | undefined {
	const key = `${zone} ${day}`;
	if (!offsetsOfDays.has(key)) {
		const [before, after] = [day - 1, day + 2].map(
			(one) => DateTime.fromMillis(one * DAY, { zone }).offset * MINUTE,
		);
		if (offsetsOfDays.size >= MAX_DAYS) offsetsOfDays.clear();
		offsetsOfDays.set(key, before === after ? before : undefined);
	}
	return offsetsOfDays.get(key);
}

/** Whether luxon knows a time zone, e.g. "Europe/Berlin". */
export function isZone(zone: string): boolean {
	return DateTime.fromMillis(0, { zone }).isValid;
}

function toInstant(time: number, hasSubMilliseconds = false, hasZone = true): Instant | undefined {
	const earliestAt = Math.floor(time);
	return Math.abs(earliestAt) <= MAX_DATE_AT
		? { earliestAt, hasSubMilliseconds, hasZone }
		: undefined;
}
