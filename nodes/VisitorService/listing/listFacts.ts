import type { PagingMetadata } from '../answer/paging';
import { isLongerThanAsked, isShorterThanAsked } from './pageLength';

/**
 * What is known of a list after some of its pages. What was said once stays: a page that says
 * nothing does not unsay it.
 */
export interface ListFacts {
	/** Number of the page the reading began with. */
	readonly firstPage: number;
	/** Items per page that are asked for. */
	readonly size: number;
	/** 1 if the service counts pages from 1 and takes page 0 for page 1. */
	readonly shift: 0 | 1;
	/** Pages with records. */
	readonly pages: number;
	/** Records of these pages, each once, and as often as they came. */
	readonly count: number;
	readonly came: number;
	/**
	 * The total, unless it was always that of the page it stood on; and the last one that was said at
	 * all.
	 */
	readonly total?: number;
	readonly saidTotal?: number;
	/**
	 * A total that is neither that of the list nor that of its page, so that only a warning names it.
	 */
	readonly otherTotal?: number;
	/** The highest total that was said, if it fell since. */
	readonly totalFellFrom?: number;
	/** The page count, and the page size it was said for. */
	readonly totalPages?: number;
	readonly totalPagesSize?: number;
	/** The total that was believed first. */
	readonly firstTotal?: number;
	/**
	 * Whether a total, or a page count, was more than what was read so far: otherwise it may be the
	 * number of that.
	 */
	readonly totalWasAhead: boolean;
	readonly pageCountWasAhead: boolean;
	/** Whether the page count fell while the list was read: then it ends nothing. */
	readonly pageCountFell: boolean;
	/** Whether the total or the page count rose while the list was read. */
	readonly hasGrown: boolean;
	/** Whether pages follow, as the last page said that says it at all. */
	readonly more?: boolean;
	/**
	 * Whether records followed a page that was said to be the last: from then on that is not
	 * believed.
	 */
	readonly lastWasWrong: boolean;
	/** Whether pages name the one after them, so that one which names none may be the last. */
	readonly namesNext: boolean;
	/** Whether the first page was short, and the reading went on at its size. */
	readonly firstWasShort: boolean;
	/** Whether a short page was followed by records, so that a short page says nothing. */
	readonly shortIsUsual: boolean;
	/**
	 * Whether a page held more records than were asked for, although the first one did not: it was
	 * cut short.
	 */
	readonly isLonger: boolean;
	readonly wasShort: boolean;
	/** Pages in a row without a new record, and their records. */
	readonly pagesWithoutNew: number;
	readonly recordsWithoutNew: number;
	/** Whether an earlier reading of the list had records, so that its first page must have some. */
	readonly hadRecords: boolean;
}

export function nothingKnown(firstPage: number, size: number): ListFacts {
	return {
		firstPage,
		size,
		shift: 0,
		pages: 0,
		count: 0,
		came: 0,
		firstWasShort: false,
		totalWasAhead: false,
		pageCountWasAhead: false,
		pageCountFell: false,
		hasGrown: false,
		lastWasWrong: false,
		namesNext: false,
		shortIsUsual: false,
		isLonger: false,
		wasShort: false,
		pagesWithoutNew: 0,
		recordsWithoutNew: 0,
		hadRecords: false,
	};
}

/** What stays known of a list that is read from its first page again. */
export function knownAgain(
	{ total, totalPages, totalPagesSize }: ListFacts,
	firstPage: number,
	size: number,
): ListFacts {
	const known = nothingKnown(firstPage, size);
	return { ...known, total, totalPages, totalPagesSize, hadRecords: true };
}

/** Adds what another page says of a list of which no page has come in its turn. */
export function hear(
	known: ListFacts,
	{ total, totalPages }: Pick<PagingMetadata, 'total' | 'totalPages'>,
): ListFacts {
	if (known.pages > 0) return known;
	return learnFacts(known, { metadata: { total, totalPages }, came: 0, fresh: 0 });
}

export interface PageFacts {
	metadata: PagingMetadata;
	/** Records on the page, and how many of them are new. */
	came: number;
	fresh: number;
	/** Records of the page that are before those to be read. */
	skipped?: number;
	/** The page size it states, if it is short. */
	statedSize?: number;
}

/** Adds what a page tells. */
export function learn(known: ListFacts, page: PageFacts): ListFacts {
	const said = learnFacts(known, page);
	if (page.came === 0) return said;
	const isNew = page.fresh > 0;
	const length = { asked: known.size, came: page.came + (page.skipped ?? 0) };
	return {
		...said,
		pages: known.pages + 1,
		count: known.count + page.fresh,
		came: known.came + page.came,
		wasShort: isShorterThanAsked(length),
		shortIsUsual: known.shortIsUsual || (known.wasShort && isNew),
		isLonger: known.isLonger || (known.pages > 0 && isLongerThanAsked(length)),
		lastWasWrong: known.lastWasWrong || (known.more === false && isNew),
		pagesWithoutNew: isNew ? 0 : known.pagesWithoutNew + 1,
		recordsWithoutNew: isNew ? 0 : known.recordsWithoutNew + page.came,
	};
}

/** An empty place for the next page means the last page only if earlier pages filled it. */
export function saysLast(
	{ lastWasWrong, namesNext }: ListFacts,
	{ more, nextPage }: Pick<PagingMetadata, 'more' | 'nextPage'>,
): boolean {
	if (lastWasWrong) return false;
	return more === undefined ? namesNext && nextPage === 'none' : !more;
}

