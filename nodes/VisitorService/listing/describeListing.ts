import { formatCount, formatNumber } from '../values/scalar';
import type { EndReason } from './endOfList';
import type { ListingReport } from './listRecords';

interface ListingStats extends ListingReport {
	/** For the sentence, e.g. "user" and "users". */
	singular: string;
	plural: string;
	/** Records that match, if only those are returned. */
	matchCount?: number;
	requests: number;
	retries: number;
	/** Milliseconds. */
	durationMs: number;
	/** Whether the whole list was asked for, so that its total can be compared. */
	isWholeList: boolean;
	maxPages: number;
	untilStable: boolean;
}

/**
 * Says in a few sentences what a listing read, what it detected, and what the user should know.
 *
 * @returns `warning`: the user should look at it, because something may be missing
 */
export function describeListing(figures: ListingStats): { message: string; warning: boolean } {
	const found = withReasons(figures);
	const say = (sentences: readonly Sentence[]) =>
		sentences.map((sentence) => sentence(found)).filter((text) => typeof text === 'string');
	const warnings = say(WARNINGS);
	const message = [formatStats(figures), ...say(REMARKS), ...warnings].join(' ');
	return { message, warning: warnings.length > 0 };
}

function formatStats(figures: ListingStats): string {
	const { singular, plural, recordCount, matchCount, pages, requests, retries, durationMs } =
		figures;
	const { endedBy, total = 0 } = figures;
	const parts = [
		formatCount(pages, 'page'),
		formatCount(requests, 'request'),
		formatDuration(durationMs),
	];
	if (retries > 0) parts.push(formatCount(retries, 'retry', 'retries'));
	const how = `(${parts.join(', ')})`;
	const read = formatCount(recordCount, singular, plural);
	if (matchCount !== undefined) return `Found ${formatNumber(matchCount)} of ${read} read ${how}.`;
	if (endedBy !== 'limit' || total <= recordCount) return `Read ${read} ${how}.`;
	return `Read ${formatNumber(recordCount)} of ${formatCount(total, singular, plural)} ${how}.`;
}

function withReasons(figures: ListingStats) {
	const { endedBy, idField, lastPage, total, untilStable, isWholeList } = figures;
	const means = idField === undefined ? 'Set ID Path and turn on' : 'Turn on';
	return {
		...figures,
		/** How to read again what may be missing. */
		advice: untilStable ? '' : ` ${means} Until Stable to read it again.`,
		/** The total that is to agree with what was read. */
		expected: isWholeList && endedBy !== 'maxPages' ? total : undefined,
		/** How the list ended, if the service did not say it. */
		reason:
			UNANNOUNCED_ENDS[endedBy] &&
			`The list ended at page ${lastPage}, which ${UNANNOUNCED_ENDS[endedBy]}`,
	};
}

type Sentence = (found: ReturnType<typeof withReasons>) => string | false | undefined;

const UNANNOUNCED_ENDS: Partial<Record<EndReason, string>> = {
	empty: 'was empty',
	noList: 'held no list',
	outOfRange: 'the service refused',
	lastPageRepeated: 'repeated the one before it',
	listRestarted: 'started over',
	noNewRecords: 'held nothing new',
};

const REMARKS: readonly Sentence[] = [
	({ itemsPath = '', otherPaths }) =>
		otherPaths.length > 0 &&
		`The list is at "${itemsPath}"; other lists: ${otherPaths.join(', ')}.`,
	({ receivedPageSize: size }) =>
		size !== undefined &&
		`The service returned pages of ${formatNumber(size)} instead of the size asked for.`,
	({ longIntegers }) =>
		longIntegers.size > 0 &&
		`Returned as text, because the numbers are too long to be exact: "${[...longIntegers].join('", "')}".`,
	({ duplicates, idField }) =>
		duplicates > 0 &&
		`Left out ${formatCount(duplicates, 'duplicate')}${idField === undefined ? '' : ` (by "${idField}")`}.`,
	({ droppedIdField, isIdVolatile, plural }) =>
		droppedIdField !== undefined &&
		!isIdVolatile &&
		`"${droppedIdField}" is not used as the ID, because different ${plural} have the same one.`,
	({ recordCount, newPerSweep: [first = 0, ...later] }) =>
		later.length > 0 &&
		`Read ${later.length + 1} times; found ${formatNumber(recordCount - first)} more after the first time.`,
	({ idField, recordCount, untilStable }) =>
		untilStable &&
		idField === undefined &&
		recordCount > 0 &&
		'Read only once: without a sure ID it is not possible to tell which records are new. Set ID Path.',
	({ endedBy, reason, recordCount }) =>
		reason !== undefined && recordCount > 0 && endedBy !== 'noNewRecords' && `${reason}.`,
];

