import type { Page } from '../answer/pageReader';
import type { ServiceFailure } from '../failure/serviceFailure';
import { endless, pageIgnored, pageMissing } from './failures';
import { countsPages, type ListFacts, saysLast, speaksOfMore } from './listFacts';
import type { ComparedPage } from './memory';

/** What ended a listing. */
export type EndedBy =
	| 'limit'
	| 'maxPages'
	/** A page of this kind. */
	| Page['kind']
	/** What the service said, and maybe the length of a page. */
	| 'said'
	/** The first answer, which held no list. */
	| 'nobody'
	/** The last page again; the first one, or all there was. */
	| 'lastPageAgain'
	| 'startsOver'
	/** Any of these, although the service speaks of more. */
	| 'nothingMore';

/** What the pages after one hold that were looked at. */
export type LaterPages = 'unknown' | 'new' | 'old' | 'none';

/** A page whose turn it is, and all that decides about it. */
export interface Turn extends ComparedPage {
	number: number;
	/** Of its answers the one that counts. */
	page: Page;
	/** How often the page was asked for. */
	asked: number;
	/** Pages that happen to be there already do not count: the decision is not to depend on them. */
	ahead: LaterPages;
	/** What was known before this page, and what is known with it. */
	before: ListFacts;
	after: ListFacts;
	/** Records still wanted, with this page. */
	wanted: number;
	/** 0 = no cap. */
	maxPages: number;
}

type Decision =
	/** Asks for the page once more. */
	| 'askAgain'
	/** Takes what the page holds, and reads on; with a warning if it holds nothing new. */
	| 'take'
	/** Leaves the page out, which was the first one once more: the service counts from 1. */
	| 'countFromOne'
	/** Looks at so many later pages. */
	| { lookAhead: number }
	| { end: EndedBy }
	| ServiceFailure;

export interface Rule {
	/** What is the case, said of the page. */
	is: string;
	applies: (turn: Turn) => boolean;
	decide: (turn: Turn) => Decision;
}

/** Page Size if it is not set; as the editor shows it. */
export const USUAL_PAGE_SIZE = 100;
/** Pages of records that cannot be told apart and are not counted, and of others. */
const MAX_PAGES = { untold: 1_000, told: 100_000 };
/** Times the own total of a list. */
const MAX_TOTALS = 10;
/** A maximum is rarely less than this part of what is asked for, or of what usually is. */
const MAX_SIZE_RATIO = 10;

/** What is decided about a page: the first rule that applies. */
export const RULES: readonly Rule[] = [
	{
		is: 'no page at all, nothing new, or an ID with other content, for the first time',
		applies: (turn) =>
			turn.asked === 1
				? turn.page.kind === 'fault' || isRepeated(turn) || turn.differs
				: isRepeated(turn) && turn.ahead === 'unknown',
		decide: (turn) => {
			if (turn.asked === 1) return 'askAgain';
			// A single record comes again more easily than a page of them.
			return { lookAhead: isSecondLikeFirst(turn) || turn.page.records.length === 1 ? 2 : 1 };
		},
	},
	{
		is: 'no page at all',
		applies: ({ page }) => page.kind === 'fault',
		decide: ({ page }) => (page.kind === 'fault' ? page.failure : 'askAgain'),
	},
	{
		is: 'as many records or pages as wanted',
		applies: (turn) =>
			isRead(turn) &&
			(turn.wanted <= 0 || (turn.maxPages > 0 && turn.after.pages >= turn.maxPages)),
		decide: (turn) => {
			if (turn.wanted <= 0) return { end: 'limit' };
			return { end: saidWitnesses(turn) > 0 && !isMoreAfter(turn) ? 'said' : 'maxPages' };
		},
	},
	{
		is: 'page 1 is page 0 again, and page 2 is new: the service counts from 1',
		applies: (turn) => isSecondLikeFirst(turn) && turn.number === 1 && turn.ahead === 'new',
		decide: () => 'countFromOne',
	},
	{
		is: 'every page is the first one, which is full or said not to be all',
		applies: (turn) => {
			const { askedSize, count, firstPage } = turn.before;
			if (!isSecondLikeFirst(turn) || turn.ahead !== 'old' || !turn.areTold) return false;
			const said = firstPage === 0 ? saysOfAll(turn) : 'all';
			return said === 'more' || (said === 'nothing' && count >= askedSize);
		},
		decide: pageIgnored,
	},
	{
		is: 'nothing new, but something new follows',
		applies: (turn) => isRepeated(turn) && turn.ahead === 'new',
		decide: () => 'take',
	},
	{
		is: 'the last page again, the first one, or all there was',
		applies: isRepeated,
		decide: (turn) => {
			if (isMoreAfter(turn)) return { end: 'nothingMore' };
			return { end: turn.repeats === 'previousPage' ? 'lastPageAgain' : 'startsOver' };
		},
	},
	{
		is: 'two witnesses call it the last page, and nothing speaks of more',
		applies: (turn) => isRead(turn) && witnesses(turn) > 1 && !isMoreAfter(turn),
		decide: () => ({ end: 'said' }),
	},
	{
		is: 'a short page for the first time',
		applies: (turn) => isUnusuallyShort(turn) && (turn.ahead === 'unknown' || isMoreAfter(turn)),
		decide: (turn) =>
			isMoreAfter(turn) || (turn.after.total ?? 0) > turn.after.count
				? 'askAgain'
				: { lookAhead: 1 },
	},
	{
		is: 'more than a list can have',
		applies: (turn) => isRead(turn) && isBeyondBounds(turn),
		decide: endless,
	},
	{ is: 'records', applies: isRead, decide: () => 'take' },
	{
		is: 'no records where some were to be expected, for the first time',
		applies: (turn) =>
			isToBeAskedAgain(turn) ||
			((isMoreHere(turn) || !isExpected(turn)) && turn.ahead === 'unknown'),
		decide: (turn) => {
			if (isToBeAskedAgain(turn)) return 'askAgain';
			return { lookAhead: isMoreHere(turn) ? 3 : isFirst(turn) ? 1 : 2 };
		},
	},
	{
		is: 'no records in the middle: an empty page, or a missing one',
		applies: ({ ahead }) => ahead === 'new',
		decide: (turn) => (turn.page.kind === 'empty' ? 'take' : pageMissing(turn)),
	},
	{
		is: 'no records',
		applies: () => true,
		decide: (turn) => {
			if (isMoreHere(turn)) return { end: 'nothingMore' };
			if (turn.before.pages > 0 && turn.before.witnesses > 0) return { end: 'said' };
			const { kind } = turn.page;
			return { end: kind === 'nothing' && isFirst(turn) ? 'nobody' : kind };
		},
	},
];

