import { DateTime } from 'luxon';
import { configurationFailure } from '../failure/serviceFailure';
import { HOUR, readInstant } from '../values/instant';
import { isNonBlank } from '../values/json';
import { isEmpty, requireZone } from '../values/parameters';
import { formatNumber, readCodeDecimal, readUserDecimal } from '../values/scalar';
import { equalityKey, foldCase, keysOf } from './equality';

/** A condition as the user set it. */
export interface Condition {
	/** A field name, or a dot path, which passes through lists. */
	field: string;
	comparison: Comparison;
	/** Expressions may return any type. */
	value: unknown;
}

/** The time and the time zone in which conditions are evaluated. */
export interface EvaluationTime {
	/** Milliseconds since 1970. */
	now: number;
	/** Zone of times without one, and of days, e.g. "Europe/Berlin". */
	zone: string;
}

/** Whether one value of a record passes. */
type Test = (found: unknown) => boolean;

/** Tests of one value; `notEquals` and `isNotEmpty` negate theirs. */
const TESTS = {
	equals: isEqualTo,
	notEquals: isEqualTo,
	contains: textTest((found, expected) => found.includes(expected)),
	startsWith: textTest((found, expected) => found.startsWith(expected)),
	isEmpty: () => isEmpty,
	isNotEmpty: () => isEmpty,
};

/** A range of times in milliseconds since 1970, the end excluded. */
type SpanOf = (condition: Condition, present: EvaluationTime) => [from: number, until: number];

/** The comparisons with time, as ranges. */
const TIME_RANGES = {
	before: (condition, { zone }) => [-Infinity, expectedTime(condition, zone)],
	after: (condition, { zone }) => [expectedTime(condition, zone) + 1, Infinity],
	isOnDay: (condition, { zone }) => dayOf(expectedTime(condition, zone), zone),
	isToday: (_, { now, zone }) => dayOf(now, zone),
	withinLastHours: (condition, { now }) => [now - expectedSpanMs(condition), now + 1],
	withinNextHours: (condition, { now }) => [now, now + expectedSpanMs(condition) + 1],
} satisfies Record<string, SpanOf>;

/** The day of a time in a zone, whose clocks may skip or repeat the hour of midnight. */
function dayOf(time: number, zone: string): [from: number, until: number] {
	const day = DateTime.fromMillis(time, { zone }).startOf('day');
	return [earliest(day), earliest(day.plus({ days: 1 }).startOf('day'))];
}

function earliest(shown: DateTime): number {
	return Math.min(...shown.getPossibleOffsets().map((time) => time.toMillis()));
}

export type Comparison = keyof typeof TESTS | keyof typeof TIME_RANGES;

export const COMPARISONS = [...Object.keys(TESTS), ...Object.keys(TIME_RANGES)] as Comparison[];

const OPPOSITES: readonly Comparison[] = ['notEquals', 'isNotEmpty'];

export function isTimeComparison(comparison: Comparison): comparison is keyof typeof TIME_RANGES {
	return comparison in TIME_RANGES;
}

/**
 * Whether the values of a field meet a condition. A list meets it if one of its elements does. Is
 * Empty looks at the list as a whole.
 *
 * @throws ServiceFailure if there is nothing to compare the field with
 */
export function compileCondition(
	condition: Condition,
	present: EvaluationTime,
): (values: unknown[]) => boolean {
	const { comparison } = condition;
	if (isTimeComparison(comparison)) requireZone(present.zone);
	const test = isTimeComparison(comparison)
		? isWithin(TIME_RANGES[comparison](condition, present), present.zone)
		: TESTS[comparison](condition, present);
	const passes = (found: unknown): boolean =>
		Array.isArray(found) ? found.some(passes) : test(found);
	// Is Empty looks at a list as a whole.
	const isFulfilled = (values: unknown[]) =>
		test === isEmpty ? values.every(isEmpty) : values.some(passes);
	return OPPOSITES.includes(comparison) ? (values) => !isFulfilled(values) : isFulfilled;
}

