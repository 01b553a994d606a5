import type { ServiceFailure } from '../failure/serviceFailure';
import { endless, pageIgnored, pageMissing } from './failures';
import { speaksOfMore } from './listFacts';
import {
	hasNoRecords,
	hasRecords,
	isBeyondBounds,
	isCapReached,
	isContradicted,
	isExpected,
	isFault,
	isFirst,
	isFirstAnswer,
	isLastByFlagOnly,
	isLastByPageCount,
	isLastByPageCountOnly,
	isLastByTotal,
	isLastSaid,
	isLessThanStated,
	isLikeEveryPage,
	isLikePageZero,
	isMoreAfter,
	isMoreHere,
	isRepeated,
	isSecondLikeFirst,
	isStopped,
	isTotalMissed,
	isUnusuallyShort,
	mayBeAnother,
	mayMeanPage,
	type Situation,
} from './situation';

/** The rule that ended a listing. */
export type EndedBy =
	| 'limit'
	| 'maxPages'
	/** The page said that it is the last one: `last`, `hasMore`. */
	| 'lastPageSaid'
	/** As many pages as the service counts. */
	| 'pageCount'
	/** A short page, after which the total is reached. */
	| 'total'
	| 'emptyPage'
	/** An answer without any list: `null`, `{}`, status 204. */
	| 'noList'
	| 'refusedPage'
	/** The last page came again. */
	| 'lastPageAgain'
	/** The first page came again, or everything that was read. */
	| 'startsOver'
	/** No record at all, said by an answer that holds no list. */
	| 'nobody'
	/** Empty, refused or repeated pages, although the service speaks of more. */
	| 'nothingMore'
	/** Whoever reads the list wanted nothing from this page on. */
	| 'stopped';

/** What is still asked before it is decided about a page. */
export type Question =
	| { kind: 'askAgain' }
	/** Looks at so many later pages; after what may be the end, they may fail. */
	| { kind: 'lookAhead'; pages: number; mayFail?: boolean }
	/**
	 * Asks for the second page, or for a later one, at another size, to learn how pages are numbered.
	 */
	| { kind: 'askForNumbering'; by: 'secondPage' | 'laterPage' }
	/**
	 * Asks again for the earlier page that this one repeats, because its answer may be the wrong one.
	 */
	| { kind: 'askEarlierAgain' }
	/** Finds out how long the pages after the first one are. */
	| { kind: 'settleSize' };

export type Verdict =
	/** Takes what the page holds and goes on. */
	| { kind: 'goOn' }
	/** Leaves the page out, which was the first one once more: the service counts from 1. */
	| { kind: 'countFromOne'; isDoubtful: boolean }
	/** Takes the page although it equals an earlier one, and goes on. */
	| { kind: 'keepEqual'; isDoubtful: boolean }
	| { kind: 'end'; by: EndedBy }
	/** Forgets what was read: an earlier page holds other records than its answer. */
	| { kind: 'beginAgain' }
	| { kind: 'fail'; failure: ServiceFailure };

export type Decision = Question | Verdict;

export interface Rule {
	/** What is the case, said of the page. */
	is: string;
	applies: (situation: Situation) => boolean;
	decide: Decision | ((situation: Situation) => Decision);
}

/** How often a page is asked for to see whether it is an earlier one. */
const MAX_ASKED = 3;
/** Later pages that are looked at if a page is empty although the service speaks of more. */
const LOOK_AHEAD = 3;
/** Pages in a row that may be repeated in a list that moves, however few were read. */
const MAX_REPEATED = 10;

const again: Decision = { kind: 'askAgain' };
const goOn: Decision = { kind: 'goOn' };
const end = (by: EndedBy): Decision => ({ kind: 'end', by });
const lookAhead = (pages: number): Decision => ({ kind: 'lookAhead', pages });
const lookBeyondEnd: Decision = { kind: 'lookAhead', pages: 1, mayFail: true };

const UNWANTED: readonly Rule[] = [
	{ is: 'a page from which on nothing is wanted', applies: () => true, decide: end('stopped') },
];

const FAULT: readonly Rule[] = [
	{ is: 'a fault for the first time', applies: isFirstAnswer, decide: again },
	{
		is: 'a fault',
		applies: () => true,
		decide: ({ page }) => (page.kind === 'fault' ? { kind: 'fail', failure: page.failure } : again),
	},
];

