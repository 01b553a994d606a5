import type { RecordId } from '../answer/identity';
import type { JsonObject, Records } from '../values/json';
import { RecordKeys } from './recordKeys';

export interface CollectionRules<Kept> {
	/** Name of the resource, for IDs such as `userId`. */
	resource: string;
	/** Dot path of the ID; if it is empty, the ID is detected. */
	idPath?: string;
	/** Whether a repeated record is left out; true unless it is set. */
	removeDuplicates?: boolean;
	/** Max number of records wanted; undefined = all. */
	limit?: number;
	/** Which records are returned, and count for the limit; all of them if it is missing. */
	isWanted?: (record: JsonObject) => boolean;
	/** What to keep of a record as it comes: nothing else of it stays in memory. */
	keepAs: (record: JsonObject) => Kept;
}

/** A page, compared with the earlier ones. */
export interface ComparedPage {
	/** Records that are new, or seem to be others than those with their IDs. */
	fresh: number;
	/** How many of them count for the limit. */
	forLimit: number;
	/** Whether it came before: as the last page, as another one, or as records of several. */
	repeats: 'no' | 'previousPage' | 'earlierPage' | 'earlierRecords';
	/** Whether records have the IDs of earlier ones and other content, or the other way round. */
	differs: boolean;
	/** Whether records are told apart by an ID; and whether by that, or by what they hold. */
	hasIds: boolean;
	areTold: boolean;
}

/** What came so far: each record once, in the order they first came, and each page by its keys. */
export class Memory<Kept> {
	keys: RecordKeys;

	/** Records that came, each once, whether wanted or not. */
	read = 0;

	/** Records left out because they had come before; and of these, how many had other content. */
	duplicates = 0;

	differing = 0;

	/** Records of this sweep that came on an earlier page as well, or, without an ID, equal one. */
	cameAgain = 0;

	/** The first page with records, and the last one that held something new. */
	firstRecords: Records = [];

	private lastRecords: Records = [];

	/** The records that came and are wanted, and the places of those that are left out. */
	private kept: Kept[] = [];

	private readonly leftOut = new Set<number>();

	/** The IDs that came, each with what tells its record from others. */
	private readonly traces = new Map<RecordId, number>();

	/** In a further sweep the IDs that came in it. */
	private seenAgain?: Set<RecordId>;

	/** Digests of the pages that came. */
	private readonly pages = new Set<number>();

	/** Of records without an ID what they hold; undefined if equal ones stand on one page. */
	private contents?: Set<number> = new Set();

	constructor(private readonly rules: CollectionRules<Kept>) {
		this.keys = RecordKeys.shownBy([], rules.resource, rules.idPath);
	}

	/** Up to the limit. */
	get records(): Kept[] {
		const { kept, leftOut } = this;
		const { limit = Infinity } = this.rules;
		if (leftOut.size === 0 && kept.length <= limit) return kept;
		return kept.filter((_, place) => !leftOut.has(place)).slice(0, limit);
	}

	get areTold(): boolean {
		return this.keys.hasIds || this.contents !== undefined;
	}

	/** How many records are still wanted. */
	get wanted(): number {
		const { kept, leftOut, rules } = this;
		return rules.limit === undefined ? Infinity : rules.limit - kept.length + leftOut.size;
	}

	/** How many records have to be read for them, judged by how many of those read were wanted. */
	get wantedToRead(): number {
		return (this.wanted * this.read) / this.kept.length;
	}

	/** The list is read once more: from now on only IDs that never came are new. */
	sweepAgain(): void {
		this.seenAgain = new Set();
		this.cameAgain = 0;
		this.pages.clear();
		this.firstRecords = this.lastRecords = [];
	}

	/** Says what of a page is new; changes nothing. */
	compare(page: Records): ComparedPage {
		const { firstRecords, lastRecords, rules } = this;
		if (this.read === 0 && page.length > this.keys.known.shownBy) {
			this.keys = RecordKeys.shownBy(page, rules.resource, rules.idPath);
		}
		const { keys } = this;
		const { isWanted = () => true, limit } = rules;
		const { records, others } = keys.hasIds ? this.freshOf(page) : { records: page, others: 0 };
		const repeats = this.repeatsOf(page, records.length);
		const fresh = repeats === 'no' ? records : [];
		const mayBeEarlier = [firstRecords, lastRecords].some((one) => keys.beginsLike(page, one));
		return {
			fresh: fresh.length,
			forLimit: limit === undefined ? 0 : fresh.filter(isWanted).length,
			repeats,
			differs: others > 0 || (repeats === 'no' && mayBeEarlier),
			hasIds: keys.hasIds,
			areTold: this.areTold,
		};
	}

