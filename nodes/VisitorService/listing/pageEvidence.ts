import { classifyText } from '../response/outcomeText';
import type { Page } from '../response/pageReader';
import { statesNoRecords } from '../response/paging';
import { DEFAULT_PAGE_SIZE } from './largerPage';
import {
	indicatesMore,
	isAsBefore,
	isMarkedLast,
	isTotalPagesReliable,
	type ListFacts,
} from './listFacts';
import type { ComparedPage } from './recordCollector';

/**
 * What later pages show that were requested to decide about a page. `goOn`: the list does, by new
 * records or by what makes them likely; `seen`: only records that were seen before; `none`: none.
 */
export type LaterPages = 'unknown' | 'goOn' | 'seen' | 'none';

/** Everything the end-of-list rules look at when they decide about one page. */
export interface PageDecisionInput extends ComparedPage {
	/** Counted from 0. */
	pageIndex: number;
	/** The number it was requested by, as the service counts. */
	requestedNumber: number;
	/** The response that counts, if the page was requested more than once. */
	page: Page;
	/** How often the page was requested. */
	attempts: number;
	/** Ignores pages that were read ahead, so that the decision does not depend on timing. */
	laterPages: LaterPages;
	/** The facts before this page, and with it. */
	before: ListFacts;
	after: ListFacts;
	/** Records still wanted, with this page. */
	remaining: number;
	/** 0 = no cap. */
	maxPages: number;
}

/** Max pages: without IDs and without a total, and otherwise. */
const MAX_PAGES = { indistinguishable: 1_000, distinguishable: 100_000 };
/** How many times its stated total a list may return before it counts as endless. */
const MAX_RECEIVED_TO_TOTAL = 10;
/** Servers rarely cap the page size below a tenth of what was requested, or of the default. */
const MAX_SIZE_RATIO = 10;

export function isStartPage({ pageIndex, before }: PageDecisionInput): boolean {
	return pageIndex === before.startPage;
}

export function hasRecords({ page }: PageDecisionInput): boolean {
	return page.kind === 'records';
}

export function isRepeated({ repeatOf }: PageDecisionInput): boolean {
	return repeatOf !== 'no';
}

/** Whether the second page is the first one again; or the third, if the second one was page 1. */
export function isSecondPageSameAsFirst(input: PageDecisionInput): boolean {
	const { before, pageIndex, repeatOf } = input;
	const second = before.startPage + 1 + before.surplusFirstPages;
	return repeatOf === 'previousPage' && before.pagesRead === 1 && pageIndex === second;
}

export function isEveryPageTheFirst(input: PageDecisionInput): boolean {
	const isSeen = input.laterPages === 'seen' && input.identifiedBy !== 'nothing';
	return isSeen && isSecondPageSameAsFirst(input);
}

/** Whether the first page, which was repeated, is all there is, as the service states. */
export function completenessOfFirstPage(input: PageDecisionInput): 'all' | 'more' | 'unstated' {
	const { after, before } = input;
	if (isAllReceived(before) || before.hasMore === false) return 'all';
	return hasMoreAfterPage(input) || (after.total ?? 0) > before.uniqueCount ? 'more' : 'unstated';
}

function isTooShortForSizeCap(size: number, receivedCount: number): boolean {
	return Math.min(size, DEFAULT_PAGE_SIZE) > MAX_SIZE_RATIO * receivedCount;
}

function isShortPage({ after, page }: PageDecisionInput): boolean {
	return page.records.length < after.fullPageSize;
}

/** Whether the page is short by the page size that it states itself. */
function isShorterThanStatedSize(input: PageDecisionInput): boolean {
	return isShortPage(input) && (input.page.metadata.pageSize ?? 0) >= input.after.fullPageSize;
}

/**
 * Whether this is the first short page: a later page, or the first one if no cap on the page size
 * explains its length.
 */
export function isUnexpectedlyShort(input: PageDecisionInput): boolean {
	const { after, attempts, before, page } = input;
	if (!hasRecords(input) || attempts > 1 || !isShortPage(input)) return false;
	if (before.pageLengths === 'varying') return false;
	if (!isStartPage(input)) return true;
	return isShorterThanStatedSize(input)
		? hasMoreAfterPage(input)
		: isTooShortForSizeCap(after.fullPageSize, page.records.length);
}

