import type { JsonObject } from '../listing/findRecords';
import type { PageReading, UserPage, UserPages } from './userPages';

/** One more than the largest page size in common use, and than any this diagnosis recommends. */
export const LARGEST_SIZE_ASKED = 1001;

/** The users list as far as a few pages show it; filled in by the checks of paging, read by all later ones. */
export interface PagingFacts {
	/** The page that came without parameters, and what came for `LARGEST_SIZE_ASKED`. */
	readonly first: UserPage;
	readonly largest: PageReading;
	/** The longer one of these: the beginning of the list, and what tells its records apart. */
	readonly records: JsonObject[];
	readonly keys: string[];
	/** Why pages cannot be compared with each other; undefined where they can. */
	readonly incomparable?: string;
	firstPageNumber?: 0 | 1;
	pageSizeHonoured?: boolean;
	/** Whether pages come shorter than asked for although records follow; undefined as long as it is not known. */
	shortPages?: boolean;
	/** The largest first page that came in full: no record was left out of it. */
	fullPage: number;
	/** Whether the page size an answer names is the one it was made with. */
	statesPageSize: boolean;
	/** Whether records follow the known ones. */
	more?: boolean;
	/** The largest size that is honoured, and the largest one that is known to be. */
	maxPageSize?: number;
	acceptedPageSize?: number;
}

/** Asks for the largest page, which shows most of the list at once. */
export async function gatherPagingFacts(pages: UserPages): Promise<PagingFacts> {
	const { first } = pages;
	const largest: PageReading =
		first.keys.length === 0
			? { kind: 'unclear', reason: 'The list is empty.' }
			: await pages.read({ pageSize: LARGEST_SIZE_ASKED });
	const longer =
		largest.kind === 'page' && largest.page.keys.length > first.keys.length ? largest.page : first;
	return {
		first,
		largest,
		records: longer.records,
		keys: longer.keys,
		incomparable: reasonNotToCompare(first, largest, longer),
		fullPage:
			largest.kind === 'page' && largest.page.keys.length === LARGEST_SIZE_ASKED
				? LARGEST_SIZE_ASKED
				: 0,
		statesPageSize: false,
	};
}

/** Asks for the first page at this size and notes what it shows. */
export async function readFirstPage(
	pages: UserPages,
	facts: PagingFacts,
	pageSize: number,
): Promise<PageReading> {
	const reading = await pages.read({ pageSize });
	if (reading.kind !== 'page') return reading;
	const { keys } = reading.page;
	noteRecords(facts, keys);
	if (keys.length === pageSize) facts.fullPage = Math.max(facts.fullPage, pageSize);
	return reading;
}

/** Notes that the list is longer than was known, where a page holds other records. */
export function noteRecords(facts: PagingFacts, keys: readonly string[]): void {
	if (bringsOthers(keys, facts.keys)) facts.more = true;
}

/** A page size the service is known to honour, at most the one wanted; undefined where none is known. */
export function honouredSize(facts: PagingFacts, wanted: number): number | undefined {
	const { pageSizeHonoured, maxPageSize, acceptedPageSize, largest } = facts;
	if (pageSizeHonoured === false) return undefined;
	if (maxPageSize !== undefined) return Math.min(wanted, maxPageSize);
	if (largest.kind === 'page') return wanted;
	return acceptedPageSize === undefined ? undefined : Math.min(wanted, acceptedPageSize);
}

function reasonNotToCompare(
	first: UserPage,
	largest: PageReading,
	longer: UserPage,
): string | undefined {
	if (first.keys.length === 0) return 'The list is empty.';
	if (new Set(longer.keys).size < longer.keys.length) {
		return 'Some records are equal and have no ID, so pages cannot be told apart.';
	}
	if (largest.kind !== 'page' || startsAlike(first.keys, largest.page.keys)) return undefined;
	return 'The order of the list changes from one request to the next.';
}

/** Whether one page, which is not empty, is the beginning of the other. */
function startsAlike(one: readonly string[], other: readonly string[]): boolean {
	const length = Math.min(one.length, other.length);
	return length > 0 && one.slice(0, length).every((key, index) => key === other[index]);
}

/** Whether a page holds records beside those known, however long the list is. */
export function bringsOthers(keys: readonly string[], known: readonly string[]): boolean {
	const all = new Set(known);
	return keys.some((key) => !all.has(key));
}
