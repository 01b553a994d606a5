import { readInstant } from '../values/instant';
import { type JsonObject, readAllAtPath } from '../values/json';
import { isEmpty } from '../values/parameters';
import { sanitizeServerText } from '../values/serverText';
import {
	type Condition,
	compileCondition,
	type EvaluationTime,
	isTimeComparison,
} from './conditions';
import { FieldPresence } from './fieldSelection';

/** What a user looks for. */
export interface MatchRules {
	/** Whether all conditions must hold, or any of them is enough. Without one everything matches. */
	type: 'all' | 'any';
	conditions: readonly Condition[];
}

/** More names would hide the one that is meant. */
const MAX_FIELDS_NAMED = 12;

/**
 * The conditions records are looked at with, one after the other, and what that showed of their
 * fields.
 */
export class RecordMatcher {
	private readonly tests: ReadonlyArray<Condition & { holds: (values: unknown[]) => boolean }>;

	private readonly fields = new FieldPresence();

	/** Of the fields that are compared as times, those with a time. */
	private readonly times = new FieldPresence();

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
		// Every field is looked at, because each one that is never there is named.
		const results = this.tests.map((test) => {
			const values = readAllAtPath(record, test.field);
			this.noteFields(test, values);
			return test.holds(values);
		});
		return !results.includes(false) || (this.rules.type === 'any' && results.includes(true));
	};

	/** Fields that some record could have had, and none had so far. */
	get missing(): string[] {
		return this.fields.missing;
	}

	/** What the user should check: fields that no record had, or that held no time in any. */
	warnings(plural: string): string[] {
		// One of the fields there are is mostly meant.
		const names = Object.keys(this.firstRecord ?? {}).slice(0, MAX_FIELDS_NAMED);
		const seen = sanitizeServerText(names.join(', ')) ?? '…';
		const hint = `check the name of the field. Fields: ${seen}.`;
		return [
			...this.fields.warnings(plural, hint),
			...this.times.warnings(plural, 'check Conditions.', 'a time that can be read at '),
		];
	}

	private noteFields({ field, comparison }: Condition, values: unknown[]): void {
		this.fields.note(field, values);
		if (!isTimeComparison(comparison) || this.times.isPresent(field)) return;
		const filled = values.flat().filter((found) => !isEmpty(found));
		const times = filled.map((found) => readInstant(found, this.present.zone));
		this.times.note(field, times);
	}
}