function textTest(compare: (found: string, expected: string) => boolean) {
	return (condition: Condition): Test => {
		const expected = expectedText(condition);
		return (found) => {
			const isScalar = typeof found === 'string' || typeof found === 'number';
			return isScalar && compare(foldCase(String(found)), expected);
		};
	};
}

function isWithin([from, until]: readonly [number, number], zone: string): Test {
	return (found) => {
		const time = timeOf(found, zone);
		return time >= from && time < until;
	};
}

function isEqualTo(condition: Condition, { zone }: EvaluationTime): Test {
	const keys = new Set(expectedKeys(condition, zone));
	return (found) => keysOf(found, zone).some((key) => keys.has(key));
}

/**
 * What Equals has in common with what it is equal to. Text typed in the editor stands for a number,
 * true or false too; in a record it is text.
 */
export function expectedKeys(condition: Condition, zone: string): string[] {
	const { value } = condition;
	const times = equalityKey('time', expectedMoment(condition, zone));
	if (isTimeObject(value)) return times;
	const text = expectedText(condition);
	if (typeof value === 'boolean') return equalityKey('is', text);
	const numbers = equalityKey('number', readCodeDecimal(value));
	if (typeof value === 'number') return [...numbers, ...equalityKey('digits', value)];
	return [`text ${text}`, `is ${text.trim()}`, ...numbers, ...times];
}

/** A whole time as text: n8n turns times in Conditions into text (2.41.1). */
const WHOLE_TIME = /\dT\d|\d:\d\d/i;

/** Milliseconds since 1970, if the value is a whole time, and not a date alone or a number. */
function expectedMoment(condition: Condition, zone: string): number | undefined {
	const { value } = condition;
	if (isTimeObject(value)) return expectedTime(condition, zone);
	if (typeof value !== 'string' || !WHOLE_TIME.test(value)) return undefined;
	return readInstant(value, requireZone(zone))?.earliestAt;
}

/**
 * Milliseconds since 1970; NaN, which is neither before nor after anything, if the value is not a
 * time.
 */
function timeOf(value: unknown, zone: string): number {
	return readInstant(value, zone)?.earliestAt ?? NaN;
}

function isTimeObject(value: unknown): value is Date | DateTime {
	return value instanceof Date || DateTime.isDateTime(value);
}

/** A time is compared as in JSON. '' is invalid, because every text contains it. */
function expectedText(condition: Condition): string {
	const { value } = condition;
	const text: unknown = isTimeObject(value) ? value.toJSON() : value;
	if (typeof text === 'number' && Math.abs(text) > Number.MAX_SAFE_INTEGER) {
		const what = `is a number beyond ${formatNumber(Number.MAX_SAFE_INTEGER)}, which n8n rounds`;
		return throwInvalidValue(condition, what, 'Pass it as text: in JSON with quotes around it.');
	}
	if (isNonBlank(text) || typeof text === 'boolean' || Number.isFinite(text))
		return foldCase(String(text));
	const must = 'must be text, a number, true or false, or a time';
	return throwInvalidValue(condition, must, 'If Value is an expression, check what it returns.');
}

function expectedTime(condition: Condition, zone: string): number {
	const time = timeOf(condition.value, zone);
	if (!Number.isNaN(time)) return time;
	const remedy =
		'Set Value to a date such as 2026-01-31, or to a time such as 2026-01-31T08:00:00Z.';
	return throwInvalidValue(condition, 'is not a point in time that can be read', remedy);
}

function expectedSpanMs(condition: Condition): number {
	const hours = readUserDecimal(condition.value) ?? NaN;
	if (hours > 0) return hours * HOUR;
	const must = 'must be a number of hours, more than 0';
	return throwInvalidValue(condition, must, 'Set Value to a number such as 8 or 0.5.');
}

function throwInvalidValue({ field, value }: Condition, what: string, remedy: string): never {
	const isMissing = typeof value === 'string' ? !isNonBlank(value) : isEmpty(value);
	const sentence = `The value of the condition on "${field}" ${what}.`;
	if (!isMissing) throw configurationFailure(sentence, remedy);
	throw configurationFailure(
		`The condition on "${field}" has no value.`,
		'Set Value. If it is an expression, check what it returns.',
	);
}