function learnFacts(known: ListFacts, { metadata, came, statedSize = 0 }: PageFacts): ListFacts {
	const { total, totalPages, nextPage } = metadata;
	const more = saysLast(known, metadata) ? false : metadata.more;
	const mayBeLast = known.namesNext && came > 0;
	// A total that is the number of records on its page may be that of the page. So may the 0 of an
	// empty one. If the page says that more would have had their place on it, the total is that of
	// the list.
	const mayBeOfPage = total === undefined || (total === came && statedSize <= came);
	// Said for the first time, and less than what came already, it counts something else: pages, or
	// this page.
	const isOther = known.total === undefined && (total ?? 0) > 0 && (total ?? 0) < known.came + came;
	const isBelieved =
		(!mayBeOfPage && !isOther) || (known.total !== undefined && total !== undefined && came > 0);
	const believed = isBelieved ? total : known.total;
	const earlierCount = known.totalPagesSize === known.size ? known.totalPages : undefined;
	const pageCountFalls = (totalPages ?? Infinity) < (earlierCount ?? 0);
	const { firstPage, size } = known;
	// Of an empty page it may be that of the page, which takes nothing back but pages that are not
	// read yet.
	const isMoreCounted = (earlierCount ?? 0) > firstPage + known.pages;
	const totalWasAhead =
		known.totalWasAhead || (believed ?? 0) > firstPage * size + known.came + came;
	const pageCountWasAhead =
		known.pageCountWasAhead || (totalPages ?? 0) > firstPage + known.pages + Math.sign(came);
	const pageCountGrows = pageCountWasAhead && (totalPages ?? 0) > (earlierCount ?? Infinity);
	const totalGrows = totalWasAhead && (believed ?? 0) > (known.total ?? Infinity);
	const highest = Math.max(known.totalFellFrom ?? 0, known.total ?? 0);
	const hasFallen = believed !== undefined && believed < highest;
	return {
		...known,
		total: believed,
		saidTotal: total !== undefined && came > 0 ? total : known.saidTotal,
		otherTotal: isOther && total !== came ? total : known.otherTotal,
		firstTotal: known.firstTotal ?? believed,
		totalWasAhead,
		pageCountWasAhead,
		totalFellFrom: hasFallen ? highest : known.totalFellFrom,
		totalPages: totalPages ?? known.totalPages,
		totalPagesSize: totalPages === undefined ? known.totalPagesSize : known.size,
		pageCountFell: known.pageCountFell || (pageCountFalls && (came > 0 || isMoreCounted)),
		hasGrown: known.hasGrown || totalGrows || pageCountGrows,
		more: more ?? (mayBeLast ? undefined : known.more),
		namesNext: known.namesNext || nextPage === 'named',
	};
}

/** The first page was short because records were left out of it, as they may be of others. */
export function leavingOut(known: ListFacts): ListFacts {
	return { ...known, shortIsUsual: known.shortIsUsual || known.wasShort };
}

/** From now on this size is asked for: a page count for another size ends nothing. */
export function withSize(known: ListFacts, size: number): ListFacts {
	if (size === known.size) return known;
	return { ...known, size, wasShort: false, firstWasShort: size < known.size };
}

/** Whether something that was said speaks of records on this page or after it. */
export function speaksOfMore(known: ListFacts, page: number): boolean {
	const { total, totalPages = 0, totalPagesSize = 0, more, shift, size } = known;
	if (more === true) return true;
	if (total !== undefined && total > (page - shift) * size) return true;
	// Said for larger pages it is the least there can be; for smaller ones it says nothing.
	return totalPagesSize >= size && totalPages > page - shift;
}

/** Whether the page count is that of the list: for this size, and no less than the total needs. */
export function countsPages({
	saidTotal = 0,
	total = saidTotal,
	totalPages = 0,
	totalPagesSize,
	size,
	count,
}: ListFacts): boolean {
	// Computed from a total that was exceeded, it lags behind with it.
	if (total > 0 && count > total) return false;
	return totalPages > 0 && totalPagesSize === size && totalPages * size >= total;
}

/**
 * The first page after the list, by what the service says; Infinity if it says nothing. For
 * planning only.
 *
 * @param next the page whose turn comes next
 */
export function plannedEnd(known: ListFacts, next: number): number {
	const { totalPages = 0, more, shift, size, firstPage, pages } = known;
	const total = known.total ?? known.saidTotal;
	// More pages than the total fills are not pages of this size.
	const isTooMany = total !== undefined && (totalPages - 1) * size >= total;
	let planned = 0;
	if (countsPages(known) && !isTooMany) {
		// Until a second page had new records, the service may count from 1.
		const mayCountFromOne = firstPage > 0 || (pages === 1 && known.pagesWithoutNew > 0);
		planned = totalPages + Math.max(shift, mayCountFromOne ? 1 : 0);
		// On the first page it may be the number of the pages so far: one more request tells.
		if (pages === 1 && !known.pageCountWasAhead) return Math.max(planned, next + 1);
	} else if (total !== undefined) {
		// If pages do not say whether they are the last, only an empty one proves that the total is
		// right.
		const full = total / size;
		planned = shift + (more === undefined ? Math.floor(full) + 1 : Math.ceil(full));
	}
	if (planned > next) return planned;
	const isEndLikely = known.wasShort && !known.shortIsUsual && more !== true;
	return isEndLikely ? next + 1 : Infinity;
}
