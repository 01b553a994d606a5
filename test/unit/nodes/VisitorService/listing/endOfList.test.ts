import type { Page } from '../../../../../nodes/VisitorService/answer/pageReader';
import type { PagingMetadata } from '../../../../../nodes/VisitorService/answer/paging';
import { ServiceFailure } from '../../../../../nodes/VisitorService/failure/serviceFailure';
import {
	type Decision,
	decide,
	type EndedBy,
	RULES,
	ruleFor,
} from '../../../../../nodes/VisitorService/listing/endOfList';
import {
	type ListFacts,
	learn,
	nothingKnown,
} from '../../../../../nodes/VisitorService/listing/listFacts';
import type { LaterPages, Situation } from '../../../../../nodes/VisitorService/listing/situation';

const SIZE = 10;

const failure = new ServiceFailure('Refused.', 'Do.', { kind: 'notFound', statusCode: 404 });

interface Given extends Partial<Omit<Situation, 'page' | 'before' | 'after' | 'ahead'>> {
	ahead?: LaterPages;
	kind?: Page['kind'];
	/** Records on the page. */
	came?: number;
	metadata?: PagingMetadata;
	before?: Partial<ListFacts>;
}

/**
 * The turn of the third page, after two full ones: full itself, and the service says nothing about
 * the list.
 */
function situation(given: Given = {}): Situation {
	const { kind = 'records', metadata = {}, number = 2, repeats = 'no', ...others } = given;
	const { ahead = 'unknown', ...rest } = others;
	const came = kind === 'records' ? (given.came ?? SIZE) : 0;
	const pages = number - (given.before?.firstPage ?? 0);
	const read = { pages, count: pages * SIZE, came: pages * SIZE };
	const areAhead = { totalWasAhead: true, pageCountWasAhead: true };
	const before = { ...nothingKnown(0, SIZE), ...read, ...areAhead, ...given.before };
	const records = Array.from({ length: came }, (_, place) => ({ id: number * SIZE + place }));
	return {
		asked: 1,
		isCompared: repeats !== 'no',
		differs: false,
		isEqual: false,
		ahead: () => ahead,
		numbering: 'unasked',
		isSeenMissing: false,
		isSizeKnown: true,
		earlierAgain: 'unasked',
		hasIds: true,
		wanted: Infinity,
		maxPages: 0,
		...rest,
		number,
		repeats,
		page: { kind, failure, records, metadata },
		before,
		after: learn(before, { metadata, came, fresh: repeats === 'no' ? came : 0 }),
	};
}

const askAgain: Decision = { kind: 'askAgain' };
const goOn: Decision = { kind: 'goOn' };
const countFromOne: Decision = { kind: 'countFromOne', isDoubtful: false };
const askForSecondPage: Decision = { kind: 'askForNumbering', by: 'secondPage' };
const keepEqual: Decision = { kind: 'keepEqual', isDoubtful: false };
const askEarlierAgain: Decision = { kind: 'askEarlierAgain' };
const askForLaterPage: Decision = { kind: 'askForNumbering', by: 'laterPage' };
const lookAhead = (pages: number): Decision => ({ kind: 'lookAhead', pages });
const lookBeyondEnd: Decision = { kind: 'lookAhead', pages: 1, mayFail: true };
const end = (by: EndedBy): Decision => ({ kind: 'end', by });
const fail = (message: string): Decision => ({
	kind: 'fail',
	failure: expect.objectContaining({
		message: expect.stringContaining(message) as string,
	}) as ServiceFailure,
});

type Row = [title: string, given: Given, expected: Decision];

/** A page that seems to be the first one once more, right after it. */
const second: Given = { number: 1, repeats: 'previousPage' };
const empty: Given = { kind: 'empty' };
const emptyAgain: Given = { kind: 'empty', asked: 2 };

