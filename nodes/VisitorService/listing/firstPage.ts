import { ServiceFailure } from '../failure/serviceFailure';
import { isPageOutOfRange, type Page, pageOutOfRange } from '../response/pageReader';

/** The number of the first page of a list. */
export type FirstPageNumber = 0 | 1;

export interface FirstPage {
	number: FirstPageNumber;
	page: Page;
	/** The page after it, if it was read. */
	next?: Page;
}

type ReadPage = (pageNumber: number) => Promise<Page>;

/** What the response for page 0 shows. */
type PageZero =
	| { kind: 'first' }
	| { kind: 'failed'; failure: ServiceFailure }
	/** `isStated`: it also states that the list has no records. */
	| { kind: 'empty'; isStated: boolean }
	/** It states the number of a later page, such as the last one. */
	| { kind: 'otherPage' };

/**
 * Reads page 0. If it fails or is empty, reads page 1 too, because many services count from 1; and
 * then page 0 once more, unless it stated that the list is empty, because it may have failed only
 * for a moment.
 *
 * @param remembered the number that an earlier reading has shown
 * @throws the failure of page 0, unless page 1 is a list
 */
export async function readFirstPage(
	read: ReadPage,
	remembered?: FirstPageNumber,
): Promise<FirstPage> {
	if (remembered === 1) return { number: 1, page: await read(1) };
	const zero = await readPageZero(read);
	const state = stateOf(zero);
	if (state.kind === 'first' || (state.kind === 'empty' && remembered === 0))
		return { number: 0, page: zero };
	const one = await read(1).catch(() => undefined);
	if (one === undefined || !isFirstPage(one, state)) {
		if (state.kind === 'failed') throw state.failure;
		return { number: 0, page: zero, next: one };
	}
	const isSure = state.kind === 'empty' && state.isStated;
	const again = isSure ? zero : await readPageZero(read);
	const stateAgain = stateOf(again);
	if (stateAgain.kind === 'first') return { number: 0, page: again, next: one };
	if (stateAgain.kind === 'failed' && isInternalError(stateAgain.failure))
		throw pageZeroFailure(stateAgain.failure);
	return { number: 1, page: one };
}

async function readPageZero(read: ReadPage): Promise<Page> {
	return await read(0).catch((error: unknown) => {
		if (isPageOutOfRange(error) || isInternalError(error)) return pageOutOfRange(error);
		throw error;
	});
}

function stateOf(page: Page): PageZero {
	const { more, pageNumber = 0, total, totalPages } = page.metadata;
	if (page.kind === 'outOfRange') return { kind: 'failed', failure: page.failure };
	const isStated = total === 0 || totalPages === 0 || more === false;
	if (page.kind === 'empty') return { kind: 'empty', isStated };
	return { kind: pageNumber > 1 ? 'otherPage' : 'first' };
}

function isFirstPage({ kind, metadata }: Page, state: PageZero): boolean {
	switch (state.kind) {
		case 'failed':
			return kind === 'records' || (kind === 'empty' && !isInternalError(state.failure));
		case 'otherPage':
			return kind === 'records' && metadata.pageNumber === 1;
		default:
			return kind === 'records';
	}
}

/** The next request for page 0 may succeed, so this does not show that pages count from 1. */
function isInternalError(error: unknown): error is ServiceFailure {
	return error instanceof ServiceFailure && error.statusCode === 500;
}

function pageZeroFailure({ statusCode, serverText }: ServiceFailure): ServiceFailure {
	return new ServiceFailure(
		'The service failed for page 0 (status 500), but page 1 can be read.',
		'If its pages are numbered from 1, turn off Return All and set Page to 1. Otherwise ask your service provider why page 0 fails.',
		{ kind: 'service', statusCode, serverText },
	);
}
