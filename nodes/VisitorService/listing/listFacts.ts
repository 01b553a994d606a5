import type { Page } from '../response/pageReader';
import type { PagingMetadata } from '../response/paging';

/**
 * What is known of a list after some of its pages. What was said once stays: a page that says
 * nothing does not unsay it.
 */
export interface ListFacts {
	/** Number of the page the reading began with. */
	readonly startPage: number;
	/** Items per page that were asked for first, and that are asked for now. */
	readonly requestedPageSize: number;
	readonly pageSize: number;
	/** 1 if the service counts pages from 1 and takes page 0 for page 1. */
	readonly numberingOffset: 0 | 1;
	/** Pages with records. */
	readonly pagesRead: number;
	/** Records of these pages, each once, and as often as they came. */
	readonly uniqueCount: number;
	readonly receivedCount: number;
	/** The total, unless it was always that of the page it stood on, or less than what had come. */
	readonly total?: number;
	/** The total that a page with records said last, whatever it counts. */
	readonly statedTotal?: number;
	/** The highest total that was believed. */
	readonly highestTotal: number;
	/** The page count, and the page size it was said for. */
	readonly totalPages?: number;
	readonly totalPagesForSize?: number;
	/** Whether a total was more than what was read so far: otherwise it may be the number of that. */
	readonly totalExceededRead: boolean;
	/** Whether the page count fell while the list was read: then it ends nothing. */
	readonly totalPagesDecreased: boolean;
	/** Whether pages follow, as the last page said that says it at all. */
	readonly hasMore?: boolean;
	/** Whether pages name the one after them, so that one which names none may be the last. */
	readonly linksNextPage: boolean;
	/** Whether the page before was short; and whether records followed one that was. */
	readonly wasPreviousShort: boolean;
	readonly areShortPagesUsual: boolean;
	/** Whether a later page held more records than were asked for: the first one was cut short. */
	readonly hasOversizedPage: boolean;
	/** How much of what was said calls the page before the last one; and whether any was wrong. */
	readonly endSignals: number;
	readonly endSignalWasWrong: boolean;
}

export function initialFacts(startPage: number, pageSize: number): ListFacts {
	const numbers = {
		numberingOffset: 0,
		pagesRead: 0,
		uniqueCount: 0,
		receivedCount: 0,
		highestTotal: 0,
		endSignals: 0,
	} as const;
	const sizes = { wasPreviousShort: false, areShortPagesUsual: false, hasOversizedPage: false };
	const flags = {
		totalExceededRead: false,
		totalPagesDecreased: false,
		linksNextPage: false,
		endSignalWasWrong: false,
	};
	return { startPage, requestedPageSize: pageSize, pageSize, ...numbers, ...sizes, ...flags };
}

/** Adds what a page tells: what it says, its records, and how many of them are new. */
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
		wasPreviousShort: receivedCount < facts.pageSize,
		areShortPagesUsual: facts.areShortPagesUsual || (facts.wasPreviousShort && newCount > 0),
		hasOversizedPage:
			facts.hasOversizedPage || (facts.pagesRead > 0 && receivedCount > facts.pageSize),
	};
}

/** An empty place for the next page means the last page only if earlier pages filled it. */
export function isMarkedLast(
	{ linksNextPage }: ListFacts,
	{ more, nextPage }: PagingMetadata,
): boolean {
	return more === undefined ? linksNextPage && nextPage === 'none' : !more;
}

