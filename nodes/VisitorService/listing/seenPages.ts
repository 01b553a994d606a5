import type { Page } from '../answer/pageReader';
import type { JsonObject } from '../values/json';
import { PageMemory, volatileFieldsBetween } from './pageMemory';
import type { RecordCollector } from './recordCollector';
import { areAlike, isOneOf } from './sameRecords';
import type { PageComparison } from './situation';

interface SeenPage {
	number: number;
	records: readonly JsonObject[];
}

/** A page, compared with the earlier ones. */
export interface ComparedPage extends PageComparison {
	/** Records that are new, or seem to be; none of a repeated page. */
	fresh: number;
	/** How many of them count for the limit. */
	forLimit: number;
}

/** Says what of a page is new, by the records that were kept and the pages they stood on. */
export class SeenPages {
	private memory = new PageMemory([]);

	/** The first page with records. */
	firstRecords: readonly JsonObject[] = [];

	/** The first and the last page that held something new. */
	private first?: SeenPage;

	private last?: SeenPage;

	/** Fingerprints of records that were seen at another page size, and have not come yet. */
	private missing: ReadonlyArray<readonly string[]> = [];

	/** Records that have to come, and were seen before the first page was read. */
	seenBefore: readonly JsonObject[] = [];

	/** Whether two answers to the same question held the same IDs. */
	private doIdsLast = false;

	constructor(private readonly collector: RecordCollector<unknown>) {}

	/** Whether records are told apart by an ID. Doubtful ones tell nothing of a page. */
	get hasIds(): boolean {
		return this.collector.distinction.identify !== undefined;
	}

	/** Number of the last page that held something new. */
	get lastNumber(): number | undefined {
		return this.last?.number;
	}

	readonly fingerprintsOf = (record: JsonObject): string[] => this.memory.fingerprintsOf(record);

	/** The first page with records shows what identifies them. */
	begin(records: readonly JsonObject[]): void {
		if (this.firstRecords.length > 0 || records.length === 0) return;
		this.firstRecords = records;
		const { distinction } = this.collector;
		distinction.begin(records);
		const idsOf = (page: readonly JsonObject[]) => distinction.idsOf(page).ids;
		this.memory = new PageMemory(records, this.hasIds ? idsOf : undefined);
		this.expect(this.seenBefore);
	}

	/** @param isCompared whether what differs in each answer is known */
	compareWithEarlier(records: readonly JsonObject[], isCompared: boolean): ComparedPage {
		this.begin(records);
		const { fresh, differing, forLimit } = this.collector.countNew(records);
		const isAllNew = fresh === records.length;
		// A new ID is enough: it stood on no earlier page.
		const isNew = this.hasIds && fresh + differing > 0;
		const same = isNew || records.length === 0 ? undefined : this.memory.find(records);
		const repeats = isNew ? 'no' : this.repeats(records, same, isCompared);
		return {
			repeats,
			repeatedPage: repeats === 'no' ? undefined : same?.page,
			fresh: repeats === 'no' ? fresh + differing : 0,
			forLimit: repeats === 'no' ? forLimit : 0,
			differs: this.hasIds && (differing > 0 || (isAllNew && this.beginsLikeEarlier(records))),
			isEqual: !this.hasIds && same?.tells === false,
			hasIds: this.hasIds,
			isSeenMissing: this.missingAfter(records).length > 0,
		};
	}

	private repeats(
		records: readonly JsonObject[],
		same: ReturnType<PageMemory['find']>,
		isCompared: boolean,
	): PageComparison['repeats'] {
		if (records.length === 0 || this.last === undefined) return 'no';
		if (!this.hasIds) {
			if (same === undefined || !same.tells) return 'no';
			if (isCompared && !same.isCertain) {
				this.memory.doubt(records);
				return 'no';
			}
		}
		if (same?.page === this.last.number) return 'previousPage';
		return same?.page === this.first?.number ? 'firstPage' : 'otherPages';
	}

	/**
	 * Learns from two answers to the same question which fields differ in each answer.
	 *
	 * @param isLast whether no further answer will tell
	 * @returns whether it is known now
	 */
	compare(one: Page, other: Page, isLast: boolean): boolean {
		if (one.kind !== 'records' || other.kind !== 'records') return false;
		this.checkThatIdsLast(one.records, other.records);
		const { memory } = this;
		const { distinction } = this.collector;
		const found = volatileFieldsBetween(one.records, other.records, distinction.identify, isLast);
		if (found.kind === 'undecided') return false;
		distinction.ignore(found.fields);
		memory.ignore(found.fields);
		return true;
	}

	/** Whether a page begins like an earlier one but for its IDs, which may differ in each answer. */
	private beginsLikeEarlier([record]: readonly JsonObject[]): boolean {
		const { distinction } = this.collector;
		if (this.doIdsLast || record === undefined || !distinction.isGuessed) return false;
		// A single record shows nothing that tells it from others.
		if (this.firstRecords.length < 2) return false;
		return [this.first, this.last].some((page) => {
			const earlier = page?.records[0];
			return earlier !== undefined && distinction.agreeBesideId(earlier, record);
		});
	}

	/** Two answers to the same question, the same but for IDs that all are new: these are none. */
	private checkThatIdsLast(one: readonly JsonObject[], other: readonly JsonObject[]): void {
		const { collector } = this;
		const { distinction } = collector;
		if (!this.hasIds || this.doIdsLast) return;
		if (other.some(isOneOf(one, this.fingerprintsOf))) {
			this.doIdsLast = true;
			return;
		}
		const areNew = (records: readonly JsonObject[]) =>
			collector.countNew(records).fresh === records.length;
		const areSame =
			distinction.isGuessed &&
			one.length === other.length &&
			one.every((record, place) => distinction.agreeBesideId(record, other[place] ?? {}));
		if (!areSame || !areNew(one) || !areNew(other)) return;
		collector.loseId();
		this.forgetIds(this.firstRecords);
	}

