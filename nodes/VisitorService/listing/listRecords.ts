import { type FetchPage, type PageArrived, PageReader } from '../answer/pageReader';
import type { RecordsSought } from '../answer/records';
import type { EndedBy } from './endOfList';
import { Memory } from './memory';
import { Sweep, type SweepRules } from './sweep';

export type { EndedBy } from './endOfList';

export interface ListingRequest<Kept> extends SweepRules<Kept>, RecordsSought {
	fetchPage: FetchPage;
	untilStable: boolean;
	/**
	 * Called with each page that was read, in any order, and with the same page again if it was asked
	 * for again. Not called for a refused page. If it returns `stop`, the list is read up to that
	 * page, and nothing from there on is asked for any more.
	 */
	pageArrived?: PageArrived;
}

export interface ListingReport {
	/** The rule that ended the listing, of the last sweep. */
	endedBy: EndedBy;
	/** The page that ended it. */
	lastPage: number;
	/** Pages with records, those of every sweep. */
	pages: number;
	/** Records that came, each once, whether wanted or not. */
	records: number;
	/** Records left out because they had come before; and of these, those with other content. */
	duplicates: number;
	differingDuplicates: number;
	/** Records of the last sweep that came on an earlier page too, or, without an ID, equal one. */
	cameAgain: number;
	/** The total the service said last, and the highest one that was said, if it fell. */
	total?: number;
	totalFellFrom?: number;
	/** Pages that held nothing new, although later ones did. */
	repeatedPages: readonly number[];
	/** Pages of records without an ID that equal earlier ones: they may be others. */
	equalPages: readonly number[];
	/** Whether every page was the first one again, and nothing says that it is the only one. */
	isOnlyPage: boolean;
	/** Whether the page to begin with is an earlier one again, so that it is after the end. */
	isAfterEnd: boolean;
	/** Whether pages were short, and no ID shows that nothing is missing or doubled. */
	isSizeDoubtful: boolean;
	/** Whether a page held other records when it was asked for again. */
	hasChanged: boolean;
	/** Whether the page count fell while the list was read. */
	pageCountFell: boolean;
	/** Whether the list grew while it was read, and no ID shows that no record came twice. */
	hasGrownUnseen: boolean;
	/** Records each sweep found that no earlier one did; one number without `untilStable`. */
	sweeps: number[];
	/** Items per page the service returned, if the listing went on at that size. */
	pageSizeThatCame?: number;
	/** Dot path of the list; '' = the answer is the list. Undefined if no page had records. */
	itemsPath?: string;
	/** Dot paths of other lists of records in the same answer. */
	otherPaths?: readonly string[];
	/** Names of fields with integers that JavaScript would round, so that they are text. */
	longIntegers: readonly string[];
	/** Dot path of the ID; undefined if the records have none. */
	idField?: string;
	/** A field that looked like the ID, and turned out to be none. */
	disprovedIdField?: string;
	/** Whether that is because it is another one in each answer. */
	isIdChanging: boolean;
	/** The path the user set for the ID, if no record of the first page has one there. */
	missingIdPath?: string;
}

export interface Listing<Kept> {
	records: Kept[];
	report: ListingReport;
}

const MAX_SWEEPS = 3;

/**
 * Reads a list to its end, each record once, in the order of the pages.
 *
 * @throws ServiceFailure if a page cannot be read, or the list does not end
 */
export async function listRecords<Kept>(request: ListingRequest<Kept>): Promise<Listing<Kept>> {
	const reader = new PageReader(request.fetchPage, request, request.pageArrived);
	const memory = new Memory(request);
	const sweeps: number[] = [];
	let pages = 0;
	let sweep: Sweep<Kept>;
	do {
		const before = memory.read;
		if (sweeps.length > 0) memory.sweepAgain();
		sweep = new Sweep(request, reader, memory);
		await sweep.read();
		pages += sweep.known.pages;
		sweeps.push(memory.read - before);
	} while (
		request.untilStable &&
		memory.keys.hasIds &&
		memory.wanted > 0 &&
		sweeps.length < MAX_SWEEPS &&
		sweeps.at(-1) !== 0
	);
	return { records: firstOf(memory.records, request.limit), report: reportOf() };

	function reportOf(): ListingReport {
		const { known } = sweep;
		const { keys } = memory;
		// That of the only page may be that of the page, and is that of the list if there is no other.
		const total = known.total ?? (known.pages > 1 ? undefined : known.saidTotal);
		const isOtherSize = known.size !== known.asked && known.pages > 1;
		return {
			endedBy: sweep.endedBy,
			lastPage: sweep.lastPage,
			pages,
			records: memory.read,
			sweeps,
			duplicates: memory.duplicates,
			differingDuplicates: memory.differing,
			cameAgain: memory.cameAgain,
			total,
			totalFellFrom: (total ?? 0) < known.highestTotal ? known.highestTotal : undefined,
			repeatedPages: sweep.repeatedPages,
			equalPages: sweep.equalPages,
			isOnlyPage: sweep.isOnlyPage,
			isAfterEnd: sweep.isAfterEnd,
			isSizeDoubtful: sweep.isSizeDoubtful,
			hasChanged: sweep.hasChanged,
			pageCountFell: known.pageCountFell,
			hasGrownUnseen: known.hasGrown && !keys.hasIds,
			pageSizeThatCame: isOtherSize ? known.size : undefined,
			itemsPath: reader.itemsPath,
			otherPaths: reader.otherPaths,
			longIntegers: [...reader.longIntegers],
			idField: keys.idField,
			disprovedIdField: keys.disprovedIdField,
			isIdChanging: keys.isIdChanging,
			missingIdPath: keys.isIdMissing ? request.idPath : undefined,
		};
	}
}

/** Without a limit the list itself, of which a copy would take a pointer for each record. */
function firstOf<T>(records: T[], limit: number = records.length): T[] {
	return records.length > limit ? records.slice(0, limit) : records;
}
