import type { EndReason } from './endOfList';
import { isTotalSteady, type ListFacts, receivedPageSize, totalOf } from './listFacts';
import {
	completenessOfFirstPage,
	isOutsideWindow,
	isRepeated,
	isSecondPageSameAsFirst,
	type PageDecisionInput,
} from './pageEvidence';
import type { RecordCollector } from './recordCollector';

/** What users of a listing should look at, because records may be missing or doubled. */
export type ListingWarning<Kind extends keyof WarningDetails = keyof WarningDetails> = {
	[K in Kind]: { kind: K } & WarningDetails[K];
}[Kind];

interface WarningDetails {
	maxPagesReached: { maxPages: number };
	/** The first response held no list and nothing that stands for one. */
	noListAtAll: object;
	/** The last page held nothing new, although the service says that there is more. */
	endedEarly: object;
	/** The service rejected a page, because it returns only the first records of a list. */
	outsideWindow: { page: number; serverText: string };
	totalDiffers: { total: number; isHigher: boolean };
	/** Pages that do not join the list, as it was read, held more records. */
	unusedPagesHeldMore: { count: number };
	totalFell: { from: number; to: number };
	totalPagesFell: object;
	/** The start page repeats an earlier page. */
	startsAfterEnd: { page: number };
	/** Every page equals the first one, and nothing states that it is the only page. */
	samePageAgain: { page: number };
	/** Without an ID, some records, or those of a page, equal earlier ones: they may be others. */
	indistinguishable: { page?: number };
	/** Records were repeated although the list did not change, by its total if that `isSteady`. */
	orderNotFixed: { count: number; missing: number; isSteady: boolean };
	/** Records of earlier pages were received again. */
	recordsMoved: { count: number };
	/** Every page holds the whole list. */
	singlePage: { count: number };
	/** Some pages held fewer records than others, and nothing shows that none is missing. */
	pageSizesVary: object;
	noIdAtPath: { path: string };
	volatileId: { path: string };
	/** The first page that held nothing new, although the list seems to go on. */
	repeatedPage: { page: number };
	conflictingDuplicates: { count: number };
	/** The last of several sweeps still found records. */
	stillUnstable: object;
}

/** What the warnings of a list depend on. */
interface ReadList {
	facts: ListFacts;
	collector: RecordCollector;
	endedBy: EndReason;
	/** In the order of the pages that caused them. */
	pageWarnings: readonly ListingWarning[];
	startPage: number;
	maxPages: number;
	newPerSweep: readonly number[];
	/** Whether two pages hold the same record each time they are requested. */
	repeatsRecord: boolean;
}

const found = (...some: Array<ListingWarning | false>): ListingWarning[] =>
	some.filter((warning) => warning !== false);

export function warningsOfAdded(input: PageDecisionInput): ListingWarning[] {
	const { before, laterPages, page, requestedNumber } = input;
	const { length } = page.records;
	const isFollowed = laterPages === 'goOn' && isRepeated(input);
	return found(
		// Then the first page was cut short.
		before.pagesRead > 0 && length > before.fullPageSize && { kind: 'pageSizesVary' },
		length > 0 && isFollowed && { kind: 'repeatedPage', page: requestedNumber },
	);
}

/** Warnings of a page that ends the list: the service rejects it, or it repeats an earlier one. */
export function warningsOfEnd(input: PageDecisionInput, reason: EndReason): ListingWarning[] {
	const { before, identifiedBy, laterPages, page, repeatOf, requestedNumber } = input;
	if (page.kind === 'outOfRange' && isOutsideWindow(page)) {
		const { serverText = '' } = page.failure;
		return [{ kind: 'outsideWindow', page: requestedNumber, serverText }];
	}
	const isRepeatedPage = isRepeated(input) && repeatOf !== 'earlierRecords';
	if (!isRepeatedPage || before.total === before.uniqueCount) return [];
	const isFull = page.records.length >= before.fullPageSize;
	const mayBeOthers = identifiedBy === 'nothing' || (identifiedBy === 'content' && isFull);
	const isSecond = isSecondPageSameAsFirst(input);
	const isEveryPage = isSecond && before.startPage === 0 && laterPages === 'seen';
	// A service that repeats its last page, or restarts, never returns the empty page seen here.
	const isOdd = reason !== 'noNewRecords' && laterPages === 'none' && !isSecond;
	if (reason === 'singlePage') return [{ kind: 'singlePage', count: before.uniqueCount }];
	return found(
		mayBeOthers && { kind: 'indistinguishable', page: requestedNumber },
		isEveryPage &&
			completenessOfFirstPage(input) !== 'all' && { kind: 'samePageAgain', page: requestedNumber },
		isOdd && { kind: 'repeatedPage', page: requestedNumber },
	);
}

/** All warnings of a list, each kind once. */
export function findWarnings(list: ReadList): ListingWarning[] {
	const ofRecords = warningsOfRecords(list);
	const isLoose =
		ofRecords.some(({ kind }) => kind === 'orderNotFixed') && repeatsBeyondPages(list);
	const ofPages = list.pageWarnings.filter(({ kind }) => !isLoose || kind !== 'repeatedPage');
	const all = [...warningsOfCounts(list), ...ofPages, ...ofRecords];
	const kinds = all.map(({ kind }) => kind);
	const reason = REASONS.find(([kind]) => kinds.includes(kind));
	return all.filter(
		({ kind }, index) => kinds.indexOf(kind) === index && reason?.[1].includes(kind) !== true,
	);
}

