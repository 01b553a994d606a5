import { formatCount, formatNumber } from '../values/scalar';
import { redactPath } from '../values/serverText';
import type { EndReason } from './endOfList';
import type { ListingReport } from './listRecords';
import type { ListingWarning } from './warnings';

interface ListingStats extends ListingReport {
	/** Of the records, e.g. "user" and "users". */
	singular: string;
	plural: string;
	/** How many records match, if there are conditions. */
	matchCount?: number;
	requests: number;
	retries: number;
	startPage: number;
	durationMs: number;
	untilStable: boolean;
}

/**
 * Says in a few sentences what a listing read, what it detected, and what the user should know.
 *
 * @returns `warning`: the user should look at it, because something may be missing
 */
export function describeListing(stats: ListingStats): { message: string; warning: boolean } {
	const figures = withReasons(stats);
	const remarks = REMARKS.map((sentence) => sentence(figures)).filter(
		(text) => typeof text === 'string',
	);
	const warnings = stats.warnings.map((warning) => describeWarning(warning, figures));
	const message = [formatStats(stats), ...remarks, ...warnings].join(' ');
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
	const { endedBy, id, lastPageNumber, untilStable } = figures;
	const idPath =
		id.kind === 'detected' ? redactPath(id.path) : id.kind === 'configured' ? id.path : undefined;
	const means = idPath === undefined ? 'Set ID Path and turn on' : 'Turn on';
	return {
		...figures,
		idPath,
		/** How to find records that may be missing. */
		advice: untilStable ? '' : ` ${means} Until Stable to read it again.`,
		/** How the list ended, if the service did not announce its end. */
		reason:
			UNANNOUNCED_ENDS[endedBy] &&
			`The list ended at page ${lastPageNumber}, which ${UNANNOUNCED_ENDS[endedBy]}`,
	};
}

type Figures = ReturnType<typeof withReasons>;

type Sentence = (figures: Figures) => string | false | undefined;

const UNANNOUNCED_ENDS: Partial<Record<EndReason, string>> = {
	empty: 'was empty',
	noList: 'held no list',
	outOfRange: 'the service rejected',
	lastPageRepeated: 'repeated the one before it',
	listRestarted: 'held nothing new',
	noNewRecords: 'held nothing new',
};

const REMARKS: readonly Sentence[] = [
	({ countsFromOne, recordCount }) =>
		countsFromOne &&
		recordCount > 0 &&
		'The service counts pages from 1, so Page 0 and Page 1 are the same.',
	({ endedBy, recordCount, startPage }) =>
		recordCount === 0 &&
		startPage > 0 &&
		endedBy !== 'afterEnd' &&
		`Page ${startPage} is after the end of the list.`,
	({ itemsPath = '', otherPaths }) =>
		otherPaths.length > 0 &&
		`The list is at "${redactPath(itemsPath)}"; other lists: ${otherPaths.join(', ')}.`,
	({ receivedPageSize: size }) =>
		size !== undefined &&
		`The service returned pages of ${formatNumber(size)} instead of the requested size.`,
	({ longIntegers }) =>
		longIntegers.size > 0 &&
		`Returned as text, because the numbers are too long to be exact: "${[...longIntegers].join('", "')}".`,
	({ duplicates, idPath }) =>
		duplicates > 0 &&
		`Left out ${formatCount(duplicates, 'duplicate')}${idPath === undefined ? '' : ` (by "${idPath}")`}.`,
	({ id, plural }) =>
		id.kind === 'dropped' &&
		!id.isVolatile &&
		`"${redactPath(id.path)}" is not used as the ID, because different ${plural} have the same one.`,
	({ recordCount, newPerSweep: [first = 0, ...later] }) =>
		later.length > 0 &&
		`Read ${later.length + 1} times; found ${formatNumber(recordCount - first)} more after the first time.`,
	({ idPath, recordCount, untilStable }) =>
		untilStable &&
		idPath === undefined &&
		recordCount > 0 &&
		'Read only once: without a sure ID it is not possible to tell which records are new. Set ID Path.',
	({ endedBy, reason, recordCount }) =>
		reason !== undefined && recordCount > 0 && endedBy !== 'noNewRecords' && `${reason}.`,
];

type Words = {
	[Kind in ListingWarning['kind']]: (warning: ListingWarning<Kind>, figures: Figures) => string;
};

