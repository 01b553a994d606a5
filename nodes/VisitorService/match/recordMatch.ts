import { describeHiddenCharacters, withoutHiddenCharacters } from '../values/hiddenCharacters';
import { readInstant } from '../values/instant';
import { type JsonObject, readAllAtPath } from '../values/json';
import { isEmpty } from '../values/parameters';
import { redactPath, sanitizeServerText } from '../values/serverText';
import {
	type Comparison,
	type Condition,
	compileCondition,
	type EvaluationTime,
	expectedKeys,
	isTimeComparison,
} from './conditions';
import { foldCase, keysOf, type Spelling, spellingOf } from './equality';
import { FieldPresence } from './fieldSelection';
import { FieldValues } from './fieldValues';

/** The conditions as the user combined them. */
export interface MatchRules {
	/** Whether all conditions must hold, or one is enough. Without conditions everything matches. */
	type: 'all' | 'any';
	conditions: readonly Condition[];
}

function isTextEquality(condition: Condition): condition is Condition & { value: string } {
	return condition.comparison === 'equals' && typeof condition.value === 'string';
}

const visibleText = (text: string) => foldCase(withoutHiddenCharacters(text));

/** Comparisons that a text with hidden characters does not make fail, nor do those of times. */
const UNAFFECTED: readonly Comparison[] = ['notEquals', 'isEmpty', 'isNotEmpty'];

/** Among more names, the right one would be hard to find. */
const MAX_FIELDS_NAMED = 12;

/**
 * Matches records with conditions, and notes which fields no record has, and which never hold a
 * time.
 */
export class RecordMatcher {
	private readonly tests: ReadonlyArray<
		Condition & { holds: (values: unknown[]) => boolean; visible?: string; seen?: FieldValues }
	>;

	private readonly fields = new FieldPresence();

	/** The fields that are compared as times, and whether any value was one. */
	private readonly times = new FieldPresence();

	private hasMatched = false;

	/** Of records that would match without the hidden characters in them. */
	private readonly hiddenInRecords = new Set<string>();

	/** Its fields are named in the warning of a missing field. */
	private firstRecord: JsonObject | undefined;

	/** @throws ServiceFailure if a condition has nothing to compare its field with */
	constructor(
		private readonly rules: MatchRules,
		private readonly present: EvaluationTime,
	) {
		this.tests = rules.conditions.map((condition) => ({
			...condition,
			holds: compileCondition(condition, present),
			visible: isTextEquality(condition) ? visibleText(condition.value) : undefined,
			seen: condition.comparison === 'equals' ? new FieldValues(condition.field) : undefined,
		}));
	}

	readonly matches = (record: JsonObject): boolean => this.meets(this.valuesOf(record));

	/** The values of a record for each condition. */
	valuesOf(record: JsonObject): unknown[][] {
		this.firstRecord ??= record;
		return this.tests.map((test) => {
			const values = readAllAtPath(record, test.field);
			test.seen?.note(values);
			this.noteFields(test, values);
			return values;
		});
	}

	/** @param values for each condition */
	meets(values: readonly unknown[][]): boolean {
		const { rules, tests } = this;
		const holds = (test: (typeof tests)[number], index: number) => test.holds(values[index] ?? []);
		const isAny = rules.type === 'any' && tests.length > 0;
		const isMatch = isAny ? tests.some(holds) : tests.every(holds);
		this.hasMatched ||= isMatch;
		if (!this.hasMatched) this.noteHidden(values);
		return isMatch;
	}

	/** Keys of which a record that matches, or nearly so, must have one; none if any value may. */
	get requiredKeys(): string[] {
		const { rules, present, requiredIndexes } = this;
		const required = rules.conditions.filter((_, index) => requiredIndexes.includes(index));
		const keys = required.flatMap((condition) => expectedKeys(condition, present.zone));
		return keys.map(withoutHiddenCharacters);
	}

