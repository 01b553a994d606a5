import type { RecordId } from '../response/identity';
import type { JsonObject, Records } from '../values/json';
import { RecordKeys } from './recordKeys';
import type { Selection } from './selection';

export interface CollectOptions {
	/** Name of the resource, for IDs such as `userId`. */
	resource: string;
	/** Dot path of the ID; if it is empty, the ID is detected. */
	idPath?: string;
	/** Whether a repeated record is left out; true unless it is set. */
	removeDuplicates?: boolean;
	/** Called once with each record that is read, whether it is wanted or not. */
	onRecord?: (record: JsonObject) => void;
}

/** What tells one record from another; `nothing`: equal ones without an ID stand on one page. */
export type IdentifiedBy = 'id' | 'content' | 'nothing';

/** A page, compared with the earlier ones. */
export interface ComparedPage {
	/** Records that are new, or seem to be others than those with their IDs. */
	newRecords: Records;
	newCount: number;
	/** Whether it was received before: as the last page, as another one, or as records of several. */
	repeatOf: 'no' | 'previousPage' | 'earlierPage' | 'earlierRecords';
	/** Whether records have the IDs of earlier ones and other content, or the other way round. */
	hasConflictingContent: boolean;
	identifiedBy: IdentifiedBy;
}

/** All that was received: each record once, and each page by its keys. */
export class RecordCollector {
	keys: RecordKeys;

	/** Records received, each once, whether wanted or not. */
	uniqueCount = 0;

	/** Records left out because they had come before; and of these, how many had other content. */
	duplicates = 0;

	conflictingDuplicates = 0;

	/** Records of this sweep that were on an earlier page as well, or, without an ID, equal one. */
	duplicatesAcrossPages = 0;

	/** The first page with records, and the last one that held something new. */
	firstRecords: Records = [];

	private lastRecords: Records = [];

	/** The IDs received, each with a digest of its record. */
	private readonly fingerprintById = new Map<RecordId, number>();

	/** In a further sweep the IDs received in it. */
	private idsOfThisSweep?: Set<RecordId>;

	/** Digests of the pages received. */
	private readonly pageDigests = new Set<number>();

	/** Of records without an ID what they hold; undefined if equal ones stand on one page. */
	private contentDigests?: Set<number> = new Set();

	constructor(
		private readonly rules: CollectOptions,
		readonly selection: Selection,
	) {
		this.keys = RecordKeys.detect([], rules.resource, rules.idPath);
	}

	get identifiedBy(): IdentifiedBy {
		if (this.keys.hasIds) return 'id';
		return this.contentDigests === undefined ? 'nothing' : 'content';
	}

	/** The list is read once more: from now on only IDs never received are new. */
	startNextSweep(): void {
		this.idsOfThisSweep = new Set();
		this.duplicatesAcrossPages = 0;
		this.pageDigests.clear();
		this.firstRecords = this.lastRecords = [];
	}

	/** Detects the ID by a page that arrived, until one is added: the longest shows it best. */
	detectKeys(page: Records): void {
		const { keys, rules, uniqueCount } = this;
		if (uniqueCount > 0 || page.length <= keys.fields.sampleSize) return;
		this.keys = RecordKeys.detect(page, rules.resource, rules.idPath);
	}

	/** What of a page is new. */
	compare(page: Records): ComparedPage {
		const { firstRecords, keys, lastRecords } = this;
		const { records, others } = keys.hasIds ? this.findNew(page) : { records: page, others: 0 };
		const repeatOf = this.findRepeat(page, records.length);
		const newRecords = repeatOf === 'no' ? records : [];
		const mayBeEarlier = [firstRecords, lastRecords].some((one) => keys.mayRepeat(page, one));
		return {
			newRecords,
			newCount: newRecords.length,
			repeatOf,
			hasConflictingContent: others > 0 || (repeatOf === 'no' && mayBeEarlier),
			identifiedBy: this.identifiedBy,
		};
	}

	/** Of records with IDs those that are new, and how many of them have the ID of another one. */
	private findNew(page: Records): { records: JsonObject[]; others: number } {
		const seenIds = this.idsOfThisSweep ?? this.fingerprintById;
		const keys = this.keys.keysOf(page);
		const onThisPage = new Set<RecordId>();
		let conflicting = 0;
		const records = page.filter((record, index) => {
			const key = keys[index] as RecordId;
			const isOther = seenIds.has(key) && this.isDifferentRecord(key, record);
			if (isOther) conflicting++;
			const isNew = isOther || !(seenIds.has(key) || onThisPage.has(key));
			onThisPage.add(key);
			return isNew;
		});
		return { records, others: conflicting };
	}

