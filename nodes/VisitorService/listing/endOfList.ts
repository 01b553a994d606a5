import type { ServiceFailure } from '../failure/serviceFailure';
import type { Page } from '../response/pageReader';
import { endlessListFailure, missingPageFailure, pageIgnoredFailure } from './failures';
import {
	completenessOfFirstPage,
	countEndSignals,
	countStatedEndSignals,
	exceedsListBounds,
	hasMoreAfterPage,
	hasMoreFromPage,
	hasRecords,
	isEmptyPageExpected,
	isEveryPageTheFirst,
	isRepeated,
	isSecondPageSameAsFirst,
	isStartPage,
	isUnexpectedlyShort,
	type PageDecisionInput,
	shouldRefetch,
} from './pageEvidence';

/** What ended a listing. */
export type EndReason =
	| 'limit'
	| 'maxPages'
	/** A page of this kind. */
	| Page['kind']
	/** End signals: statements of the service, and maybe a short page. */
	| 'endSignals'
	/** The first response, which held no list. */
	| 'noListAtAll'
	/** The page to start from, which is one after the end. */
	| 'afterEnd'
	/** The last page again; or the first one, or all records of the list. */
	| 'lastPageRepeated'
	| 'listRestarted'
	/** Every page, which is the whole list. */
	| 'singlePage'
	/** As `empty` to `listRestarted`, although the service indicates more. */
	| 'noNewRecords';

type Decision =
	/** Request the page once more. */
	| { kind: 'refetch' }
	/** Add the records of the page and read on, with a warning if none of them is new. */
	| { kind: 'accept' }
	/** Leave out the page, which is the first one again: the service counts from 1. */
	| { kind: 'numberFromOne' }
	/** Request this many later pages and decide again. */
	| { kind: 'lookAhead'; count: number }
	| { kind: 'end'; reason: EndReason }
	| { kind: 'fail'; failure: ServiceFailure };

const REFETCH: Decision = { kind: 'refetch' };
const ACCEPT: Decision = { kind: 'accept' };
const lookAhead = (count: number): Decision => ({ kind: 'lookAhead', count });
const end = (reason: EndReason): Decision => ({ kind: 'end', reason });
const fail = (failure: ServiceFailure): Decision => ({ kind: 'fail', failure });

export interface Rule {
	/** Describes the page, in the words of docs/listing.md. */
	name: string;
	applies: (input: PageDecisionInput) => boolean;
	decide: (input: PageDecisionInput) => Decision;
}

/** The first rule that applies decides about a page. */
export const END_OF_LIST_RULES: readonly Rule[] = [
	{
		name: 'no page, nothing new, or an ID with other content, for the first time',
		applies: (input) =>
			input.attempts === 1
				? input.page.kind === 'invalid' || isRepeated(input) || input.hasConflictingContent
				: isRepeated(input) && input.laterPages === 'unknown',
		decide: (input) => {
			if (input.attempts === 1) return REFETCH;
			// A single record is repeated by chance more easily than a page of them.
			return lookAhead(isSecondPageSameAsFirst(input) || input.page.records.length === 1 ? 2 : 1);
		},
	},
	{
		name: 'no page, again',
		applies: ({ page }) => page.kind === 'invalid',
		decide: ({ page }) => (page.kind === 'invalid' ? fail(page.failure) : REFETCH),
	},
	{
		name: 'as many records or pages as wanted',
		applies: (input) =>
			hasRecords(input) &&
			(input.remaining <= 0 || (input.maxPages > 0 && input.after.pagesRead >= input.maxPages)),
		decide: (input) => {
			if (input.remaining <= 0) return end('limit');
			const isLast = countStatedEndSignals(input) > 0 && !hasMoreAfterPage(input);
			return end(isLast ? 'endSignals' : 'maxPages');
		},
	},
	{
		name: 'page 1 is page 0 again, and page 2 is new',
		applies: (input) =>
			isSecondPageSameAsFirst(input) && input.pageIndex === 1 && input.laterPages === 'goOn',
		decide: () => ({ kind: 'numberFromOne' }),
	},
	{
		name: 'every page is the first one, which is full or not all',
		applies: (input) => {
			const { requestedPageSize, startPage, uniqueCount } = input.before;
			const isFull = uniqueCount >= requestedPageSize;
			const isLonger = uniqueCount > requestedPageSize;
			const stated = completenessOfFirstPage(input);
			const isOdd = isLonger || stated === 'more' || (stated === 'unstated' && isFull);
			return startPage === 0 && isOdd && isEveryPageTheFirst(input);
		},
		decide: (input) => {
			const { requestedPageSize, uniqueCount } = input.before;
			const mayBeAll = completenessOfFirstPage(input) !== 'more';
			const isSinglePage = mayBeAll && uniqueCount > requestedPageSize;
			return isSinglePage ? end('singlePage') : fail(pageIgnoredFailure());
		},
	},
	{
		name: 'nothing new, but something new follows',
		applies: (input) => isRepeated(input) && input.laterPages === 'goOn',
		decide: () => ACCEPT,
	},
	{
		name: 'the last page again, the first one, or all there was',
		applies: isRepeated,
		decide: (input) => {
			if (hasMoreAfterPage(input)) return end('noNewRecords');
			return end(input.repeatOf === 'previousPage' ? 'lastPageRepeated' : 'listRestarted');
		},
	},
	{
		name: 'two end signals, and nothing indicates more',
		applies: (input) => hasRecords(input) && countEndSignals(input) > 1 && !hasMoreAfterPage(input),
		decide: () => end('endSignals'),
	},
	{
		name: 'a short page for the first time',
		applies: (input) =>
			isUnexpectedlyShort(input) && (input.laterPages === 'unknown' || hasMoreAfterPage(input)),
		decide: (input) =>
			hasMoreAfterPage(input) || (input.after.total ?? 0) > input.after.uniqueCount
				? REFETCH
				: lookAhead(1),
	},
	{
		name: 'more than a list can have',
		applies: (input) => hasRecords(input) && exceedsListBounds(input),
		decide: ({ after, identifiedBy }) => fail(endlessListFailure(after, identifiedBy)),
	},
	{ name: 'records', applies: hasRecords, decide: () => ACCEPT },
	{
		name: 'no records where some were expected, for the first time',
		applies: (input) =>
			shouldRefetch(input) ||
			((hasMoreFromPage(input) || !isEmptyPageExpected(input)) && input.laterPages === 'unknown'),
		decide: (input) => {
			if (shouldRefetch(input)) return REFETCH;
			return lookAhead(hasMoreFromPage(input) ? 3 : isStartPage(input) ? 1 : 2);
		},
	},
	{
		name: 'no records in the middle of the list',
		applies: ({ laterPages }) => laterPages === 'goOn',
		decide: (input) => (input.page.kind === 'empty' ? ACCEPT : fail(missingPageFailure(input))),
	},
	{
		name: 'no records',
		applies: () => true,
		decide: (input) => {
			if (hasMoreFromPage(input)) return end('noNewRecords');
			if (input.before.pagesRead > 0 && input.before.endSignals > 0) return end('endSignals');
			const { kind } = input.page;
			return end(kind === 'noList' && isStartPage(input) ? 'noListAtAll' : kind);
		},
	},
];

/** Without side effects: the same input has the same decision. */
export function decide(input: PageDecisionInput): Decision {
	const rule = END_OF_LIST_RULES.find(({ applies }) => applies(input));
	if (rule === undefined) throw new Error('No rule is for such a page.');
	return rule.decide(input);
}
