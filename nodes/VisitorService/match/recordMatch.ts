import { readInstant } from '../values/instant';
import { type JsonObject, readAllAtPath } from '../values/json';
import { isEmpty } from '../values/parameters';
import { sanitizeServerText } from '../values/serverText';
import {
	type Comparison,
	type Condition,
	compileCondition,
	type EvaluationTime,
	isTimeComparison,
} from './conditions';
import { isSpelledOtherwise } from './equality';
import { FieldPresence } from './fieldSelection';
import { describeHiddenCharacters } from './hiddenCharacters';

/** The conditions as the user combined them. */
export interface MatchRules {
	/** Whether all conditions must hold, or one is enough. Without conditions everything matches. */
	type: 'all' | 'any';
	conditions: readonly Condition[];
}

const COMPARES_TEXT: readonly Comparison[] = ['equals', 'contains', 'startsWith'];

/** More names would hide the one that is meant. */
const MAX_FIELDS_NAMED = 12;

/**
 * Compares records with conditions, and remembers which fields no record has and which hold no
 * time.
 */
export class RecordMatcher {
	private readonly tests: ReadonlyArray<Condition & { holds: (values: unknown[]) => boolean }>;

	private readonly fields = new FieldPresence();

	/** The fields that are compared as times, and whether any value was a time. */
	private readonly times = new FieldPresence();

	private hasMatched = false;

	/** Fields of which a returned record has a text that only counts as the same. */
	private readonly spelledOtherwise = new Set<string>();

	/** Its fields are named if one is missing. */
	private firstRecord: JsonObject | undefined;

	/** @throws ServiceFailure if a condition has nothing to compare its field with */
	constructor(
		private readonly rules: MatchRules,
		private readonly present: EvaluationTime,
	) {
		this.tests = rules.conditions.map((condition) => ({
			...condition,
			holds: compileCondition(condition, present),
		}));
	}

	readonly matches = (record: JsonObject): boolean => {
		this.firstRecord ??= record;
		// No shortcut: each field that no record has is named.
		const results = this.tests.map((test) => {
			const values = readAllAtPath(record, test.field);
			this.noteFields(test, values);
			return test.holds(values);
		});
		const isMatch =
			!results.includes(false) || (this.rules.type === 'any' && results.includes(true));
		this.hasMatched ||= isMatch;
		return isMatch;
	};

	/** @param record that is returned */
	noteSpelling(record: JsonObject): void {
		for (const { field, comparison, value } of this.rules.conditions) {
			if (comparison !== 'equals' || typeof value !== 'string') continue;
			const isOther = isSpelledOtherwise(readAllAtPath(record, field), value);
			if (isOther) this.spelledOtherwise.add(field);
		}
	}

	/** Fields that no record has so far, empty lists aside. */
	get missing(): string[] {
		return this.fields.missing;
	}

	/** Fields that no record has, that never hold a time, or whose text is not quite the value. */
	warnings(plural: string): string[] {
		// Usually a name is misspelled.
		const names = Object.keys(this.firstRecord ?? {}).slice(0, MAX_FIELDS_NAMED);
		const seen = sanitizeServerText(names.join(', ')) ?? '…';
		const hint = `check the name of the field. Fields: ${seen}.`;
		return [
			...this.fields.warnings(plural, hint),
			...this.times.warnings(plural, 'check Conditions.', 'a time that can be read at '),
			...[...this.spelledOtherwise].map(
				(field) =>
					`"${field}" has other letters than Value, which count as the same, as ß and ss do: check that it is the right one.`,
			),
			...(this.hasMatched || this.firstRecord === undefined ? [] : this.hiddenCharacters()),
		];
	}

	private hiddenCharacters(): string[] {
		return this.rules.conditions.flatMap(({ field, comparison, value }) => {
			const hidden = typeof value === 'string' ? describeHiddenCharacters(value) : '';
			if (hidden === '' || !COMPARES_TEXT.includes(comparison)) return [];
			return [`Nothing matches the value for "${field}", which has ${hidden}: check Value.`];
		});
	}

	private noteFields({ field, comparison }: Condition, values: unknown[]): void {
		this.fields.note(field, values);
		if (!isTimeComparison(comparison) || this.times.isPresent(field)) return;
		const filled = values.flat().filter((found) => !isEmpty(found));
		const times = filled.map((found) => readInstant(found, this.present.zone));
		this.times.note(field, times);
	}
}
