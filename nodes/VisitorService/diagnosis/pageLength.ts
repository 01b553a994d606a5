import type { Page } from '../answer/pageReader';
import type { PagingMetadata } from '../answer/paging';

/** How many records a page holds, and how many it was to hold. */
export interface PageLength {
	/** Items per page that were asked for; 0 if no size was. */
	asked: number;
	came: number;
	/** The page size that the answer states. */
	stated?: number;
}

export function lengthOf({ records, metadata }: Page, asked: number): PageLength {
	return { asked, came: records.length, stated: metadata.pageSize };
}

/**
 * Whether the size that pages state proved to be that of the page: it is neither the number of its
 * records, nor the same in each answer.
 */
export function stateTheirSize(pages: readonly PageLength[]): boolean {
	const stating = pages.flatMap(({ asked, came, stated }) =>
		came === 0 || stated === undefined ? [] : [{ asked, came, stated }],
	);
	return (
		new Set(stating.map(({ stated }) => stated)).size > 1 &&
		stating.some(({ stated, came }) => stated !== came) &&
		stating.some(({ stated, asked }) => stated === asked) &&
		stating.every(({ stated, came }) => stated >= came)
	);
}

/** Whether pages of the size that a page states make up the page count and the total it names. */
export function isStatedSizeCounted({
	pageSize,
	total = 0,
	totalPages = 0,
}: PagingMetadata): boolean {
	return pageSize !== undefined && totalPages > 1 && Math.ceil(total / pageSize) === totalPages;
}

/** How many records a page has room for, as far as the pages of its list show. */
export function roomOf({ came, stated = came }: PageLength, pages: readonly PageLength[]): number {
	return stateTheirSize(pages) ? stated : came;
}
