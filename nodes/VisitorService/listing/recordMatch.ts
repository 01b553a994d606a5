import { DateTime } from 'luxon';
import { readUpdatedSince } from '../answer/updatedSince';
import { ServiceFailure } from '../failure/serviceFailure';
import { readTypedDecimal } from '../values/decimal';
import { readInstant } from '../values/instant';
import { type JsonObject, valuesAt } from '../values/json';

export const COMPARISONS = [
	'equals',
	'notEquals',
	'contains',
	'startsWith',
	'before',
	'after',
	'isEmpty',
	'isNotEmpty',
] as const;

export type Comparison = (typeof COMPARISONS)[number];

/** A condition as a user set it. */
export interface Condition {
	/** A name as it stands, or a dot path, which passes through lists. */
	field: string;
	comparison: Comparison;
	/** Of any type, because expressions return any type. */
	value: unknown;
}

/** Whether one value in a record is what is looked for. */
type Test = (found: unknown) => boolean;

/** The conditions a record has to meet, all of them, and which of their fields no record had. */
export class RecordMatch {
	private readonly seen = new Set<string>();

	private readonly absent = new Set<string>();

	/** Fields compared as times: those of which some was read, and those of which none was so far. */
	private readonly timed = new Set<string>();

	private readonly untimed = new Set<string>();

	private readonly tests: ReadonlyArray<{
		field: string;
		isTimed: boolean;
		holds: (places: unknown[]) => boolean;
	}>;

	/**
	 * @param zone where a time without a zone is at home, e.g. "Europe/Berlin"
	 * @throws ServiceFailure if the value of a condition cannot be compared
	 */
	constructor(
		conditions: readonly Condition[],
		private readonly zone: string,
	) {
		this.tests = conditions.map((condition) => ({
			field: condition.field,
			isTimed: condition.comparison === 'before' || condition.comparison === 'after',
			holds: testOf(condition, zone),
		}));
	}

	/**
	 * Fields that some record could have had, and none had so far: a list that is empty says nothing
	 * of what is in it.
	 */
	get missing(): string[] {
		return [...this.absent];
	}

	/** Fields that are compared as times, and whose values so far are none. */
	get unreadableTimes(): string[] {
		return [...this.untimed];
	}

	readonly holds = (record: JsonObject): boolean => {
		let holds = true;
		// Every field is looked at, because each one that is never there is named.
		for (const test of this.tests) {
			const places = valuesAt(record, test.field);
			if (!this.seen.has(test.field)) this.look(test.field, places);
			if (test.isTimed && !this.timed.has(test.field)) this.lookForTime(test.field, places);
			holds &&= test.holds(places);
		}
		return holds;
	};

	private look(field: string, places: readonly unknown[]): void {
		if (places.some((found) => found !== undefined)) {
			this.seen.add(field);
			this.absent.delete(field);
		} else if (places.length > 0) this.absent.add(field);
	}

	private lookForTime(field: string, places: readonly unknown[]): void {
		const filled = places.flat().filter((found) => !isEmpty(found));
		if (filled.some((found) => !Number.isNaN(timeOf(found, this.zone)))) {
			this.timed.add(field);
			this.untimed.delete(field);
		} else if (filled.length > 0) this.untimed.add(field);
	}
}

function testOf({ comparison, value }: Condition, zone: string): (places: unknown[]) => boolean {
	switch (comparison) {
		case 'equals':
			return oneOf(isEqualTo(value, zone));
		case 'notEquals': {
			const equals = oneOf(isEqualTo(value, zone));
			return (places) => !equals(places);
		}
		case 'contains': {
			const sought = soughtText(value);
			return oneOf((found) => textOf(found)?.includes(sought) === true);
		}
		case 'startsWith': {
			const sought = soughtText(value);
			return oneOf((found) => textOf(found)?.startsWith(sought) === true);
		}
		case 'before': {
			const sought = readUpdatedSince(value, 'Value', zone);
			return oneOf((found) => timeOf(found, zone) < sought);
		}
		case 'after': {
			const sought = readUpdatedSince(value, 'Value', zone);
			return oneOf((found) => timeOf(found, zone) > sought);
		}
		case 'isEmpty':
			return (places) => places.every(isEmpty);
		case 'isNotEmpty':
			return (places) => !places.every(isEmpty);
	}
}

/** A list passes if one of its elements does. */
function oneOf(test: Test): (places: unknown[]) => boolean {
	const passes = (found: unknown): boolean =>
		Array.isArray(found) ? found.some(passes) : test(found);
	return (places) => places.some(passes);
}

function isEmpty(found: unknown): boolean {
	const isNothing = found === undefined || found === null || found === '';
	return isNothing || (Array.isArray(found) && found.length === 0);
}

/** Text typed in the editor stands for a number, true or false too; in a record it is text. */
function isEqualTo(value: unknown, zone: string): Test {
	if (typeof value === 'number' && !Number.isNaN(value))
		return (found) => readTypedDecimal(found) === value;
	if (typeof value === 'boolean') return (found) => found === value;
	if (isTimeObject(value)) {
		const sought = readUpdatedSince(value, 'Value', zone);
		return (found) => timeOf(found, zone) === sought;
	}
	const text = soughtText(value);
	const number = readTypedDecimal(value);
	const word = text.trim();
	return (found) => {
		if (typeof found === 'string') return folded(found) === text;
		if (typeof found === 'number') return found === number;
		return typeof found === 'boolean' && folded(String(found)) === word;
	};
}

/**
 * Milliseconds since 1970; NaN, which is neither before nor after anything, if the value is not a
 * time.
 */
function timeOf(value: unknown, zone: string): number {
	return readInstant(value, zone)?.earliest ?? NaN;
}

function textOf(found: unknown): string | undefined {
	return typeof found === 'string' || typeof found === 'number' ? folded(String(found)) : undefined;
}

/**
 * The text without what letter case and Unicode form make different (Unicode Standard, section
 * 3.13). Capitals are compared, because some letters have a capital of two letters; without the dot
 * that only Turkish keeps on them.
 */
function folded(text: string): string {
	const capitals = text.normalize('NFD').toLowerCase().toUpperCase();
	return capitals.replace(/I\u0307/g, 'I').normalize('NFC');
}

function isTimeObject(value: unknown): value is Date | DateTime {
	return value instanceof Date || DateTime.isDateTime(value);
}

/** A time is the text it is in JSON, which the editor shows. */
function soughtText(value: unknown): string {
	const text: unknown = isTimeObject(value) ? value.toJSON() : (value ?? '');
	if (typeof text === 'string') return folded(text);
	if (typeof text === 'boolean' || (typeof text === 'number' && !Number.isNaN(text)))
		return folded(String(text));
	throw new ServiceFailure(
		'The value of a condition must be text, a number, true or false, or a time.',
		'If Value is an expression, check what it returns.',
		{ kind: 'configuration' },
	);
}
