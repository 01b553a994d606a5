import { findIdentity, type RecordId, type RecordIdentity, spelledAlike } from '../answer/identity';
import { wideDigest } from '../values/digest';
import { readInstant } from '../values/instant';
import { isRecord, type JsonObject } from '../values/json';

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
	/**
	 * What to keep of a record; made as the record comes, so that nothing else of it stays in memory.
	 */
	keepAs: (record: JsonObject) => Kept;
	/**
	 * Whether what is kept holds the record itself: then it can be compared with later ones as it is.
	 */
	keepsRecords?: boolean;
}

/** A page, compared with the earlier ones. */
export interface ComparedPage {
	/** Records that are new, or seem to be others than those with their IDs. */
	fresh: number;
	/** How many of them count for the limit. */
	forLimit: number;
	/**
	 * The page came before: as the one before it, as the first one, as another one, or its records
	 * all came, but not as one page.
	 */
	repeats: 'no' | 'previousPage' | 'firstPage' | 'otherPage' | 'otherPages';
	/** Whether records have the IDs of earlier ones and other content, or the other way round. */
	differs: boolean;
	/** Whether records are told apart by an ID; and if not, whether their content does so. */
	hasIds: boolean;
	areTold: boolean;
}

interface LeftOut<Kept> {
	/** How many records had been kept when it was left out. */
	place: number;
	/** Undefined if the record is not wanted. */
	kept: Kept | undefined;
}

/** Bits of one of two digests that are kept in one small number. */
const DIGEST_BITS = 15;
const DIGEST_MASK = 2 ** DIGEST_BITS - 1;

/** A record to compare later ones with, or a digest of what tells it from others. */
type Trace = JsonObject | number;

/**
 * What came so far: each record once, in the order they first came, and each page by what stood on
 * it. A record is its ID. Which field that is may be a guess: if different records have it in
 * common, it is none, and what was left out because of it comes back. Without an ID only whole
 * pages are recognized.
 */
export class Memory<Kept> {
	records: Kept[] = [];

	/** Records that came, each once, whether wanted or not. */
	read = 0;

	/** Records left out because they had come before; and of these, how many had other content. */
	duplicates = 0;

	differing = 0;

	/** Records of this sweep that came on an earlier page as well, or, without an ID, equal one. */
	cameAgain = 0;

	/** Dot path of the ID; undefined if the records have none. */
	idField?: string;

	/** The field that was taken for the ID and is none. */
	disprovedIdField?: string;

	/** Whether no record of the first page has an ID where the user said it is. */
	isIdMissing = false;

	/** The first page with records, and the last one that held something new. */
	firstRecords: readonly JsonObject[] = [];

	private lastRecords: readonly JsonObject[] = [];

	private readId?: RecordIdentity;

	/** Fields by which the records of the first page differ; at most two of them beside an ID. */
	private telling: string[] = [];

	/** Fields that differ in each answer. */
	private readonly volatile = new Set<string>();

	/** Records of the page that showed what identifies them. */
	private begunWith = 0;

	/** The kept IDs, each with what tells its record from others. */
	private readonly kept = new Map<RecordId, Trace>();

	/** In a further sweep the IDs that came in it. */
	private seenAgain?: Set<RecordId>;

	private leftOut: Array<LeftOut<Kept>> = [];

	/** Digests of pages that were kept. */
	private readonly pages = new Set<number>();

	/** Of records without an ID what they hold; undefined if equal ones stand on one page. */
	private contents?: Set<number> = new Set();

	/** A page is compared, maybe several times, and kept: its keys are read once. */
	private keys = new WeakMap<readonly JsonObject[], RecordId[]>();

	constructor(private readonly rules: CollectionRules<Kept>) {}