/** Without side effects; the same turn has the same decision. */
export function decide(turn: Turn): Decision {
	const rule = RULES.find(({ applies }) => applies(turn));
	if (rule === undefined) throw new Error('No rule is for such a page.');
	return rule.decide(turn);
}

function isFirst({ number, before }: Turn): boolean {
	return number === before.firstPage;
}

function isRead({ page }: Turn): boolean {
	return page.kind === 'records';
}

export function isRepeated({ repeats }: Turn): boolean {
	return repeats !== 'no';
}

/** Whether the second page is the first one again; or the third, if the second one was page 1. */
export function isSecondLikeFirst({ before, number, repeats }: Turn): boolean {
	const second = before.firstPage + 1 + before.shift;
	return repeats === 'previousPage' && before.pages === 1 && number === second;
}

/** What is said of the first page, which came again: whether it is all there is. */
export function saysOfAll(turn: Turn): 'all' | 'more' | 'nothing' {
	const { after, before } = turn;
	if (isAllCounted(before) || before.more === false) return 'all';
	return isMoreAfter(turn) || (after.total ?? 0) > before.count ? 'more' : 'nothing';
}

function isTooShortForMaximum(size: number, came: number): boolean {
	return Math.min(size, USUAL_PAGE_SIZE) > MAX_SIZE_RATIO * came;
}

function isShort({ after, page }: Turn): boolean {
	return page.records.length < after.size;
}

/** Whether the page states that it has room for more. */
function holdsLessThanStated(turn: Turn): boolean {
	return isShort(turn) && (turn.page.metadata.pageSize ?? 0) >= turn.after.size;
}

/**
 * Whether a page is short where none was before: a later one, or the first one if no maximum
 * explains it.
 */
function isUnusuallyShort(turn: Turn): boolean {
	const { after, asked, before, page } = turn;
	if (!isRead(turn) || asked > 1 || !isShort(turn) || before.shortIsUsual) return false;
	if (!isFirst(turn)) return true;
	return holdsLessThanStated(turn)
		? isMoreAfter(turn)
		: isTooShortForMaximum(after.size, page.records.length);
}

/** How much says that the list ends with this page; one of it alone may be wrong. */
function witnesses(turn: Turn): number {
	const isEnd = isShort(turn) && !turn.before.shortIsUsual && !mayMeanPage(turn);
	return saidWitnesses(turn) + (isEnd ? 1 : 0);
}

/** How much of what is said does so. A flag that has changed is not one that is stuck. */
export function saidWitnesses(turn: Turn): number {
	const { after, before, number, page } = turn;
	const { count, firstPage, pageCountFell, shift, size, total, totalPages = 0 } = after;
	if (isWholeList(turn)) return 2;
	const hasChanged = before.more === true || before.namesNext;
	const said = saysLast(after, page.metadata) ? (hasChanged ? 2 : 1) : 0;
	const counted = countsPages(after) && !pageCountFell && number + 1 - shift === totalPages;
	// Said before all of it came, or of a page with room for more, it is not the total of the page.
	const isAhead = after.totalWasAhead || (isFirst(turn) && number > 0) || holdsLessThanStated(turn);
	const isTotal = isAhead && total === firstPage * size + count;
	return Math.min(said + Number(counted) + Number(isTotal), mayMeanPage(turn) ? 1 : 2);
}