const WARNINGS: Words = {
	maxPagesReached: ({ maxPages }, { plural }) =>
		`Stopped at Max Pages (${maxPages}): there may be more ${plural}.`,
	noListAtAll: (_, { plural }) => `The response held no list, so it counts as no ${plural}.`,
	endedEarly: (_, { plural, reason }) =>
		`${reason}, although the service says there are more ${plural}.`,
	outsideWindow: ({ page, serverText }, { plural }) =>
		`The service rejected page ${page}: ${plural} may be missing. The service said: "${serverText}". Ask your service provider how to read the whole list.`,
	totalDiffers: ({ total, isHigher }, { advice, plural }) =>
		`The service counts ${formatNumber(total)} ${plural}: the list may have changed while it was read${isHigher ? ', or this client ID may not be allowed to see all' : ''}.${advice}`,
	unusedPagesHeldMore: ({ count }, { plural, singular }) =>
		`Pages that do not join the others held ${formatCount(count, singular, plural)} more: some ${plural} may be missing. Set Page Size to a number that the service accepts.`,
	totalFell: ({ from, to }, { advice, plural }) =>
		`The total fell from ${formatNumber(from)} to ${formatNumber(to)} while the list was read: some ${plural} may be missing.${advice}`,
	totalPagesFell: (_, { advice, plural }) =>
		`The page count fell while the list was read: some ${plural} may be missing.${advice}`,
	singlePage: ({ count }, { plural, singular }) =>
		`The service returned ${formatCount(count, singular, plural)} on every page, whatever page and Page Size are: that counts as the whole list. If there are more ${plural}, ask your service provider.`,
	startsAfterEnd: ({ page }) =>
		`Page ${page} equals an earlier page, so it counts as one after the end: read the list from Page 0.`,
	samePageAgain: ({ page }, { plural }) =>
		`Page ${page} held the same ${plural} as the page before it. If there are more, the service ignores the parameter "page": ask your service provider.`,
	indistinguishable: ({ page }, { plural }) =>
		`${page === undefined ? `Some ${plural}` : `The ${plural} of page ${page}`} equal earlier ones. Without an ID it is not possible to tell whether they are others: set ID Path, or compare the number of ${plural}.`,
	orderNotFixed: ({ count, isSteady, missing }, { plural, singular }) =>
		`${formatCount(count, singular, plural)} appeared again on later pages, ${isSteady ? 'while the total did not change' : 'also when those were requested once more'}: the list has no fixed order${missing < Infinity ? `, so ${formatNumber(missing)} ${missing === 1 ? `${singular} is` : `${plural} are`} missing` : ''}. Set Sort to a field in which no two ${plural} are equal, such as their ID.`,
	recordsMoved: ({ count }, { advice, plural, singular }) =>
		`${formatCount(count, singular, plural)} appeared again on later pages: the list has no fixed order, or it changed while it was read, and some ${plural} may be missing. Set Sort to a field in which no two ${plural} are equal.${advice}`,
	pageSizesVary: (_, { idPath, plural }) =>
		idPath === undefined
			? `Some pages held fewer ${plural} than others, and no ID shows whether any ${plural} are missing or doubled: set ID Path, or Page Size to a number that the service accepts.`
			: `Some pages held fewer ${plural} than others, and some ${plural} may be missing: set Page Size to a number that the service accepts.`,
	noIdAtPath: ({ path }, { singular }) =>
		`No ${singular} has an ID at "${path}", so repeated ones are not recognized: check ID Path.`,
	volatileId: ({ path }, { plural }) =>
		`"${redactPath(path)}" is not used as the ID, because it changes with each response. It is not possible to tell whether any ${plural} were returned twice: set ID Path.`,
	repeatedPage: ({ page }, { advice, lastPageNumber, plural }) =>
		`Page ${page} held only ${plural} of earlier pages${lastPageNumber > page ? ', although the list goes on after it' : ''}: some ${plural} may be missing.${advice}`,
	conflictingDuplicates: ({ count }, { idPath = '' }) =>
		`${formatCount(count, 'duplicate')} had other content. If "${idPath}" is not the ID, set ID Path, or turn off Remove Duplicates.`,
	stillUnstable: () => 'The last time still found some: there may be more.',
};

function describeWarning<Kind extends ListingWarning['kind']>(
	warning: ListingWarning<Kind>,
	figures: Figures,
): string {
	return WARNINGS[warning.kind](warning, figures);
}

function formatDuration(milliseconds: number): string {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}