	get hasIds(): boolean {
		return this.readId !== undefined;
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

	/** The list is read once more: from now on only IDs that never came are new. */
	sweepAgain(): void {
		this.seenAgain = new Set();
		this.cameAgain = 0;
		this.pages.clear();
		this.firstRecords = this.lastRecords = [];
	}

	/** The first page with records, in its longest answer, shows what identifies them. */
	begin(page: readonly JsonObject[]): void {
		if (this.read > 0 || page.length <= this.begunWith) return;
		this.begunWith = page.length;
		this.idField = this.readId = undefined;
		this.keys = new WeakMap();
		const { idPath, resource } = this.rules;
		const found = findIdentity(page, resource, idPath);
		this.isIdMissing =
			(idPath ?? '') !== '' && page.every((record) => found?.identify(record) === undefined);
		if (found?.isDoubtful === false && !this.isIdMissing) {
			this.idField = found.field;
			this.readId = found.identify;
		}
		this.telling = fieldsThatTell(page).filter((field) => field !== this.idField);
		if (this.hasIds) this.telling.splice(2);
	}

	/** Says what of a page is new; changes nothing. */
	compare(page: readonly JsonObject[]): ComparedPage {
		this.begin(page);
		const { hasIds } = this;
		const found = { forLimit: 0, repeats: 'no' as const, differs: false, hasIds, areTold: true };
		if (page.length === 0) return { ...found, fresh: 0 };
		return hasIds ? this.compareIds(page, found) : this.compareContent(page, found);
	}

	private compareIds(
		page: readonly JsonObject[],
		found: Omit<ComparedPage, 'fresh'>,
	): ComparedPage {
		const known = this.seenAgain ?? this.kept;
		const keys = this.keysOf(page);
		const fresh: JsonObject[] = [];
		let differing = 0;
		const here = new Set<RecordId>();
		for (const [place, record] of page.entries()) {
			const key = keys[place] as RecordId;
			const isKnown = known.has(key);
			if (isKnown && this.isOther(key, record)) differing++;
			else if (isKnown || here.has(key)) continue;
			here.add(key);
			fresh.push(record);
		}
		return {
			...found,
			fresh: fresh.length,
			forLimit: this.countForLimit(fresh),
			differs: differing > 0,
			repeats: fresh.length > 0 ? 'no' : (this.repeatedBy(page) ?? 'otherPages'),
		};
	}

	private compareContent(
		page: readonly JsonObject[],
		found: Omit<ComparedPage, 'fresh'>,
	): ComparedPage {
		const areTold = this.areTold(page);
		const repeats = this.repeatedBy(page);
		if (repeats !== undefined) return { ...found, fresh: 0, repeats, areTold };
		const forLimit = this.countForLimit(page);
		return {
			...found,
			fresh: page.length,
			forLimit,
			differs: this.beginsLikeEarlier(page),
			areTold,
		};
	}

	private countForLimit(fresh: readonly JsonObject[]): number {
		const { isWanted, limit } = this.rules;
		if (limit === undefined) return 0;
		return isWanted === undefined ? fresh.length : fresh.filter(isWanted).length;
	}

	private repeatedBy(page: readonly JsonObject[]): ComparedPage['repeats'] | undefined {
		if (this.areAlike(page, this.lastRecords)) return 'previousPage';
		if (this.areAlike(page, this.firstRecords)) return 'firstPage';
		return this.pages.has(this.digestOf(page)) ? 'otherPage' : undefined;
	}

	/** Whether two pages hold the same records, in whatever order. */
	areAlike(one: readonly JsonObject[], other: readonly JsonObject[]): boolean {
		return one.length === other.length && this.digestOf(one) === this.digestOf(other);
	}

	/**
	 * Without an ID, a field that told the records of the first page apart and is the same again is
	 * worth another answer: what else differs may do so in each.
	 */
	private beginsLikeEarlier([record]: readonly JsonObject[]): boolean {
		return [this.firstRecords[0], this.lastRecords[0]].some(
			(earlier) =>
				earlier !== undefined && this.steady.some((field) => earlier[field] === record?.[field]),
		);
	}

	/** Of the telling fields those that are the same in each answer. */
	private get steady(): string[] {
		return this.telling.filter((field) => !this.volatile.has(field));
	}

	/** Whether a page holds some of these records, and others as well. */
	overlaps(page: readonly JsonObject[], others: readonly JsonObject[]): boolean {
		const known = new Set(this.keysOf(others));
		const again = this.keysOf(page).filter((key) => known.has(key)).length;
		return again > 0 && again < page.length;
	}

	/** Whether no two records are equal, so that a repeated page is known by them. */
	areTold(page: readonly JsonObject[]): boolean {
		if (this.hasIds) return true;
		return page.length > 1 && new Set(page.map(this.contentOf)).size === page.length;
	}

	/** Whether all of these records are among the others. */
	areIn(some: readonly JsonObject[], others: readonly JsonObject[]): boolean {
		const known = new Set(this.keysOf(others));
		return this.keysOf(some).every((key) => known.has(key));
	}

	/**
	 * Learns from two answers to the same question which fields differ in each answer.
	 *
	 * @returns whether they hold different records
	 */
	compareAnswers(one: readonly JsonObject[], other: readonly JsonObject[]): boolean {
		const differing = new Set<string>();
		const fields = new Set<string>();
		const [keys, keysAgain] = this.hasIds ? [this.keysOf(one), this.keysOf(other)] : [];
		for (const [place, again] of other.slice(0, one.length).entries()) {
			const record = one[place] ?? {};
			if (keys?.[place] !== keysAgain?.[place]) return true;
			for (const field of Object.keys(record)) {
				fields.add(field);
				if (JSON.stringify(record[field]) !== JSON.stringify(again[field])) differing.add(field);
			}
		}
		// Without an ID they are the same if most fields agree, or one that tells records apart.
		const doMostAgree = 2 * differing.size < fields.size;
		const isSame =
			this.hasIds || doMostAgree || this.telling.some((field) => !differing.has(field));
		if (!isSame) return 2 * differing.size > fields.size;
		if (differing.size === 0) return false;
		for (const field of differing) this.volatile.add(field);
		this.keys = new WeakMap();
		return false;
	}

	/** Keeps what is new of a page. */
	take(page: readonly JsonObject[], isRepeated: boolean): void {
		if (!isRepeated) this.remember(page);
		if (!this.hasIds) {
			this.takeWithoutIds(page, isRepeated);
			return;
		}
		const keys = this.keysOf(page);
		const here = new Map<RecordId, JsonObject>();
		for (const [place, record] of page.entries()) {
			if (this.wanted <= 0) return;
			const key = keys[place] as RecordId;
			const twin = here.get(key);
			here.set(key, record);
			// A record before it on this page may have shown that the field is not the ID.
			if (this.readId === undefined) this.keep(record);
			else if (twin !== undefined && this.areOthers(twin, record)) {
				this.disproveId();
				this.keep(record);
			} else if ((this.seenAgain ?? this.kept).has(key)) {
				if (twin === undefined) this.cameAgain++;
				this.takeAgain(key, record);
			} else this.takeNew(key, record);
		}
	}

	private remember(page: readonly JsonObject[]): void {
		this.pages.add(this.digestOf(page));
		if (this.firstRecords.length === 0) this.firstRecords = page;
		this.lastRecords = page;
	}

	private takeWithoutIds(page: readonly JsonObject[], isRepeated: boolean): void {
		if (isRepeated && this.rules.removeDuplicates !== false) {
			this.duplicates += page.length;
			return;
		}
		this.compareContents(page);
		// Nothing tells whether an earlier sweep had it.
		if (this.seenAgain !== undefined) return;
		for (const record of page) {
			if (this.wanted <= 0) return;
			this.keep(record);
		}
	}

	/** If equal records stand on one page, those of other pages tell nothing. */
	private compareContents(page: readonly JsonObject[]): void {
		const here = new Set(page.map(this.contentOf));
		if (here.size < page.length) {
			this.contents = undefined;
			this.cameAgain = 0;
		}
		for (const content of here) {
			if (this.contents?.has(content)) this.cameAgain++;
			this.contents?.add(content);
		}
	}

	private takeNew(key: RecordId, record: JsonObject): void {
		this.seenAgain?.add(key);
		if (this.kept.has(key)) return;
		const kept = this.keep(record);
		const isHeld = this.rules.keepsRecords === true && kept !== undefined;
		this.kept.set(key, isHeld ? record : this.traceOf(record));
	}

	private takeAgain(key: RecordId, record: JsonObject): void {
		if (this.rules.removeDuplicates === false) {
			this.keep(record);
			return;
		}
		this.duplicates++;
		this.leftOut.push({ place: this.records.length, kept: this.keptOf(record) });
		if (!this.isOther(key, record)) return;
		this.differing++;
		const isGuessed = (this.rules.idPath ?? '') === '';
		// More records that differ than records that came again have something else in common.
		if (isGuessed && this.differing > 1 && 2 * this.differing > this.leftOut.length) {
			this.disproveId();
		}
	}

	/** What was left out because of the ID comes back. */
	private disproveId(): void {
		this.disprovedIdField = this.idField;
		this.idField = this.readId = undefined;
		this.duplicates -= this.leftOut.length;
		this.read += this.leftOut.length;
		// Of those that come back only the differing ones are others for sure.
		this.cameAgain = this.leftOut.length - this.differing;
		this.differing = 0;
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
		this.keys = new WeakMap();
		this.pages.clear();
		for (const page of [this.firstRecords, this.lastRecords]) this.pages.add(this.digestOf(page));
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

	/** The ID of each record; of one that lacks it, its content, and its place among equal ones. */
	private keysOf(page: readonly JsonObject[]): RecordId[] {
		const known = this.keys.get(page);
		if (known !== undefined) return known;
		const counts = new Map<number, number>();
		const keys = page.map((record): RecordId => {
			const id = this.readId?.(record);
			if (id !== undefined) return spelledAlike(id);
			const content = this.contentOf(record);
			const count = (counts.get(content) ?? 0) + 1;
			counts.set(content, count);
			return `#${content}#${count}`;
		});
		this.keys.set(page, keys);
		return keys;
	}

	/** Some services return the records of a page in another order each time. */
	private digestOf(page: readonly JsonObject[]): number {
		return wideDigest([...this.keysOf(page)].sort().join());
	}

	private readonly contentOf = (record: JsonObject): number =>
		wideDigest(this.textOf(record, this.volatile));

	/** The record without some of its fields, as text. */
	private textOf(record: JsonObject, without: ReadonlySet<string>): string {
		if (without.size === 0) return JSON.stringify(record);
		return JSON.stringify(record, (field, value: unknown) =>
			without.has(field) && !isRecord(value) ? undefined : value,
		);
	}

	/** The last part of the path of the ID, which may be written in two ways. */
	private get idName(): string {
		return this.idField?.split('.').at(-1) ?? '';
	}

	/** Of two fields that tell records apart, or of all, 15 bits each in one small number. */
	private traceOf(record: JsonObject): number {
		if (this.telling.length === 0) return digest(this.textOf(record, new Set([this.idName]))) >>> 1;
		return this.telling.reduce(
			(bits, field, place) =>
				bits | ((digest(record[field] ?? null) & DIGEST_MASK) << (place * DIGEST_BITS)),
			0,
		);
	}

	/**
	 * Whether a record is another one than the earlier one with its ID: a change leaves something as
	 * it was.
	 */
	private isOther(key: RecordId, record: JsonObject): boolean {
		const trace = this.kept.get(key);
		if (trace === undefined) return false;
		const earlier = typeof trace === 'number' ? trace : this.traceOf(trace);
		const bits = earlier ^ this.traceOf(record);
		if (this.telling.length === 0) return bits !== 0 && this.volatile.size === 0;
		const places = [...this.telling.keys()].filter(
			(place) => !this.volatile.has(this.telling[place] ?? ''),
		);
		return (
			places.length > 0 &&
			places.every((place) => ((bits >> (place * DIGEST_BITS)) & DIGEST_MASK) !== 0)
		);
	}

	/** Whether records on one page that have the same ID differ: then it is none. */
	private areOthers(one: JsonObject, other: JsonObject): boolean {
		const isGuessed = (this.rules.idPath ?? '') === '';
		return isGuessed && this.textOf(one, this.volatile) !== this.textOf(other, this.volatile);
	}
}

/**
 * The fields whose values tell the records of a page apart, and do not say when something happened,
 * unless only such do.
 */
function fieldsThatTell(page: readonly JsonObject[]): string[] {
	const isFilled = (value: unknown) =>
		typeof value === 'number' || (typeof value === 'string' && value !== '');
	const different = Object.keys(page[0] ?? {}).filter((field) => {
		const values = new Set(page.map((record) => record[field]));
		return values.size === page.length && [...values].every(isFilled);
	});
	const others = different.filter((field) => !page.every((record) => isTime(record[field])));
	return others.length > 0 ? others : different;
}

/** Digits alone are more likely an ID, and `2026-001` a number than a day of the year. */
function isTime(value: unknown): boolean {
	if (typeof value !== 'string' || /^\d+$/.test(value)) return false;
	const time = readInstant(value);
	return time !== undefined && (time.precision !== 'day' || /^\d{4}-\d\d-\d\d$/.test(value));
}

/** 31 bits, so that a number needs no memory of its own (FNV-1a). */
function digest(value: unknown): number {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	let hash = 0x811c9dc5;
	for (let place = 0; place < text.length; place++) {
		hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193);
	}
	return hash >>> 1;
}