const SEEN_BEFORE: readonly Rule[] = [
	{
		is: 'an earlier page, or an ID with other content, for the first time: it may come from a cache',
		applies: ({ asked, isCompared }) => !isCompared && asked < MAX_ASKED,
		decide: again,
	},
];

const REPEATED: readonly Rule[] = [
	{
		is: 'a repeated page, and as many as may be read',
		applies: isCapReached,
		decide: end('maxPages'),
	},
	{
		is: 'an earlier page for the first time, which may have come in its place there',
		applies: ({ repeatedPage, earlierAgain, after }) =>
			repeatedPage !== undefined && earlierAgain === 'unasked' && after.pagesWithoutNew === 1,
		decide: { kind: 'askEarlierAgain' },
	},
	{
		is: 'a page that was returned in place of an earlier one',
		applies: ({ earlierAgain }) => earlierAgain === 'other',
		decide: { kind: 'beginAgain' },
	},
	{
		is: 'the second page like the first, and the third one not known',
		applies: (situation) => isSecondLikeFirst(situation) && situation.ahead() === 'unknown',
		decide: lookAhead(1),
	},
	{
		is: 'every page like the first, whatever its size',
		applies: ({ numbering }) => numbering === 'pageIgnored',
		decide: () => ({ kind: 'fail', failure: pageIgnored() }),
	},
	{
		is: 'every page like the first, and the only one',
		applies: ({ numbering }) => numbering === 'singlePage',
		decide: ({ after }) =>
			end(speaksOfMore(after, after.firstPage + 1) ? 'nothingMore' : 'lastPageAgain'),
	},
	{
		is: 'the second page like the first, because all records are equal',
		applies: ({ numbering }) => numbering === 'equalRecords',
		decide: (situation) => ({ kind: 'keepEqual', isDoubtful: isLikeEveryPage(situation) }),
	},
	{
		is: 'every page like the first',
		applies: isLikeEveryPage,
		decide: { kind: 'askForNumbering', by: 'laterPage' },
	},
	{
		is: 'page 1 like page 0, and only that one',
		applies: (situation) =>
			isLikePageZero(situation) && !situation.hasIds && situation.numbering === 'unasked',
		decide: { kind: 'askForNumbering', by: 'secondPage' },
	},
	{
		is: 'page 1 like page 0: the service counts from 1',
		applies: isLikePageZero,
		decide: ({ numbering, ahead }) => ({
			kind: 'countFromOne',
			isDoubtful: numbering === 'unclear' && ahead() !== 'nothing',
		}),
	},
	{
		is: 'records equal to those of an earlier page, and what follows not known',
		applies: (situation) => mayBeAnother(situation) && situation.ahead() === 'unknown',
		decide: lookAhead(1),
	},
	{
		is: 'records equal to those of an earlier page, and no record after them: what repeats pages does not end',
		applies: (situation) => mayBeAnother(situation) && situation.ahead() === 'nothing',
		decide: { kind: 'keepEqual', isDoubtful: false },
	},
	{
		is: 'repeated pages without end',
		applies: ({ after }) => after.pagesWithoutNew > Math.max(MAX_REPEATED, after.pages / 2),
		decide: end('nothingMore'),
	},
	{ is: 'a repeated page, and more is known to come', applies: isMoreAfter, decide: goOn },
	{
		is: 'the page before it again',
		applies: ({ repeats }) => repeats === 'previousPage',
		decide: end('lastPageAgain'),
	},
	{
		is: 'the first page again, or all there was',
		applies: ({ repeats, after }) =>
			repeats === 'firstPage' || after.recordsWithoutNew >= after.count,
		decide: end('startsOver'),
	},
];

