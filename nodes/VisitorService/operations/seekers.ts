import { FirstRecords, type Selection } from '../listing/selection';
import type { RecordMatcher } from '../match/recordMatch';
import type { JsonObject } from '../values/json';

const OTHER_LETTERS =
	'A record was found by other letters than those of Value, which count as the same, as ß and ss do: check that it is the right one.';

/** The search of one input item in a list, and the records found so far. */
export class Seeker {
	private found: FirstRecords<JsonObject>;

	private literal?: JsonObject;

	private hasOtherLetters = false;

	/** @param wantsLiteral whether a record with the exact spelling is preferred to others */
	constructor(
		readonly matcher: RecordMatcher,
		private readonly limit: number | undefined,
		private readonly wantsLiteral: boolean,
	) {
		this.found = this.select();
	}

	get records(): JsonObject[] {
		return this.literal === undefined ? this.found.records : [this.literal];
	}

	get remaining(): number {
		if (this.wantsLiteral) return this.literal === undefined ? 1 : 0;
		return this.found.remaining;
	}

	get isOpen(): boolean {
		return this.remaining > 0;
	}

	get warnings(): string[] {
		const isOther = this.hasOtherLetters && this.literal === undefined;
		return [...this.matcher.valueWarnings, ...(isOther ? [OTHER_LETTERS] : [])];
	}

	/** Whether a matching record still counts towards what remains. */
	counts(record: JsonObject): boolean {
		return !this.wantsLiteral || this.matcher.spellingOf(record) === 'literal';
	}

	/** @param json what to keep of the record */
	keep(record: JsonObject, json: JsonObject, isHidden: boolean): void {
		this.hasOtherLetters ||= this.matcher.spellingOf(record) === 'otherLetters';
		if (this.wantsLiteral && this.counts(record)) this.literal = json;
		else this.found.keep(json, isHidden);
	}

	estimateToRead(recordsRead: number): number {
		return this.isOpen ? this.found.estimateToRead(recordsRead) : 0;
	}

	restoreHidden(): void {
		this.found.restoreHidden();
	}

	reset(): void {
		this.found = this.select();
	}

	private select(): FirstRecords<JsonObject> {
		return new FirstRecords({ limit: this.limit, transform: (json) => json });
	}
}

/**
 * The searches of several input items, whose conditions differ only in their values. Values of
 * Equals are looked up in a map, so that ten thousand input items take little longer than one.
 */
export class Seekers implements Selection {
	remaining = 0;

	private readonly byKey = new Map<string, Seeker[]>();

	/** Searches without a key: each is compared with each record. */
	private unkeyed: Seeker[] = [];

	/** For each record of the page compared last: it is kept next. */
	private found: ReadonlyMap<JsonObject, readonly Seeker[]> = new Map();

	/** @param pick what to keep of a record */
	constructor(
		private readonly all: readonly Seeker[],
		private readonly pick: (record: JsonObject) => JsonObject,
	) {
		for (const seeker of all) {
			this.remaining += seeker.remaining;
			const keys = all.length > 1 ? seeker.matcher.requiredKeys : [];
			if (keys.length === 0) this.unkeyed.push(seeker);
			for (const key of keys) {
				const sharing = this.byKey.get(key) ?? [];
				sharing.push(seeker);
				this.byKey.set(key, sharing);
			}
		}
	}

	remainingWith(records: readonly JsonObject[]): number {
		if (this.remaining === Infinity) return Infinity;
		const counts = new Map<Seeker, number>();
		this.found = new Map(records.map((record) => [record, this.findFor(record)]));
		for (const [record, seekers] of this.found) {
			for (const seeker of seekers) {
				if (seeker.counts(record)) counts.set(seeker, (counts.get(seeker) ?? 0) + 1);
			}
		}
		// Records beyond the limit of one search are of no use to the others.
		const useful = Array.from(counts, ([seeker, count]) => Math.min(count, seeker.remaining));
		return useful.reduce((remaining, count) => remaining - count, this.remaining);
	}

	estimateToRead(recordsRead: number): number {
		return this.all.reduce((max, one) => Math.max(max, one.estimateToRead(recordsRead)), 0);
	}

	keep(record: JsonObject, isHidden: boolean): void {
		const seekers = this.found.get(record)?.filter(({ isOpen }) => isOpen) ?? this.findFor(record);
		const json = seekers.length > 0 ? this.pick(record) : {};
		for (const seeker of seekers) {
			if (!isHidden && seeker.counts(record)) this.remaining--;
			seeker.keep(record, json, isHidden);
		}
	}

	restoreHidden(): void {
		for (const seeker of this.all) seeker.restoreHidden();
		this.remaining = this.all.reduce((sum, { remaining }) => sum + Math.max(remaining, 0), 0);
	}

	/** Unfinished searches whose conditions a record meets. */
	private findFor(record: JsonObject): readonly Seeker[] {
		const [first] = this.all;
		if (first === undefined) return [];
		// All look at the same fields.
		const values = first.matcher.valuesOf(record);
		// As in most executions, without a copy for each record.
		if (this.all.length === 1) return first.isOpen && first.matcher.meets(values) ? this.all : [];
		this.unkeyed = this.unkeyed.filter(({ isOpen }) => isOpen);
		const candidates = new Set(this.unkeyed);
		for (const key of this.byKey.size > 0 ? first.matcher.keysOf(values) : []) {
			const open = this.byKey.get(key)?.filter(({ isOpen }) => isOpen) ?? [];
			if (open.length > 0) this.byKey.set(key, open);
			else this.byKey.delete(key);
			for (const seeker of open) candidates.add(seeker);
		}
		return [...candidates].filter(({ matcher }) => matcher.meets(values));
	}
}
