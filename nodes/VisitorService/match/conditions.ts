import { DateTime } from 'luxon';
import { configurationFailure } from '../failure/serviceFailure';
import { HOUR, readInstant } from '../values/instant';
import { isNonBlank } from '../values/json';
import { isEmpty } from '../values/parameters';
import { readUserDecimal } from '../values/scalar';

/** A condition as a user set it. */
export interface Condition {
	/** A field name, or a dot path, which passes through lists. */
	field: string;
	comparison: Comparison;
	/** Of any type, because expressions return any type. */
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
	contains: textTest((found, sought) => found.includes(sought)),
	startsWith: textTest((found, sought) => found.startsWith(sought)),
	isEmpty: () => isEmpty,
	isNotEmpty: () => isEmpty,
};

/** A range of times in milliseconds since 1970, the end excluded. */
type SpanOf = (condition: Condition, present: EvaluationTime) => [from: number, until: number];

/** The comparisons with time, as ranges. */
const TIME_RANGES = {
	before: (condition, { zone }) => [-Infinity, expectedTime(condition, zone)],
	after: (condition, { zone }) => [expectedTime(condition, zone) + 1, Infinity],
	isToday: (_, { now, zone }) => {
		// The clocks of a zone may skip or repeat an hour, that of midnight too.
		const day = DateTime.fromMillis(now, { zone }).startOf('day');
		return [day.toMillis(), day.plus({ days: 1 }).startOf('day').toMillis()];
	},
	withinLastHours: (condition, { now }) => [now - expectedSpanMs(condition), now + 1],
	withinNextHours: (condition, { now }) => [now, now + expectedSpanMs(condition) + 1],
} satisfies Record<string, SpanOf>;

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
	const test = isTimeComparison(comparison)
		? isWithin(TIME_RANGES[comparison](condition, present), present.zone)
		: TESTS[comparison](condition, present);
	const passes = (found: unknown): boolean =>
		Array.isArray(found) ? found.some(passes) : test(found);
	// Is Empty looks at a list as a whole.
	const isMet = (values: unknown[]) =>
		test === isEmpty ? values.every(isEmpty) : values.some(passes);
	return OPPOSITES.includes(comparison) ? (values) => !isMet(values) : isMet;
}

function textTest(compare: (found: string, sought: string) => boolean) {
	return (condition: Condition): Test => {
		const sought = expectedText(condition);
		return (found) => {
			const isScalar = typeof found === 'string' || typeof found === 'number';
			return isScalar && compare(foldCase(String(found)), sought);
		};
	};
}

function isWithin([from, until]: readonly [number, number], zone: string): Test {
	return (found) => {
		const time = timeOf(found, zone);
		return time >= from && time < until;
	};
}

/** Text typed in the editor stands for a number, true or false too; in a record it is text. */
function isEqualTo(condition: Condition, { zone }: EvaluationTime): Test {
	const { value } = condition;
	if (Number.isFinite(value)) return (found) => readUserDecimal(found) === value;
	if (typeof value === 'boolean') return (found) => found === value;
	if (isTimeObject(value)) {
		const sought = expectedTime(condition, zone);
		return (found) => timeOf(found, zone) === sought;
	}
	const text = expectedText(condition);
	const number = readUserDecimal(value);
	const word = text.trim();
	return (found) => {
		if (typeof found === 'string') return foldCase(found) === text;
		if (typeof found === 'number') return found === number;
		return typeof found === 'boolean' && foldCase(String(found)) === word;
	};
}

/**
 * Milliseconds since 1970; NaN, which is neither before nor after anything, if the value is not a
 * time.
 */
function timeOf(value: unknown, zone: string): number {
	return readInstant(value, zone)?.earliestMs ?? NaN;
}

/**
 * The text without what letter case and Unicode form make different (Unicode Standard, section
 * 3.13). Capitals are compared, because some letters have a capital of two letters; without the dot
 * that only Turkish keeps on them.
 */
function foldCase(text: string): string {
	const capitals = text.normalize('NFD').toLowerCase().toUpperCase();
	return capitals.replace(/I\u0307/g, 'I').normalize('NFC');
}

function isTimeObject(value: unknown): value is Date | DateTime {
	return value instanceof Date || DateTime.isDateTime(value);
}

/** A time is the text it is in JSON, which the editor shows. Every text contains an empty one. */
function expectedText(condition: Condition): string {
	const { value } = condition;
	const text: unknown = isTimeObject(value) ? value.toJSON() : value;
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

/** In milliseconds. */
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