	/**
	 * Whether two answers to the same question hold new records, and the later one not all of them.
	 */
	contradict(one: Page, other: Page): boolean {
		if (this.newOn(one) === 0 || this.newOn(other) === 0) return false;
		return !one.records.every(isOneOf(other.records, this.fingerprintsOf));
	}

	/** Of two answers to the same question the one that holds more that is new. */
	better(one: Page, other: Page): Page {
		if (other.kind === 'records') {
			const isOnlyFirst =
				this.beginsLikeEarlier(one.records) && !this.beginsLikeEarlier(other.records);
			return isOnlyFirst || this.newOn(other) >= this.newOn(one) ? other : one;
		}
		if (one.kind === 'records' || one.kind === 'empty') return other.kind === 'empty' ? other : one;
		return one.kind === 'refused' && other.kind !== 'empty' ? one : other;
	}

	/** Whether a later page holds something new, beside what the current one holds. */
	goesOnWith(later: Page, current: Page): boolean {
		if (this.newOn(later) === 0) return false;
		if (!this.hasIds) return !this.memory.holdSame(later.records, current.records);
		const { contentKeyOf } = this.collector.distinction;
		const here = new Set(current.records.map(contentKeyOf));
		return later.records.some((record) => !here.has(contentKeyOf(record)));
	}

	/**
	 * Whether nothing tells these records without an ID from those of the first page and of the last
	 * one.
	 */
	areEqual(records: readonly JsonObject[]): boolean {
		if (this.hasIds) return false;
		const earlier = [this.first, this.last].flatMap((page) => page?.records ?? []);
		const known = new Set(earlier.flatMap(this.fingerprintsOf));
		return records.flatMap(this.fingerprintsOf).every((fingerprint) => known.has(fingerprint));
	}

	/** Whether a page holds records, and none of those of another one. */
	holdsOthers({ records }: Page, { records: others }: Page): boolean {
		const { contentKeyOf } = this.collector.distinction;
		const keysOf = this.hasIds
			? this.fingerprintsOf
			: (record: JsonObject) => [contentKeyOf(record)];
		const known = new Set(others.flatMap(keysOf));
		return records.length > 0 && !records.flatMap(keysOf).some((key) => known.has(key));
	}

	/**
	 * Two pages of different numbers, requested at the same time, show whether what was taken for the
	 * ID is one, if nothing else tells records apart: most records of the same ID differ if it is
	 * none.
	 */
	checkIds(one: Page, other: Page): void {
		const { collector } = this;
		const { distinction } = collector;
		if (!this.hasIds || !distinction.isIdAlone) return;
		if (!areAlike(one.records, other.records, this.fingerprintsOf)) return;
		const differing = one.records.filter(
			(record, place) =>
				distinction.contentBesideId(record) !==
				distinction.contentBesideId(other.records[place] ?? {}),
		);
		if (2 * differing.length <= one.records.length) return;
		collector.meetNamesakes(one.records);
		if (distinction.idField === undefined) this.forgetIds(one.records);
	}

	/** Whether an earlier page holds other records than before, and no ID tells which ones came. */
	hasChanged(number: number, { records }: Page): boolean {
		return !this.hasIds && records.length > 0 && !this.memory.isStill(number, records);
	}

	isFirst(records: readonly JsonObject[]): boolean {
		return this.memory.find(records)?.page === this.first?.number;
	}

	private newOn({ records }: Page): number {
		if (this.hasIds) {
			const { fresh, differing } = this.collector.countNew(records);
			return fresh + differing;
		}
		const same = this.memory.find(records);
		return same?.isCertain === true && same.tells ? 0 : records.length;
	}

	/**
	 * These records were seen at another page size: what of them is not on the first page has to
	 * come.
	 */
	expect(records: readonly JsonObject[]): void {
		this.missing = records.map(this.fingerprintsOf);
		this.missing = this.missingAfter(this.firstRecords);
	}

	/** These records came before their turn: what of them is new has to come. */
	expectNew(records: readonly JsonObject[]): void {
		if (!this.hasIds) return;
		const isNew = (record: JsonObject) => this.collector.countNew([record]).fresh > 0;
		this.missing = [...this.missing, ...records.filter(isNew).map(this.fingerprintsOf)];
	}

	private missingAfter(records: readonly JsonObject[]): ReadonlyArray<readonly string[]> {
		if (this.missing.length === 0) return this.missing;
		const here = new Set(records.flatMap(this.fingerprintsOf));
		return this.missing.filter(
			(fingerprints) => !fingerprints.some((fingerprint) => here.has(fingerprint)),
		);
	}

	/** Keeps the records of a page. */
	take(number: number, records: readonly JsonObject[], isRepeated: boolean): void {
		const { collector } = this;
		const { disprovedIdField } = collector;
		collector.add(records);
		if (collector.disprovedIdField !== disprovedIdField) this.forgetIds(records);
		if (isRepeated) return;
		// The first answer may have been cut short.
		if (this.first === undefined) this.firstRecords = records;
		this.memory.remember(number, records);
		this.last = { number, records };
		this.first ??= this.last;
		this.missing = this.missingAfter(records);
	}

	/** What was taken for the ID is none: from now on pages are told apart by their content. */
	private forgetIds(records: readonly JsonObject[]): void {
		this.memory = new PageMemory(records);
		for (const page of new Set([this.first, this.last])) {
			if (page !== undefined) this.memory.remember(page.number, page.records);
		}
		this.memory.ignore(this.collector.distinction.volatileFields);
	}
}
