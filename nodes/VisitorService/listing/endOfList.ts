import type { ServiceFailure } from '../failure/serviceFailure';
import type { Page } from '../response/pageReader';
import { endlessListFailure, missingPageFailure, pageIgnoredFailure } from './failures';
import { indicatesMore, isMarkedLast, isTotalPagesReliable, type ListFacts } from './listFacts';
import type { ComparedPage } from './recordCollector';

/** What ended a listing. */
export type EndReason =
	| 'limit'
	| 'maxPages'
	/** A page of this kind. */
	| Page['kind']
	/** What the service said, and maybe the length of a page. */
	| 'endSignals'
	/** The first answer, which held no list. */
	| 'noListAtAll'
	/** The last page again; the first one, or all there was. */
	| 'lastPageRepeated'
	| 'listRestarted'
	/** Any of these, although the service speaks of more. */
	| 'noNewRecords';

/** What the pages after one hold that were looked at. */
export type LaterPages = 'unknown' | 'new' | 'seen' | 'none';

/** A page whose turn it is, and all that decides about it. */
export interface PageDecisionInput extends ComparedPage {
	pageNumber: number;
	/** Of its answers the one that counts. */
	page: Page;
	/** How often the page was asked for. */
	attempts: number;
	/** Pages that happen to be there already do not count: the decision is not to depend on them. */
	laterPages: LaterPages;
	/** What was known before this page, and what is known with it. */
	before: ListFacts;
	after: ListFacts;
	/** Records still wanted, with this page. */
	remaining: number;
	/** 0 = no cap. */
	maxPages: number;
}

type Decision =
	/** Asks for the page once more. */
	| 'refetch'
	/** Takes what the page holds, and reads on; with a warning if it holds nothing new. */
	| 'accept'
	/** Leaves the page out, which was the first one once more: the service counts from 1. */
	| 'numberFromOne'
	/** Looks at so many later pages. */
	| { lookAhead: number }
	| { end: EndReason }
	| ServiceFailure;

export interface Rule {
	/** What is the case, said of the page. */
	name: string;
	applies: (input: PageDecisionInput) => boolean;
	decide: (input: PageDecisionInput) => Decision;
}

/** Page Size if it is not set; as the editor shows it. */
export const DEFAULT_PAGE_SIZE = 100;
/** Pages of records that cannot be told apart and are not counted, and of others. */
const MAX_PAGES = { indistinguishable: 1_000, distinguishable: 100_000 };
/** Times the own total of a list. */
const MAX_RECEIVED_TO_TOTAL = 10;
/** A maximum is rarely less than this part of what is asked for, or of what usually is. */
const MAX_SIZE_RATIO = 10;

