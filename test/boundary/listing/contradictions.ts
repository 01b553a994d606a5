import type { ListTraits } from '../../drawn/listTraits';
import { contentsOf, recordsOf } from '../../drawn/records';
import type { JsonObject } from '../../reference-service';
import { type GivenResponse, type StatedPage, statedBy } from './listService';

interface Page extends StatedPage {
	page: number;
}

/**
 * What in the responses says that these records are not the whole list; undefined if nothing does,
 * so that no reader can know.
 */
export function contradictionIn(
	given: readonly GivenResponse[],
	received: readonly JsonObject[],
	traits: ListTraits,
	how: { concurrency: number; pageSize: number; from?: number },
): string | undefined {
	const { concurrency, pageSize } = how;
	// Pages are numbered from 0 until one of them shows otherwise (docs/listing.md).
	const isNumberingShown = how.from === undefined || received.length > 0;
	const from = (how.from ?? 0) + (isNumberingShown ? 0 : traits.firstPageNumber * pageSize);
	const pages = concurrency === 1 ? pagesOf(given) : upToEnd(pagesOf(given));
	const seen = new Set(contentsOf(recordsOf(traits.kind, from)));
	const held = new Set([...seen, ...contentsOf(received)]);
	// Without an ID, equal records may be others.
	const hasId = traits.kind === 'id' || traits.kind === 'onlyId';
	let shownCount = 0;
	let last: Page | undefined;
	for (const page of pages) {
		const contents = contentsOf(page.records);
		if (contents.some((content) => !held.has(content))) return `page ${page.page} showed others`;
		const isNew = contents.some((content) => !seen.has(content));
		if (isNew || (!hasId && contents.length > 0 && shownCount < received.length)) {
			last = page;
			shownCount += contents.length;
		}
		for (const content of contents) seen.add(content);
	}
	const total = Math.max(0, ...pages.map(({ stated }) => totalIn(stated)));
	if (total > from + received.length) return `a total of ${total}`;
	if (last === undefined) return undefined;
	const { page, records, stated } = last;
	// If pages are counted from 1, page 0 is that page.
	const pageCount = Math.max(1, page + 1 - traits.firstPageNumber);
	const statedCount = Number(stated.totalPages ?? 0);
	if (!traits.countsByRequestedSize && statedCount > pageCount) return `${statedCount} pages`;
	if (pages.some((one) => one.page > page)) return undefined;
	const isMoreStated = stated.hasMore === true || stated.last === false;
	const isCounted = statedCount === pageCount || total === from + received.length;
	const isEndStated = stated.hasMore === false || stated.last === true || isCounted;
	const longest = Math.max(...pages.map((one) => one.records.length));
	return isEndStated || (records.length < longest && !isMoreStated)
		? undefined
		: `nothing after page ${page} was requested`;
}

/** In order; of two responses to the same question the later one counts. */
function pagesOf(given: readonly GivenResponse[]): Page[] {
	const distinct = new Map(
		given.map(({ page, pageSize, outcome }) => [
			`${page} of ${pageSize}`,
			{ page, ...statedBy(outcome) },
		]),
	);
	return [...distinct.values()].sort((one, other) => one.page - other.page);
}

/** What was requested in advance may have come when the reader needed no more. */
function upToEnd(pages: readonly Page[]): Page[] {
	const end = pages.findIndex(({ page, records, stated }) => {
		const isEndStated = stated.hasMore === false || stated.last === true;
		return isEndStated || (page > 0 && records.length === 0);
	});
	return end === -1 ? [...pages] : pages.slice(0, end + 1);
}

const TOTALS = ['total', 'totalElements', '@odata.count'];

const totalIn = (stated: JsonObject) =>
	Math.max(0, ...TOTALS.map((name) => Number(stated[name] ?? 0)));
