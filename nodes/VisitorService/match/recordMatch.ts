import { type JsonObject, valuesAt } from '../values/json';
import { type Condition, isEmpty, OF_TIMES, type Present, testOf, timeOf } from './conditions';

/** What a user looks for. */
export interface MatchRules {
	/** Whether all conditions must hold, or any of them is enough. Without one everything matches. */
	type: 'all' | 'any';
	conditions: readonly Condition[];
}

/** More names would hide the one that is meant. */
const MAX_FIELDS_NAMED = 12;

interface ConditionState {
	field: string;
	isTimed: boolean;
	holds: (places: unknown[]) => boolean;
	/** Whether some record had the field, and whether some had none. */
	wasSeen: boolean;
	wasMissed: boolean;
	/** Whether some value of it was a time, and whether some was none. */
	wasTime: boolean;
	wasOther: boolean;
}

/**
 * The conditions records are looked at with, one after the other, and what that showed of their
 * fields.
 */
export class RecordMatch {
	private readonly states: readonly ConditionState[];

	private readonly names = new Set<string>();

	/** @throws ServiceFailure if a condition has nothing to compare its field with */
	constructor(
		private readonly rules: MatchRules,
		private readonly present: Present,
	) {
		this.states = rules.conditions.map((condition) => ({
			field: condition.field,
			isTimed: OF_TIMES.includes(condition.comparison),
			holds: testOf(condition, present),
			wasSeen: false,
			wasMissed: false,
			wasTime: false,
			wasOther: false,
		}));
	}

	/** Whether there is anything to look for. */
	get isSearch(): boolean {
		return this.states.length > 0;
	}

	/**
	 * Fields that some record could have had, and none had so far: a list that is empty says nothing
	 * of what is in it.
	 */
	get missing(): string[] {
		return this.fieldsThat(({ wasMissed, wasSeen }) => wasMissed && !wasSeen);
	}

	/** Fields that are compared as times, and whose values so far are none. */
	get unreadableTimes(): string[] {
		return this.fieldsThat(({ wasOther, wasTime }) => wasOther && !wasTime);
	}

	/** Names of the first fields that records had while a field was missing. */
	get otherFields(): string[] {
		return [...this.names];
	}

	readonly holds = (record: JsonObject): boolean => {
		const all = this.rules.type === 'all';
		let holds = all || !this.isSearch;
		// Every field is looked at, because each one that is never there is named.
		for (const state of this.states) {
			const places = valuesAt(record, state.field);
			if (!state.wasSeen) this.look(state, places, record);
			if (state.isTimed && !state.wasTime) this.lookForTime(state, places);
			holds = all ? holds && state.holds(places) : holds || state.holds(places);
		}
		return holds;
	};

	private look(state: ConditionState, places: readonly unknown[], record: JsonObject): void {
		state.wasSeen = places.some((found) => found !== undefined);
		if (state.wasSeen || places.length === 0) return;
		state.wasMissed = true;
		if (this.names.size >= MAX_FIELDS_NAMED) return;
		for (const name of Object.keys(record).slice(0, MAX_FIELDS_NAMED)) this.names.add(name);
	}

	private lookForTime(state: ConditionState, places: readonly unknown[]): void {
		const filled = places.flat().filter((found) => !isEmpty(found));
		state.wasTime = filled.some((found) => !Number.isNaN(timeOf(found, this.present.zone)));
		state.wasOther ||= !state.wasTime && filled.length > 0;
	}

	private fieldsThat(isSo: (state: ConditionState) => boolean): string[] {
		return [...new Set(this.states.filter(isSo).map(({ field }) => field))];
	}
}