/** What is decided about a page: the first rule that applies. */
export const END_OF_LIST_RULES: readonly Rule[] = [
	{
		name: 'no page at all, nothing new, or an ID with other content, for the first time',
		applies: (input) =>
			input.attempts === 1
				? input.page.kind === 'invalid' || isRepeated(input) || input.hasConflictingContent
				: isRepeated(input) && input.laterPages === 'unknown',
		decide: (input) => {
			if (input.attempts === 1) return 'refetch';
			// A single record comes again more easily than a page of them.
			return {
				lookAhead: isSecondPageSameAsFirst(input) || input.page.records.length === 1 ? 2 : 1,
			};
		},
	},
	{
		name: 'no page at all',
		applies: ({ page }) => page.kind === 'invalid',
		decide: ({ page }) => (page.kind === 'invalid' ? page.failure : 'refetch'),
	},
	{
		name: 'as many records or pages as wanted',
		applies: (input) =>
			hasRecords(input) &&
			(input.remaining <= 0 || (input.maxPages > 0 && input.after.pagesRead >= input.maxPages)),
		decide: (input) => {
			if (input.remaining <= 0) return { end: 'limit' };
			return {
				end:
					countStatedEndSignals(input) > 0 && !hasMoreAfterPage(input) ? 'endSignals' : 'maxPages',
			};
		},
	},
	{
		name: 'page 1 is page 0 again, and page 2 is new: the service counts from 1',
		applies: (input) =>
			isSecondPageSameAsFirst(input) && input.pageNumber === 1 && input.laterPages === 'new',
		decide: () => 'numberFromOne',
	},
	{
		name: 'every page is the first one, which is full or said not to be all',
		applies: (input) => {
			const { requestedPageSize, uniqueCount, startPage } = input.before;
			if (
				!isSecondPageSameAsFirst(input) ||
				input.laterPages !== 'seen' ||
				!input.areDistinguishable
			)
				return false;
			const stated = startPage === 0 ? completenessOfFirstPage(input) : 'all';
			return stated === 'more' || (stated === 'unstated' && uniqueCount >= requestedPageSize);
		},
		decide: pageIgnoredFailure,
	},
	{
		name: 'nothing new, but something new follows',
		applies: (input) => isRepeated(input) && input.laterPages === 'new',
		decide: () => 'accept',
	},
	{
		name: 'the last page again, the first one, or all there was',
		applies: isRepeated,
		decide: (input) => {
			if (hasMoreAfterPage(input)) return { end: 'noNewRecords' };
			return { end: input.repeatOf === 'previousPage' ? 'lastPageRepeated' : 'listRestarted' };
		},
	},
	{
		name: 'two witnesses call it the last page, and nothing speaks of more',
		applies: (input) => hasRecords(input) && countEndSignals(input) > 1 && !hasMoreAfterPage(input),
		decide: () => ({ end: 'endSignals' }),
	},
	{
		name: 'a short page for the first time',
		applies: (input) =>
			isUnexpectedlyShort(input) && (input.laterPages === 'unknown' || hasMoreAfterPage(input)),
		decide: (input) =>
			hasMoreAfterPage(input) || (input.after.total ?? 0) > input.after.uniqueCount
				? 'refetch'
				: { lookAhead: 1 },
	},
	{
		name: 'more than a list can have',
		applies: (input) => hasRecords(input) && exceedsListBounds(input),
		decide: endlessListFailure,
	},
	{ name: 'records', applies: hasRecords, decide: () => 'accept' },
	{
		name: 'no records where some were to be expected, for the first time',
		applies: (input) =>
			shouldRefetch(input) ||
			((hasMoreFromPage(input) || !isEmptyPageExpected(input)) && input.laterPages === 'unknown'),
		decide: (input) => {
			if (shouldRefetch(input)) return 'refetch';
			return { lookAhead: hasMoreFromPage(input) ? 3 : isStartPage(input) ? 1 : 2 };
		},
	},
	{
		name: 'no records in the middle: an empty page, or a missing one',
		applies: ({ laterPages }) => laterPages === 'new',
		decide: (input) => (input.page.kind === 'empty' ? 'accept' : missingPageFailure(input)),
	},
	{
		name: 'no records',
		applies: () => true,
		decide: (input) => {
			if (hasMoreFromPage(input)) return { end: 'noNewRecords' };
			if (input.before.pagesRead > 0 && input.before.endSignals > 0) return { end: 'endSignals' };
			const { kind } = input.page;
			return { end: kind === 'noList' && isStartPage(input) ? 'noListAtAll' : kind };
		},
	},
];

/** Without side effects; the same turn has the same decision. */
export function decide(input: PageDecisionInput): Decision {
	const rule = END_OF_LIST_RULES.find(({ applies }) => applies(input));
	if (rule === undefined) throw new Error('No rule is for such a page.');
	return rule.decide(input);
}

function isStartPage({ pageNumber, before }: PageDecisionInput): boolean {
	return pageNumber === before.startPage;
}

function hasRecords({ page }: PageDecisionInput): boolean {
	return page.kind === 'records';
}

export function isRepeated({ repeatOf }: PageDecisionInput): boolean {
	return repeatOf !== 'no';
}

/** Whether the second page is the first one again; or the third, if the second one was page 1. */
export function isSecondPageSameAsFirst({
	before,
	pageNumber,
	repeatOf,
}: PageDecisionInput): boolean {
	const second = before.startPage + 1 + before.numberingOffset;
	return repeatOf === 'previousPage' && before.pagesRead === 1 && pageNumber === second;
}