	private findRepeat(page: Records, newCount: number): ComparedPage['repeatOf'] {
		const { keys, lastRecords } = this;
		if (page.length === 0 || (keys.hasIds && newCount > 0)) return 'no';
		const digest = keys.pageDigest(page);
		if (digest === keys.pageDigest(lastRecords)) return 'previousPage';
		if (this.pageDigests.has(digest)) return 'earlierPage';
		return keys.hasIds ? 'earlierRecords' : 'no';
	}

	/** Detects by two responses to the same request which fields are volatile. */
	compareResponses(one: Records, other: Records): void {
		const keys = this.keys.detectVolatile(one, other);
		if (this.keys.hasIds && !keys.hasIds) this.dropIdentityField(keys);
		else this.keys = keys;
	}

	/** Keeps what is new of a page. */
	addPage(page: Records, isRepeated: boolean): void {
		if (!isRepeated) {
			this.pageDigests.add(this.keys.pageDigest(page));
			if (this.firstRecords.length === 0) this.firstRecords = page;
			this.lastRecords = page;
		}
		if (this.keys.hasIds) this.addIdentified(page);
		else if (isRepeated && this.rules.removeDuplicates !== false) this.duplicates += page.length;
		else {
			this.compareContents(page);
			// Nothing tells whether an earlier sweep had it.
			const isFirstSweep = this.idsOfThisSweep === undefined;
			for (const record of page)
				if (isFirstSweep && this.selection.remaining > 0) this.keep(record);
		}
	}

	private addIdentified(page: Records): void {
		const keys = this.keys.keysOf(page);
		const onThisPage = new Map<RecordId, JsonObject>();
		for (const [index, record] of page.entries()) {
			if (this.selection.remaining <= 0) return;
			const key = keys[index] as RecordId;
			const twin = onThisPage.get(key);
			onThisPage.set(key, record);
			// A record before it on this page may have shown that the field is not the ID.
			const { contentDigest, fields } = this.keys;
			const isUncertain = twin !== undefined && fields.id.kind === 'detected';
			if (isUncertain && contentDigest(twin) !== contentDigest(record)) this.dropIdentityField();
			if (!this.keys.hasIds) this.keep(record);
			else if ((this.idsOfThisSweep ?? this.fingerprintById).has(key)) {
				if (twin === undefined) this.duplicatesAcrossPages++;
				this.addDuplicate(key, record);
			} else {
				this.idsOfThisSweep?.add(key);
				if (this.fingerprintById.has(key)) continue;
				this.fingerprintById.set(key, this.keys.fingerprint(record));
				this.keep(record);
			}
		}
	}

	private addDuplicate(key: RecordId, record: JsonObject): void {
		const isLeftOut = this.rules.removeDuplicates !== false;
		this.keep(record, isLeftOut);
		if (!isLeftOut || !this.isDifferentRecord(key, record)) return;
		this.conflictingDuplicates++;
		const { id, isIdStable } = this.keys.fields;
		// Unless something differs in each response, most that come again with an ID are the same.
		const isShared =
			isIdStable &&
			this.conflictingDuplicates > 1 &&
			2 * this.conflictingDuplicates > this.duplicates;
		if (isShared && id.kind === 'detected') this.dropIdentityField();
	}

	/** What was left out because of the ID comes back. */
	private dropIdentityField(keys = this.keys.withoutId()): void {
		this.keys = keys;
		// Of those that come back only the differing ones are others for sure.
		this.duplicatesAcrossPages = this.duplicates - this.conflictingDuplicates;
		this.uniqueCount += this.duplicates;
		this.duplicates = this.conflictingDuplicates = 0;
		this.selection.restoreHidden();
		this.fingerprintById.clear();
		this.pageDigests.clear();
		for (const page of [this.firstRecords, this.lastRecords])
			this.pageDigests.add(keys.pageDigest(page));
	}

	/** What is left out may have to come back. */
	private keep(record: JsonObject, isLeftOut = false): void {
		if (isLeftOut) this.duplicates++;
		else {
			this.uniqueCount++;
			this.rules.onRecord?.(record);
		}
		this.selection.keep(record, isLeftOut);
	}

	private isDifferentRecord(key: RecordId, record: JsonObject): boolean {
		const fingerprint = this.fingerprintById.get(key);
		return fingerprint !== undefined && this.keys.isDifferentRecord(fingerprint, record);
	}

	/** If equal records stand on one page, those of other pages tell nothing. */
	private compareContents(page: Records): void {
		const onThisPage = new Set(page.map(this.keys.contentDigest));
		if (onThisPage.size < page.length) this.contentDigests = undefined;
		for (const content of onThisPage) {
			if (this.contentDigests?.has(content)) this.duplicatesAcrossPages++;
			this.contentDigests?.add(content);
		}
	}
}