const NO_PAGES: readonly Row[] = [
	['ends with a page from which on nothing is wanted', { kind: 'stopped' }, end('stopped')],
	[
		'ends with such a page although the service speaks of more',
		{ kind: 'stopped', ahead: 'records', before: { total: 100 } },
		end('stopped'),
	],
	['asks again after the first fault', { kind: 'fault' }, askAgain],
	['fails with the second fault', { kind: 'fault', asked: 2 }, { kind: 'fail', failure }],
	[
		'fails with a fault even if later pages hold records',
		{ kind: 'fault', asked: 2, ahead: 'records' },
		{ kind: 'fail', failure },
	],
];

const REPEATED: readonly Row[] = [
	[
		'asks again, because the page may come from a cache',
		{ repeats: 'previousPage', isCompared: false },
		askAgain,
	],
	[
		'asks a second time if the first two answers did not tell what differs in each answer',
		{ repeats: 'otherPages', isCompared: false, asked: 2 },
		askAgain,
	],
	[
		'does not ask a fourth time',
		{ repeats: 'previousPage', isCompared: false, asked: 3 },
		end('lastPageAgain'),
	],
	[
		'asks again if IDs came before with other content',
		{ differs: true, isCompared: false },
		askAgain,
	],
	[
		'goes on with IDs that came before with other content once that was compared',
		{ differs: true, isCompared: true, asked: 2 },
		goOn,
	],
	['ends at the cap', { repeats: 'previousPage', maxPages: 3 }, end('maxPages')],
	[
		'goes on below the cap',
		{ repeats: 'previousPage', maxPages: 4, metadata: { more: true } },
		goOn,
	],
	[
		'asks for the earlier page again, because this one may have come in its place',
		{ repeats: 'otherPages', repeatedPage: 1, metadata: { more: true } },
		askEarlierAgain,
	],
	[
		'asks for the first page again if the second is like it',
		{ ...second, repeatedPage: 0 },
		askEarlierAgain,
	],
	[
		'begins again if the earlier page holds other records now',
		{ ...second, repeatedPage: 0, earlierAgain: 'other' },
		{ kind: 'beginAgain' },
	],
	[
		'looks at the third page if the first one is the same again',
		{ ...second, repeatedPage: 0, earlierAgain: 'same' },
		lookAhead(1),
	],
	[
		'does not ask for the earlier page of each of many repeated pages',
		{
			repeats: 'otherPages',
			repeatedPage: 1,
			metadata: { more: true },
			before: { pagesWithoutNew: 1, recordsWithoutNew: SIZE },
		},
		goOn,
	],
	['looks at the third page if the second is like the first', second, lookAhead(1)],
	[
		'looks at the third page even if the service speaks of more',
		{ ...second, metadata: { more: true } },
		lookAhead(1),
	],
	[
		'asks for a smaller page if the third page is like the first, too',
		{ ...second, ahead: 'firstPageAgain' },
		askForLaterPage,
	],
	[
		'fails if a later page of another size begins like the first one as well',
		{ ...second, ahead: 'firstPageAgain', numbering: 'pageIgnored' },
		fail('it ignores the parameter "page"'),
	],
	[
		'ends if the first page is the only one',
		{ ...second, ahead: 'firstPageAgain', numbering: 'singlePage' },
		end('lastPageAgain'),
	],
	[
		'ends if the first page is the only one, and says that more follow it',
		{ ...second, ahead: 'firstPageAgain', numbering: 'singlePage', metadata: { more: true } },
		end('nothingMore'),
	],
	[
		'keeps a page like all others if all records are equal, and says so',
		{ ...second, ahead: 'firstPageAgain', numbering: 'equalRecords' },
		{ ...keepEqual, isDoubtful: true },
	],
	[
		'keeps page 1 if all records are equal',
		{ ...second, hasIds: false, ahead: 'records', numbering: 'equalRecords' },
		keepEqual,
	],
	[
		'counts from 1 if page 1 begins like page 0 at another size as well',
		{ ...second, hasIds: false, ahead: 'records', numbering: 'firstPageAgain' },
		countFromOne,
	],
	[
		'counts from 1 if no other size tells, and says so',
		{ ...second, hasIds: false, ahead: 'records', numbering: 'unclear' },
		{ ...countFromOne, isDoubtful: true },
	],
	[
		'counts from 1 if no other size tells, and nothing follows',
		{ ...second, hasIds: false, ahead: 'nothing', numbering: 'unclear' },
		countFromOne,
	],
	['counts from 1 if only page 1 is like page 0', { ...second, ahead: 'records' }, countFromOne],
	['counts from 1 if nothing follows page 1', { ...second, ahead: 'nothing' }, countFromOne],
	[
		'asks how pages are numbered if only page 1 is like page 0, and records have no ID',
		{ ...second, hasIds: false, ahead: 'records' },
		askForSecondPage,
	],
	[
		'looks at what follows a page of equal records without an ID',
		{ repeats: 'previousPage', hasIds: false },
		lookAhead(1),
	],
	[
		'keeps a page of equal records without an ID if nothing follows it',
		{ repeats: 'firstPage', hasIds: false, ahead: 'nothing' },
		keepEqual,
	],
	[
		'takes a short page of equal records without an ID for the last one again',
		{ repeats: 'previousPage', hasIds: false, came: 4 },
		end('lastPageAgain'),
	],
	[
		'does not count from 1 if the reading began at a later page',
		{ number: 5, repeats: 'previousPage', before: { firstPage: 4 }, ahead: 'nothing' },
		end('lastPageAgain'),
	],
	[
		'does not take records of other pages for the first page',
		{ number: 1, repeats: 'otherPages', metadata: { more: true } },
		goOn,
	],
	[
		'goes on after the 10th repeated page in a row',
		{ repeats: 'otherPages', metadata: { more: true }, before: { pagesWithoutNew: 9 } },
		goOn,
	],
	[
		'ends after the 11th repeated page in a row, whatever the service says',
		{ repeats: 'otherPages', metadata: { more: true }, before: { pagesWithoutNew: 10 } },
		end('nothingMore'),
	],
	[
		'goes on in a long list as long as no more than half of its pages in a row were repeated',
		{
			number: 39,
			repeats: 'otherPages',
			metadata: { more: true },
			before: { pagesWithoutNew: 19 },
		},
		goOn,
	],
	[
		'ends in a long list when more than half of its pages in a row were repeated',
		{
			number: 39,
			repeats: 'otherPages',
			metadata: { more: true },
			before: { pagesWithoutNew: 20 },
		},
		end('nothingMore'),
	],
	['goes on if later pages hold records', { repeats: 'previousPage', ahead: 'records' }, goOn],
	[
		'goes on if the page says that more follow',
		{ repeats: 'firstPage', metadata: { more: true } },
		goOn,
	],
	[
		'goes on if the total reaches beyond the page',
		{ repeats: 'previousPage', metadata: { total: 31 } },
		goOn,
	],
	[
		'ends if the total does not reach beyond the page',
		{ repeats: 'previousPage', metadata: { total: 30 } },
		end('lastPageAgain'),
	],
	[
		'goes on if the page count reaches beyond the page',
		{ repeats: 'previousPage', metadata: { totalPages: 4 } },
		goOn,
	],
	[
		'ends if the page count does not reach beyond the page',
		{ repeats: 'previousPage', metadata: { totalPages: 3 } },
		end('lastPageAgain'),
	],
	['ends with the last page again', { repeats: 'previousPage' }, end('lastPageAgain')],
	['ends with the first page again', { repeats: 'firstPage' }, end('startsOver')],
	[
		'ends when as many records were repeated in a row as the list has',
		{ repeats: 'otherPages', before: { recordsWithoutNew: 10 } },
		end('startsOver'),
	],
	[
		'goes on as long as fewer records were repeated in a row than the list has',
		{ repeats: 'otherPages', before: { recordsWithoutNew: 9 } },
		goOn,
	],
];