	/** Of records with IDs those that are new, and how many of them have the ID of another one. */
	private freshOf(page: Records): { records: JsonObject[]; others: number } {
		const known = this.seenAgain ?? this.traces;
		const keys = this.keys.of(page);
		const here = new Set<RecordId>();
		let others = 0;
		const records = page.filter((record, place) => {
			const key = keys[place] as RecordId;
			const isOther = known.has(key) && this.isOther(key, record);
			if (isOther) others++;
			const isFresh = isOther || !(known.has(key) || here.has(key));
			here.add(key);
			return isFresh;
		});
		return { records, others };
	}

	private repeatsOf(page: Records, fresh: number): ComparedPage['repeats'] {
		const { keys, lastRecords } = this;
		if (page.length === 0 || (keys.hasIds && fresh > 0)) return 'no';
		const digest = keys.ofPage(page);
		if (digest === keys.ofPage(lastRecords)) return 'previousPage';
		if (this.pages.has(digest)) return 'earlierPage';
		return keys.hasIds ? 'earlierRecords' : 'no';
	}

	/** Learns from two answers to the same question. */
	compareAnswers(one: Records, other: Records): void {
		const keys = this.keys.learn(one, other);
		if (this.keys.hasIds && !keys.hasIds) this.disproveId(keys);
		else this.keys = keys;
	}

	/** Keeps what is new of a page. */
	take(page: Records, isRepeated: boolean): void {
		if (!isRepeated) {
			this.pages.add(this.keys.ofPage(page));
			if (this.firstRecords.length === 0) this.firstRecords = page;
			this.lastRecords = page;
		}
		if (this.keys.hasIds) this.takeWithIds(page);
		else if (isRepeated && this.rules.removeDuplicates !== false) this.duplicates += page.length;
		else {
			this.compareContents(page);
			// Nothing tells whether an earlier sweep had it.
			const isFirstSweep = this.seenAgain === undefined;
			for (const record of page) if (isFirstSweep && this.wanted > 0) this.keep(record);
		}
	}

	private takeWithIds(page: Records): void {
		const keys = this.keys.of(page);
		const here = new Map<RecordId, JsonObject>();
		for (const [place, record] of page.entries()) {
			if (this.wanted <= 0) return;
			const key = keys[place] as RecordId;
			const twin = here.get(key);
			here.set(key, record);
			// A record before it on this page may have shown that the field is not the ID.
			const { contentOf, hasIds, known } = this.keys;
			const mayBeNone = hasIds && known.isGuessed && twin !== undefined;
			if (mayBeNone && contentOf(twin) !== contentOf(record)) this.disproveId();
			if (!this.keys.hasIds) this.keep(record);
			else if ((this.seenAgain ?? this.traces).has(key)) {
				if (twin === undefined) this.cameAgain++;
				this.takeAgain(key, record);
			} else {
				this.seenAgain?.add(key);
				if (this.traces.has(key)) continue;
				this.traces.set(key, this.keys.traceOf(record));
				this.keep(record);
			}
		}
	}

	private takeAgain(key: RecordId, record: JsonObject): void {
		const isLeftOut = this.rules.removeDuplicates !== false;
		this.keep(record, isLeftOut);
		if (!isLeftOut || !this.isOther(key, record)) return;
		this.differing++;
		const { isGuessed, isIdLasting } = this.keys.known;
		// Unless something differs in each answer, most that came again with an ID are the same.
		const isNone = isIdLasting && this.differing > 1 && 2 * this.differing > this.duplicates;
		if (isNone && isGuessed) this.disproveId();
	}

	/** What was left out because of the ID comes back. */
	private disproveId(keys = this.keys.withoutId()): void {
		this.keys = keys;
		// Of those that come back only the differing ones are others for sure.
		this.cameAgain = this.duplicates - this.differing;
		this.read += this.duplicates;
		this.duplicates = this.differing = 0;
		this.leftOut.clear();
		this.traces.clear();
		this.pages.clear();
		for (const page of [this.firstRecords, this.lastRecords]) this.pages.add(keys.ofPage(page));
	}

	/** What is left out may have to come back. */
	private keep(record: JsonObject, isLeftOut = false): void {
		const { isWanted, keepAs } = this.rules;
		if (isLeftOut) this.duplicates++;
		else this.read++;
		if (isWanted?.(record) === false) return;
		if (isLeftOut) this.leftOut.add(this.kept.length);
		this.kept.push(keepAs(record));
	}

	private isOther(key: RecordId, record: JsonObject): boolean {
		const trace = this.traces.get(key);
		return trace !== undefined && this.keys.isOther(trace, record);
	}

	/** If equal records stand on one page, those of other pages tell nothing. */
	private compareContents(page: Records): void {
		const here = new Set(page.map(this.keys.contentOf));
		if (here.size < page.length) this.contents = undefined;
		for (const content of here) {
			if (this.contents?.has(content)) this.cameAgain++;
			this.contents?.add(content);
		}
	}
}
