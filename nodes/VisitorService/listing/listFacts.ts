import type { Page } from '../response/pageReader';
import type { PagingMetadata } from '../response/paging';

/**
 * What is known of a list after some of its pages. What was stated once stays: a page that states
 * nothing does not change it.
 */
export interface ListFacts {
	/** Number of the page at which the reading began. */
	readonly startPage: number;
	/** Items per page, as requested first. */
	readonly requestedPageSize: number;
	/** Records of a full page: as many as page 0 held, and until then as requested. */
	readonly fullPageSize: number;
	/** 1 if the service counts pages from 1 and takes page 0 for page 1. */
	readonly numberingOffset: 0 | 1;
	/** Pages with records. */
	readonly pagesRead: number;
	/** Records of these pages, each once, and as often as received. */
	readonly uniqueCount: number;
	readonly receivedCount: number;
	/** The total, unless it was always that of its page, or less than what had been received. */
	readonly total?: number;
	/** The total that a page with records stated last, whatever it counts. */
	readonly statedTotal?: number;
	/** The highest total that was believed. */
	readonly highestTotal: number;
	/** The page count, and the page size it was stated for. */
	readonly totalPages?: number;
	readonly totalPagesForSize?: number;
	/** Whether a total was more than what was read so far: otherwise it may be the number of that. */
	readonly totalExceededRead: boolean;
	/** Whether the total was another one on an earlier page. */
	readonly hasTotalChanged: boolean;
	/** Whether the page count fell while the list was read: then it ends nothing. */
	readonly totalPagesDecreased: boolean;
	/** Whether pages follow, as the last page said that states it at all. */
	readonly hasMore?: boolean;
	/** Whether pages name the one after them, so that one which names none may be the last. */
	readonly linksNextPage: boolean;
	/** `varying`: records followed a short page, so that its length does not show the end. */
	readonly pageLengths: 'full' | 'lastIsShort' | 'varying';
	/** How many signals marked the previous page as the last; and whether any was wrong. */
	readonly endSignals: number;
	readonly endSignalWasWrong: boolean;
}

export function initialFacts(startPage: number, pageSize: number): ListFacts {
	return {
		startPage,
		requestedPageSize: pageSize,
		fullPageSize: pageSize,
		numberingOffset: 0,
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

/** An empty place for the next page means the last page only if earlier pages filled it. */
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
	// A page after the list may say what is true of itself, such as 0.
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
	// It may be the number of records on its page, unless that says that it has room for more.
	const mayBeOfPage =
		total === receivedCount && (pageSize <= receivedCount || receivedCount >= facts.fullPageSize);
	// Less than what was received, it counts something else: pages, or this page.
	const countsOtherThings = total < facts.receivedCount + receivedCount;
	return mayBeOfPage || countsOtherThings ? undefined : total;
}

/** From now on full pages have this size: a page count for another size ends nothing. */
export function withFullPageSize(facts: ListFacts, fullPageSize: number): ListFacts {
	const pageLengths = facts.pageLengths === 'varying' ? 'varying' : 'full';
	return fullPageSize === facts.fullPageSize ? facts : { ...facts, fullPageSize, pageLengths };
}

/** Items per page that were received, if the listing went on in another size than requested. */
export function receivedPageSize(facts: ListFacts): number | undefined {
	const { fullPageSize, pagesRead, requestedPageSize } = facts;
	return fullPageSize !== requestedPageSize && pagesRead > 1 ? fullPageSize : undefined;
}

/** The total that is trusted. If there is only one page, its total is that of the list, too. */
export function totalOf({ pagesRead, statedTotal, total }: ListFacts): number | undefined {
	return total ?? (pagesRead > 1 ? undefined : statedTotal);
}

/** Whether anything stated indicates records on this page or after it. */
export function indicatesMore(facts: ListFacts, page: number): boolean {
	const { total = 0, totalPages = 0, totalPagesForSize = 0, fullPageSize } = facts;
	const { hasMore, numberingOffset } = facts;
	// Stated for larger pages a count is the least there can be; for smaller ones it says nothing.
	const isCounted = totalPagesForSize >= fullPageSize && totalPages > page - numberingOffset;
	return hasMore === true || isCounted || total > (page - numberingOffset) * fullPageSize;
}

/** Whether the page count is that of the list: for this size, and no less than the total needs. */
export function isTotalPagesReliable(facts: ListFacts): boolean {
	const { statedTotal = 0, total = statedTotal, totalPages = 0, totalPagesForSize } = facts;
	const { fullPageSize, uniqueCount } = facts;
	// Computed from a total that was exceeded, it lags behind with it.
	if (total > 0 && uniqueCount > total) return false;
	return totalPages > 0 && totalPagesForSize === fullPageSize && totalPages * fullPageSize >= total;
}

/** How many pages may be requested in vain if nothing indicates more, beside one for each page. */
const MAX_SPECULATIVE_PAGES = 3;

/**
 * The first page after the list, by what the service says, or one not far away. For planning only.
 *
 * @param next the page whose turn comes next
 */
export function estimateEndPage(facts: ListFacts, next: number): number {
	const { totalPages = 0, hasMore, numberingOffset, fullPageSize, startPage } = facts;
	const total = facts.total ?? facts.statedTotal;
	// More pages than the total fills are not pages of this size.
	const isTooMany = total !== undefined && (totalPages - 1) * fullPageSize >= total;
	let planned = 0;
	if (isTotalPagesReliable(facts) && !isTooMany) {
		// Of a later page to begin with nothing shows whether the service counts from 1.
		planned = totalPages + Math.max(numberingOffset, Math.min(startPage, 1));
	} else if (total !== undefined) {
		// If pages do not say whether they are the last, only an empty one proves the total right.
		const full = total / fullPageSize;
		planned = numberingOffset + (hasMore === undefined ? Math.floor(full) + 1 : Math.ceil(full));
	}
	if (planned > next) return planned;
	if (hasMore === true) return Infinity;
	const isEndLikely = facts.endSignals > 0 || facts.pageLengths === 'lastIsShort';
	return next + (isEndLikely ? 1 : MAX_SPECULATIVE_PAGES + facts.pagesRead);
}