const RECORDS: readonly Row[] = [
	['goes on after a full page of which nothing is known', {}, goOn],
	['goes on after a short first page', { number: 0, came: 4 }, goOn],
	[
		'asks how long pages are after the first one',
		{ number: 0, isSizeKnown: false },
		{ kind: 'settleSize' },
	],
	['asks how long pages are after the first one only', { isSizeKnown: false }, goOn],
	[
		'does not ask how long pages are if the first one is the last',
		{ number: 0, isSizeKnown: false, metadata: { more: false, total: SIZE } },
		end('lastPageSaid'),
	],
	[
		'looks at the next page if only a flag calls a full first page the last',
		{ number: 0, metadata: { more: false } },
		lookBeyondEnd,
	],
	[
		'ends with a full first page that a flag calls the last if the next one holds nothing',
		{ number: 0, metadata: { more: false }, ahead: 'nothing' },
		end('lastPageSaid'),
	],
	[
		'ends at once with a short first page that a flag calls the last',
		{ number: 0, came: 3, metadata: { more: false } },
		end('lastPageSaid'),
	],
	['ends at the limit', { wanted: 0 }, end('limit')],
	['ends if the page holds more than is wanted', { wanted: -3 }, end('limit')],
	['goes on as long as one record is wanted', { wanted: 1 }, goOn],
	['ends at the limit even if the cap is reached, too', { wanted: 0, maxPages: 3 }, end('limit')],

	[
		'ends with a page that says that it is the last',
		{ metadata: { more: false } },
		end('lastPageSaid'),
	],
	[
		'ends with a page that says so, and a total that agrees',
		{ metadata: { more: false, total: 30 } },
		end('lastPageSaid'),
	],
	[
		'ends with a page that names no next one, although others do',
		{ metadata: { nextPage: 'none' }, before: { namesNext: true, more: true } },
		end('lastPageSaid'),
	],
	[
		'goes on after a page that names no next one, as all others',
		{ metadata: { nextPage: 'none' } },
		goOn,
	],
	[
		'does not believe that a page is the last if the total speaks of more',
		{ metadata: { more: false, total: 31 } },
		goOn,
	],
	[
		'does not believe that a short first page is the last if the total speaks of more',
		{ number: 0, came: 4, metadata: { more: false, total: 9 } },
		goOn,
	],
	[
		'believes that a short first page is the last if no total says otherwise',
		{ number: 0, came: 4, metadata: { more: false } },
		end('lastPageSaid'),
	],
	[
		'does not believe that a page is the last if the page count speaks of more',
		{ metadata: { more: false, totalPages: 4 } },
		goOn,
	],
	[
		'does not believe that a page is the last if a page count for larger pages speaks of more',
		{ metadata: { more: false }, before: { totalPages: 4, totalPagesSize: 20 } },
		goOn,
	],
	[
		'believes that a page is the last, whatever a page count for smaller pages says',
		{ metadata: { more: false }, before: { totalPages: 9, totalPagesSize: 5 } },
		end('lastPageSaid'),
	],
	[
		'does not believe that a page is the last if later pages hold records',
		{ metadata: { more: false }, ahead: 'records' },
		goOn,
	],
	[
		'does not believe the last page of a list that counts from 1 if the total is not reached',
		{
			number: 3,
			before: { shift: 1, pages: 2, count: 20, came: 20 },
			metadata: { more: false, total: 35 },
		},
		goOn,
	],
	[
		'takes the numbering from 1 into account when a page says that it is the last',
		{ number: 3, before: { shift: 1, count: 20 }, metadata: { more: false, total: 30 } },
		end('lastPageSaid'),
	],

	[
		'looks at the next page if only the page count calls a full page the last',
		{ metadata: { totalPages: 3 } },
		lookBeyondEnd,
	],
	[
		'ends with the last page of the page count',
		{ metadata: { totalPages: 3 }, ahead: 'nothing' },
		end('pageCount'),
	],
	[
		'looks at the next page if page count and total may both count what came so far',
		{ before: { totalWasAhead: false }, metadata: { totalPages: 3, total: 30 } },
		lookBeyondEnd,
	],
	[
		'ends at once with a short last page of the page count',
		{ came: 4, metadata: { totalPages: 3 } },
		end('pageCount'),
	],
	[
		'does not believe a page count of 1 if the page may be as long as the service lets it be',
		{ number: 0, came: 5, metadata: { totalPages: 1 } },
		goOn,
	],
	[
		'ends with the last page of page count and total',
		{ metadata: { totalPages: 3, total: 30 } },
		end('pageCount'),
	],
	[
		'ends with a page count of 1',
		{ number: 0, came: 4, metadata: { totalPages: 1 } },
		end('pageCount'),
	],
	[
		'goes on after a full page if the page count was never ahead, because it may count the pages so far',
		{ before: { pageCountWasAhead: false }, metadata: { totalPages: 3 }, ahead: 'records' },
		goOn,
	],
	[
		'ends with a short page if the page count was never ahead',
		{ came: 4, before: { pageCountWasAhead: false }, metadata: { totalPages: 3 } },
		end('pageCount'),
	],
	['goes on before the last page of the page count', { metadata: { totalPages: 4 } }, goOn],
	['does not believe a page count of 0', { metadata: { totalPages: 0, total: 30 } }, goOn],
	['does not believe a page count of 0 without a total', { metadata: { totalPages: 0 } }, goOn],
	['does not believe a total of 0 beside records', { metadata: { total: 0 } }, goOn],
	[
		'does not believe a page count if the page says that more follow',
		{ metadata: { totalPages: 3, more: true } },
		goOn,
	],
	[
		'does not believe a page count that does not hold the total',
		{ metadata: { totalPages: 3, total: 31 } },
		goOn,
	],
	[
		'does not believe a page count computed from a total that was exceeded',
		{ metadata: { totalPages: 3, total: 25 } },
		goOn,
	],
	[
		'does not believe a page count that fell',
		{ metadata: { totalPages: 3 }, before: { totalPages: 5, totalPagesSize: SIZE } },
		goOn,
	],
	[
		'does not believe a page count for another page size',
		{ before: { totalPages: 3, totalPagesSize: 20 } },
		goOn,
	],
	[
		'does not believe a page count after whose last page records came',
		{ metadata: { totalPages: 2 } },
		goOn,
	],
	[
		'does not believe a page count if later pages hold records',
		{ metadata: { totalPages: 3 }, ahead: 'records' },
		goOn,
	],
	[
		'does not believe a page count of 1 on a short first page if the total speaks of more',
		{ number: 0, came: 4, metadata: { totalPages: 1, total: 9 } },
		goOn,
	],
	[
		'does not believe a page count of 1 if the total is that of the short page',
		{ number: 0, came: 4, metadata: { totalPages: 1, total: 4 } },
		goOn,
	],
	[
		'reads one page more if the service counts from 1',
		{ before: { shift: 1, count: 10 }, metadata: { totalPages: 3 } },
		goOn,
	],
	[
		'ends with the last page of the page count if the service counts from 1',
		{ number: 3, before: { shift: 1, count: 20 }, metadata: { totalPages: 3 }, ahead: 'nothing' },
		end('pageCount'),
	],
	[
		'goes on after a full page if the reading began at a later page, which may have any number',
		{ number: 4, before: { firstPage: 2 }, metadata: { totalPages: 5 } },
		goOn,
	],
	[
		'ends with a short last page of the page count if the reading began at a later page',
		{ number: 4, came: 4, before: { firstPage: 2 }, metadata: { totalPages: 5 } },
		end('pageCount'),
	],

	[
		'ends with a short page that reaches the total',
		{ came: 4, metadata: { total: 24 } },
		end('total'),
	],
	['goes on after a full page that reaches the total', { metadata: { total: 30 } }, goOn],
	[
		'does not believe a total if the reading began at a later page',
		{ number: 2, came: 4, before: { firstPage: 2, saidTotal: 4 }, metadata: { total: 4 } },
		goOn,
	],
	[
		'does not believe a total on a short page that says that more follow',
		{ came: 4, metadata: { total: 24, more: true } },
		askAgain,
	],
	[
		'does not believe a total on a short page if the page count speaks of more',
		{ came: 4, metadata: { total: 24, totalPages: 4 } },
		askAgain,
	],
	[
		'does not believe a total on a short page if later pages hold records',
		{ came: 4, metadata: { total: 24 }, ahead: 'records', asked: 2 },
		goOn,
	],

	['ends at the cap', { maxPages: 3 }, end('maxPages')],
	['goes on below the cap', { maxPages: 4 }, goOn],
	[
		'ends with the list rather than with the cap if both end there',
		{ maxPages: 3, metadata: { totalPages: 3 } },
		end('pageCount'),
	],

	['asks again for a short page in the middle', { came: 4, metadata: { more: true } }, askAgain],
	[
		'asks again for a short page that leaves the total open',
		{ came: 4, metadata: { total: 28 } },
		askAgain,
	],
	[
		'goes on if a page in the middle is short again',
		{ came: 4, metadata: { more: true }, asked: 2 },
		goOn,
	],
	[
		'goes on after a short page in the middle if short pages are usual',
		{ came: 4, metadata: { more: true }, before: { shortIsUsual: true } },
		goOn,
	],
	[
		'asks again for a short first page that states room for more, if the total is not reached',
		{ number: 0, came: 4, metadata: { total: 28, pageSize: SIZE } },
		askAgain,
	],
	['looks at the page after a short one', { came: 4 }, lookAhead(1)],
	['goes on after a short page if nothing follows', { came: 4, ahead: 'nothing' }, goOn],
	[
		'does not look ahead if short pages are usual',
		{ came: 4, before: { shortIsUsual: true } },
		goOn,
	],
];