/** Whether more records were received again than the repeated pages hold. */
function repeatsBeyondPages({ collector, facts, pageWarnings }: ReadList): boolean {
	const { length } = pageWarnings.filter(({ kind }) => kind === 'repeatedPage');
	return collector.duplicatesAcrossPages > length * facts.fullPageSize;
}

type Kind = ListingWarning['kind'];

/** Warnings that are left out if their reason is among the warnings. */
const REASONS: ReadonlyArray<[reason: Kind, unsaid: readonly Kind[]]> = [
	['outsideWindow', ['endedEarly', 'totalDiffers']],
	['repeatedPage', ['recordsMoved', 'orderNotFixed']],
	['orderNotFixed', ['totalDiffers', 'recordsMoved', 'pageSizesVary', 'unusedPagesHeldMore']],
	['recordsMoved', ['unusedPagesHeldMore']],
];

/** Ends that leave records out on purpose. */
const CUT_BY: readonly EndReason[] = ['afterEnd', 'limit', 'maxPages'];

function warningsOfCounts(list: ReadList): ListingWarning[] {
	const { facts, collector, endedBy, maxPages, startPage } = list;
	const total = expectedTotal(list);
	const { uniqueCount } = collector;
	// Only here, because it compares each record of pages that are not used.
	const unusedCount = isWhole(list) && total !== uniqueCount ? collector.unusedCount : 0;
	const { highestTotal, totalPagesDecreased } = facts;
	const arePagesCountedOnly =
		startPage === 0 && endedBy !== 'limit' && totalOf(facts) === undefined;
	return found(
		endedBy === 'maxPages' && { kind: 'maxPagesReached', maxPages },
		endedBy === 'noListAtAll' && { kind: 'noListAtAll' },
		endedBy === 'noNewRecords' && { kind: 'endedEarly' },
		total !== undefined &&
			total !== uniqueCount && { kind: 'totalDiffers', total, isHigher: total > uniqueCount },
		unusedCount > 0 && { kind: 'unusedPagesHeldMore', count: unusedCount },
		total === uniqueCount &&
			total < highestTotal && { kind: 'totalFell', from: highestTotal, to: total },
		totalPagesDecreased && arePagesCountedOnly && { kind: 'totalPagesFell' },
	);
}

function warningsOfRecords(list: ReadList): ListingWarning[] {
	const { facts, collector, endedBy, newPerSweep } = list;
	const { conflictingDuplicates, duplicates, duplicatesAcrossPages, identifiedBy } = collector;
	const { keys, uniqueCount } = collector;
	const { id } = keys.fields;
	const totalMatches = facts.total === uniqueCount;
	const isOtherSize = receivedPageSize(facts) !== undefined;
	// With a limit, the number of records read cannot be compared with the total.
	const isTotalConfirmed = isOtherSize
		? totalMatches && !facts.endSignalWasWrong
		: totalMatches || endedBy === 'limit';
	const isProven = (totalMatches && !isOtherSize) || (keys.hasIds && duplicates === 0);
	const areAlike = facts.pagesRead > 1 && identifiedBy === 'nothing' && !isTotalConfirmed;
	// Without an ID, nothing shows which records an earlier sweep had, so no more are added.
	const isBlind = collector.isLaterSweep && !keys.hasIds;
	const hasDuplicates = duplicatesAcrossPages > 0;
	const isSteady = isTotalSteady(facts);
	const missing = (expectedTotal(list) ?? Infinity) - uniqueCount;
	return found(
		hasDuplicates &&
			keys.hasIds &&
			(isSteady || list.repeatsRecord) &&
			missing > 0 && { kind: 'orderNotFixed', count: duplicatesAcrossPages, missing, isSteady },
		(areAlike || isBlind || (hasDuplicates && !keys.hasIds)) && { kind: 'indistinguishable' },
		hasDuplicates &&
			keys.hasIds &&
			expectedTotal(list) === undefined && { kind: 'recordsMoved', count: duplicatesAcrossPages },
		facts.pagesRead > 0 &&
			facts.pageLengths === 'varying' &&
			!isProven && { kind: 'pageSizesVary' },
		id.kind === 'notAtPath' && uniqueCount > 0 && { kind: 'noIdAtPath', path: id.path },
		id.kind === 'dropped' && id.isVolatile && { kind: 'volatileId', path: id.path },
		conflictingDuplicates > 0 && { kind: 'conflictingDuplicates', count: conflictingDuplicates },
		newPerSweep.length > 1 && newPerSweep.at(-1) !== 0 && { kind: 'stillUnstable' },
	);
}

/** Whether every record that was received should be in it: after its end a list may begin again. */
function isWhole({ endedBy, startPage }: ReadList): boolean {
	return startPage === 0 && !CUT_BY.includes(endedBy);
}

/** The total that the whole list should have. */
function expectedTotal(list: ReadList): number | undefined {
	return isWhole(list) ? totalOf(list.facts) : undefined;
}
