import type { ListingReport } from './listRecords';

export interface ListingFigures extends ListingReport {
	/** For the sentence, e.g. "users". */
	plural: string;
	records: number;
	requests: number;
	retries: number;
	/** Milliseconds. */
	duration: number;
	/** Whether the whole list was asked for, so that its total can be compared. */
	wholeList: boolean;
	maxPages: number;
	untilStable: boolean;
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
	const { plural, records, pages, requests, retries, duplicates, idField, duration } = figures;
	const facts = [
		`${count(records, 'record')} of ${plural} in ${count(pages, 'page')}`,
		count(requests, 'request'),
		timeTaken(duration),
	];
	if (retries > 0) facts.push(count(retries, 'retry', 'retries'));
	if (duplicates > 0)
		facts.push(`${count(duplicates, 'duplicate')} removed (by "${idField ?? ''}")`);
	return `${facts.join(', ')}.`;
}

function remarksOf({
	pageSizeThatCame,
	sweeps,
	untilStable,
	idField,
	records,
}: ListingFigures): string[] {
	const remarks: string[] = [];
	if (pageSizeThatCame !== undefined) {
		remarks.push(`The service sent pages of ${pageSizeThatCame}, not of the size asked for.`);
	}
	if (sweeps.length > 1) {
		const found = sweeps.slice(1).reduce((sum, added) => sum + added, 0);
		remarks.push(
			`Read ${sweeps.length} times; after the first time ${count(found, 'record')} came to light.`,
		);
	}
	if (untilStable && idField === undefined && records > 0) {
		remarks.push('Read once only: without an id field it cannot be told which records are new.');
	}
	return remarks;
}

function warningsOf(figures: ListingFigures): string[] {
	const { total, records, sweeps, plural, maxPages, capReached, wholeList, untilStable } = figures;
	const warnings: string[] = [];
	if (capReached) {
		warnings.push(`Reading stopped at Max Pages (${maxPages}): there may be more ${plural}.`);
	} else if (wholeList && total !== undefined && total !== records) {
		const advice = untilStable ? '' : ' Switch on Until Stable to read again.';
		warnings.push(
			`The service names a total of ${total}: the list may have changed while it was read, or holds records this client may not see.${advice}`,
		);
	}
	if (sweeps.length > 1 && sweeps.at(-1) !== 0) {
		warnings.push('The last time still brought some: there may be more.');
	}
	return warnings;
}

function count(number: number, one: string, many = `${one}s`): string {
	return `${number} ${number === 1 ? one : many}`;
}

function timeTaken(milliseconds: number): string {
	if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
	return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0)} s`;
}
