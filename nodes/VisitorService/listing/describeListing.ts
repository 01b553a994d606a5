import { writeCount, writeNumber } from '../values/scalar';
import type { EndedBy } from './endOfList';
import type { ListingReport } from './listRecords';

interface ListingFigures extends ListingReport {
	/** For the sentence, e.g. "user" and "users". */
	singular: string;
	plural: string;
	/** Records that match, if only those are returned. */
	found?: number;
	requests: number;
	retries: number;
	/** Milliseconds. */
	duration: number;
	/** Whether the whole list was asked for, so that its total can be compared. */
	wholeList: boolean;
	maxPages: number;
	untilStable: boolean;
}

/**
 * Says in a few sentences what a listing read, what it detected, and what the user should know.
 *
 * @returns `warning`: the user should look at it, because something may be missing
 */
export function describeListing(figures: ListingFigures): { message: string; warning: boolean } {
	const found = withReasons(figures);
	const say = (sentences: readonly Sentence[]) =>
		sentences.map((sentence) => sentence(found)).filter((text) => typeof text === 'string');
	const warnings = say(WARNINGS);
	const message = [factsOf(figures), ...say(REMARKS), ...warnings].join(' ');
	return { message, warning: warnings.length > 0 };
}

function factsOf(figures: ListingFigures): string {
	const { singular, plural, records, found, pages, requests, retries, duration } = figures;
	const { endedBy, total = 0 } = figures;
	const parts = [writeCount(pages, 'page'), writeCount(requests, 'request'), timeTaken(duration)];
	if (retries > 0) parts.push(writeCount(retries, 'retry', 'retries'));
	const how = `(${parts.join(', ')})`;
	const read = writeCount(records, singular, plural);
	if (found !== undefined) return `Found ${writeNumber(found)} of ${read} read ${how}.`;
	if (endedBy !== 'limit' || total <= records) return `Read ${read} ${how}.`;
	return `Read ${writeNumber(records)} of ${writeCount(total, singular, plural)} ${how}.`;
}

function withReasons(figures: ListingFigures) {
	const { endedBy, idField, lastPage, total, untilStable, wholeList } = figures;
	const means = idField === undefined ? 'Set ID Path and turn on' : 'Turn on';
	return {
		...figures,
		/** How to read again what may be missing. */
		advice: untilStable ? '' : ` ${means} Until Stable to read it again.`,
		/** The total that is to agree with what was read. */
		expected: wholeList && endedBy !== 'maxPages' ? total : undefined,
		/** How the list ended, if the service did not say it. */
		reason: UNSAID[endedBy] && `The list ended at page ${lastPage}, which ${UNSAID[endedBy]}`,
	};
}

type Sentence = (found: ReturnType<typeof withReasons>) => string | false | undefined;

const UNSAID: Partial<Record<EndedBy, string>> = {
	empty: 'was empty',
	nothing: 'held no list',
	refused: 'the service refused',
	lastPageAgain: 'repeated the one before it',
	startsOver: 'started over',
	nothingMore: 'held nothing new',
};

const REMARKS: readonly Sentence[] = [
	({ itemsPath = '', otherPaths }) =>
		otherPaths.length > 0 &&
		`The list is at "${itemsPath}"; other lists: ${otherPaths.join(', ')}.`,
	({ pageSizeThatCame: size }) =>
		size !== undefined &&
		`The service returned pages of ${writeNumber(size)} instead of the size asked for.`,
	({ longIntegers }) =>
		longIntegers.size > 0 &&
		`Returned as text, because the numbers are too long to be exact: "${[...longIntegers].join('", "')}".`,
	({ duplicates, idField }) =>
		duplicates > 0 &&
		`Left out ${writeCount(duplicates, 'duplicate')}${idField === undefined ? '' : ` (by "${idField}")`}.`,
	({ disprovedIdField, isIdChanging, plural }) =>
		disprovedIdField !== undefined &&
		!isIdChanging &&
		`"${disprovedIdField}" is not used as the ID, because different ${plural} have the same one.`,
	({ records, sweeps: [first = 0, ...later] }) =>
		later.length > 0 &&
		`Read ${later.length + 1} times; found ${writeNumber(records - first)} more after the first time.`,
	({ idField, records, untilStable }) =>
		untilStable &&
		idField === undefined &&
		records > 0 &&
		'Read only once: without a sure ID it is not possible to tell which records are new. Set ID Path.',
	({ endedBy, reason, records }) =>
		reason !== undefined && records > 0 && endedBy !== 'nothingMore' && `${reason}.`,
];

