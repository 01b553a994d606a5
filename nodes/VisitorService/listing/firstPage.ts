import { ServiceFailure } from '../failure/serviceFailure';
import {
	isPageOutOfRange,
	mayCountFromOne,
	type Page,
	type PageReader,
	pageOutOfRange,
} from '../response/pageReader';
import { statesNoRecords } from '../response/paging';
import type { Records } from '../values/json';

export type FirstPageNumber = 0 | 1;

interface FirstPage {
	number: FirstPageNumber;
	page: Page;
	/** The page after it, if it was read. */
	next?: Page;
}

interface FirstPageOptions {
	/** The requested page size. */
	pageSize: number;
	/** The number that an earlier reading has shown. */
	remembered?: FirstPageNumber;
	/** Whether the user can set Page. */
	hasPage?: boolean;
	/** Whether these records are all that is wanted, so that it does not matter what follows them. */
	areEnough?: (zero: Records) => boolean;
	/** Whether two pages begin with the same record; false unless it is set. */
	beginAlike?: (zero: Records, one: Records) => boolean;
}

/** What the response for page 0 shows. */
type PageZero =
	| { kind: 'first' }
	| { kind: 'failed'; failure: ServiceFailure }
	/** Also without a list. `isStated`: it also states that the list has no records. */
	| { kind: 'empty'; isStated: boolean }
	/** It states the number of a later page, such as the last one. */
	| { kind: 'otherPage' }
	/** It may be the whole list, or what is sent without parameters, in a form of its own. */
	| { kind: 'unpaged'; page: Page };

/**
 * Reads page 0. If that may not be a page, reads page 1 too, because many services count from 1;
 * and then page 0 once more, unless it stated that the list is empty, because it may have failed
 * only for a moment.
 *
 * @throws the failure of page 0, unless page 1 is a list
 */
export async function readFirstPage(
	reader: Pick<PageReader, 'read' | 'releaseForm'>,
	options: FirstPageOptions,
): Promise<FirstPage> {
	const { hasPage = false, pageSize, remembered } = options;
	if (remembered === 1) return { number: 1, page: await reader.read(1, pageSize) };
	const readPageZero = async () => await reader.read(0, pageSize).catch(requirePageZero);
	const zero = await readPageZero();
	const state = stateOf(zero, options);
	const isSettled = remembered === 0 && (state.kind === 'empty' || state.kind === 'unpaged');
	if (state.kind === 'first' || isSettled) return { number: 0, page: zero };
	const restoreForm = reader.releaseForm();
	const one = await reader
		.read(1, pageSize)
		.catch((error: unknown) => (isPageOutOfRange(error) ? pageOutOfRange(error) : undefined));
	if (one === undefined || !isFirstPage(one, state, options)) {
		if (state.kind === 'failed') throw failureToSolve(state.failure, one);
		restoreForm();
		return { number: 0, page: zero, next: one };
	}
	if (state.kind === 'empty' && state.isStated) return { number: 1, page: one };
	const keepForm = reader.releaseForm();
	const again = await readPageZero();
	const stateAgain = stateOf(again, options);
	if (stateAgain.kind === 'failed' && isInternalError(stateAgain.failure))
		throw pageZeroFailure(stateAgain.failure, hasPage);
	if (!isFirstPage(one, stateAgain, options)) return { number: 0, page: again, next: one };
	keepForm();
	return { number: 1, page: one };
}

function requirePageZero(error: unknown): Page {
	if (mayCountFromOne(error)) return pageOutOfRange(error);
	throw error;
}

function stateOf(page: Page, { areEnough, beginAlike, pageSize }: FirstPageOptions): PageZero {
	const { metadata, path, records } = page;
	const { more, pageNumber = 0, total } = metadata;
	if (page.kind === 'outOfRange') return { kind: 'failed', failure: page.failure };
	if (page.kind !== 'records') return { kind: 'empty', isStated: statesNoRecords(metadata) };
	if (pageNumber > 1) return { kind: 'otherPage' };
	// A page that is cut to a maximum says how many there are, or is followed by another one anyway.
	const isSilent = Object.values(metadata).every((value) => value === undefined);
	const isOdd = isSilent && (records.length < pageSize || path === '');
	const isWhole = total === records.length || more === false;
	const mayBeUnpaged = (isOdd || records.length > pageSize) && !isWhole;
	const matters = mayBeUnpaged && beginAlike !== undefined && areEnough?.(records) !== true;
	return matters ? { kind: 'unpaged', page } : { kind: 'first' };
}

function isFirstPage(
	{ kind, metadata, path, records }: Page,
	state: PageZero,
	{ beginAlike }: FirstPageOptions,
): boolean {
	switch (state.kind) {
		case 'first':
			return false;
		case 'failed':
			return kind === 'records' || (kind === 'empty' && !isInternalError(state.failure));
		case 'empty':
			return kind === 'records';
		case 'otherPage':
			return kind === 'records' && metadata.pageNumber === 1;
		case 'unpaged': {
			const zero = state.page;
			const isOther = records.length !== zero.records.length || path !== zero.path;
			return isOther && beginAlike?.(zero.records, records) === true;
		}
	}
}

/** If the service counts from 1, page 0 is not to be had, but what it says of page 1 helps. */
function failureToSolve(zero: ServiceFailure, one: Page | undefined): ServiceFailure {
	const doesNamePage = /\bpage\b(?![\s_-]?size)/i.test(zero.serverText ?? '');
	const isOther = one?.kind === 'outOfRange' && one.failure.statusCode === zero.statusCode;
	return doesNamePage && isOther ? one.failure : zero;
}

/** The next request for page 0 may succeed, so this does not show that pages count from 1. */
function isInternalError({ statusCode }: ServiceFailure): boolean {
	return statusCode === 500;
}

function pageZeroFailure(
	{ statusCode, serverText }: ServiceFailure,
	hasPage: boolean,
): ServiceFailure {
	return new ServiceFailure(
		'The service failed for page 0 (status 500), but page 1 can be read.',
		hasPage
			? 'If its pages are numbered from 1, turn off Return All and set Page to 1. Otherwise ask your service provider why page 0 fails.'
			: 'Ask your service provider why page 0 fails.',
		{ kind: 'service', statusCode, serverText },
	);
}