const came = (records: number): Given => ({
	number: 20,
	metadata: { total: 100 },
	before: { total: 100, came: records - SIZE },
});
const pages = (count: number, metadata: PagingMetadata = {}): Given => ({
	number: count - 1,
	metadata,
});
const unsaid = 'pages were read, and the service does not say how many there are';

const ENDLESS: readonly Row[] = [
	['goes on to 2 times the total without IDs', { ...came(209), hasIds: false }, goOn],
	[
		'fails a page after 2 times the total without IDs',
		{ ...came(210), hasIds: false },
		fail('210 records were read, and the service says there are 100'),
	],
	['goes on to 10 times the total with IDs', came(1_009), goOn],
	[
		'fails a page after 10 times the total with IDs',
		came(1_010),
		fail('1,010 records were read, and the service says there are 100'),
	],
	[
		'goes on to 2 times the page count without IDs, and one page',
		{ ...pages(11, { totalPages: 5 }), hasIds: false },
		goOn,
	],
	[
		'fails after 2 times the page count without IDs, and one page',
		{ ...pages(12, { totalPages: 5 }), hasIds: false },
		fail('12 pages were read'),
	],
	['goes on to 10 times the page count with IDs, and one page', pages(51, { totalPages: 5 }), goOn],
	[
		'fails after 10 times the page count with IDs, and one page',
		pages(52, { totalPages: 5 }),
		fail('52 pages were read'),
	],
	[
		'goes on for 999 pages without IDs if the total was never ahead',
		{
			...pages(999, { total: 9_990 }),
			hasIds: false,
			before: { total: 9_980, totalWasAhead: false },
		},
		goOn,
	],
	[
		'fails with the 1,000th page without IDs if the total was never ahead',
		{
			...pages(1_000, { total: 10_000 }),
			hasIds: false,
			before: { total: 9_990, firstTotal: 20, totalWasAhead: false },
		},
		fail(`1,000 ${unsaid}`),
	],
	[
		'fails with the 1,000th page without IDs if the page count rises with each page',
		{
			...pages(1_000, { totalPages: 1_001 }),
			hasIds: false,
			before: { totalPages: 1_000, totalPagesSize: SIZE },
		},
		fail('1,000 pages were read'),
	],
	[
		'goes on to 2 times the first total if it rises, however many pages that is',
		{
			...pages(1_000, { total: 9_001 }),
			hasIds: false,
			before: { total: 9_000, firstTotal: 9_000 },
		},
		goOn,
	],
	['goes on for 999 pages without IDs', { ...pages(999), hasIds: false }, goOn],
	[
		'fails with the 1,000th page without IDs',
		{ ...pages(1_000), hasIds: false },
		fail(`1,000 ${unsaid}`),
	],
	['goes on for 99,999 pages with IDs', pages(99_999), goOn],
	['fails with the 100,000th page with IDs', pages(100_000), fail(`100,000 ${unsaid}`)],
	[
		'goes on to a cap, however many pages that is',
		{ ...pages(1_000), hasIds: false, maxPages: 2_000 },
		goOn,
	],
];

