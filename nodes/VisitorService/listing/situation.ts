import type { Page } from '../answer/pageReader';
import { countsPages, type ListFacts, saysLast, speaksOfMore } from './listFacts';
import { holdsLessThanStated, isShorterThanAsked, lengthOf, mayBeMaximum } from './pageLength';

/**
 * Pages about which the service says nothing: if records cannot be told apart, and if they can. An
 * ID shows that a page is new, and pages without news end a list much earlier; so this bounds only
 * what no list has.
 */
const MAX_UNSAID = { withoutIds: 1_000, withIds: 100_000 };
/** Times the own total of a list. */
const MAX_TOTALS = { withoutIds: 2, withIds: 10 };

/** What later pages hold that were looked at, or happen to be there already. */
export type LaterPages = 'unknown' | 'records' | 'firstPageAgain' | 'repeated' | 'nothing';

/**
 * What a page of another size showed, if pages equal the first one. `unclear`: it showed nothing.
 */
export type EqualPages =
	| 'unasked'
	| 'firstPageAgain'
	| 'equalRecords'
	| 'singlePage'
	| 'longer'
	| 'pageIgnored'
	| 'unclear';

/** A page whose turn it is, and what was asked to decide about it. */
export interface Turn {
	number: number;
	/** Of its answers the one that counts. */
	page: Page;
	/** How often the page was asked for. */
	asked: number;
	/**
	 * Whether two answers with records were compared, so that what differs in each answer is known.
	 */
	isCompared: boolean;
	/** What the pages after it hold. */
	ahead: LaterPages;
	/** How pages are numbered, if they equal the first one. */
	numbering: EqualPages;
	/** Whether the earlier page that it repeats, asked for again, holds the same records. */
	earlierAgain: 'unasked' | 'same' | 'other';
	/** Whether it is known how long the pages after the first one are. */
	isSizeKnown: boolean;
}

/** How a page compares with the earlier ones. */
export interface PageComparison {
	/**
	 * The page came before: as the one before it, as the first one, or its records all came on other
	 * pages.
	 */
	repeats: 'no' | 'previousPage' | 'firstPage' | 'otherPages';
	/** The number of the earlier page that it repeats, if it is a single one. */
	repeatedPage?: number;
	/**
	 * Whether records have the IDs of earlier ones and other content, or the other way round.
	 */
	differs: boolean;
	/** Whether the page equals an earlier one, and its records cannot be told apart. */
	isEqual: boolean;
	/** Whether records can be told apart by an ID. */
	hasIds: boolean;
	/** Whether records that were seen on other pages have not come yet, and are not on this one. */
	isSeenMissing: boolean;
}

/** All that decides about a page. */
export interface Situation extends Omit<Turn, 'ahead'>, PageComparison {
	/**
	 * What the pages after it hold. A function, because it compares pages that are there already, and
	 * rarely decides.
	 */
	ahead: () => LaterPages;
	/** What was known before this page, and what is known with it. */
	before: ListFacts;
	after: ListFacts;
	/** Records still wanted, with this page. */
	wanted: number;
	/** 0 = no cap. */
	maxPages: number;
}

export const isStopped = ({ page }: Situation) => page.kind === 'stopped';

export const isFault = ({ page }: Situation) => page.kind === 'fault';

export const hasRecords = ({ page }: Situation) => page.kind === 'records';

export const hasNoRecords = (situation: Situation) => !hasRecords(situation);

export const isFirstAnswer = ({ asked }: Situation) => asked === 1;

export const isRepeated = (situation: Situation) =>
	hasRecords(situation) && situation.repeats !== 'no';

export const isFirst = ({ number, before }: Situation) => number === before.firstPage;

/**
 * Whether the second page is the first one again; or the third, if the second was taken for page 1
 * of 1. Not if page 0 was empty: then pages differ.
 */
export const isSecondLikeFirst = (situation: Situation) => {
	const { before, number, repeatedPage = before.firstPage, repeats } = situation;
	return (
		isRepeated(situation) &&
		before.pages === 1 &&
		number === before.firstPage + 1 + before.shift &&
		repeatedPage === before.firstPage &&
		repeats !== 'otherPages'
	);
};

export const isLikeEveryPage = (situation: Situation) =>
	isSecondLikeFirst(situation) && situation.ahead() === 'firstPageAgain';

/** Whether it is page 1 like page 0: of others it would be the list that repeats a page. */
export const isLikePageZero = (situation: Situation) =>
	isSecondLikeFirst(situation) && situation.number === 1;

