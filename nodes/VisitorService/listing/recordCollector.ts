import type { RecordId } from '../answer/identity';
import type { JsonObject } from '../values/json';
import { Distinction, type IdSought, type Trace } from './distinction';

export interface CollectionRules<Kept> extends IdSought {
	/** Whether a repeated record is left out; true unless it is set. */
	removeDuplicates?: boolean;
	/** Max number of records wanted; undefined = all. */
	limit?: number;
	/** Which records are returned, and count for the limit; all of them if it is missing. */
	isWanted?: (record: JsonObject) => boolean;
	/**
	 * What to keep of a record; made as the record comes, so that nothing else of it stays in memory.
	 */
	keepAs: (record: JsonObject) => Kept;
	/**
	 * Whether what is kept holds the record itself: then it can be compared with later ones as it is.
	 */
	keepsRecords?: boolean;
}

/** What of a page is new. */
export interface NewRecords {
	/** Records that would be kept. */
	fresh: number;
	/** Records with the ID of an earlier one that seem to be others. */
	differing: number;
	/** How many of both count for the limit; 0 without one. */
	forLimit: number;
}

interface LeftOut<Kept> {
	/** How many records had been kept when it was left out. */
	place: number;
	/** Undefined if the record is not wanted. */
	kept: Kept | undefined;
	/** Whether it seems to be another record than the one with its ID. */
	differs: boolean;
}

/**
 * Keeps every record once, in the order they first came. Which field is the ID is a guess, unless
 * the user said it: a field that comes twice on one page with other content is none, and what was
 * left out because of it comes back.
 */
export class RecordCollector<Kept> {
	records: Kept[] = [];

	/** Records that came, each once, whether wanted or not. */
	read = 0;

	/** Records left out because they had come before. */
	duplicates = 0;

	/** Records of this sweep that came on an earlier page as well, or, without an ID, equal one. */
	cameAgain = 0;

	/** The field that was taken for the ID and is none. */
	disprovedIdField?: string;

	/** The field that was taken for the ID and differs in each answer. */
	volatileIdField?: string;

	readonly distinction: Distinction;

	/** The kept IDs, each with what tells its record from others. */
	private readonly kept = new Map<RecordId, Trace>();

	/** Digests of records that were left out although they differ from the one that was kept. */
	private readonly otherContents = new Map<RecordId, number[]>();

	/** Of records without an ID what they hold; undefined if equal ones stand on one page. */
	private contents?: Set<number> = new Set();

	/** In a further sweep the IDs that came in it. */
	private seenAgain?: Set<RecordId>;

	/** The page that was counted last, if no record of it had come, and nothing was added since. */
	private newPage?: readonly JsonObject[];

	private leftOut: Array<LeftOut<Kept>> = [];

	/** Records with the IDs of other ones on whole pages, if the user said which field is the ID. */
	private namesakes = 0;

	constructor(private readonly rules: CollectionRules<Kept>) {
		this.distinction = new Distinction(rules);
	}

	/** How many records are still wanted. */
	get wanted(): number {
		const { limit } = this.rules;
		return limit === undefined ? Infinity : limit - this.records.length;
	}

	/** How many records have to be read for them, judged by how many of those read were wanted. */
	get wantedToRead(): number {
		const { records, read, rules } = this;
		const share = rules.isWanted === undefined ? 1 : records.length / Math.max(read, 1);
		return this.wanted / share;
	}

	/** Records that were left out although they differ from the earlier ones with their IDs. */
	get differingLeftOut(): number {
		return this.namesakes + this.leftOut.filter(({ differs }) => differs).length;
	}

	/** The field that was taken for the ID differs in each answer. */
	loseId(): void {
		const { idField = '' } = this.distinction;
		this.volatileIdField = idField;
		this.dropId();
		this.distinction.ignore([idField]);
	}

	/** A page has the IDs of an earlier one, and other records. */
	meetNamesakes(page: readonly JsonObject[]): void {
		if (this.distinction.isGuessed) this.disproveId();
		else this.namesakes += page.length;
	}

	/** The list is read once more: from now on only IDs that never came are new. */
	sweepAgain(): void {
		this.seenAgain = new Set();
		this.cameAgain = 0;
	}

	/** What of a page is new; changes nothing. */
	countNew(page: readonly JsonObject[]): NewRecords {
		const { distinction, rules } = this;
		const { limit, isWanted = () => true } = rules;
		const found: NewRecords = { fresh: 0, differing: 0, forLimit: 0 };
		const { ids, areDifferent } = distinction.idsOf(page);
		const met = areDifferent ? undefined : new Map<RecordId, JsonObject>();
		let place = 0;
		for (const record of page) {
			const id = ids[place++];
			const twin = id === undefined ? undefined : met?.get(id);
			if (twin !== undefined) {
				if (!distinction.areOthers(record, twin)) continue;
				found.differing++;
			} else if (id === undefined || !this.hasCome(id)) found.fresh++;
			else if (this.isOther(id, record)) found.differing++;
			else {
				met?.set(id, record);
				continue;
			}
			if (id !== undefined) met?.set(id, record);
			if (limit !== undefined && isWanted(record)) found.forLimit++;
		}
		if (areDifferent && found.fresh === page.length) this.newPage = page;
		return found;
	}