const WARNINGS: readonly Sentence[] = [
	({ endedBy, maxPages, plural }) =>
		endedBy === 'maxPages' && `Stopped at Max Pages (${maxPages}): there may be more ${plural}.`,
	({ endedBy, plural }) =>
		endedBy === 'noListAtAll' && `The answer held no list, so it counts as no ${plural}.`,
	({ endedBy, plural, reason }) =>
		endedBy === 'noNewRecords' && `${reason}, although the service says there are more ${plural}.`,
	({ advice, expected, plural, recordCount }) =>
		expected !== undefined &&
		expected !== recordCount &&
		`The service counts ${formatNumber(expected)} ${plural}: the list may have changed while it was read${expected > recordCount ? ', or this client ID may not be allowed to see all' : ''}.${advice}`,
	({ advice, expected, highestTotal, plural, recordCount }) =>
		expected === recordCount &&
		expected < highestTotal &&
		`The total fell from ${formatNumber(highestTotal)} to ${formatNumber(expected)} while the list was read: some ${plural} may be missing.${advice}`,
	({ advice, totalPagesDecreased, plural, total, isWholeList }) =>
		totalPagesDecreased &&
		isWholeList &&
		total === undefined &&
		`The page count fell while the list was read: some ${plural} may be missing.${advice}`,
	({ idField, startsAfterEnd, lastPage }) =>
		startsAfterEnd &&
		(idField === undefined || lastPage === 1) &&
		`Page ${lastPage} equals an earlier page, so it counts as one after the end: read the list from Page 0.`,
	({ isPageParameterIgnored, lastPage, plural }) =>
		isPageParameterIgnored &&
		`Page ${lastPage} held the same ${plural} as the page before it. If there are more, the service ignores the parameter "page": ask your service provider.`,
	({
		duplicatesAcrossPages,
		indistinguishablePage: page,
		idField,
		hasIndistinguishableRecords,
		plural,
	}) =>
		(page !== undefined ||
			hasIndistinguishableRecords ||
			(duplicatesAcrossPages > 0 && idField === undefined)) &&
		`${page === undefined ? `Some ${plural}` : `The ${plural} of page ${page}`} equal earlier ones. Without an ID it is not possible to tell whether they are others: set ID Path, or compare the number of ${plural}.`,
	({ advice, duplicatesAcrossPages, expected, idField, plural, repeatedPage, singular }) =>
		duplicatesAcrossPages > 0 &&
		idField !== undefined &&
		expected === undefined &&
		repeatedPage === undefined &&
		`${formatCount(duplicatesAcrossPages, singular, plural)} came again on later pages: the list may have changed while it was read, and some ${plural} may be missing.${advice}`,
	({ idField, mayHaveSizeGaps, plural }) =>
		mayHaveSizeGaps &&
		(idField === undefined
			? `Some pages held fewer ${plural} than others, and no ID shows whether any ${plural} are missing or doubled: set ID Path, or Page Size to a number that the service accepts.`
			: `Some pages held fewer ${plural} than others, and some ${plural} may be missing: set Page Size to a number that the service accepts.`),
	({ missingIdPath: path, singular }) =>
		path !== undefined &&
		`No ${singular} has an ID at "${path}", so repeated ones are not recognized: check ID Path.`,
	({ droppedIdField, isIdVolatile, plural }) =>
		isIdVolatile &&
		`"${droppedIdField}" is not used as the ID, because it changes with each answer. It is not possible to tell whether any ${plural} came twice: set ID Path.`,
	({ advice, lastPage, plural, repeatedPage: page }) =>
		page !== undefined &&
		`Page ${page} held only ${plural} of earlier pages${lastPage > page ? ', although the list goes on after it' : ''}: some ${plural} may be missing.${advice}`,
	({ conflictingDuplicates, idField = '' }) =>
		conflictingDuplicates > 0 &&
		`${formatCount(conflictingDuplicates, 'duplicate')} had other content. If "${idField}" is not the ID, set ID Path, or turn off Remove Duplicates.`,
	({ newPerSweep }) =>
		newPerSweep.length > 1 &&
		newPerSweep.at(-1) !== 0 &&
		'The last time still found some: there may be more.',
];

function formatDuration(milliseconds: number): string {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}
