/** Where a page lies in the list as far as it is known. */
export type PagePosition =
	| 'empty'
	| 'firstPage'
	/** Records that follow the first page, with or without some of it again. */
	| 'nextPage'
	/** The page begins at the record with its number, as if `page` were an offset. */
	| 'offset'
	| 'elsewhere';

/**
 * Finds a page that was asked for at a size of which the list holds at least three pages, or fewer where it is
 * shorter than three records.
 *
 * @param page keys of its records
 * @param list keys of the records known from the start of the list on
 * @param pageSize the size asked for, which the service may have ignored
 * @param fullPages lengths a first page has where it did
 */
export function locatePage(
	page: readonly string[],
	list: readonly string[],
	pageSize: number,
	fullPages: readonly number[],
): PagePosition {
	if (page.length === 0) return 'empty';
	const places = new Map(list.map((key, place) => [key, place]));
	const known = page.map((key) => places.get(key)).filter((place) => place !== undefined);
	const from = known.reduce((least, place) => Math.min(least, place), Infinity);
	const to = known.reduce((most, place) => Math.max(most, place), -Infinity);
	const ascending = known.every((place, index) => place === from + index);
	if (known.length < page.length) {
		// New records follow the known ones; some services begin a page with the end of the page before.
		const followsList = known.length === 0 || (ascending && to === list.length - 1 && from > 0);
		return followsList ? 'nextPage' : 'elsewhere';
	}
	if (!ascending) return 'elsewhere';
	if (from === 0)
		return to < pageSize || fullPages.includes(page.length) ? 'firstPage' : 'nextPage';
	return from === 1 && page.length === pageSize && pageSize > 2 ? 'offset' : 'nextPage';
}
