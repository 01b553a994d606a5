import {
	completenessOfFirstPage,
	type EndReason,
	isRepeated,
	isSecondPageSameAsFirst,
	type PageDecisionInput,
} from './endOfList';
import { type ListFacts, receivedPageSize, totalOf } from './listFacts';
import type { RecordCollector } from './recordCollector';

/** What users of a listing should look at, because records may be missing or doubled. */
export type ListingWarning<Kind extends keyof WarningDetails = keyof WarningDetails> = {
	[K in Kind]: { kind: K } & WarningDetails[K];
}[Kind];

interface WarningDetails {
	maxPagesReached: { maxPages: number };
	/** The first response held no list, and nothing in its place. */
	noListAtAll: object;
	/** The last page held nothing new, although the service says that there is more. */
	endedEarly: object;
	totalDiffers: { total: number; isHigher: boolean };
	totalFell: { from: number; to: number };
	totalPagesFell: object;
	/** The start page is an earlier one again. */
	startsAfterEnd: { page: number };
	/** Each page equals the first one, and nothing says that it is the only one. */
	samePageAgain: { page: number };
	/** Without an ID, the records of the page, or some, equal earlier ones: they may be others. */
	indistinguishable: { page?: number };
	/** Records came again although the total did not change: the list has no fixed order. */
	orderNotFixed: { count: number; missing: number };
	/** Records of earlier pages were received again. */
	recordsMoved: { count: number };
	/** Every page is the whole list. */
	singlePage: { count: number };
	/** Pages held fewer records than others, and nothing shows that none is missing. */
	pageSizesVary: object;
	noIdAtPath: { path: string };
	volatileId: { path: string };
	/** The first page that held nothing new, although others follow or once did. */
	repeatedPage: { page: number };
	conflictingDuplicates: { count: number };
	/** The last of several sweeps still found records. */
	stillUnstable: object;
}

/** A list that was read, as far as its warnings depend on it. */
export interface ReadList {
	facts: ListFacts;
	collector: RecordCollector;
	endedBy: EndReason;
	/** As they were found page by page. */
	pageWarnings: readonly ListingWarning[];
	startPage: number;
	maxPages: number;
	newPerSweep: readonly number[];
}

const found = (...some: Array<ListingWarning | false>): ListingWarning[] =>
	some.filter((warning) => warning !== false);

/** Of a page that is added. */
export function warningsOfAdded(input: PageDecisionInput): ListingWarning[] {
	const { before, laterPages, page, requestedNumber } = input;
	const { length } = page.records;
	const isFollowed = laterPages === 'new' && isRepeated(input);
	return found(
		// The first page was cut short.
		before.pagesRead > 0 && length > before.fullPageSize && { kind: 'pageSizesVary' },
		length > 0 && isFollowed && { kind: 'repeatedPage', page: requestedNumber },
	);
}

/** Of a page that ends the list because it is an earlier one again. */
export function warningsOfRepeated(input: PageDecisionInput, reason: EndReason): ListingWarning[] {
	const { before, identifiedBy, laterPages, page, requestedNumber } = input;
	if (before.total === before.uniqueCount) return [];
	const isFull = page.records.length >= before.fullPageSize;
	const mayBeOthers = identifiedBy === 'nothing' || (identifiedBy === 'content' && isFull);
	const isSecond = isSecondPageSameAsFirst(input);
	const isEveryPage = isSecond && before.startPage === 0 && laterPages === 'seen';
	// A last page that is repeated is so for ever, and so is a list that starts over.
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
	const all = [...warningsOfCounts(list), ...list.pageWarnings, ...warningsOfRecords(list)];
	const kinds = all.map(({ kind }) => kind);
	// A repeated page is the reason that records came again, a missing order that some are missing.
	const reason = REASONS.find(([kind]) => kinds.includes(kind));
	return all.filter(
		({ kind }, index) => kinds.indexOf(kind) === index && reason?.[1].includes(kind) !== true,
	);
}

type Kind = ListingWarning['kind'];

/** What is not said beside its reason. */
const REASONS: ReadonlyArray<[reason: Kind, unsaid: readonly Kind[]]> = [
	['repeatedPage', ['recordsMoved', 'orderNotFixed']],
	['orderNotFixed', ['totalDiffers', 'recordsMoved', 'pageSizesVary']],
];

function warningsOfCounts(list: ReadList): ListingWarning[] {
	const { facts, collector, endedBy, maxPages, startPage } = list;
	const total = expectedTotal(list);
	const { uniqueCount } = collector;
	const { highestTotal, totalPagesDecreased } = facts;
	const isUncounted = startPage === 0 && endedBy !== 'limit' && totalOf(facts) === undefined;
	return found(
		endedBy === 'maxPages' && { kind: 'maxPagesReached', maxPages },
		endedBy === 'noListAtAll' && { kind: 'noListAtAll' },
		endedBy === 'noNewRecords' && { kind: 'endedEarly' },
		total !== undefined &&
			total !== uniqueCount && { kind: 'totalDiffers', total, isHigher: total > uniqueCount },
		total === uniqueCount &&
			total < highestTotal && { kind: 'totalFell', from: highestTotal, to: total },
		totalPagesDecreased && isUncounted && { kind: 'totalPagesFell' },
	);
}

function warningsOfRecords(list: ReadList): ListingWarning[] {
	const { facts, collector, endedBy, newPerSweep } = list;
	const { conflictingDuplicates, duplicates, duplicatesAcrossPages, identifiedBy } = collector;
	const { keys, uniqueCount } = collector;
	const { id } = keys.fields;
	const totalMatches = facts.total === uniqueCount;
	const isOtherSize = receivedPageSize(facts) !== undefined;
	// The number of records that a limit leaves cannot be compared with that of the list.
	const isTotalConfirmed = isOtherSize
		? totalMatches && !facts.endSignalWasWrong
		: totalMatches || endedBy === 'limit';
	const isProven = (totalMatches && !isOtherSize) || (keys.hasIds && duplicates === 0);
	const areAlike = facts.pagesRead > 1 && identifiedBy === 'nothing' && !isTotalConfirmed;
	const hasDuplicates = duplicatesAcrossPages > 0;
	const isTotalSteady = facts.total !== undefined && !facts.hasTotalChanged;
	const missing = (expectedTotal(list) ?? Infinity) - uniqueCount;
	return found(
		hasDuplicates &&
			keys.hasIds &&
			isTotalSteady &&
			missing > 0 && { kind: 'orderNotFixed', count: duplicatesAcrossPages, missing },
		(areAlike || (hasDuplicates && !keys.hasIds)) && { kind: 'indistinguishable' },
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

/** The total that the whole list should have. */
function expectedTotal({ facts, endedBy, startPage }: ReadList): number | undefined {
	const isWhole = startPage === 0 && endedBy !== 'limit' && endedBy !== 'maxPages';
	return isWhole ? totalOf(facts) : undefined;
}