/** Counts the signals that this is the last page. A single one may be wrong. */
export function countEndSignals(input: PageDecisionInput): number {
	const isEnd =
		isShortPage(input) && input.before.pageLengths !== 'varying' && !mayDescribePageOnly(input);
	return countStatedEndSignals(input) + (isEnd ? 1 : 0);
}

/** Counts the end signals that the service states. A flag that has changed counts twice. */
export function countStatedEndSignals(input: PageDecisionInput): number {
	const { after, before, pageIndex, page } = input;
	const { uniqueCount, startPage, surplusFirstPages, fullPageSize, total, totalPages = 0 } = after;
	if (isUnpaginated(input) || isTotalAsBefore(input)) return 2;
	const hasChanged = before.hasMore === true || before.linksNextPage;
	const stated = isMarkedLast(after, page.metadata) ? (hasChanged ? 2 : 1) : 0;
	const counted =
		isTotalPagesReliable(after) &&
		!after.totalPagesDecreased &&
		pageIndex + 1 - surplusFirstPages === totalPages;
	// Stated before all records were received, or on a page that is not full, a total cannot be the
	// size of that page.
	const isAhead =
		after.totalExceededRead ||
		(isStartPage(input) && pageIndex > 0) ||
		isShorterThanStatedSize(input);
	const isTotal = isAhead && total === startPage * fullPageSize + uniqueCount;
	// Above page 0, both are a page too early if the service counts from 1.
	const isOneSignal = startPage > 0 && counted && isTotal;
	const ofPages = Math.min(stated + Number(counted), isSizeUnclear(input) ? 1 : 2);
	return Math.min(ofPages + Number(isTotal && !isOneSignal), mayDescribePageOnly(input) ? 1 : 2);
}

/** Whether the second page showed the size, but was short: what it states may be for another. */
function isSizeUnclear({ before, page, pageIndex }: PageDecisionInput): boolean {
	const { pageLengths, pagesRead, requestedPageSize, startPage } = before;
	const isSecond = pagesRead === 1 && pageIndex === startPage + 1;
	return isSecond && pageLengths === 'varying' && page.records.length < requestedPageSize;
}

/** Whether the service states the total of the list, and no earlier reading found more. */
function isTotalAsBefore({ after, page }: PageDecisionInput): boolean {
	const isTotal = after.earlier?.hasTotal === true && page.metadata.total === after.uniqueCount;
	return isTotal && isAsBefore(after);
}

/**
 * Whether the service returned the whole list in one response and ignored the page size. It may
 * count as many pages as these records would fill in the requested size.
 */
function isUnpaginated(input: PageDecisionInput): boolean {
	const { uniqueCount, fullPageSize, totalPages = 0 } = input.after;
	const isAll =
		isStartPage(input) && uniqueCount > fullPageSize && input.page.metadata.total === uniqueCount;
	return isAll && totalPages <= Math.ceil(uniqueCount / fullPageSize);
}

/**
 * Whether a cap on the page size explains the length of the first page, so that what it states may
 * describe that page only, or pages of the requested size. A cap usually divides the requested
 * size; any cap is likely if more than the default is requested.
 */
function mayDescribePageOnly(input: PageDecisionInput): boolean {
	const { after, before, page } = input;
	const receivedCount = page.records.length;
	const isCap =
		receivedCount > 1 &&
		receivedCount < before.fullPageSize &&
		!isTooShortForSizeCap(before.fullPageSize, receivedCount);
	if (!isStartPage(input) || !isCap || isShorterThanStatedSize(input)) return false;
	const isUnusualSize = after.statedTotal === undefined && before.fullPageSize > DEFAULT_PAGE_SIZE;
	return isUnusualSize || before.fullPageSize % receivedCount === 0;
}

