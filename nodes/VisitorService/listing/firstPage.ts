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
	/** What page 0 held, if the service counts from 1. */
	surplus?: Page;
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

/** What the response for page 0 may be. */
type PageZero =
	| 'first'
	| 'failed'
	/** Also without a list. */
	| 'empty'
	/** It states the number of a later page, such as the last one. */
	| 'otherPage'
	/** The whole list, or what is sent without parameters, in a form of its own. */
	| 'unpaged';

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
	const isSettled = remembered === 0 && (state === 'empty' || state === 'unpaged');
	if (state === 'first' || isSettled) return { number: 0, page: zero };
	const restoreForm = reader.releaseForm();
	const one = await reader
		.read(1, pageSize)
		.catch((error: unknown) => (isPageOutOfRange(error) ? pageOutOfRange(error) : undefined));
	if (one === undefined || !isFirstPage(one, zero, options)) {
		if (zero.kind === 'outOfRange') throw failureToSolve(zero.failure, one);
		restoreForm();
		return { number: 0, page: zero, next: one };
	}
	if (state === 'empty' && statesNoRecords(zero.metadata)) return { number: 1, page: one };
	const keepForm = reader.releaseForm();
	const again = await readPageZero();
	// Neither an internal error nor page 0 of an earlier reading shows that pages count from 1.
	if (again.kind === 'outOfRange' && (remembered === 0 || isInternalError(again.failure)))
		throw pageZeroFailure(again.failure, hasPage);
	if (!isFirstPage(one, again, options)) return { number: 0, page: again, next: one };
	keepForm();
	return { number: 1, page: one, surplus: again };
}

function requirePageZero(error: unknown): Page {
	// A body with a status of success may reject page 0, too.
	const isRejected =
		error instanceof ServiceFailure && error.kind === 'response' && doesNamePage(error);
	if (isRejected || mayCountFromOne(error)) return pageOutOfRange(error);
	throw error;
}

const doesNamePage = ({ serverText = '' }: ServiceFailure) =>
	/\bpage\b(?![\s_-]?size)/i.test(serverText);

function stateOf(page: Page, { areEnough, beginAlike, pageSize }: FirstPageOptions): PageZero {
	const { metadata, path, records } = page;
	const { more, pageNumber = 0, total } = metadata;
	if (page.kind === 'outOfRange') return 'failed';
	if (page.kind !== 'records') return 'empty';
	if (pageNumber > 1) return 'otherPage';
	// A page that is cut to a maximum says how many there are, or is followed by another one anyway.
	const isSilent = Object.values(metadata).every((value) => value === undefined);
	const isOdd = isSilent && (records.length < pageSize || path === '');
	const isWhole = total === records.length || more === false;
	const mayBeUnpaged = (isOdd || records.length > pageSize) && !isWhole;
	const matters = mayBeUnpaged && beginAlike !== undefined && areEnough?.(records) !== true;
	return matters ? 'unpaged' : 'first';
}

/** Whether the list begins with page 1. */
function isFirstPage(one: Page, zero: Page, options: FirstPageOptions): boolean {
	const { kind, metadata, path, records } = one;
	switch (stateOf(zero, options)) {
		case 'first':
			return false;
		case 'failed': {
			const mayBeMomentary = zero.kind === 'outOfRange' && isInternalError(zero.failure);
			return kind === 'records' || (kind === 'empty' && !mayBeMomentary);
		}
		case 'empty':
			return kind === 'records';
		case 'otherPage':
			return kind === 'records' && metadata.pageNumber === 1;
		case 'unpaged': {
			const isOther = records.length !== zero.records.length || path !== zero.path;
			return isOther && options.beginAlike?.(zero.records, records) === true;
		}
	}
}

/** If the service counts from 1, page 0 is not to be had, but what it says of page 1 helps. */
function failureToSolve(zero: ServiceFailure, one: Page | undefined): ServiceFailure {
	const isOther = one?.kind === 'outOfRange' && one.failure.statusCode === zero.statusCode;
	return isOther && doesNamePage(zero) ? one.failure : zero;
}

/** The next request for page 0 may succeed, so this does not show that pages count from 1. */
function isInternalError({ statusCode }: ServiceFailure): boolean {
	return statusCode === 500;
}

function pageZeroFailure(
	{ statusCode, serverText }: ServiceFailure,
	hasPage: boolean,
): ServiceFailure {
	const status = statusCode === undefined ? '' : ` (status ${statusCode})`;
	return new ServiceFailure(
		`The service failed for page 0${status}, but page 1 can be read.`,
		hasPage
			? 'If its pages are numbered from 1, turn off Return All and set Page to 1. Otherwise ask your service provider why page 0 fails.'
			: 'Ask your service provider why page 0 fails.',
		{ kind: 'service', statusCode, serverText },
	);
}