const NO_RECORDS: readonly Row[] = [
	['asks again for an empty page that follows a full one', empty, askAgain],
	['asks again for a refused page', { kind: 'refused' }, askAgain],
	[
		'looks at the two pages after one that is refused twice',
		{ kind: 'refused', asked: 2 },
		lookAhead(2),
	],
	[
		'asks again for an empty page if a later page holds records, even repeated ones',
		{ ...empty, ahead: 'repeated' },
		askAgain,
	],
	[
		'asks again for an empty page if records were seen that did not come',
		{ ...empty, isSeenMissing: true },
		askAgain,
	],
	['asks again for a missing list after a full page', { kind: 'nothing' }, askAgain],
	['asks again for a first page without a list', { kind: 'nothing', number: 0 }, askAgain],
	[
		'asks again for an empty first page if the total speaks of records',
		{ ...empty, number: 0, metadata: { total: 5 } },
		askAgain,
	],
	[
		'asks again after a short page if short pages are usual',
		{ ...empty, before: { wasShort: true, shortIsUsual: true } },
		askAgain,
	],
	[
		'asks again after a short page if the total speaks of more',
		{ ...empty, before: { wasShort: true, total: 25, saidTotal: 25 } },
		askAgain,
	],
	[
		'asks again if an earlier total spoke of more, although this page takes it back',
		{ ...empty, before: { total: 50, saidTotal: 50 }, metadata: { total: 20 } },
		askAgain,
	],
	[
		'believes the page that takes the total back twice',
		{
			...emptyAgain,
			before: { total: 50, saidTotal: 50 },
			metadata: { total: 20 },
			ahead: 'nothing',
		},
		end('emptyPage'),
	],
	[
		'does not ask again after a page that names no next one, although others do',
		{ ...empty, before: { namesNext: true } },
		end('emptyPage'),
	],
	[
		'looks at 3 pages if the page says that more follow',
		{ ...emptyAgain, metadata: { more: true } },
		lookAhead(3),
	],
	[
		'looks at 3 pages if the total speaks of more',
		{ ...emptyAgain, before: { total: 21 } },
		lookAhead(3),
	],
	[
		'looks at 3 pages if the page count speaks of more',
		{ ...emptyAgain, before: { totalPages: 3, totalPagesSize: SIZE } },
		lookAhead(3),
	],
	['looks at two pages if nothing speaks of more', emptyAgain, lookAhead(2)],
	[
		'goes on after an empty page if later pages hold records',
		{ ...emptyAgain, ahead: 'records' },
		goOn,
	],
	[
		'goes on after an empty first page if later pages hold records',
		{ ...emptyAgain, number: 0, ahead: 'records' },
		goOn,
	],
	[
		'fails with a missing list if later pages hold records',
		{ kind: 'nothing', asked: 2, ahead: 'records' },
		fail('Page 2 holds no list, although the list goes on after it.'),
	],
	[
		'fails with a refused page if later pages hold records, and says which one by which status',
		{ kind: 'refused', asked: 2, ahead: 'records' },
		fail('The service refused page 2 (status 404), although the list goes on after it.'),
	],
	[
		'asks again before it fails, even if later pages hold records',
		{ kind: 'refused', ahead: 'records' },
		askAgain,
	],
	[
		'ends with a warning if the total speaks of more and nothing follows',
		{ ...emptyAgain, before: { total: 99 }, ahead: 'nothing' },
		end('nothingMore'),
	],
	[
		'ends with a warning if a page is refused, the service speaks of more, and nothing follows',
		{ kind: 'refused', asked: 2, before: { total: 35 }, ahead: 'nothing' },
		end('nothingMore'),
	],
	[
		'ends with nobody if the first page holds no list twice',
		{ kind: 'nothing', number: 0, asked: 2 },
		end('nobody'),
	],
	[
		'looks at page 1 if page 0 is empty: the service may count from 1',
		{ ...empty, number: 0 },
		lookAhead(1),
	],
	[
		'ends with an empty page 0 if page 1 is',
		{ ...empty, number: 0, ahead: 'nothing' },
		end('emptyPage'),
	],
	[
		'ends at once with an empty page 0 if the total is 0',
		{ ...empty, number: 0, metadata: { total: 0 } },
		end('emptyPage'),
	],
	[
		'ends at once with a refused first page',
		{ kind: 'refused', number: 7, before: { firstPage: 7 } },
		end('refusedPage'),
	],
	[
		'ends after a full page if nothing follows',
		{ ...emptyAgain, ahead: 'nothing' },
		end('emptyPage'),
	],
	[
		'ends with a refusal if nothing follows',
		{ kind: 'refused', asked: 2, ahead: 'nothing' },
		end('refusedPage'),
	],
	[
		'ends with a missing list if nothing follows',
		{ kind: 'nothing', asked: 2, ahead: 'nothing' },
		end('noList'),
	],
	['ends at once after a short page', { ...empty, before: { wasShort: true } }, end('emptyPage')],
	[
		'ends at once with a refusal after a short page',
		{ kind: 'refused', before: { wasShort: true } },
		end('refusedPage'),
	],
	[
		'asks again for a missing list, even after a short page',
		{ kind: 'nothing', before: { wasShort: true } },
		askAgain,
	],
	[
		'ends with a list that is missing twice after a short page',
		{ kind: 'nothing', asked: 2, before: { wasShort: true } },
		end('noList'),
	],
	[
		'ends at once after a first page that was short',
		{ ...empty, number: 1, before: { firstWasShort: true } },
		end('emptyPage'),
	],
	[
		'asks again for the third page although the first was short',
		{ ...empty, before: { firstWasShort: true } },
		askAgain,
	],
	[
		'ends at once if the total is reached',
		{ ...empty, before: { saidTotal: 20 } },
		end('emptyPage'),
	],
	[
		'ends at once with a refusal if the total is reached',
		{ kind: 'refused', before: { saidTotal: 20, total: 20 } },
		end('refusedPage'),
	],
];