/** What is said of the first page, which came again: whether it is all there is. */
export function completenessOfFirstPage(input: PageDecisionInput): 'all' | 'more' | 'unstated' {
	const { after, before } = input;
	if (isAllReceived(before) || before.hasMore === false) return 'all';
	return hasMoreAfterPage(input) || (after.total ?? 0) > before.uniqueCount ? 'more' : 'unstated';
}

function isTooShortForSizeCap(size: number, receivedCount: number): boolean {
	return Math.min(size, DEFAULT_PAGE_SIZE) > MAX_SIZE_RATIO * receivedCount;
}

function isShortPage({ after, page }: PageDecisionInput): boolean {
	return page.records.length < after.pageSize;
}

/** Whether the page states that it has room for more. */
function isShorterThanStatedSize(input: PageDecisionInput): boolean {
	return isShortPage(input) && (input.page.metadata.pageSize ?? 0) >= input.after.pageSize;
}

/**
 * Whether a page is short where none was before: a later one, or the first one if no maximum
 * explains it.
 */
function isUnexpectedlyShort(input: PageDecisionInput): boolean {
	const { after, attempts, before, page } = input;
	if (!hasRecords(input) || attempts > 1 || !isShortPage(input) || before.areShortPagesUsual)
		return false;
	if (!isStartPage(input)) return true;
	return isShorterThanStatedSize(input)
		? hasMoreAfterPage(input)
		: isTooShortForSizeCap(after.pageSize, page.records.length);
}

/** How much says that the list ends with this page; one of it alone may be wrong. */
function countEndSignals(input: PageDecisionInput): number {
	const isEnd =
		isShortPage(input) && !input.before.areShortPagesUsual && !mayDescribePageOnly(input);
	return countStatedEndSignals(input) + (isEnd ? 1 : 0);
}

/** How much of what is said does so. A flag that has changed is not one that is stuck. */
export function countStatedEndSignals(input: PageDecisionInput): number {
	const { after, before, pageNumber, page } = input;
	const {
		uniqueCount,
		startPage,
		totalPagesDecreased,
		numberingOffset,
		pageSize,
		total,
		totalPages = 0,
	} = after;
	if (isUnpaginated(input)) return 2;
	const hasChanged = before.hasMore === true || before.linksNextPage;
	const stated = isMarkedLast(after, page.metadata) ? (hasChanged ? 2 : 1) : 0;
	const counted =
		isTotalPagesReliable(after) &&
		!totalPagesDecreased &&
		pageNumber + 1 - numberingOffset === totalPages;
	// Said before all of it came, or of a page with room for more, it is not the total of the page.
	const isAhead =
		after.totalExceededRead ||
		(isStartPage(input) && pageNumber > 0) ||
		isShorterThanStatedSize(input);
	const isTotal = isAhead && total === startPage * pageSize + uniqueCount;
	return Math.min(stated + Number(counted) + Number(isTotal), mayDescribePageOnly(input) ? 1 : 2);
}

/** Whether it was sent at once, whatever was asked for. A page count is then one for that size. */
function isUnpaginated(input: PageDecisionInput): boolean {
	const { uniqueCount, pageSize, totalPages = 0 } = input.after;
	const isAll =
		isStartPage(input) && uniqueCount > pageSize && input.page.metadata.total === uniqueCount;
	return isAll && totalPages <= Math.ceil(uniqueCount / pageSize);
}

/**
 * Whether a maximum explains the length of the first page, so that what is said may be true of the
 * page only, or of the size asked for. Most are a part of that size; any is likely if more than
 * usual is asked for.
 */
function mayDescribePageOnly(input: PageDecisionInput): boolean {
	const { after, before, page } = input;
	const receivedCount = page.records.length;
	const { statedTotal } = after;
	const isMaximum =
		receivedCount > 1 &&
		receivedCount < before.pageSize &&
		!isTooShortForSizeCap(before.pageSize, receivedCount);
	if (!isStartPage(input) || !isMaximum || isShorterThanStatedSize(input)) return false;
	if (statedTotal === undefined && before.pageSize > DEFAULT_PAGE_SIZE) return true;
	return (
		before.pageSize % receivedCount === 0 &&
		!(isMarkedLast(after, page.metadata) && statedTotal !== receivedCount)
	);
}

