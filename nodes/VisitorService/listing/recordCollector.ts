import type { RecordId } from '../response/identity';
import type { Page } from '../response/pageReader';
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
	/** Called once with each record that is read, whether it is selected or not. */
	onRecord?: (record: JsonObject) => void;
}

/** What distinguishes records. `nothing`: one page holds equal records, which have no ID. */
export type IdentifiedBy = 'id' | 'content' | 'nothing';

export interface ComparedPage {
	/** What is new, or differs from the earlier record with its ID; the page itself if all is. */
	newRecords: Records;
	/** Whether all of it was received before: as one page, or as records of several pages. */
	repeatOf: 'no' | 'previousPage' | 'earlierPage' | 'earlierRecords';
	/** Whether records have the IDs of earlier ones with other content, or the other way round. */
	hasConflictingContent: boolean;
	identifiedBy: IdentifiedBy;
}

/** Collects the records of a list, each once, and recognizes pages that are repeated. */
export class RecordCollector {
	keys: RecordKeys;

	/** Records received, each once, whether selected or not. */
	uniqueCount = 0;

	/** Records left out as duplicates; and how many of these had other content. */
	duplicates = 0;

	conflictingDuplicates = 0;

	/** Records of this sweep that an earlier page held too; without an ID, that equal one there. */
	duplicatesAcrossPages = 0;

	firstRecords: Records = [];

	/** The last page that was no repeat. */
	lastRecords: Records = [];

	/** The IDs received, each with the fingerprint of its record. */
	private readonly fingerprintById = new Map<RecordId, number>();

	/** IDs received in this sweep, from the second one on. */
	private idsOfThisSweep?: Set<RecordId>;

	/** The first record of a sweep that was found on two pages, and these. */
	firstRepeat?: { key: RecordId; pageIndexes: readonly number[] };

	/** The pages, those of this sweep last, each with the number of IDs before it in its sweep. */
	private readonly pageStarts: Array<{ pageIndex: number; idCount: number }> = [];

	private readonly pageDigests = new Set<number>();

	/** Pages that were received and not added, such as those in a size that was given up. */
	private readonly unusedPages = new Map<Records, { shown: Records; stated: number }>();

	/** Content digests of records without an ID; undefined once a page holds two equal records. */
	private contentDigests?: Set<number> = new Set();

	constructor(
		private readonly options: CollectOptions,
		readonly selection: Selection,
	) {
		this.keys = RecordKeys.detect([], options.resource, options.idPath);
	}

	get identifiedBy(): IdentifiedBy {
		if (this.keys.hasIds) return 'id';
		return this.contentDigests === undefined ? 'nothing' : 'content';
	}

	get isLaterSweep(): boolean {
		return this.idsOfThisSweep !== undefined;
	}

	/** The IDs received in this sweep, in their order. */
	private get seenIds(): ReadonlySet<RecordId> | ReadonlyMap<RecordId, number> {
		return this.idsOfThisSweep ?? this.fingerprintById;
	}

	/** Begins another sweep, in which only IDs that were never received count as new. */
	startNextSweep(): void {
		this.idsOfThisSweep = new Set();
		this.duplicatesAcrossPages = 0;
		this.pageDigests.clear();
		this.firstRecords = this.lastRecords = [];
	}

	/** Detects the ID field in a page, until one was added. The longest page shows it best. */
	detectKeys(page: Records): void {
		const { keys, options, uniqueCount } = this;
		if (uniqueCount > 0 || page.length <= keys.fields.sampleSize) return;
		this.keys = RecordKeys.detect(page, options.resource, options.idPath);
	}

	/** @param before what certainly stands before the page */
	noteReceived({ metadata, records }: Page, before: Records = []): void {
		if (records.length === 0) return;
		const shown = before.length === 0 ? records : [...before, ...records];
		// The last of its pages may hold a single record.
		const stated = ((metadata.totalPages ?? 0) - 1) * records.length + 1;
		this.unusedPages.set(records, { shown, stated });
	}

	/**
	 * How many more IDs the pages show that were not added; if there are none, how many more records
	 * one of them, or its page count. What a record without an ID holds may differ in each response.
	 */
	get unusedCount(): number {
		const { fingerprintById, keys, uniqueCount } = this;
		const pages = [...this.unusedPages.values()];
		const counts = pages.map(({ stated }) => stated - uniqueCount);
		if (keys.hasIds) {
			const ids = pages.flatMap(({ shown }) => keys.idsOf(shown));
			counts.push(new Set(ids.filter((id) => !fingerprintById.has(id))).size);
		} else counts.push(...pages.map(({ shown }) => new Set(keys.keysOf(shown)).size - uniqueCount));
		return Math.max(0, ...counts);
	}

	/** How many records are wanted beside these, some of which an earlier sweep may have received. */
	remainingWith(records: Records): number {
		const { fingerprintById, idsOfThisSweep, keys, selection } = this;
		if (idsOfThisSweep === undefined) return selection.remainingWith(records);
		const ids = keys.keysOf(records);
		return selection.remainingWith(
			records.filter((_, index) => !fingerprintById.has(ids[index] as RecordId)),
		);
	}

	/** Compares a page with the earlier ones. */
	compare(page: Records): ComparedPage {
		const { firstRecords, keys, lastRecords } = this;
		const { records, others } = keys.hasIds ? this.findNew(page) : { records: page, others: 0 };
		const repeatOf = this.findRepeat(page, records.length);
		const newRecords = repeatOf === 'no' ? records : [];
		const mayBeEarlier = [firstRecords, lastRecords].some((one) => keys.mayRepeat(page, one));
		return {
			newRecords,
			repeatOf,
			hasConflictingContent: others > 0 || (repeatOf === 'no' && mayBeEarlier),
			identifiedBy: this.identifiedBy,
		};
	}