describe('decide about an answer that is not a page', () => {
	it.each(NO_PAGES)('decides about an answer that is not a page: %s', (_, given, expected) => {
		expect(decide(situation(given))).toEqual(expected);
	});
});

describe('decide about a page that was returned before', () => {
	it.each(REPEATED)('decides about a page that was returned before: %s', (_, given, expected) => {
		expect(decide(situation(given))).toEqual(expected);
	});
});

describe('decide about a page with records', () => {
	it.each(RECORDS)('decides about a page with records: %s', (_, given, expected) => {
		expect(decide(situation(given))).toEqual(expected);
	});
});

describe('decide about a list that does not end', () => {
	it.each(ENDLESS)('decides about a list that does not end: %s', (_, given, expected) => {
		expect(decide(situation(given))).toEqual(expected);
	});

	it.each([
		['names ID Path and Max Pages if the records have no ID', false, /ID Path.*Max Pages/],
		['names only Max Pages if the records have an ID', true, /^(?!.*ID Path).*Max Pages/],
	])('fails after 100,000 pages with a remedy and %s', (_, hasIds, remedy) => {
		expect(decide(situation({ ...pages(100_000), hasIds }))).toMatchObject({
			failure: { remedy: expect.stringMatching(remedy) as string },
		});
	});
});

describe('decide about a page without records', () => {
	it.each(NO_RECORDS)('decides about a page without records: %s', (_, given, expected) => {
		expect(decide(situation(given))).toEqual(expected);
	});

	it('names Max Pages if a page is missing in the middle', () => {
		expect(decide(situation({ kind: 'refused', asked: 2, ahead: 'records' }))).toMatchObject({
			failure: { remedy: expect.stringContaining('set Max Pages to 2') as string, statusCode: 404 },
		});
	});
});

describe('the table of rules', () => {
	it('has no rule that decides about none of these pages', () => {
		const rows = [NO_PAGES, REPEATED, RECORDS, ENDLESS, NO_RECORDS].flat();
		const used = new Set(rows.map(([, given]) => ruleFor(situation(given)).is));
		expect(RULES.map(({ is }) => is).filter((rule) => !used.has(rule))).toEqual([]);
	});
});
