import { type FetchPage, type PageArrived, PageReader } from '../answer/pageReader';
import type { RecordsSought } from '../answer/records';
import type { EndedBy } from './endOfList';
import type { ListFacts } from './listFacts';
import type { Continuation } from './pageSize';
import { Reading, type ReadingRules } from './reading';
import { RecordCollector } from './recordCollector';
import type { RepeatedBeginning } from './repeatedBeginning';

export type { EndedBy } from './endOfList';

export interface ListingRequest<Kept> extends ReadingRules<Kept>, RecordsSought {
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
	/** Records left out because they had come before in the same sweep. */
	duplicates: number;
	/** Of these, records that differ from the earlier ones with their IDs. */
	differingDuplicates: number;
	/**
	 * Records of the last sweep that came on an earlier page as well, or, without an ID, equal one.
	 */
	cameAgain: number;
	/** The total the service said last. */
	total?: number;
	/** The highest total that was said, if it fell while the list was read. */
	totalFellFrom?: number;
	/**
	 * Pages that held nothing new, although later ones did: the list moved, or they came from a
	 * cache.
	 */
	repeatedPages: readonly number[];
	/** Pages of records without an ID that equal earlier ones: they may be others. */
	equalPages: readonly number[];
	/** Whether the page the user set is an earlier one again, and its number. */
	repeatedBeginning?: RepeatedBeginning & { page: number };
	/**
	 * Whether pages were short, or their size unclear, and no ID shows that nothing is missing or
	 * doubled.
	 */
	isSizeDoubtful: boolean;
	/** Whether a page held other records when it was asked for again. */
	hasChanged: boolean;
	/** Whether the page count fell while the list was read. */
	pageCountFell: boolean;
	/** Whether the list grew while it was read, and no ID shows that no record came twice. */
	hasGrownUnseen: boolean;
	/** Records each sweep found that no earlier one did; one number without `untilStable`. */
	sweeps: number[];
	/**
	 * Items per page the service returned, if the listing went on at that size instead of the one
	 * asked for.
	 */
	pageSizeThatCame?: number;
	/** Dot path of the list; '' = the answer is the list. Undefined if no page had records. */
	itemsPath?: string;
	/** Dot paths of other lists of records in the same answer. */
	otherPaths?: readonly string[];
	/** Dot path of the ID; undefined if the records have none. */
	idField?: string;
	/** Whether records are the same if they have the same ID, whatever else they hold. */
	isIdSure: boolean;
	/** A field that looked like the ID, and turned out to be none. */
	disprovedIdField?: string;
	/** A field that looked like the ID, and differs in each answer. */
	volatileIdField?: string;
	/** The path the user set for the ID, if no record of the first page has one there. */
	missingIdPath?: string;
}

export interface Listing<Kept> {
	records: Kept[];
	report: ListingReport;
}

const MAX_SWEEPS = 3;
/** How often a list is read from its first page on if pages come in place of others. */
const MAX_BEGINNINGS = 3;

/**
 * Reads a list to its end, each record once, in the order of the pages.
 *
 * @throws ServiceFailure if a page cannot be read, or the list does not end
 */
export async function listRecords<Kept>(request: ListingRequest<Kept>): Promise<Listing<Kept>> {
	const reader = new PageReader(request.fetchPage, request, request.pageArrived);
	let collector = new RecordCollector(request);
	const sweeps: number[] = [];
	let pages = 0;
	let last: Reading<Kept>;
	let continuation: Continuation | undefined;
	do {
		const before = collector.read;
		let beginnings = 0;
		let known: ListFacts | undefined;
		do {
			if (sweeps.length > 0) collector.sweepAgain();
			else collector = new RecordCollector(request);
			const isUnsteady = ++beginnings === MAX_BEGINNINGS;
			last = new Reading(request, reader, collector, { continuation, isUnsteady, known });
			await last.read();
			known = last.known;
		} while (last.isToBeginAgain);
		continuation = last.continuation;
		pages += last.known.pages;
		sweeps.push(collector.read - before);
	} while (
		request.untilStable &&
		collector.distinction.identify !== undefined &&
		collector.wanted > 0 &&
		sweeps.length < MAX_SWEEPS &&
		sweeps.at(-1) !== 0
	);
	const { known, endedBy, lastPage } = last;
	const { size } = known;
	return {
		records: firstOf(collector.records, request.limit),
		report: {
			endedBy,
			lastPage,
			pages,
			records: collector.read,
			sweeps,
			duplicates: collector.duplicates,
			differingDuplicates: collector.differingLeftOut,
			cameAgain: collector.cameAgain,
			// Said on one page only, it may be that of the page, and is that of the list if there is no
			// other.
			total: known.total ?? known.otherTotal ?? (known.pages > 1 ? undefined : known.saidTotal),
			totalFellFrom: known.totalFellFrom,
			repeatedPages: last.repeatedPages,
			equalPages: last.equalPages,
			repeatedBeginning: { ...last.repeatedBeginning, page: request.firstPage },
			isSizeDoubtful: last.isSizeDoubtful,
			hasChanged: last.hasChanged,
			pageCountFell: known.pageCountFell,
			hasGrownUnseen: known.hasGrown && collector.distinction.identify === undefined,
			pageSizeThatCame: size === request.pageSize ? undefined : size,
			itemsPath: reader.itemsPath,
			otherPaths: reader.otherPaths,
			idField: collector.distinction.idField,
			isIdSure: collector.distinction.identify !== undefined,
			disprovedIdField: collector.disprovedIdField,
			volatileIdField: collector.volatileIdField,
			missingIdPath: collector.distinction.isIdMissing ? request.idPath : undefined,
		},
	};
}

/** Without a limit the list itself, of which a copy would take a pointer for each record. */
function firstOf<T>(records: T[], limit: number = records.length): T[] {
	return records.length > limit ? records.slice(0, limit) : records;
}