	/** The new records of a page with IDs, and how many of them have the ID of another record. */
	private findNew(page: Records): { records: Records; others: number } {
		const { seenIds } = this;
		const keys = this.keys.keysOf(page);
		// As most pages are: nothing else has to be found out about their records.
		const isAllNew = new Set(keys).size === page.length && !keys.some((key) => seenIds.has(key));
		if (isAllNew) return { records: page, others: 0 };
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

	/** Detects volatile fields in two responses to the same request. */
	compareResponses(one: Records, other: Records): void {
		const keys = this.keys.detectVolatile(one, other);
		if (this.keys.hasIds && !keys.hasIds) this.dropIdentityField(keys);
		else this.keys = keys;
	}

	/** Keeps what is new of a page. @param isAllNew by `compare`, just before */
	addPage(page: Records, pageIndex: number, isRepeated: boolean, isAllNew: boolean): void {
		this.unusedPages.delete(page);
		if (!isRepeated) {
			this.pageDigests.add(this.keys.pageDigest(page));
			if (this.firstRecords.length === 0) this.firstRecords = page;
			this.lastRecords = page;
		}
		if (this.keys.hasIds) this.addIdentified(page, pageIndex, isAllNew);
		else if (isRepeated && this.options.removeDuplicates !== false) this.duplicates += page.length;
		else {
			this.compareContents(page);
			for (const record of page)
				if (!this.isLaterSweep && this.selection.remaining > 0) this.keep(record);
		}
	}

	private addIdentified(page: Records, pageIndex: number, isAllNew: boolean): void {
		const keys = this.keys.keysOf(page);
		this.pageStarts.push({ pageIndex, idCount: this.seenIds.size });
		const onThisPage = new Map<RecordId, JsonObject>();
		for (const [index, record] of page.entries()) {
			if (this.selection.remaining <= 0) return;
			const key = keys[index] as RecordId;
			if (isAllNew) {
				this.addNew(key, record);
				continue;
			}
			const twin = onThisPage.get(key);
			onThisPage.set(key, record);
			// The loop may have dropped the ID field, so `keys` is read anew for each record.
			const { contentDigest, fields } = this.keys;
			const mayShareId = twin !== undefined && fields.id.kind === 'detected';
			if (mayShareId && contentDigest(twin) !== contentDigest(record)) this.dropIdentityField();
			if (!this.keys.hasIds) this.keep(record);
			else if (this.seenIds.has(key)) {
				if (twin === undefined) {
					if (this.duplicatesAcrossPages++ === 0)
						this.firstRepeat = { key, pageIndexes: [this.pageOf(key), pageIndex] };
				}
				this.addDuplicate(key, record);
			} else this.addNew(key, record);
		}
	}

	private addNew(key: RecordId, record: JsonObject): void {
		this.idsOfThisSweep?.add(key);
		// An earlier sweep may have received it.
		if (this.idsOfThisSweep && this.fingerprintById.has(key)) return;
		this.fingerprintById.set(key, this.keys.fingerprint(record));
		this.keep(record);
	}

	/** The page on which an ID was received first. */
	private pageOf(key: RecordId): number {
		let index = 0;
		for (const id of this.seenIds.keys()) {
			if (id === key) break;
			index++;
		}
		return this.pageStarts.filter(({ idCount }) => idCount <= index).at(-1)?.pageIndex ?? 0;
	}

	private addDuplicate(key: RecordId, record: JsonObject): void {
		const isLeftOut = this.options.removeDuplicates !== false;
		this.keep(record, isLeftOut);
		if (!isLeftOut || !this.isDifferentRecord(key, record)) return;
		this.conflictingDuplicates++;
		const { id, isIdStable } = this.keys.fields;
		// If most duplicates have other content, and not because of volatile fields, different records
		// share the ID.
		const isShared =
			isIdStable &&
			this.conflictingDuplicates > 1 &&
			2 * this.conflictingDuplicates > this.duplicates;
		if (isShared && id.kind === 'detected') this.dropIdentityField();
	}

	/** Restores the records that were left out because of their ID. */
	private dropIdentityField(keys = this.keys.withoutId()): void {
		this.keys = keys;
		// Of the restored records, only those with other content are certainly other records.
		this.duplicatesAcrossPages = this.duplicates - this.conflictingDuplicates;
		this.uniqueCount += this.duplicates;
		this.duplicates = this.conflictingDuplicates = 0;
		this.selection.restoreHidden();
		this.fingerprintById.clear();
		this.pageDigests.clear();
		for (const page of [this.firstRecords, this.lastRecords])
			this.pageDigests.add(keys.pageDigest(page));
	}

	/** @param isLeftOut as a duplicate; it may have to be restored */
	private keep(record: JsonObject, isLeftOut = false): void {
		if (isLeftOut) this.duplicates++;
		else {
			this.uniqueCount++;
			this.options.onRecord?.(record);
		}
		this.selection.keep(record, isLeftOut);
	}

	private isDifferentRecord(key: RecordId, record: JsonObject): boolean {
		const fingerprint = this.fingerprintById.get(key);
		return fingerprint !== undefined && this.keys.isDifferentRecord(fingerprint, record);
	}

	/** If equal records stand on one page, equal records on two pages mean nothing. */
	private compareContents(page: Records): void {
		const onThisPage = new Set(page.map(this.keys.contentDigest));
		if (onThisPage.size < page.length) this.contentDigests = undefined;
		for (const content of onThisPage) {
			if (this.contentDigests?.has(content)) this.duplicatesAcrossPages++;
			this.contentDigests?.add(content);
		}
	}
}
