import type { Page } from '../response/pageReader';
import type { PagingMetadata } from '../response/paging';

/** What an earlier reading of the whole list has shown. */
export interface EarlierReading {
	recordCount: number;
	/** Whether the total that the service states is that of the list, and not of the page. */
	hasTotal: boolean;
	/** The size in which its pages were requested. */
	pageSize: number;
}

/**
 * What some pages of a list have shown of it. Facts persist: a later page that omits one does not
 * revoke it.
 */
export interface ListFacts {
	/** Not of a page: see there. */
	readonly earlier?: EarlierReading;
	/** The page the reading began with; 0 if that was page 1, and proved to be the first. */
	readonly startPage: number;
	readonly requestedPageSize: number;
	/** Records of a full page: as many as page 0 held, or as requested until that was read. */
	readonly fullPageSize: number;
	/** 1 if page 0 is not part of the list: it was empty or rejected, or page 1 repeated it. */
	readonly surplusFirstPages: 0 | 1;
	/** Pages with records. */
	readonly pagesRead: number;
	/** Records of these pages, each once, and as often as received. */
	readonly uniqueCount: number;
	readonly receivedCount: number;
	/** The total, unless it only ever described its own page or was lower than what was received. */
	readonly total?: number;
	/** The total that a page with records stated last, whatever it counts. */
	readonly statedTotal?: number;
	/** The highest `total` so far. */
	readonly highestTotal: number;
	/** The total number of pages, and the page size it was stated for. */
	readonly totalPages?: number;
	readonly totalPagesForSize?: number;
	/** Whether a total ever exceeded the records read so far. Otherwise it may just count those. */
	readonly totalExceededRead: boolean;
	/** Whether an earlier page stated another total. */
	readonly hasTotalChanged: boolean;
	/** Whether the number of pages fell meanwhile. It does not show the end then. */
	readonly totalPagesDecreased: boolean;
	/** Whether pages follow, as stated by the last page that states it at all. */
	readonly hasMore?: boolean;
	/** Whether pages link to the next one, so that a page without such a link may be the last. */
	readonly linksNextPage: boolean;
	/** `varying`: records followed a short page, so that a short page does not show the end. */
	readonly pageLengths: 'full' | 'lastIsShort' | 'varying';
	/** End signals on the previous page, and whether one of them turned out to be wrong. */
	readonly endSignals: number;
	readonly endSignalWasWrong: boolean;
}

export function initialFacts(
	{ earlier, startPage }: Pick<ListFacts, 'earlier' | 'startPage'>,
	pageSize: number,
): ListFacts {
	return {
		earlier,
		startPage,
		requestedPageSize: pageSize,
		fullPageSize: pageSize,
		surplusFirstPages: 0,
		pagesRead: 0,
		uniqueCount: 0,
		receivedCount: 0,
		highestTotal: 0,
		totalExceededRead: false,
		hasTotalChanged: false,
		totalPagesDecreased: false,
		linksNextPage: false,
		pageLengths: 'full',
		endSignals: 0,
		endSignalWasWrong: false,
	};
}

/**
 * Before the first page of a list that is read in larger pages than it was requested in at first.
 * The total stays; flags and page counts of another size would seem to change.
 */
export function factsForLargerPages(
	smaller: Page,
	list: Pick<ListFacts, 'earlier' | 'startPage'>,
	pageSize: number,
): ListFacts {
	const { metadata, records } = smaller;
	const { total, pageSize: statedSize } = metadata;
	const facts = initialFacts(list, records.length);
	const stated = mergeMetadata(facts, { total, pageSize: statedSize }, records.length);
	return { ...stated, requestedPageSize: pageSize, fullPageSize: pageSize };
}

