import { type JsonObject, valuesAt } from '../values/json';
import { type Condition, isEmpty, isOfTimes, type Present, testOf, timeOf } from './conditions';

/** What a user looks for. */
export interface MatchRules {
	/** Whether all conditions must hold, or any of them is enough. Without one everything matches. */
	type: 'all' | 'any';
	conditions: readonly Condition[];
}

/** More names would hide the one that is meant. */
const MAX_FIELDS_NAMED = 12;

/** A condition, and whether records had its field, and a time in it. */
interface Looked {
	field: string;
	isTimed: boolean;
	holds: (places: unknown[]) => boolean;
	wasSeen: boolean;
	wasMissed: boolean;
	wasTime: boolean;
	wasOther: boolean;
}

/**
 * The conditions records are looked at with, one after the other, and what that showed of their
 * fields.
 */
export class RecordMatch {
	private readonly looked: readonly Looked[];

	/** Names of the first fields that records had while a field was missing. */
	private readonly names = new Set<string>();

	/** @throws ServiceFailure if a condition has nothing to compare its field with */
	constructor(
		private readonly rules: MatchRules,
		private readonly present: Present,
	) {
		this.looked = rules.conditions.map((condition) => ({
			field: condition.field,
			isTimed: isOfTimes(condition.comparison),
			holds: testOf(condition, present),
			...{ wasSeen: false, wasMissed: false, wasTime: false, wasOther: false },
		}));
	}

	/** Whether there is anything to look for. */
	get isSearch(): boolean {
		return this.looked.length > 0;
	}

	readonly holds = (record: JsonObject): boolean => {
		const all = this.rules.type === 'all';
		let holds = all || !this.isSearch;
		// Every field is looked at, because each one that is never there is named.
		for (const looked of this.looked) {
			const places = valuesAt(record, looked.field);
			if (!looked.wasSeen) this.lookForField(looked, places, record);
			if (looked.isTimed && !looked.wasTime) this.lookForTime(looked, places);
			holds = all ? holds && looked.holds(places) : holds || looked.holds(places);
		}
		return holds;
	};

	/**
	 * Fields that some record could have had, and none had so far: a list that is empty says nothing
	 * of what is in it.
	 */
	get missing(): string[] {
		return this.fieldsThat(({ wasMissed, wasSeen }) => wasMissed && !wasSeen);
	}

	/** Conditions that no record could meet, which the user should look at. */
	warnings(plural: string): string[] {
		const timeless = this.fieldsThat(({ wasOther, wasTime }) => wasOther && !wasTime);
		// One of the fields there are is mostly meant.
		const hint = `check the name of the field. Fields: ${[...this.names].join(', ')}.`;
		const warn = (fields: string[], has: string, what: string) =>
			fields.length === 0
				? []
				: [
						`None of the ${plural} has ${has}${fields.map((one) => `"${one}"`).join(', ')}: ${what}`,
					];
		return [
			...warn(this.missing, '', hint),
			...warn(timeless, 'a time that can be read at ', 'check Conditions.'),
		];
	}

	private lookForField(looked: Looked, places: readonly unknown[], record: JsonObject): void {
		looked.wasSeen = places.some((found) => found !== undefined);
		if (looked.wasSeen || places.length === 0) return;
		looked.wasMissed = true;
		if (this.names.size >= MAX_FIELDS_NAMED) return;
		for (const name of Object.keys(record).slice(0, MAX_FIELDS_NAMED)) this.names.add(name);
	}

	private lookForTime(looked: Looked, places: readonly unknown[]): void {
		const filled = places.flat().filter((found) => !isEmpty(found));
		looked.wasTime = filled.some((found) => !Number.isNaN(timeOf(found, this.present.zone)));
		looked.wasOther ||= !looked.wasTime && filled.length > 0;
	}

	private fieldsThat(isSo: (looked: Looked) => boolean): string[] {
		return [...new Set(this.looked.filter(isSo).map(({ field }) => field))];
	}
}
