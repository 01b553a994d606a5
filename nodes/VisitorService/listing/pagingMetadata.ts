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

/** All keys in lower case: they are compared without case, as those of lists are. */
const TOTAL_KEYS = [
	'total',
	'totalcount',
	'total_count',
	'totalelements',
	'total_elements',
	'totalitems',
	'total_items',
	'totalrecords',
	'total_records',
	'totalresults',
	'total_results',
	'recordcount',
	'record_count',
	'@odata.count',
];
const PAGE_COUNT_KEYS = [
	'totalpages',
	'total_pages',
	'pagecount',
	'page_count',
	'pagestotal',
	'pages',
];
const LAST_KEYS = ['last', 'islast', 'is_last', 'lastpage', 'islastpage', 'is_last_page'];
const MORE_KEYS = [
	'hasmore',
	'has_more',
	'hasnext',
	'has_next',
	'hasnextpage',
	'has_next_page',
	'moreavailable',
	'more',
];
/** Addresses of the next page. That none is given says nothing: many services never give one. */
const NEXT_KEYS = ['next', 'nextpage', 'next_page', 'nextlink', 'next_link', '@odata.nextlink'];
const CONTAINER_KEYS = [
	'meta',
	'_meta',
	'metadata',
	'page',
	'paging',
	'pagination',
	'pageinfo',
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

type Fields = ReadonlyMap<string, unknown>;

function metadataPlaces(body: unknown): Fields[] {
	if (!isRecord(body)) return [];
	const outermost = fieldsOf(body);
	const inner = containersIn(outermost);
	return [outermost, ...inner.flatMap((place) => [place, ...containersIn(place)])];
}

function containersIn(place: Fields): Fields[] {
	return CONTAINER_KEYS.map((key) => place.get(key))
		.filter(isRecord)
		.map(fieldsOf);
}

function fieldsOf(value: Record<string, unknown>): Fields {
	return new Map(Object.entries(value).map(([key, inner]) => [key.toLowerCase(), inner]));
}

function first<T>(
	places: readonly Fields[],
	keys: readonly string[],
	read: (value: unknown) => T | undefined,
): T | undefined {
	for (const place of places) {
		for (const key of keys) {
			const value = read(place.get(key));
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

function namesNext(places: readonly Fields[]): boolean {
	return places.some((place) =>
		NEXT_KEYS.some((key) => {
			const next = place.get(key);
			return typeof next === 'string' && next !== '';
		}),
	);
}

/** RFC 8288. */
function linkNamesNext(link = ''): boolean {
	return /;\s*rel="?[^",;]*\bnext\b/i.test(link);
}