/** Adds a page: its metadata, its records, and how many of them are new. */
export function mergePage(facts: ListFacts, page: Page, newCount: number): ListFacts {
	const receivedCount = page.records.length;
	const merged = mergeMetadata(facts, page.metadata, receivedCount);
	if (receivedCount === 0) return merged;
	return {
		...merged,
		pagesRead: facts.pagesRead + 1,
		uniqueCount: facts.uniqueCount + newCount,
		receivedCount: facts.receivedCount + receivedCount,
		endSignalWasWrong: facts.endSignalWasWrong || (facts.endSignals > 0 && newCount > 0),
		pageLengths: pageLengthsWith(facts, receivedCount, newCount),
	};
}

function pageLengthsWith(
	{ pageLengths, fullPageSize }: ListFacts,
	receivedCount: number,
	newCount: number,
): ListFacts['pageLengths'] {
	if (pageLengths === 'varying' || (pageLengths === 'lastIsShort' && newCount > 0))
		return 'varying';
	return receivedCount < fullPageSize ? 'lastIsShort' : 'full';
}

/** A field for the next page that is empty marks the last page only if earlier pages filled it. */
export function isMarkedLast(facts: ListFacts, { more, nextPage }: PagingMetadata): boolean {
	return more === undefined ? facts.linksNextPage && nextPage === 'none' : !more;
}

/** Adds the metadata of a page, whatever it holds. */
export function mergeMetadata(
	facts: ListFacts,
	metadata: PagingMetadata,
	receivedCount = 0,
): ListFacts {
	const { nextPage, totalPages } = metadata;
	const total = trustedTotal(facts, metadata, receivedCount);
	const earlierCount = facts.totalPagesForSize === facts.fullPageSize ? (facts.totalPages ?? 0) : 0;
	// A page after the end may describe itself alone, with 0 for instance.
	const describesList = receivedCount > 0 || totalPages === facts.startPage + facts.pagesRead;
	const read = facts.startPage * facts.fullPageSize + facts.receivedCount + receivedCount;
	const more =
		metadata.more ?? (facts.linksNextPage && receivedCount > 0 ? undefined : facts.hasMore);
	return {
		...facts,
		total,
		statedTotal: receivedCount > 0 ? (metadata.total ?? facts.statedTotal) : facts.statedTotal,
		highestTotal: Math.max(facts.highestTotal, total ?? 0),
		totalExceededRead: facts.totalExceededRead || (total ?? 0) > read,
		hasTotalChanged: facts.hasTotalChanged || (facts.total !== undefined && facts.total !== total),
		totalPages: totalPages ?? facts.totalPages,
		totalPagesForSize: totalPages === undefined ? facts.totalPagesForSize : facts.fullPageSize,
		totalPagesDecreased:
			facts.totalPagesDecreased || (describesList && (totalPages ?? Infinity) < earlierCount),
		hasMore: isMarkedLast(facts, metadata) ? false : more,
		linksNextPage: facts.linksNextPage || nextPage === 'named',
	};
}

function trustedTotal(
	facts: ListFacts,
	{ pageSize = 0, total }: PagingMetadata,
	receivedCount: number,
): number | undefined {
	if (total === undefined) return facts.total;
	if (facts.total !== undefined) return receivedCount > 0 ? total : facts.total;
	// It may count the records of its page, unless that is short by the page size it states.
	const mayBeOfPage =
		facts.earlier?.hasTotal !== true &&
		total === receivedCount &&
		(pageSize <= receivedCount || receivedCount >= facts.fullPageSize);
	// A lower number than was received counts something else, such as pages, or this page.
	const countsOtherThings = total < facts.receivedCount + receivedCount;
	return mayBeOfPage || countsOtherThings ? undefined : total;
}

/** Sets the size of a full page. A number of pages for another size does not show the end. */
export function withFullPageSize(facts: ListFacts, fullPageSize: number): ListFacts {
	const pageLengths = facts.pageLengths === 'varying' ? 'varying' : 'full';
	return fullPageSize === facts.fullPageSize ? facts : { ...facts, fullPageSize, pageLengths };
}