	/** Keys that another matcher with the same fields may require. */
	keysOf(values: readonly unknown[][]): string[] {
		const found = this.requiredIndexes.flatMap((index) => values[index]?.flat(Infinity) ?? []);
		const keys = found.flatMap((value) => keysOf(value, this.present.zone));
		return keys.map(withoutHiddenCharacters);
	}

	/** Indexes of Equals conditions of which one has to be met; none if others are enough. */
	private get requiredIndexes(): number[] {
		const { conditions, type } = this.rules;
		const indexes = [...conditions.keys()].filter(
			(index) => conditions[index]?.comparison === 'equals',
		);
		if (type === 'all') return indexes.slice(0, 1);
		return indexes.length === conditions.length ? indexes : [];
	}

	/** Whether an e-mail address is searched for, in which letter case may distinguish two people. */
	get hasAddress(): boolean {
		return this.rules.conditions.filter(isTextEquality).some(({ value }) => value.includes('@'));
	}

	/** How a matching record spells the values of Equals. */
	spellingOf(record: JsonObject): Spelling {
		if (this.tests.length === 0) return 'literal';
		const spellings = this.rules.conditions
			.filter(isTextEquality)
			.map(({ field, value }) => spellingOf(readAllAtPath(record, field), value));
		const isOther = (spelling: Spelling) => spellings.includes(spelling);
		return (['otherLetters', 'otherCase'] as const).find(isOther) ?? 'literal';
	}

	/** Fields that no record has so far, empty lists aside. */
	get missing(): string[] {
		return this.fields.missing;
	}

	/** Everything that the user should check. */
	warnings(plural: string): string[] {
		return [...this.fieldWarnings(plural), ...this.valueWarnings];
	}

	/** Fields that no record has, or that never hold a time. */
	fieldWarnings(plural: string): string[] {
		// Usually a name is misspelled.
		const names = Object.keys(this.firstRecord ?? {}).slice(0, MAX_FIELDS_NAMED);
		const seen = sanitizeServerText(names.map(redactPath).join(', ')) ?? '…';
		const hint = `check the name of the field. Fields: ${seen}.`;
		return [
			...this.fields.warnings(plural, hint),
			...this.times.warnings(plural, 'check Conditions.', 'a time that can be read at '),
		];
	}

	/** The values of fields that are compared with Equals. */
	get fieldNotes(): string[] {
		return this.tests.flatMap(({ seen }) => seen?.notes ?? []);
	}

	/** Hidden characters because of which nothing matches. */
	get valueWarnings(): string[] {
		if (this.hasMatched) return [];
		const inValues = this.rules.conditions.flatMap(({ field, comparison, value }) => {
			const hidden = typeof value === 'string' ? describeHiddenCharacters(value) : '';
			const isAffected = !isTimeComparison(comparison) && !UNAFFECTED.includes(comparison);
			if (hidden === '' || !isAffected) return [];
			return [`Nothing matches the value for "${field}", which has ${hidden}: check Value.`];
		});
		return [...inValues, ...this.hiddenInRecords];
	}

	private noteHidden(values: readonly unknown[][]): void {
		for (const [index, { field, visible, holds }] of this.tests.entries()) {
			if (visible === undefined) continue;
			const texts =
				values[index]?.flat(Infinity).filter((found) => typeof found === 'string') ?? [];
			// Most are not, which is cheaper to find out.
			const longer = texts.filter((text) => text.length > visible.length);
			const near = longer.find((text) => visibleText(text) === visible && !holds([text]));
			if (near === undefined) continue;
			const hidden = describeHiddenCharacters(near);
			this.hiddenInRecords.add(
				`A record has this value in "${field}", but with ${hidden}: search with Contains, or correct the record.`,
			);
		}
	}

	private noteFields({ field, comparison }: Condition, values: unknown[]): void {
		this.fields.note(field, values);
		if (!isTimeComparison(comparison) || this.times.isPresent(field)) return;
		const filled = values.flat().filter((found) => !isEmpty(found));
		const times = filled.map((found) => readInstant(found, this.present.zone));
		this.times.note(field, times);
	}
}