/** Adds what a page says, whatever it holds. */
export function mergeMetadata(
	facts: ListFacts,
	metadata: PagingMetadata,
	receivedCount = 0,
): ListFacts {
	const { nextPage, totalPages } = metadata;
	const total = trustedTotal(facts, metadata, receivedCount);
	const earlierCount = facts.totalPagesForSize === facts.pageSize ? (facts.totalPages ?? 0) : 0;
	// A page after the list may say what is true of itself, such as 0.
	const isOfList = receivedCount > 0 || totalPages === facts.startPage + facts.pagesRead;
	const read = facts.startPage * facts.pageSize + facts.receivedCount + receivedCount;
	const more =
		metadata.more ?? (facts.linksNextPage && receivedCount > 0 ? undefined : facts.hasMore);
	return {
		...facts,
		total,
		statedTotal: receivedCount > 0 ? (metadata.total ?? facts.statedTotal) : facts.statedTotal,
		highestTotal: Math.max(facts.highestTotal, total ?? 0),
		totalExceededRead: facts.totalExceededRead || (total ?? 0) > read,
		totalPages: totalPages ?? facts.totalPages,
		totalPagesForSize: totalPages === undefined ? facts.totalPagesForSize : facts.pageSize,
		totalPagesDecreased:
			facts.totalPagesDecreased || (isOfList && (totalPages ?? Infinity) < earlierCount),
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
		total === receivedCount && (pageSize <= receivedCount || receivedCount >= facts.pageSize);
	// Less than what came already, it counts something else: pages, or this page.
	const isOfOtherThings = total < facts.receivedCount + receivedCount;
	return mayBeOfPage || isOfOtherThings ? undefined : total;
}

/** From now on this size is asked for: a page count for another size ends nothing. */
export function withPageSize(facts: ListFacts, pageSize: number): ListFacts {
	return pageSize === facts.pageSize ? facts : { ...facts, pageSize, wasPreviousShort: false };
}

/** Whether something that was said speaks of records on this page or after it. */
export function indicatesMore(facts: ListFacts, page: number): boolean {
	const {
		total = 0,
		totalPages = 0,
		totalPagesForSize = 0,
		hasMore,
		numberingOffset,
		pageSize,
	} = facts;
	// Said for larger pages a count is the least there can be; for smaller ones it says nothing.
	const isCounted = totalPagesForSize >= pageSize && totalPages > page - numberingOffset;
	return hasMore === true || isCounted || total > (page - numberingOffset) * pageSize;
}

/** Whether the page count is that of the list: for this size, and no less than the total needs. */
export function isTotalPagesReliable(facts: ListFacts): boolean {
	const {
		statedTotal = 0,
		total = statedTotal,
		totalPages = 0,
		totalPagesForSize,
		pageSize,
		uniqueCount,
	} = facts;
	// Computed from a total that was exceeded, it lags behind with it.
	if (total > 0 && uniqueCount > total) return false;
	return totalPages > 0 && totalPagesForSize === pageSize && totalPages * pageSize >= total;
}

/** How many pages may be requested in vain if nothing speaks of more, beside one for each page. */
const MAX_SPECULATIVE_PAGES = 3;

/**
 * The first page after the list, by what the service says, or one not far away. For planning only.
 *
 * @param next the page whose turn comes next
 */
export function estimateEndPage(facts: ListFacts, next: number): number {
	const { totalPages = 0, hasMore, numberingOffset, pageSize, startPage } = facts;
	const total = facts.total ?? facts.statedTotal;
	// More pages than the total fills are not pages of this size.
	const isTooMany = total !== undefined && (totalPages - 1) * pageSize >= total;
	let planned = 0;
	if (isTotalPagesReliable(facts) && !isTooMany) {
		// Of a later page to begin with nothing shows whether the service counts from 1.
		planned = totalPages + Math.max(numberingOffset, Math.min(startPage, 1));
	} else if (total !== undefined) {
		// If pages do not say whether they are the last, only an empty one proves the total right.
		const full = total / pageSize;
		planned = numberingOffset + (hasMore === undefined ? Math.floor(full) + 1 : Math.ceil(full));
	}
	if (planned > next) return planned;
	if (hasMore === true) return Infinity;
	const isEndLikely = facts.endSignals > 0 || (facts.wasPreviousShort && !facts.areShortPagesUsual);
	return next + (isEndLikely ? 1 : MAX_SPECULATIVE_PAGES + facts.pagesRead);
}
