import type { ServiceFailure } from '../failure/serviceFailure';
import { endless, pageIgnored, pageMissing } from './failures';
import { speaksOfMore } from './listFacts';
import {
	hasRecords,
	isBeyondBounds,
	isCapReached,
	isContradicted,
	isExpected,
	isFirst,
	isFirstAnswer,
	isLastByPageCount,
	isLastByTotal,
	isLessThanStated,
	isLikeEveryPage,
	isLikeOnlySecond,
	isMoreAfter,
	isMoreHere,
	isRepeated,
	isSecondLikeFirst,
	isShort,
	isTotalMissed,
	mayBeAnother,
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
	| 'nothingMore';

export type Decision =
	| { kind: 'askAgain' }
	/** Looks at so many later pages before it decides. */
	| { kind: 'lookAhead'; pages: number }
	/** Takes what the page holds and goes on. */
	| { kind: 'goOn' }
	/** Leaves the page out, which was the first one once more: the service counts from 1. */
	| { kind: 'countFromOne'; isDoubtful: boolean }
	/** Takes the page although it equals an earlier one, and goes on. */
	| { kind: 'keepEqual'; isDoubtful: boolean }
	/** Asks for the second page, or for a later one, at another size, to learn how pages are numbered. */
	| { kind: 'askForNumbering'; by: 'secondPage' | 'laterPage' }
	| { kind: 'end'; by: EndedBy }
	| { kind: 'fail'; failure: ServiceFailure };

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

/** What is decided about a page: the first rule that applies. */
export const RULES: readonly Rule[] = [
	{
		is: 'a fault for the first time',
		applies: (situation) => situation.page.kind === 'fault' && isFirstAnswer(situation),
		decide: again,
	},
	{
		is: 'a fault',
		applies: ({ page }) => page.kind === 'fault',
		decide: ({ page }) => (page.kind === 'fault' ? { kind: 'fail', failure: page.failure } : again),
	},

	{
		is: 'an earlier page, or an ID with other content, for the first time: it may come from a cache',
		applies: (situation) =>
			hasRecords(situation) &&
			!situation.isCompared &&
			situation.asked < MAX_ASKED &&
			(isRepeated(situation) || situation.differs),
		decide: again,
	},
	{
		is: 'a repeated page, and as many as may be read',
		applies: (situation) => isRepeated(situation) && isCapReached(situation),
		decide: end('maxPages'),
	},
	{
		is: 'the second page like the first, and the third one not known',
		applies: (situation) => isSecondLikeFirst(situation) && situation.ahead === 'unknown',
		decide: lookAhead(1),
	},
	{
		is: 'every page like the first, whatever its size',
		applies: ({ numbering }) => numbering === 'pageIgnored',
		decide: () => ({ kind: 'fail', failure: pageIgnored() }),
	},
	{
		is: 'every page like the first, because all records are equal',
		applies: (situation) => isLikeEveryPage(situation) && situation.numbering === 'equalRecords',
		decide: { kind: 'keepEqual', isDoubtful: true },
	},
	{
		is: 'every page like the first, and the only one',
		applies: (situation) => isLikeEveryPage(situation) && situation.numbering === 'singlePage',
		decide: ({ after }) =>
			end(speaksOfMore(after, after.firstPage + 1) ? 'nothingMore' : 'lastPageAgain'),
	},
	{
		is: 'every page like the first',
		applies: isLikeEveryPage,
		decide: { kind: 'askForNumbering', by: 'laterPage' },
	},
	{
		is: 'the second page like the first, because all records are equal',
		applies: (situation) => isLikeOnlySecond(situation) && situation.numbering === 'equalRecords',
		decide: { kind: 'keepEqual', isDoubtful: false },
	},
	{
		is: 'the second page like the first, and only that one',
		applies: (situation) =>
			isLikeOnlySecond(situation) && !situation.hasIds && situation.numbering === 'unasked',
		decide: { kind: 'askForNumbering', by: 'secondPage' },
	},
	{
		is: 'page 1 like page 0: the service counts from 1',
		applies: isLikeOnlySecond,
		decide: ({ numbering, ahead }) => ({
			kind: 'countFromOne',
			isDoubtful: numbering === 'unclear' && ahead !== 'nothing',
		}),
	},
	{
		is: 'records equal to those of an earlier page, and what follows not known',
		applies: (situation) => mayBeAnother(situation) && situation.ahead === 'unknown',
		decide: lookAhead(1),
	},
	{
		is: 'records equal to those of an earlier page, and no record after them: what repeats pages does not end',
		applies: (situation) => mayBeAnother(situation) && situation.ahead === 'nothing',
		decide: { kind: 'keepEqual', isDoubtful: false },
	},
	{
		is: 'repeated pages without end',
		applies: (situation) =>
			isRepeated(situation) &&
			situation.after.pagesWithoutNew > Math.max(MAX_REPEATED, situation.after.pages / 2),
		decide: end('nothingMore'),
	},
	{
		is: 'a repeated page, and more is known to come',
		applies: (situation) => isRepeated(situation) && isMoreAfter(situation),
		decide: goOn,
	},
	{
		is: 'the page before it again',
		applies: (situation) => isRepeated(situation) && situation.repeats === 'previousPage',
		decide: end('lastPageAgain'),
	},
	{
		is: 'the first page again, or all there was',
		applies: (situation) =>
			isRepeated(situation) &&
			(situation.repeats === 'firstPage' ||
				situation.after.recordsWithoutNew >= situation.after.count),
		decide: end('startsOver'),
	},

	{
		is: 'as many records as wanted',
		applies: (situation) => hasRecords(situation) && situation.wanted <= 0,
		decide: end('limit'),
	},
	{
		is: 'said to be the last page',
		applies: (situation) =>
			hasRecords(situation) && situation.page.metadata.more === false && !isContradicted(situation),
		decide: end('lastPageSaid'),
	},
	{
		is: 'the last page by the page count',
		applies: (situation) => hasRecords(situation) && isLastByPageCount(situation),
		decide: end('pageCount'),
	},
	{
		is: 'a short page, with which the total is reached',
		applies: (situation) => hasRecords(situation) && isLastByTotal(situation),
		decide: end('total'),
	},
	{
		is: 'as many pages as may be read',
		applies: (situation) => hasRecords(situation) && isCapReached(situation),
		decide: end('maxPages'),
	},
	{
		is: 'a short page in the middle for the first time',
		applies: (situation) =>
			hasRecords(situation) &&
			isFirstAnswer(situation) &&
			(!isFirst(situation) || isLessThanStated(situation)) &&
			isShort(situation) &&
			!situation.before.shortIsUsual &&
			(isMoreAfter(situation) || isTotalMissed(situation)),
		decide: again,
	},
	{
		is: 'a short page, and what follows not known',
		applies: (situation) =>
			hasRecords(situation) &&
			isFirstAnswer(situation) &&
			!isFirst(situation) &&
			isShort(situation) &&
			!situation.before.shortIsUsual &&
			situation.ahead === 'unknown',
		decide: lookAhead(1),
	},
	{
		is: 'more than a list can have',
		applies: (situation) => hasRecords(situation) && isBeyondBounds(situation),
		decide: (situation) => ({ kind: 'fail', failure: endless(situation) }),
	},
	{ is: 'records', applies: hasRecords, decide: goOn },

	{
		is: 'no record for the first time, and one was to be expected',
		applies: (situation) =>
			isFirstAnswer(situation) &&
			(isMoreHere(situation) ||
				(situation.page.kind === 'nothing' && (isFirst(situation) || !isExpected(situation)))),
		decide: again,
	},
	{
		is: 'no record, more is known to come, and the next pages not known',
		applies: (situation) => isMoreHere(situation) && situation.ahead === 'unknown',
		decide: lookAhead(LOOK_AHEAD),
	},
	{
		is: 'no record where one was to be expected, and the next page not known',
		applies: (situation) =>
			!isFirst(situation) && !isExpected(situation) && situation.ahead === 'unknown',
		decide: lookAhead(1),
	},
	{
		is: 'an empty page in the middle',
		applies: (situation) => situation.ahead === 'records' && situation.page.kind === 'empty',
		decide: goOn,
	},
	{
		is: 'a page that is missing in the middle',
		applies: (situation) => situation.ahead === 'records',
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
];

/** What applies if nothing above does. */
const EMPTY_PAGE: Rule = { is: 'an empty page', applies: () => true, decide: end('emptyPage') };

/** The rule that decides about a page whose turn it is. Without side effects; the same turn always has the same rule. */
export function ruleFor(situation: Situation): Rule {
	return RULES.find(({ applies }) => applies(situation)) ?? EMPTY_PAGE;
}

export function decide(situation: Situation): Decision {
	const rule = ruleFor(situation);
	return typeof rule.decide === 'function' ? rule.decide(situation) : rule.decide;
}