const RECORDS: readonly Rule[] = [
	{ is: 'as many records as wanted', applies: ({ wanted }) => wanted <= 0, decide: end('limit') },
	{
		is: 'a full first page that only a flag calls the last, and what follows not known',
		applies: (situation) => isLastByFlagOnly(situation) && situation.ahead() === 'unknown',
		decide: lookBeyondEnd,
	},
	{
		is: 'said to be the last page',
		applies: (situation) =>
			isLastSaid(situation) && !isContradicted(situation) && !mayMeanPage(situation),
		decide: end('lastPageSaid'),
	},
	{
		is: 'a full page that only the page count calls the last, and what follows not known',
		applies: (situation) => isLastByPageCountOnly(situation) && situation.ahead() === 'unknown',
		decide: lookBeyondEnd,
	},
	{ is: 'the last page by the page count', applies: isLastByPageCount, decide: end('pageCount') },
	{
		is: 'a short page, with which the total is reached',
		applies: isLastByTotal,
		decide: end('total'),
	},
	{ is: 'as many pages as may be read', applies: isCapReached, decide: end('maxPages') },
	{
		is: 'a short page in the middle for the first time',
		applies: (situation) =>
			isUnusuallyShort(situation) &&
			(!isFirst(situation) || isLessThanStated(situation)) &&
			(isMoreAfter(situation) || isTotalMissed(situation)),
		decide: again,
	},
	{
		is: 'a short page, and what follows not known',
		applies: (situation) =>
			isUnusuallyShort(situation) && !isFirst(situation) && situation.ahead() === 'unknown',
		decide: lookAhead(1),
	},
	{
		is: 'more than a list can have',
		applies: isBeyondBounds,
		decide: (situation) => ({ kind: 'fail', failure: endless(situation) }),
	},
	{
		is: 'the first page, and how long the others are not known',
		applies: (situation) => isFirst(situation) && !situation.isSizeKnown,
		decide: { kind: 'settleSize' },
	},
	{ is: 'records', applies: () => true, decide: goOn },
];

const NO_RECORDS: readonly Rule[] = [
	{
		is: 'no record for the first time, and one was to be expected',
		applies: (situation) =>
			isFirstAnswer(situation) &&
			(situation.page.kind === 'nothing' ||
				isMoreHere(situation) ||
				(!isFirst(situation) && !isExpected(situation))),
		decide: again,
	},
	{
		is: 'no record, more is known to come, and the next pages not known',
		applies: (situation) => isMoreHere(situation) && situation.ahead() === 'unknown',
		decide: lookAhead(LOOK_AHEAD),
	},
	{
		is: 'no record on page 0, and page 1 not known: the service may count from 1',
		applies: (situation) =>
			isFirst(situation) && !isExpected(situation) && situation.ahead() === 'unknown',
		decide: lookAhead(1),
	},
	{
		is: 'no record where one was to be expected, and the next two pages not known',
		applies: (situation) => !isExpected(situation) && situation.ahead() === 'unknown',
		decide: lookAhead(2),
	},
	{
		is: 'an empty page in the middle',
		applies: ({ ahead, page }) => ahead() === 'records' && page.kind === 'empty',
		decide: goOn,
	},
	{
		is: 'a page that is missing in the middle',
		applies: ({ ahead }) => ahead() === 'records',
		decide: (situation) => ({ kind: 'fail', failure: pageMissing(situation) }),
	},
	{
		is: 'no record, although the service speaks of more',
		applies: isMoreHere,
		decide: end('nothingMore'),
	},
	{
		is: 'no list at all',
		applies: (situation) => isFirst(situation) && situation.page.kind === 'nothing',
		decide: end('nobody'),
	},
	{ is: 'no list any more', applies: ({ page }) => page.kind === 'nothing', decide: end('noList') },
	{ is: 'a refusal', applies: ({ page }) => page.kind === 'refused', decide: end('refusedPage') },
	{ is: 'an empty page', applies: () => true, decide: end('emptyPage') },
];

/**
 * What is decided about a page: the first rule that applies, of the first table that is for such a
 * page.
 */
export const RULES: readonly Rule[] = [
	...forPages(isStopped, UNWANTED),
	...forPages(isFault, FAULT),
	...forPages((situation) => isRepeated(situation) || situation.differs, SEEN_BEFORE),
	...forPages(isRepeated, REPEATED),
	...forPages(hasRecords, RECORDS),
	...forPages(hasNoRecords, NO_RECORDS),
];

function forPages(areMeant: Rule['applies'], rules: readonly Rule[]): Rule[] {
	return rules.map((rule) => ({
		...rule,
		applies: (situation) => areMeant(situation) && rule.applies(situation),
	}));
}

/**
 * The rule that decides about a page whose turn it is. Without side effects; the same turn always
 * has the same rule.
 */
export function ruleFor(situation: Situation): Rule {
	const rule = RULES.find(({ applies }) => applies(situation));
	if (rule === undefined) throw new Error('No rule is for such a page.');
	return rule;
}

export function decide(situation: Situation): Decision {
	const rule = ruleFor(situation);
	return typeof rule.decide === 'function' ? rule.decide(situation) : rule.decide;
}
