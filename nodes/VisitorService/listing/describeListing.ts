import { writeCount, writeNumber } from '../values/count';
import type { EndedBy } from './endOfList';
import type { ListingReport } from './listRecords';

export interface ListingFigures extends ListingReport {
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
	/** Names in Output Field Names or IDs that no record has. */
	missingFields: readonly string[];
}

/**
 * Says in a few sentences what a listing read, what it detected, and what the user should know.
 *
 * @returns `warning`: the user should look at it, because something may be missing
 */
export function describeListing(figures: ListingFigures): { message: string; warning: boolean } {
	const warnings = sentencesOf(WARNINGS, figures);
	const sentences = [factsOf(figures), ...sentencesOf(REMARKS, figures), ...warnings];
	return { message: sentences.join(' '), warning: warnings.length > 0 };
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

type Sentence = (figures: ListingFigures) => string | false | undefined;

/** What the user may want to know, in this order. */
const REMARKS: readonly Sentence[] = [
	({ itemsPath = '', otherPaths = [] }) =>
		otherPaths.length > 0 &&
		`The list is at "${itemsPath}"; other lists: ${otherPaths.join(', ')}.`,
	({ pageSizeThatCame: size }) =>
		size !== undefined &&
		`The service returned pages of ${writeNumber(size)} instead of the size asked for.`,
	({ idField, isAfterEnd, lastPage }) =>
		isAfterEnd &&
		idField !== undefined &&
		lastPage > 1 &&
		`Page ${lastPage} repeats an earlier page, so it is after the end of the list.`,
	({ longIntegers }) =>
		longIntegers.length > 0 &&
		`Returned as text, because the numbers are too long to be exact: ${quoted(longIntegers)}.`,
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
	(figures) => {
		const reason = reasonOf(figures);
		const isSaid = figures.records > 0 && figures.endedBy !== 'nothingMore';
		return reason !== undefined && isSaid && `${reason}.`;
	},
];

/** How the list ended, if the service did not say it. */
const UNSAID: Partial<Record<EndedBy, string>> = {
	emptyPage: 'was empty',
	noList: 'held no list',
	refusedPage: 'the service refused',
	lastPageAgain: 'repeated the one before it',
	startsOver: 'started over',
	nothingMore: 'held nothing new',
};

function reasonOf({ endedBy, lastPage }: ListingFigures): string | undefined {
	const what = UNSAID[endedBy];
	return what === undefined ? undefined : `The list ended at page ${lastPage}, which ${what}`;
}

/** What the user should look at, in this order. */
const WARNINGS: readonly Sentence[] = [
	badEnd,
	otherNumber,
	({ idField, isAfterEnd, lastPage }) =>
		isAfterEnd &&
		(idField === undefined || lastPage === 1) &&
		`Page ${lastPage} equals an earlier page, so it counts as one after the end: read the list from Page 0.`,
	({ isOnlyPage, lastPage, plural }) =>
		isOnlyPage &&
		`Page ${lastPage} held the same ${plural} as the page before it. If there are more, the service ignores the parameter "page": ask your service provider.`,
	equalRecords,
	cameAgain,
	doubtfulSize,
	changedPage,
	({ missingIdPath: path, singular }) =>
		path !== undefined &&
		`No ${singular} has an ID at "${path}", so repeated ones are not recognized: check ID Path.`,
	({ disprovedIdField, isIdChanging, plural }) =>
		isIdChanging &&
		`"${disprovedIdField}" is not used as the ID, because it changes with each answer. It is not possible to tell whether any ${plural} came twice: set ID Path.`,
	repeatedPage,
	({ differingDuplicates: differing, idField = '' }) =>
		differing > 0 &&
		`${writeCount(differing, 'duplicate')} had other content. If "${idField}" is not the ID, set ID Path, or turn off Remove Duplicates.`,
	({ missingFields: names, plural }) =>
		names.length > 0 &&
		`None of the ${plural} has ${quoted(names)}: check Output Field Names or IDs.`,
	({ sweeps }) =>
		sweeps.length > 1 &&
		sweeps.at(-1) !== 0 &&
		'The last time still found some: there may be more.',
];

function sentencesOf(table: readonly Sentence[], figures: ListingFigures): string[] {
	return table.map((sentence) => sentence(figures)).filter((text) => typeof text === 'string');
}

function quoted(names: readonly string[]): string {
	return names.map((name) => `"${name}"`).join(', ');
}

function adviceOf({
	idField,
	untilStable,
}: Pick<ListingFigures, 'idField' | 'untilStable'>): string {
	const means =
		idField !== undefined ? 'Turn on Until Stable' : 'Set ID Path and turn on Until Stable';
	return untilStable ? '' : ` ${means} to read it again.`;
}

/** Whether the total is to agree with what was read. */
function isWhole({ endedBy, wholeList }: ListingFigures): boolean {
	return wholeList && endedBy !== 'maxPages';
}

function badEnd(figures: ListingFigures): string | undefined {
	const { endedBy, maxPages, plural } = figures;
	if (endedBy === 'maxPages') {
		return `Stopped at Max Pages (${maxPages}): there may be more ${plural}.`;
	}
	if (endedBy === 'nobody') return `The answer held no list, so it counts as no ${plural}.`;
	if (endedBy !== 'nothingMore') return undefined;
	return `${reasonOf(figures)}, although the service says there are more ${plural}.`;
}

function otherNumber(figures: ListingFigures): string | undefined {
	const { pageCountFell, plural, records, total, totalFellFrom } = figures;
	if (!isWhole(figures)) return undefined;
	const advice = adviceOf(figures);
	if (total !== undefined && total !== records) {
		return `The service counts ${writeNumber(total)} ${plural}: the list may have changed while it was read, or this client ID may not be allowed to see all.${advice}`;
	}
	if (totalFellFrom !== undefined) {
		const fell = `fell from ${writeNumber(totalFellFrom)} to ${writeNumber(total ?? 0)}`;
		const what = total === totalFellFrom ? `of ${writeNumber(total)} fell for a time` : fell;
		return `The total ${what} while the list was read: some ${plural} may be missing.${advice}`;
	}
	if (!pageCountFell || total !== undefined) return undefined;
	return `The page count fell while the list was read: some ${plural} may be missing.${advice}`;
}

function equalRecords(figures: ListingFigures): string | undefined {
	const { cameAgain, equalPages, idField, plural } = figures;
	const [equal] = equalPages;
	if (equal === undefined && (cameAgain === 0 || idField !== undefined)) return undefined;
	const which = equal === undefined ? `Some ${plural}` : `The ${plural} of page ${equal}`;
	return `${which} equal earlier ones. Without an ID it is not possible to tell whether they are others: set ID Path, or compare the number of ${plural}.`;
}

function repeatedPage(figures: ListingFigures): string | undefined {
	const { lastPage, plural, repeatedPages } = figures;
	const [repeated = Infinity] = repeatedPages;
	if (repeated === Infinity) return undefined;
	const goesOn = lastPage > repeated ? ', although the list goes on after it' : '';
	return `Page ${repeated} held only ${plural} of earlier pages${goesOn}: some ${plural} may be missing.${adviceOf(figures)}`;
}

function cameAgain(figures: ListingFigures): string | undefined {
	const { idField, plural, repeatedPages, singular, total } = figures;
	const isCounted = isWhole(figures) && total !== undefined;
	if (figures.cameAgain === 0 || idField === undefined) return undefined;
	if (isCounted || repeatedPages.length > 0) return undefined;
	return `${writeCount(figures.cameAgain, singular, plural)} came again on later pages: the list may have changed while it was read, and some ${plural} may be missing.${adviceOf(figures)}`;
}

function doubtfulSize({ idField, isSizeDoubtful, plural }: ListingFigures): string | undefined {
	if (!isSizeDoubtful) return undefined;
	const [doubt, remedy] =
		idField === undefined
			? [`no ID shows whether any ${plural} are missing or doubled`, 'ID Path, or Page Size']
			: [`some ${plural} may be missing`, 'Page Size'];
	return `Some pages held fewer ${plural} than others, and ${doubt}: set ${remedy} to a number that the service accepts.`;
}

function changedPage(figures: ListingFigures): string | undefined {
	const { hasChanged, idField, plural } = figures;
	if (!hasChanged) return undefined;
	const doubt =
		idField === undefined
			? `no ID shows whether any ${plural} are missing or doubled: set ID Path.`
			: `some ${plural} may be missing.${adviceOf(figures)}`;
	return `A page held other ${plural} when it was requested again: the list changed while it was read, and ${doubt}`;
}

function timeTaken(milliseconds: number): string {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}