/** Whether it was sent at once, whatever was asked for. A page count is then one for that size. */
function isWholeList(turn: Turn): boolean {
	const { count, size, totalPages = 0 } = turn.after;
	const isAll = isFirst(turn) && count > size && turn.page.metadata.total === count;
	return isAll && totalPages <= Math.ceil(count / size);
}

/**
 * Whether a maximum explains the length of the first page, so that what is said may be true of the
 * page only, or of the size asked for. Most are a part of that size; any is likely if more than
 * usual is asked for.
 */
function mayMeanPage(turn: Turn): boolean {
	const { after, before, page } = turn;
	const came = page.records.length;
	const { saidTotal } = after;
	const isMaximum = came > 1 && came < before.size && !isTooShortForMaximum(before.size, came);
	if (!isFirst(turn) || !isMaximum || holdsLessThanStated(turn)) return false;
	if (saidTotal === undefined && before.size > USUAL_PAGE_SIZE) return true;
	return before.size % came === 0 && !(saysLast(after, page.metadata) && saidTotal !== came);
}

/** Whether anything speaks of records after this page. */
function isMoreAfter(turn: Turn): boolean {
	const { after, ahead, number, page } = turn;
	if (after.more === true || ahead === 'new') return true;
	if (isWholeList(turn)) return false;
	const said = { ...after, more: undefined };
	if (!isFirst(turn)) return speaksOfMore(said, number + 1);
	// The size of a first page may still prove to be another one than was asked for.
	const ofRest = (after.total ?? 0) > number * after.size + page.records.length;
	return ofRest || speaksOfMore({ ...said, total: 0 }, number + 1 + after.shift);
}

/** Whether anything speaks of records on this page or after it, which has none. */
function isMoreHere(turn: Turn): boolean {
	const { after, ahead, asked, before, number } = turn;
	// Be they new or not: what comes after the end holds none.
	if (ahead === 'new' || ahead === 'old') return true;
	if (asked === 1 && speaksOfMore(before, number)) return true;
	return speaksOfMore(after, number) && !isEmptyPageCounted(turn);
}

/** Many services count one page of an empty list: believed if the total agrees, or twice. */
function isEmptyPageCounted(turn: Turn): boolean {
	const { after, asked, page } = turn;
	const isOnlyCounted = after.totalPages === 1 && after.total === undefined && after.more !== true;
	return isFirst(turn) && isOnlyCounted && (asked > 1 || page.metadata.total === 0);
}

function isToBeAskedAgain(turn: Turn): boolean {
	if (turn.asked > 1) return false;
	const isAnswered = turn.page.kind !== 'nothing' || turn.before.witnesses > 0;
	return !isAnswered || isMoreHere(turn) || (!isFirst(turn) && !isExpected(turn));
}

/**
 * Whether a page without records was to be expected: after a witness of the end, or a short page
 * if such are not usual (of smaller pages than asked for, records may be left out). As page 0, if
 * it says so: a service that counts from 1 may have an empty page there.
 */
function isExpected(turn: Turn): boolean {
	const { before, page, number } = turn;
	const { total, totalPages, more } = page.metadata;
	const saysNone = total === 0 || totalPages === 0 || more === false;
	if (isFirst(turn)) return number > 0 || page.kind !== 'empty' || saysNone;
	const wasShort = before.wasShort && !before.shortIsUsual;
	return (
		(before.size < before.askedSize ? number === before.firstPage + 1 : wasShort) ||
		before.witnesses > 0 ||
		isAllCounted(before)
	);
}

/** Whether what came is what the service counts, in records or in pages. */
function isAllCounted({ count, firstPage, pages, saidTotal, totalPages }: ListFacts): boolean {
	return saidTotal === count || totalPages === firstPage + pages;
}

/**
 * Whether so much came that nothing but a service that repeats itself explains it. With an ID a
 * page is known to be new, so that this bounds only what no list has.
 */
function isBeyondBounds({ after, hasIds, maxPages }: Turn): boolean {
	const { came, highestTotal, pages, size, totalWasAhead: isCounted } = after;
	// A total may rise with the reading.
	const isTooMuch = isCounted && came >= MAX_TOTALS * highestTotal + size;
	const max = hasIds || isCounted ? MAX_PAGES.told : MAX_PAGES.untold;
	return maxPages === 0 && (isTooMuch || pages >= max);
}