const WARNINGS: readonly Sentence[] = [
	({ endedBy, maxPages, plural }) =>
		endedBy === 'maxPages' && `Stopped at Max Pages (${maxPages}): there may be more ${plural}.`,
	({ endedBy, plural }) =>
		endedBy === 'nobody' && `The answer held no list, so it counts as no ${plural}.`,
	({ endedBy, plural, reason }) =>
		endedBy === 'nothingMore' && `${reason}, although the service says there are more ${plural}.`,
	({ advice, expected, plural, records }) =>
		expected !== undefined &&
		expected !== records &&
		`The service counts ${writeNumber(expected)} ${plural}: the list may have changed while it was read${expected > records ? ', or this client ID may not be allowed to see all' : ''}.${advice}`,
	({ advice, expected, highestTotal, plural, records }) =>
		expected === records &&
		expected < highestTotal &&
		`The total fell from ${writeNumber(highestTotal)} to ${writeNumber(expected)} while the list was read: some ${plural} may be missing.${advice}`,
	({ advice, pageCountFell, plural, total, wholeList }) =>
		pageCountFell &&
		wholeList &&
		total === undefined &&
		`The page count fell while the list was read: some ${plural} may be missing.${advice}`,
	({ idField, isAfterEnd, lastPage }) =>
		isAfterEnd &&
		(idField === undefined || lastPage === 1) &&
		`Page ${lastPage} equals an earlier page, so it counts as one after the end: read the list from Page 0.`,
	({ isOnlyPage, lastPage, plural }) =>
		isOnlyPage &&
		`Page ${lastPage} held the same ${plural} as the page before it. If there are more, the service ignores the parameter "page": ask your service provider.`,
	({ cameAgain, equalPage: page, idField, isUntold, plural }) =>
		(page !== undefined || isUntold || (cameAgain > 0 && idField === undefined)) &&
		`${page === undefined ? `Some ${plural}` : `The ${plural} of page ${page}`} equal earlier ones. Without an ID it is not possible to tell whether they are others: set ID Path, or compare the number of ${plural}.`,
	({ advice, cameAgain, expected, idField, plural, repeatedPage, singular }) =>
		cameAgain > 0 &&
		idField !== undefined &&
		expected === undefined &&
		repeatedPage === undefined &&
		`${writeCount(cameAgain, singular, plural)} came again on later pages: the list may have changed while it was read, and some ${plural} may be missing.${advice}`,
	({ idField, isSizeDoubtful, plural }) =>
		isSizeDoubtful &&
		(idField === undefined
			? `Some pages held fewer ${plural} than others, and no ID shows whether any ${plural} are missing or doubled: set ID Path, or Page Size to a number that the service accepts.`
			: `Some pages held fewer ${plural} than others, and some ${plural} may be missing: set Page Size to a number that the service accepts.`),
	({ missingIdPath: path, singular }) =>
		path !== undefined &&
		`No ${singular} has an ID at "${path}", so repeated ones are not recognized: check ID Path.`,
	({ disprovedIdField, isIdChanging, plural }) =>
		isIdChanging &&
		`"${disprovedIdField}" is not used as the ID, because it changes with each answer. It is not possible to tell whether any ${plural} came twice: set ID Path.`,
	({ advice, lastPage, plural, repeatedPage: page }) =>
		page !== undefined &&
		`Page ${page} held only ${plural} of earlier pages${lastPage > page ? ', although the list goes on after it' : ''}: some ${plural} may be missing.${advice}`,
	({ differing, idField = '' }) =>
		differing > 0 &&
		`${writeCount(differing, 'duplicate')} had other content. If "${idField}" is not the ID, set ID Path, or turn off Remove Duplicates.`,
	({ sweeps }) =>
		sweeps.length > 1 &&
		sweeps.at(-1) !== 0 &&
		'The last time still found some: there may be more.',
];

function timeTaken(milliseconds: number): string {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}