/** Whether anything speaks of records after this page. */
function hasMoreAfterPage(input: PageDecisionInput): boolean {
	const { after, laterPages, pageNumber, page } = input;
	if (after.hasMore === true || laterPages === 'new') return true;
	if (isUnpaginated(input)) return false;
	const stated = { ...after, more: undefined };
	if (!isStartPage(input)) return indicatesMore(stated, pageNumber + 1);
	// The size of a first page may still prove to be another one than was asked for.
	const ofRest = (after.total ?? 0) > pageNumber * after.pageSize + page.records.length;
	return ofRest || indicatesMore({ ...stated, total: 0 }, pageNumber + 1 + after.numberingOffset);
}

/** Whether anything speaks of records on this page or after it, which has none. */
function hasMoreFromPage(input: PageDecisionInput): boolean {
	const { after, laterPages, attempts, before, pageNumber } = input;
	// Be they new or not: what comes after the end holds none.
	if (laterPages === 'new' || laterPages === 'seen') return true;
	if (attempts === 1 && indicatesMore(before, pageNumber)) return true;
	return indicatesMore(after, pageNumber) && !isEmptyListCountedAsPage(input);
}

/** Many services count one page of an empty list: believed if the total agrees, or twice. */
function isEmptyListCountedAsPage(input: PageDecisionInput): boolean {
	const { after, attempts, page } = input;
	const isOnlyCounted =
		after.totalPages === 1 && after.total === undefined && after.hasMore !== true;
	return isStartPage(input) && isOnlyCounted && (attempts > 1 || page.metadata.total === 0);
}

function shouldRefetch(input: PageDecisionInput): boolean {
	if (input.attempts > 1) return false;
	const isAnswered = input.page.kind !== 'noList' || input.before.endSignals > 0;
	return (
		!isAnswered || hasMoreFromPage(input) || (!isStartPage(input) && !isEmptyPageExpected(input))
	);
}

/**
 * Whether a page without records was to be expected: after a witness of the end, or a short page
 * if such are not usual (of smaller pages than asked for, records may be left out). As page 0, if
 * it says so: a service that counts from 1 may have an empty page there.
 */
function isEmptyPageExpected(input: PageDecisionInput): boolean {
	const { before, page, pageNumber } = input;
	const { total, totalPages, more } = page.metadata;
	const saysNone = total === 0 || totalPages === 0 || more === false;
	if (isStartPage(input)) return pageNumber > 0 || page.kind !== 'empty' || saysNone;
	const wasShort = before.wasPreviousShort && !before.areShortPagesUsual;
	return (
		(before.pageSize < before.requestedPageSize ? pageNumber === before.startPage + 1 : wasShort) ||
		before.endSignals > 0 ||
		isAllReceived(before)
	);
}

/** Whether what came is what the service counts, in records or in pages. */
function isAllReceived({
	uniqueCount,
	startPage,
	pagesRead,
	statedTotal,
	totalPages,
}: ListFacts): boolean {
	return statedTotal === uniqueCount || totalPages === startPage + pagesRead;
}

/**
 * Whether so much came that nothing but a service that repeats itself explains it. With an ID a
 * page is known to be new, so that this bounds only what no list has.
 */
function exceedsListBounds({ after, hasIds, maxPages }: PageDecisionInput): boolean {
	const { receivedCount, highestTotal, pagesRead, pageSize, totalExceededRead: isCounted } = after;
	// A total may rise with the reading.
	const isTooMuch = isCounted && receivedCount >= MAX_RECEIVED_TO_TOTAL * highestTotal + pageSize;
	const max = hasIds || isCounted ? MAX_PAGES.distinguishable : MAX_PAGES.indistinguishable;
	return maxPages === 0 && (isTooMuch || pagesRead >= max);
}