const lengthIn = ({ page, after }: Situation) => lengthOf(page, after.size);

export const isShort = (situation: Situation) => isShorterThanAsked(lengthIn(situation));

/** Whether the page is short for the first time, where no page was before. */
export const isUnusuallyShort = (situation: Situation) =>
	isFirstAnswer(situation) && isShort(situation) && !situation.before.shortIsUsual;

/** Whether the page says that it is the last one. */
export const isLastSaid = ({ after, page }: Situation) => saysLast(after, page.metadata);

export const isLessThanStated = (situation: Situation) => holdsLessThanStated(lengthIn(situation));

/**
 * Whether all records of the page came before, but not as one page: on several pages, or among
 * others.
 */
export const isMixed = (situation: Situation) =>
	isRepeated(situation) && situation.repeatedPage === undefined;

/**
 * Whether the page may be another one than the earlier one it equals: not if only the last page is
 * short.
 */
export const mayBeAnother = (situation: Situation) =>
	isRepeated(situation) &&
	!situation.hasIds &&
	(!isShort(situation) || situation.before.shortIsUsual);

/** Whether the service says that there are records after this page. */
const isMoreSaid = ({ after, number }: Situation) => speaksOfMore(after, number + 1);

/** Whether anything speaks of records after this page. */
export const isMoreAfter = (situation: Situation) => isMoreSeen(situation) || isMoreSaid(situation);

/** Whether later records are known, whatever the service says. */
const isMoreSeen = ({ ahead, isSeenMissing }: Situation) => isSeenMissing || ahead() === 'records';

/** Whether anything speaks of records on this page or after it, which has none. */
export const isMoreHere = (situation: Situation) => {
	const { before, after, number, ahead, asked, isSeenMissing } = situation;
	return (
		isSeenMissing ||
		// Be they new or not: what comes after the end holds none.
		!['unknown', 'nothing'].includes(ahead()) ||
		(before.hadRecords && before.pages === 0) ||
		(asked === 1 && speaksOfMore(before, number)) ||
		(speaksOfMore(after, number) && !isEmptyPageCounted(situation))
	);
};

/** Many services count one page of an empty list: believed if the total agrees, or twice. */
const isEmptyPageCounted = (situation: Situation) => {
	const { after, asked, page } = situation;
	const isOnlyCounted = after.totalPages === 1 && after.total === undefined && after.more !== true;
	return isFirst(situation) && isOnlyCounted && (asked > 1 || page.metadata.total === 0);
};

/**
 * Whether a page without records was to be expected: after a short page, if they are not usual (of
 * smaller pages than asked for records may be left out), after one that names no next page although
 * others do, or after the whole total or page count. As page 0, if it says so: a service that
 * counts from 1 may have an empty page there.
 */
export const isExpected = (situation: Situation) => {
	const { before, page, number } = situation;
	if (isFirst(situation)) return number > 0 || page.kind !== 'empty' || saysNone(page);
	return (
		(before.wasShort && !before.shortIsUsual && !before.firstWasShort) ||
		(before.firstWasShort && before.pages === 1) ||
		(before.namesNext && before.more === undefined) ||
		before.saidTotal === before.count ||
		before.totalPages === before.firstPage + before.pages
	);
};

const saysNone = ({ metadata: { total, totalPages, more } }: Page) =>
	total === 0 || totalPages === 0 || more === false;

/** Whether fewer records came than the total, which this page should have completed. */
export const isTotalMissed = ({ after }: Situation) => (after.total ?? 0) > after.count;

export const isCapReached = ({ after, maxPages }: Situation) =>
	maxPages > 0 && after.pages >= maxPages;

/** Whether the total speaks of records that are not read yet. */
function isTotalOpen(situation: Situation): boolean {
	const { after, number, page } = situation;
	const { total = 0, count, size, shift } = after;
	// The size of a first page may still prove to be another one than was asked for.
	const read = isFirst(situation)
		? number * size + page.records.length
		: (number + 1 - shift) * size;
	return total > Math.max(read, count);
}

/** Whether the page says that it is the last, and something else shows that it is not. */
export function isContradicted(situation: Situation): boolean {
	const { after, number } = situation;
	const { totalPages = 0, totalPagesSize = 0, size, shift } = after;
	if (isTotalOpen(situation)) return true;
	if (totalPagesSize >= size && totalPages > number + 1 - shift) return true;
	return isMoreSeen(situation);
}

