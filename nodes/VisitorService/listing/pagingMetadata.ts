import { isRecord } from '../json/isRecord';

/** What a page says about the list it belongs to. Every part may be missing, and totals may lag. */
export interface PagingMetadata {
	/** Number of records in the whole list. */
	total?: number;
	/** Number of pages at the size of this page. */
	totalPages?: number;
	/** Whether pages follow this one. */
	more?: boolean;
}

const TOTAL_KEYS = [
	'total',
	'totalCount',
	'total_count',
	'totalElements',
	'total_elements',
	'totalItems',
	'total_items',
	'totalRecords',
	'total_records',
	'totalResults',
	'total_results',
	'recordCount',
	'record_count',
	'@odata.count',
];
const PAGE_COUNT_KEYS = ['totalPages', 'total_pages', 'pageCount', 'page_count', 'pagesTotal', 'pages'];
const LAST_KEYS = ['last', 'isLast', 'is_last', 'lastPage', 'isLastPage', 'is_last_page'];
const MORE_KEYS = [
	'hasMore',
	'has_more',
	'hasNext',
	'has_next',
	'hasNextPage',
	'has_next_page',
	'moreAvailable',
	'more',
];
/** Addresses of the next page. That none is given says nothing: many services never give one. */
const NEXT_KEYS = ['next', 'nextPage', 'next_page', 'nextLink', 'next_link', '@odata.nextLink'];
const CONTAINER_KEYS = [
	'meta',
	'_meta',
	'metadata',
	'page',
	'paging',
	'pagination',
	'pageInfo',
	'page_info',
	'pageable',
	'result',
	'results',
	'data',
	'response',
	'payload',
	'links',
];

/** Reads paging metadata from the usual places of a body, one level below them, and from headers. */
export function readPagingMetadata(
	body: unknown,
	headers: Readonly<Record<string, string>>,
): PagingMetadata {
	const places = metadataPlaces(body);
	const last = first(places, LAST_KEYS, toBoolean);
	const more = first(places, MORE_KEYS, toBoolean) ?? (last === undefined ? undefined : !last);
	return {
		total:
			first(places, TOTAL_KEYS, toCount) ??
			toCount(headers['x-total-count'] ?? headers['x-total'] ?? headers['total-count']),
		totalPages:
			first(places, PAGE_COUNT_KEYS, toCount) ??
			toCount(headers['x-total-pages'] ?? headers['x-page-count']),
		more: more ?? (namesNext(places) || linkNamesNext(headers.link) ? true : undefined),
	};
}

function metadataPlaces(body: unknown): Array<Record<string, unknown>> {
	if (!isRecord(body)) return [];
	const places = [body];
	for (const key of CONTAINER_KEYS) {
		const inner = body[key];
		if (!isRecord(inner)) continue;
		places.push(inner);
		for (const deeper of CONTAINER_KEYS) if (isRecord(inner[deeper])) places.push(inner[deeper]);
	}
	return places;
}

function first<T>(
	places: Array<Record<string, unknown>>,
	keys: readonly string[],
	read: (value: unknown) => T | undefined,
): T | undefined {
	for (const place of places) {
		for (const key of keys) {
			const value = read(place[key]);
			if (value !== undefined) return value;
		}
	}
	return undefined;
}

function toCount(value: unknown): number | undefined {
	const number = typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value;
	return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
		? number
		: undefined;
}

function toBoolean(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	if (value === 'true') return true;
	return value === 'false' ? false : undefined;
}

function namesNext(places: Array<Record<string, unknown>>): boolean {
	return places.some((place) =>
		NEXT_KEYS.some((key) => typeof place[key] === 'string' && place[key] !== ''),
	);
}

/** RFC 8288. */
function linkNamesNext(link = ''): boolean {
	return /;\s*rel="?[^",;]*\bnext\b/i.test(link);
}
