import type { Page } from '../answer/pageReader';
import type { PagingMetadata } from '../answer/paging';

/**
 * What is known of a list after some of its pages. What was said once stays: a page that says
 * nothing does not unsay it.
 */
export interface ListFacts {
	/** Number of the page the reading began with. */
	readonly firstPage: number;
	/** Items per page that were asked for first, and that are asked for now. */
	readonly askedSize: number;
	readonly size: number;
	/** 1 if the service counts pages from 1 and takes page 0 for page 1. */
	readonly shift: 0 | 1;
	/** Pages with records. */
	readonly pages: number;
	/** Records of these pages, each once, and as often as they came. */
	readonly count: number;
	readonly came: number;
	/** The total, unless it was always that of the page it stood on, or less than what had come. */
	readonly total?: number;
	/** The total that a page with records said last, whatever it counts. */
	readonly saidTotal?: number;
	/** The highest total that was believed. */
	readonly highestTotal: number;
	/** The page count, and the page size it was said for. */
	readonly totalPages?: number;
	readonly totalPagesSize?: number;
	/** Whether a total was more than what was read so far: otherwise it may be the number of that. */
	readonly totalWasAhead: boolean;
	/** Whether the page count fell while the list was read: then it ends nothing. */
	readonly pageCountFell: boolean;
	/** Whether pages follow, as the last page said that says it at all. */
	readonly more?: boolean;
	/** Whether pages name the one after them, so that one which names none may be the last. */
	readonly namesNext: boolean;
	/** Whether the page before was short; and whether records followed one that was. */
	readonly wasShort: boolean;
	readonly shortIsUsual: boolean;
	/** Whether a later page held more records than were asked for: the first one was cut short. */
	readonly isLonger: boolean;
	/** How much of what was said calls the page before the last one; and whether any was wrong. */
	readonly witnesses: number;
	readonly wasWrong: boolean;
}

export function nothingKnown(firstPage: number, size: number): ListFacts {
	const numbers = { shift: 0, pages: 0, count: 0, came: 0, highestTotal: 0, witnesses: 0 } as const;
	const sizes = { wasShort: false, shortIsUsual: false, isLonger: false };
	const said = { totalWasAhead: false, pageCountFell: false, namesNext: false, wasWrong: false };
	return { firstPage, askedSize: size, size, ...numbers, ...sizes, ...said };
}

/** Adds what a page tells: what it says, its records, and how many of them are new. */
export function learn(known: ListFacts, page: Page, fresh: number): ListFacts {
	const came = page.records.length;
	const said = hear(known, page.metadata, came);
	if (came === 0) return said;
	return {
		...said,
		pages: known.pages + 1,
		count: known.count + fresh,
		came: known.came + came,
		wasWrong: known.wasWrong || (known.witnesses > 0 && fresh > 0),
		wasShort: came < known.size,
		shortIsUsual: known.shortIsUsual || (known.wasShort && fresh > 0),
		isLonger: known.isLonger || (known.pages > 0 && came > known.size),
	};
}

/** An empty place for the next page means the last page only if earlier pages filled it. */
export function saysLast({ namesNext }: ListFacts, { more, nextPage }: PagingMetadata): boolean {
	return more === undefined ? namesNext && nextPage === 'none' : !more;
}

/** Adds what a page says, whatever it holds. */
export function hear(known: ListFacts, metadata: PagingMetadata, came = 0): ListFacts {
	const { nextPage, totalPages } = metadata;
	const total = believedTotal(known, metadata, came);
	const earlierCount = known.totalPagesSize === known.size ? (known.totalPages ?? 0) : 0;
	// A page after the list may say what is true of itself, such as 0.
	const isOfList = came > 0 || totalPages === known.firstPage + known.pages;
	const read = known.firstPage * known.size + known.came + came;
	const more = metadata.more ?? (known.namesNext && came > 0 ? undefined : known.more);
	return {
		...known,
		total,
		saidTotal: came > 0 ? (metadata.total ?? known.saidTotal) : known.saidTotal,
		highestTotal: Math.max(known.highestTotal, total ?? 0),
		totalWasAhead: known.totalWasAhead || (total ?? 0) > read,
		totalPages: totalPages ?? known.totalPages,
		totalPagesSize: totalPages === undefined ? known.totalPagesSize : known.size,
		pageCountFell: known.pageCountFell || (isOfList && (totalPages ?? Infinity) < earlierCount),
		more: saysLast(known, metadata) ? false : more,
		namesNext: known.namesNext || nextPage === 'named',
	};
}

function believedTotal(
	known: ListFacts,
	{ pageSize = 0, total }: PagingMetadata,
	came: number,
): number | undefined {
	if (total === undefined) return known.total;
	if (known.total !== undefined) return came > 0 ? total : known.total;
	// It may be the number of records on its page, unless that says that it has room for more.
	const mayBeOfPage = total === came && (pageSize <= came || came >= known.size);
	// Less than what came already, it counts something else: pages, or this page.
	const isOfOtherThings = total < known.came + came;
	return mayBeOfPage || isOfOtherThings ? undefined : total;
}

/** From now on this size is asked for: a page count for another size ends nothing. */
export function withSize(known: ListFacts, size: number): ListFacts {
	return size === known.size ? known : { ...known, size, wasShort: false };
}

/** Whether something that was said speaks of records on this page or after it. */
export function speaksOfMore(known: ListFacts, page: number): boolean {
	const { total = 0, totalPages = 0, totalPagesSize = 0, more, shift, size } = known;
	// Said for larger pages a count is the least there can be; for smaller ones it says nothing.
	const isCounted = totalPagesSize >= size && totalPages > page - shift;
	return more === true || isCounted || total > (page - shift) * size;
}

/** Whether the page count is that of the list: for this size, and no less than the total needs. */
export function countsPages(known: ListFacts): boolean {
	const { saidTotal = 0, total = saidTotal, totalPages = 0, totalPagesSize, size, count } = known;
	// Computed from a total that was exceeded, it lags behind with it.
	if (total > 0 && count > total) return false;
	return totalPages > 0 && totalPagesSize === size && totalPages * size >= total;
}

/** How many pages may be requested in vain if nothing speaks of more, beside one for each page. */
const IN_VAIN = 3;

/**
 * The first page after the list, by what the service says, or one not far away. For planning only.
 *
 * @param next the page whose turn comes next
 */
export function plannedEnd(known: ListFacts, next: number): number {
	const { totalPages = 0, more, shift, size, firstPage } = known;
	const total = known.total ?? known.saidTotal;
	// More pages than the total fills are not pages of this size.
	const isTooMany = total !== undefined && (totalPages - 1) * size >= total;
	let planned = 0;
	if (countsPages(known) && !isTooMany) {
		// Of a later page to begin with nothing shows whether the service counts from 1.
		planned = totalPages + Math.max(shift, Math.min(firstPage, 1));
	} else if (total !== undefined) {
		// If pages do not say whether they are the last, only an empty one proves the total right.
		const full = total / size;
		planned = shift + (more === undefined ? Math.floor(full) + 1 : Math.ceil(full));
	}
	if (planned > next) return planned;
	if (more === true) return Infinity;
	const isEndLikely = known.witnesses > 0 || (known.wasShort && !known.shortIsUsual);
	return next + (isEndLikely ? 1 : IN_VAIN + known.pages);
}
