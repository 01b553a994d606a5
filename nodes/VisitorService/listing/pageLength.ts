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

export function lengthOf({ records, metadata, skipped = 0 }: Page, asked: number): PageLength {
	return { asked, came: records.length + skipped, stated: metadata.pageSize };
}

export function isAsLongAsAsked({ asked, came }: PageLength): boolean {
	return came === asked;
}

/** The list ends with such a page, or the service has a maximum, or it leaves records out. */
export function isShorterThanAsked({ asked, came }: PageLength): boolean {
	return came < asked;
}

export function isLongerThanAsked({ asked, came }: PageLength): boolean {
	return came > asked;
}

/**
 * Whether fewer records came than were asked for, and no maximum explains it: unless the list ends
 * with the page, records are left out of it.
 *
 * @param longest how many records came on a page
 */
export function isCutShort(page: PageLength, longest: number): boolean {
	return isShorterThanAsked(page) && page.asked <= longest;
}

/** Whether the page states that it has the size asked for, and holds fewer records. */
export function holdsLessThanStated(page: PageLength): boolean {
	return isShorterThanAsked(page) && (page.stated ?? 0) >= page.asked;
}

/** A maximum is rarely less than this part of what is asked for. */
const MAX_SIZE_RATIO = 10;

export function isTooShortForMaximum(asked: number, came: number): boolean {
	return asked > MAX_SIZE_RATIO * came;
}

/** Whether the service may have a maximum of as many records as came. */
export function mayBeMaximum(page: PageLength): boolean {
	const { asked, came } = page;
	return (
		came > 1 && isShorterThanAsked(page) && asked % came === 0 && !isTooShortForMaximum(asked, came)
	);
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