/** Whether anything indicates records after this page. */
export function hasMoreAfterPage(input: PageDecisionInput): boolean {
	const { after, laterPages, pageIndex, page } = input;
	if (after.hasMore === true || laterPages === 'goOn') return true;
	if (isUnpaginated(input)) return false;
	if (!isStartPage(input)) return indicatesMore(after, pageIndex + 1);
	// The service may still turn out to use another page size than was requested.
	const ofRest = (after.total ?? 0) > pageIndex * after.fullPageSize + page.records.length;
	return ofRest || indicatesMore({ ...after, total: 0 }, pageIndex + 1 + after.surplusFirstPages);
}

/** Whether anything indicates records on this page, which has none, or after it. */
export function hasMoreFromPage(input: PageDecisionInput): boolean {
	const { after, laterPages, attempts, before, page, pageIndex } = input;
	// Even a page of records seen before shows that the list goes on: after its end it has none.
	if (laterPages === 'goOn' || laterPages === 'seen' || isOutsideWindow(page)) return true;
	if (attempts === 1 && indicatesMore(before, pageIndex)) return true;
	return indicatesMore(after, pageIndex) && !isEmptyListCountedAsPage(input);
}

/** Search engines return only the first records, such as 10,000, and reject pages after them. */
export function isOutsideWindow(page: Page): boolean {
	const text = (page.kind === 'outOfRange' && page.failure.serverText) || '';
	const isLimit = /\b(?:window|only (?:the )?first|max(?:imum)?|too (?:large|deep))\b/i.test(text);
	return isLimit && classifyText(text) !== 'noPage';
}

/** Many services count an empty list as one page. Trusted if the total agrees, or if refetched. */
function isEmptyListCountedAsPage(input: PageDecisionInput): boolean {
	const { after, attempts, page } = input;
	const isOnlyCounted =
		after.totalPages === 1 && after.total === undefined && after.hasMore !== true;
	return isStartPage(input) && isOnlyCounted && (attempts > 1 || page.metadata.total === 0);
}

export function shouldRefetch(input: PageDecisionInput): boolean {
	if (input.attempts > 1) return false;
	const isEndPlausible = input.page.kind !== 'noList' || input.before.endSignals > 0;
	return (
		!isEndPlausible ||
		hasMoreFromPage(input) ||
		(!isStartPage(input) && !isEmptyPageExpected(input))
	);
}

/**
 * Whether a page without records was to be expected: after an end signal, after all records that
 * the service counts or an earlier reading found, or after a short page unless page lengths vary.
 * If pages are smaller than requested, only the second page may be empty, because records may be
 * left out of pages. Page 0 may be empty if it states that the list is: a service that counts from
 * 1 may return an empty page 0.
 */
export function isEmptyPageExpected(input: PageDecisionInput): boolean {
	const { before, page, pageIndex } = input;
	if (isStartPage(input))
		return pageIndex > 0 || page.kind !== 'empty' || statesNoRecords(page.metadata);
	const wasShort = before.pageLengths === 'lastIsShort';
	return (
		(before.fullPageSize < before.requestedPageSize
			? pageIndex === before.startPage + 1
			: wasShort) ||
		before.endSignals > 0 ||
		isAllReceived(before) ||
		isAsBefore(before)
	);
}

/** Whether as many records or pages were read as the service counts. */
function isAllReceived(facts: ListFacts): boolean {
	const { uniqueCount, startPage, pagesRead, statedTotal, totalPages } = facts;
	return statedTotal === uniqueCount || totalPages === startPage + pagesRead;
}

/**
 * Whether so many records were received that the service must be repeating itself. An ID shows that
 * records are new, so the bound is then one that no list reaches.
 */
export function exceedsListBounds({ after, identifiedBy, maxPages }: PageDecisionInput): boolean {
	const {
		receivedCount,
		highestTotal,
		pagesRead,
		fullPageSize,
		totalExceededRead: isCounted,
	} = after;
	// A total may rise with the reading.
	const isTooMuch =
		isCounted && receivedCount >= MAX_RECEIVED_TO_TOTAL * highestTotal + fullPageSize;
	const max =
		identifiedBy === 'id' || isCounted ? MAX_PAGES.distinguishable : MAX_PAGES.indistinguishable;
	return maxPages === 0 && (isTooMuch || pagesRead >= max);
}
