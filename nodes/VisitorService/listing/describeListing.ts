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

export interface ListingHint {
	message: string;
	/** Whether the user should look at it: something may be missing. */
	warning: boolean;
}

/** Says in a few sentences what a listing read, what it detected, and what the user should know. */
export function describeListing(figures: ListingFigures): ListingHint {
	const warnings = warningsOf(figures);
	const sentences = [factsOf(figures), ...remarksOf(figures), ...warnings];
	return { message: sentences.join(' '), warning: warnings.length > 0 };
}

function factsOf(figures: ListingFigures): string {
	const { singular, plural, records, found, pages, requests, retries, duration } = figures;
	const { endedBy, total } = figures;
	const parts = [writeCount(pages, 'page'), writeCount(requests, 'request'), timeTaken(duration)];
	if (retries > 0) parts.push(writeCount(retries, 'retry', 'retries'));
	if (found !== undefined) {
		const read = writeCount(records, singular, plural);
		return `Found ${writeNumber(found)} of ${read} read (${parts.join(', ')}).`;
	}
	const isPart = endedBy === 'limit' && total !== undefined && total > records;
	const read = isPart
		? `${writeNumber(records)} of ${writeCount(total, singular, plural)}`
		: writeCount(records, singular, plural);
	return `Read ${read} (${parts.join(', ')}).`;
}

function remarksOf(figures: ListingFigures): string[] {
	const { plural, records, pageSizeThatCame, sweeps, untilStable, idField } = figures;
	const { duplicates, itemsPath, otherPaths = [], disprovedIdField } = figures;
	const remarks: string[] = [];
	if (otherPaths.length > 0) {
		remarks.push(`The list is at "${itemsPath ?? ''}"; other lists: ${otherPaths.join(', ')}.`);
	}
	if (pageSizeThatCame !== undefined) {
		remarks.push(
			`The service returned pages of ${writeNumber(pageSizeThatCame)} instead of the size asked for.`,
		);
	}
	if (figures.isAfterEnd && idField !== undefined) {
		remarks.push(
			`Page ${figures.lastPage} repeats an earlier page, so it is after the end of the list.`,
		);
	}
	if (figures.longIntegers.length > 0) {
		const names = figures.longIntegers.map((name) => `"${name}"`).join(', ');
		remarks.push(`Returned as text, because the numbers are too long to be exact: ${names}.`);
	}
	if (duplicates > 0) {
		const by = idField === undefined ? '' : ` (by "${idField}")`;
		remarks.push(`Left out ${writeCount(duplicates, 'duplicate')}${by}.`);
	}
	if (disprovedIdField !== undefined && !figures.isIdChanging) {
		remarks.push(
			`"${disprovedIdField}" is not used as the ID, because different ${plural} have the same one.`,
		);
	}
	if (sweeps.length > 1) {
		const found = sweeps.slice(1).reduce((sum, added) => sum + added, 0);
		remarks.push(
			`Read ${sweeps.length} times; found ${writeNumber(found)} more after the first time.`,
		);
	}
	if (untilStable && idField === undefined && records > 0) {
		remarks.push(
			'Read only once: without a sure ID it is not possible to tell which records are new. Set ID Path.',
		);
	}
	const reason = reasonOf(figures);
	if (reason !== undefined && records > 0 && figures.endedBy !== 'nothingMore') {
		remarks.push(`${reason}.`);
	}
	return remarks;
}

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

type Warning = (figures: ListingFigures) => string | undefined;

/** What the user should look at, in this order. */
const WARNINGS: readonly Warning[] = [
	badEnd,
	otherNumber,
	doubtfulBeginning,
	onlyPage,
	equalRecords,
	cameAgain,
	doubtfulSize,
	changedPage,
	missingIdPath,
	changingId,
	unseenGrowth,
	repeatedPage,
	differingDuplicates,
	missingNames,
	({ sweeps }) =>
		sweeps.length > 1 && sweeps.at(-1) !== 0
			? 'The last time still found some: there may be more.'
			: undefined,
];

function warningsOf(figures: ListingFigures): string[] {
	return WARNINGS.flatMap((warning) => warning(figures) ?? []);
}

function adviceOf({ idField, untilStable }: ListingFigures): string {
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

function doubtfulBeginning({ idField, isAfterEnd, lastPage, plural }: ListingFigures) {
	if (!isAfterEnd || idField !== undefined) return undefined;
	return `Page ${lastPage} equals an earlier page, so it counts as one after the end. Without an ID it is not possible to tell whether it holds other ${plural}: set ID Path.`;
}

function onlyPage({ isOnlyPage, lastPage, plural }: ListingFigures): string | undefined {
	if (!isOnlyPage) return undefined;
	return `Page ${lastPage} held the same ${plural} as the page before it. If there are more, the service ignores the parameter "page": ask your service provider.`;
}

function equalRecords(figures: ListingFigures): string | undefined {
	const { equalPages, hasGrownUnseen, idField, plural } = figures;
	const [equal] = equalPages;
	const mayBeDoubled = figures.cameAgain > 0 && idField === undefined && !hasGrownUnseen;
	if (equal === undefined && !mayBeDoubled) return undefined;
	const which = equal === undefined ? `Some ${plural}` : `The ${plural} of page ${equal}`;
	return `${which} equal earlier ones. Without an ID it is not possible to tell whether they are others: set ID Path, or compare the number of ${plural}.`;
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

function missingIdPath({ missingIdPath: path, singular }: ListingFigures): string | undefined {
	if (path === undefined) return undefined;
	return `No ${singular} has an ID at "${path}", so repeated ones are not recognized: check ID Path.`;
}

function changingId({ disprovedIdField, isIdChanging, plural }: ListingFigures) {
	if (!isIdChanging) return undefined;
	return `"${disprovedIdField}" is not used as the ID, because it changes with each answer. It is not possible to tell whether any ${plural} came twice: set ID Path.`;
}

function unseenGrowth({ hasGrownUnseen, plural }: ListingFigures): string | undefined {
	if (!hasGrownUnseen) return undefined;
	return `The service counted more ${plural} while the list was read, and no ID shows whether any came twice: set ID Path.`;
}

function repeatedPage(figures: ListingFigures): string | undefined {
	const { plural, repeatedPages } = figures;
	const [repeated] = repeatedPages;
	if (repeated === undefined) return undefined;
	return `Page ${repeated} held only ${plural} of earlier pages, although the list goes on after it: some ${plural} may be missing.${adviceOf(figures)}`;
}

function differingDuplicates(figures: ListingFigures): string | undefined {
	const { differingDuplicates: differing, idField = '' } = figures;
	if (differing === 0) return undefined;
	return `${writeCount(differing, 'duplicate')} had other content. If "${idField}" is not the ID, set ID Path, or turn off Remove Duplicates.`;
}

function missingNames({ plural, missingFields }: ListingFigures): string | undefined {
	if (missingFields.length === 0) return undefined;
	const quoted = missingFields.map((name) => `"${name}"`).join(', ');
	return `None of the ${plural} has ${quoted}: check Output Field Names or IDs.`;
}

function timeTaken(milliseconds: number): string {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}