	/** Keeps what is new of a page. */
	add(page: readonly JsonObject[]): void {
		const { distinction } = this;
		distinction.begin(page);
		if (distinction.idField === undefined) this.compareContents(page);
		const { ids, areDifferent } = distinction.idsOf(page);
		const met = areDifferent ? undefined : new Map<RecordId, JsonObject>();
		const isNew = this.newPage === page;
		this.newPage = undefined;
		let place = 0;
		for (const record of page) {
			if (this.wanted <= 0) return;
			// A record before it on this page may have shown that the field is not the ID.
			const id = distinction.idField === undefined ? undefined : ids[place];
			place++;
			if (id === undefined) {
				// Without an ID nothing tells whether an earlier sweep had it.
				if (this.seenAgain === undefined) this.keep(record);
				continue;
			}
			const twin = met?.get(id);
			if (twin !== undefined && distinction.areOthers(record, twin)) {
				this.disproveId();
				this.keep(record);
				continue;
			}
			met?.set(id, record);
			if (isNew || !this.hasCome(id)) {
				this.addNew(id, record);
				continue;
			}
			if (twin === undefined) this.cameAgain++;
			this.addAgain(id, record);
		}
	}

	/** If equal records stand on one page, those of other pages tell nothing. */
	private compareContents(page: readonly JsonObject[]): void {
		const { contents, distinction } = this;
		if (contents === undefined) return;
		const here = new Set(page.map((record) => distinction.contentDigestOf(record)));
		if (here.size < page.length) {
			this.contents = undefined;
			this.cameAgain = 0;
			return;
		}
		for (const content of here) {
			if (contents.has(content)) this.cameAgain++;
			contents.add(content);
		}
	}

	/** Leaves out a page that was read before. */
	skip(page: readonly JsonObject[]): void {
		this.duplicates += page.length;
	}

	private addNew(id: RecordId, record: JsonObject): void {
		if (this.seenAgain !== undefined) {
			this.seenAgain.add(id);
			if (this.kept.has(id)) return;
		}
		const kept = this.keep(record);
		const isHeld = this.rules.keepsRecords === true && kept !== undefined;
		this.kept.set(id, isHeld ? record : this.distinction.digestOf(record));
	}

	private addAgain(id: RecordId, record: JsonObject): void {
		const { removeDuplicates = true } = this.rules;
		const differs = this.isOther(id, record);
		if (!removeDuplicates) {
			this.keep(record);
			return;
		}
		this.duplicates++;
		this.leftOut.push({ place: this.records.length, kept: this.keptOf(record), differs });
		if (!differs) return;
		const others = this.otherContents.get(id) ?? [];
		this.otherContents.set(id, [...others, this.distinction.digestOf(record)]);
		this.doubtId();
	}

	/**
	 * More records that differ than records that came again: it is not the ID that they have in
	 * common.
	 */
	private doubtId(): void {
		if (!this.distinction.isGuessed) return;
		const differing = this.differingLeftOut;
		if (differing > 1 && 2 * differing > this.leftOut.length) this.disproveId();
	}

	private disproveId(): void {
		this.disprovedIdField = this.distinction.idField;
		this.dropId();
	}

	/** What was left out because of the ID comes back. */
	private dropId(): void {
		this.distinction.disproveId();
		this.duplicates -= this.leftOut.length;
		this.read += this.leftOut.length;
		// Of those that come back only the differing ones are others for sure.
		this.cameAgain = this.leftOut.filter(({ differs }) => !differs).length;
		const records: Kept[] = [];
		let from = 0;
		for (const { place, kept } of this.leftOut) {
			for (; from < place; from++) records.push(this.records[from] as Kept);
			if (kept !== undefined) records.push(kept);
		}
		for (; from < this.records.length; from++) records.push(this.records[from] as Kept);
		this.records = records;
		this.leftOut = [];
		this.kept.clear();
	}

	private hasCome(id: RecordId): boolean {
		return (this.seenAgain ?? this.kept).has(id);
	}

	private isOther(id: RecordId, record: JsonObject): boolean {
		const earlier = this.kept.get(id);
		if (earlier === undefined) return false;
		return this.distinction.isOther(record, [earlier, ...(this.otherContents.get(id) ?? [])]);
	}

	private keep(record: JsonObject): Kept | undefined {
		this.read++;
		const kept = this.keptOf(record);
		if (kept !== undefined) this.records.push(kept);
		return kept;
	}

	private keptOf(record: JsonObject): Kept | undefined {
		const { isWanted, keepAs } = this.rules;
		return isWanted === undefined || isWanted(record) ? keepAs(record) : undefined;
	}
}