/** The page size that was received, if the listing went on in another size than requested. */
export function receivedPageSize(facts: ListFacts): number | undefined {
	const { fullPageSize, pagesRead, requestedPageSize } = facts;
	return fullPageSize !== requestedPageSize && pagesRead > 1 ? fullPageSize : undefined;
}

/** The trusted total. If there is only one page, its total is that of the list. */
export function totalOf({ pagesRead, statedTotal, total }: ListFacts): number | undefined {
	return total ?? (pagesRead > 1 ? undefined : statedTotal);
}

/** What a reading that has ended shows to a later one. */
export function earlierReadingOf(facts: ListFacts): EarlierReading {
	const { pagesRead, requestedPageSize, total, totalExceededRead, uniqueCount } = facts;
	// The total of one page is stated on the page after it, too, if it is that of the list.
	const hasTotal = totalExceededRead || (pagesRead === 1 && total !== undefined);
	return { recordCount: uniqueCount, hasTotal, pageSize: requestedPageSize };
}

/** Whether as many records were received as in an earlier reading. */
export function isAsBefore({ earlier, uniqueCount }: ListFacts): boolean {
	return earlier !== undefined && uniqueCount >= earlier.recordCount;
}

/** Whether the same total was stated from the first to the last page. */
export function isTotalSteady({ hasTotalChanged, total }: ListFacts): boolean {
	return total !== undefined && !hasTotalChanged;
}

/** Whether anything stated indicates records on this page or after it. */
export function indicatesMore(facts: ListFacts, pageIndex: number): boolean {
	const { total = 0, totalPages = 0, totalPagesForSize = 0, fullPageSize } = facts;
	const { hasMore, surplusFirstPages } = facts;
	// A number of larger pages is a lower bound; a number of smaller pages says nothing.
	const isCounted = totalPagesForSize >= fullPageSize && totalPages > pageIndex - surplusFirstPages;
	return hasMore === true || isCounted || total > (pageIndex - surplusFirstPages) * fullPageSize;
}

/** Whether the number of pages is for this page size, and not too low for the total. */
export function isTotalPagesReliable(facts: ListFacts): boolean {
	const { statedTotal = 0, total = statedTotal, totalPages = 0, totalPagesForSize } = facts;
	const { fullPageSize, uniqueCount } = facts;
	// The total lags behind if more was read, and so does the number of pages computed from it.
	if (total > 0 && uniqueCount > total) return false;
	return totalPages > 0 && totalPagesForSize === fullPageSize && totalPages * fullPageSize >= total;
}

/** Max pages to read ahead beyond one per page read, if nothing indicates that there are more. */
const MAX_SPECULATIVE_PAGES = 3;

/**
 * The first page after the list by what the service states, or else a page not far ahead. For
 * reading ahead only.
 *
 * @param next the next page to decide about
 */
export function estimateEndPage(facts: ListFacts, next: number): number {
	const { earlier, totalPages, hasMore, surplusFirstPages, fullPageSize } = facts;
	const total = facts.total ?? facts.statedTotal ?? earlier?.recordCount;
	const counted = isTotalPagesReliable(facts) ? totalPages : undefined;
	const filled = total === undefined ? 0 : total / fullPageSize;
	// If nothing else states which page is the last, only an empty one confirms the total.
	const isAsEarlier = earlier?.hasTotal === true && total === earlier.recordCount;
	const isConfirmed = isAsEarlier || hasMore !== undefined || counted !== undefined;
	const ofTotal = isConfirmed ? Math.ceil(filled) : Math.floor(filled) + 1;
	const planned = surplusFirstPages + (total === undefined ? (counted ?? 0) : ofTotal);
	if (planned > next) return planned;
	if (hasMore === true) return Infinity;
	const isEndLikely = facts.endSignals > 0 || facts.pageLengths === 'lastIsShort';
	return next + (isEndLikely ? 1 : MAX_SPECULATIVE_PAGES + facts.pagesRead);
}