/**
 * Whether all that a first page says of the list may be said of the page: its total is that of the
 * page, a maximum explains how long that is, and nothing speaks of another page or of room for
 * more.
 */
export function mayMeanPage(situation: Situation): boolean {
	const { totalPages = 1, saidTotal } = situation.after;
	return (
		isFirst(situation) &&
		saidTotal === situation.page.records.length &&
		totalPages <= 1 &&
		mayBeMaximum(lengthIn(situation)) &&
		!isLessThanStated(situation)
	);
}

/**
 * Whether a full first page is the last one by a flag that may be stuck: nothing else says how long
 * the list is.
 */
export function isLastByFlagOnly(situation: Situation): boolean {
	const { totalPages, saidTotal } = situation.after;
	const isUnsaid = totalPages === undefined && saidTotal === undefined;
	return isFirst(situation) && !isShort(situation) && isLastSaid(situation) && isUnsaid;
}

export function isLastByPageCount(situation: Situation): boolean {
	const { after, number } = situation;
	if (after.more === true || after.pageCountFell) return false;
	if (!countsPages(after) || isTotalOpen(situation)) return false;
	// A short page is the last one whichever number the first page of the list has.
	if (after.firstPage > 0 && !isShort(situation)) return false;
	// One page with fewer records than asked for: both numbers may be those of the page, or for the
	// size asked for.
	const isOnePage = isFirst(situation) && isShort(situation);
	const isUnsure =
		after.saidTotal !== undefined || mayBeMaximum({ asked: after.size, came: after.came });
	if (isOnePage && after.total === undefined && isUnsure) return false;
	const pagesRead = number + 1 - after.shift;
	if (pagesRead < (after.totalPages ?? 0)) return false;
	// Records on a page after those that were counted disprove the count.
	if (after.firstPage === 0 && pagesRead > (after.totalPages ?? 0)) return false;
	return !isMoreSeen(situation);
}

/**
 * Whether a full page is the last one by a page count that may lag behind, or count the pages so
 * far.
 */
export function isLastByPageCountOnly(situation: Situation): boolean {
	const { total, totalWasAhead, firstPage, size, count } = situation.after;
	if (isShort(situation) || isCapReached(situation)) return false;
	const isTotal = totalWasAhead && total === firstPage * size + count;
	return !isTotal && isLastByPageCount(situation);
}

/** Whether the first page holds more than was asked for, and says that this is all there is. */
function isWholeAtOnce(situation: Situation): boolean {
	const { after, page } = situation;
	return isFirst(situation) && after.came > after.size && page.metadata.total === after.count;
}

export function isLastByTotal(situation: Situation): boolean {
	const { after, number } = situation;
	const { total, totalPages = 0, count, more, firstPage, shift, size, totalWasAhead } = after;
	// A total that agrees after a full page may lag behind; after a short one it confirms the end, if
	// it was said before all of it came: else it may be the number of what was read so far. So is it
	// believed if no other page may be read.
	if (isWholeAtOnce(situation)) return more !== true && !isMoreSeen(situation);
	const mayLag = after.pages > 1 && !totalWasAhead;
	const mayTell = (isShort(situation) && !mayLag) || (isCapReached(situation) && totalWasAhead);
	if (more === true || !mayTell) return false;
	if (countsPages(after) && number + 1 - shift < totalPages) return false;
	return total === firstPage * size + count && !isMoreSeen(situation);
}

/** Whether so much came that nothing but a service that repeats itself explains it. */
export function isBeyondBounds({ after, hasIds, maxPages }: Situation): boolean {
	if (maxPages > 0) return false;
	const { total = 0, totalFellFrom = 0, totalPages = 0, pageCountFell, hasGrown } = after;
	const { came, pages, size, totalWasAhead, pageCountWasAhead, firstTotal = 0 } = after;
	const kind = hasIds ? 'withIds' : 'withoutIds';
	const most = (said: number) => MAX_TOTALS[kind] * said;
	const highest = Math.max(total, totalFellFrom);
	// A number that rises with the reading bounds nothing, and a count of 0 beside records is none.
	if (highest > 0 && totalWasAhead && !hasGrown) return came >= most(highest) + size;
	if (totalPages > 0 && pageCountWasAhead && !hasGrown && !pageCountFell) {
		return pages > most(totalPages) + 1;
	}
	return pages >= MAX_UNSAID[kind] && came >= most(firstTotal);
}
