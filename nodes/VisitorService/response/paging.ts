import { isJsonObject, type JsonObject } from '../values/json';
import { readBoolean, readDecimal } from '../values/scalar';
import { type Envelope, type EnvelopeList, readEnvelope } from './envelope';
import { isPageNumber, type Names, namesOf, normalizedLocalName, PAGE_NUMBER } from './fieldNames';
import {
	type Headers,
	parseRelations,
	readLinkHeader,
	readPagingHeaders,
	readRangeHeader,
} from './pagingHeaders';

/** What a page states of its list. Every part may be missing, and totals may lag behind. */
export interface PagingMetadata {
	/** Number of records in the whole list. */
	total?: number;
	/** Number of pages at the size of this page. */
	totalPages?: number;
	/** Whether pages follow this one. */
	more?: boolean;
	/**
	 * `named`: it has a URL, a number or a cursor of the next page; `none`: a field for it is empty.
	 */
	nextPage?: 'named' | 'none';
	/** Number of records on a full page, as the service counts it. */
	pageSize?: number;
	/** Number of records before this page. */
	offset?: number;
	/** The number of this page, counted from 0 or from 1. */
	pageNumber?: number;
}

/* Normalized local names. `count`, `size` and `found` often describe the page alone. */

/** Totals after filtering. The list that is read is filtered too. */
const FILTERED_TOTAL = /^(?:recordsfiltered|itotaldisplayrecords|filtercount|totalfiltered)$/;
/** `totalCount`, `itemsTotal`, `total_number_of_results` and the like. */
const TOTAL = namesOf({
	part: 'total',
	words: `total of number count size record records item items row rows result results entries
		elements objects hits matches docs`,
	others: 'odata.count totalremotecount objectcount numfound nbhits numresults',
});
/** `pageCount`, `pages_total`, `numberOfPages`; not `pageNumber`. */
const PAGE_COUNT =
	/^(?=.*(?:total|count|pages))(?:total|number|num|nb|count|of)*pages?(?:total|count)?$/;
const OFFSET = /^(?:offset|skip|start|from|startat|startindex|firstresult)$/;
const PAGE_SIZES = [/^pagesize$/, /^(?:size|perpage|limit|itemsperpage)$/];

/** `hasMore`, `has_next_page`, `more_items_in_collection`; only if the value is true or false. */
const MORE_FLAG = namesOf({
	begins: 'more next hasmore hasnext ismore isnext aremore arenext',
	words: `page pages item items result results record records row rows data available remaining
		exist exists in collection`,
	others: 'exceededtransferlimit truncated istruncated',
});
const LAST_FLAG =
	/^(?:is)?last(?:page)?$|^endof(?:stream|list|results|data)$|^done$|^nomore(?:pages)?$/;
/** Names under which 1 and 0 may be page numbers, and not flags. */
const MAY_BE_NUMBER = /^(?:next|last)/;

/**
 * Names of the next page. That it is missing means nothing, because many services never name it.
 */
const NEXT = namesOf({
	begins: 'next odata.next cursornext',
	words: `page cursor token link url uri href start offset marker key id range records results by
		index skip reference`,
	others:
		'paginationtoken pagetoken continue continuation continuetoken continuationtoken aftercursor',
});
const PREVIOUS = /^prev(?:ious)?(?:page|link|url|uri|href|cursor)*$/;
/** Fields of an object under such a name if it leads to the next page: it may be something else. */
const DESTINATION = new Set(
	`url uri href link resource path page pagenumber number index key id cursor token after offset
	start startindex skip marker next`.split(/\s+/),
);
/** Nothing, written as text. */
const WRITTEN_NOTHING = /^\s*(?:(?:null|none|nil|undefined|nan|false|n\/a)\s*)?$/i;

/** Names of objects that describe the list, beside those around it. */
const ABOUT_PAGES = [
	/^(?:meta|navigation|additionaldata|view|properties|results?|response|payload|list|data|d)$/,
	/(?:metadata|info)$/,
	/page|paging|paginat|pagy|cursor|link/,
];

/** Whether a page without records states that the list has none. */
export function statesNoRecords({ more, total, totalPages }: PagingMetadata): boolean {
	return total === 0 || totalPages === 0 || more === false;
}

/** The fields of one object, each by its `normalizedLocalName`. */
type Fields = ReadonlyArray<readonly [name: string, value: unknown]>;

/** Reads the objects around the records, those that describe the list, and headers. */
export function readPagingMetadata(body: unknown, headers: Headers): PagingMetadata {
	const envelope = readEnvelope(body);
	const scopes = [
		...scopesIn(envelope),
		...readPagingHeaders(headers).map((named) => scopeOf(named)),
	];
	const range = readRangeHeader(headers);
	const links = readLinkHeader(headers.link);
	const next = findNextPage(scopes, envelope);
	const grid = scopes.map(gridCounts).find((counts) => counts !== undefined);
	const pageSize = firstValue(scopes, PAGE_SIZES, toCount) || undefined;
	// Django REST framework counts the whole list, and always names next and previous page.
	const django = scopes.filter((one) => has(one, /^next$/) && has(one, /^prev(?:ious)?$/));
	const total =
		grid?.total ??
		firstValue(scopes, [FILTERED_TOTAL, TOTAL], toTotal) ??
		totalOfNamed(scopes, envelope) ??
		firstValue(django, [/^count$/], toCount);
	const pages = grid?.totalPages ?? firstValue(scopes, [PAGE_COUNT], toCount);
	return {
		total: total ?? range.total,
		totalPages: pages ?? lastPage(scopes, total, pageSize) ?? links.totalPages,
		more:
			readHasMore(scopes) ??
			(next === 'named' ? true : (links.more ?? range.more ?? endByPrevious(scopes))),
		nextPage: links.nextPage === 'named' ? 'named' : (next ?? links.nextPage),
		pageSize,
		offset: firstValue(scopes, [OFFSET], toCount) ?? springOffset(scopes),
		pageNumber: firstValue(scopes, [PAGE_NUMBER], toCount),
	};
}

function scopesIn({ objects, lists }: Envelope): Fields[] {
	return objects.flatMap(({ keys, name, value, isMetadata }) => {
		const isWithinScope = (list: EnvelopeList) =>
			list.list !== null && keys.every((key, depth) => key === list.keys[depth]);
		const isAround = keys.length === 0 || (!isMetadata && lists.some(isWithinScope));
		const isScope = isAround || ABOUT_PAGES.some((pattern) => pattern.test(name));
		return isScope ? [scopeOf(value, name)] : [];
	});
}

function scopeOf(value: JsonObject, name = ''): Fields {
	// OData: `@odata.count`, `@count`, `$count`, and `__count` in its second version.
	const nameOf = (key: string) =>
		/^(?:@|\$|__)count$/.test(key) ? 'odata.count' : normalizedLocalName(key);
	const fields = Object.entries(value).map(([key, inner]) => [nameOf(key), inner] as const);
	if (/^pag(?:es?|ing|ination)$/.test(name) && isPageOfPages(fields))
		return fields.filter(([key]) => key !== 'total');
	// Beside `before`, `after` is the cursor to the end of this page, which may be the last one.
	if (!name.includes('cursor') || has(fields, /^before$/, leadsSomewhere)) return fields;
	return fields.map(([key, one]) => [key === 'after' ? 'aftercursor' : key, one]);
}

/** "Page 1 of 6": beside nothing but the page number, a total may be the number of pages. */
function isPageOfPages(fields: Fields): boolean {
	const numbers = fields.filter(([key, one]) => !NEXT.test(key) && toCount(one) !== undefined);
	const isPageField = (key: string) => isPageNumber(key) || isPageNumber(`page${key}`);
	return numbers.length === 2 && numbers.every(([key]) => key === 'total' || isPageField(key));
}

function has(fields: Fields, names: Names, holds: (value: unknown) => boolean = () => true) {
	return fields.some(([name, value]) => names.test(name) && holds(value));
}

/** The value under the first of these names, in the outermost scope that has any. */
function firstValue<T>(
	scopes: readonly Fields[],
	names: readonly Names[],
	read: (value: unknown, name: string) => T | undefined,
): T | undefined {
	for (const fields of scopes) {
		for (const named of names) {
			for (const [name, value] of fields) {
				const found = named.test(name) ? read(value, name) : undefined;
				if (found !== undefined) return found;
			}
		}
	}
	return undefined;
}

/** `total_users`, if there is a list called `users`. */
function totalOfNamed(scopes: readonly Fields[], { lists }: Envelope): number | undefined {
	const names = new Set(lists.map(({ name }) => name));
	return firstValue(scopes, [/^total|total$/], (value, name) =>
		names.has(name.replace(/^total|total$/, '')) && !PAGE_COUNT.test(name)
			? toTotal(value)
			: undefined,
	);
}

/** jqGrid calls the number of pages `total`, and that of records `records`. */
function gridCounts(fields: Fields): { total: number; totalPages: number } | undefined {
	const total = firstValue([fields], [/^records$/], toCount);
	const totalPages = firstValue([fields], [/^total$/], toCount);
	if (total === undefined || totalPages === undefined || !has(fields, /^page$/)) return undefined;
	return totalPages < total ? { total, totalPages } : undefined;
}

/** The number of the last page, if total and page size say so: pages may be counted from 0. */
function lastPage(scopes: readonly Fields[], total = NaN, pageSize = NaN): number | undefined {
	const number = firstValue(scopes, [/^lastpage$/], toCount);
	const pages = Math.ceil(total / pageSize);
	return number === pages || number === pages - 1 ? pages : undefined;
}

/** Spring leaves out an empty list, and counts from 0: `{ page: { number: 2, size: 20, … } }`. */
function springOffset(scopes: readonly Fields[]): number | undefined {
	const ofSpring = scopes.filter((fields) => has(fields, /^totalelements$/));
	const number = firstValue(ofSpring, [/^number$/], toCount);
	const size = firstValue(ofSpring, [/^size$/], toCount);
	return number === undefined || size === undefined ? undefined : number * size;
}

function readHasMore(scopes: readonly Fields[]): boolean | undefined {
	const read = (value: unknown, name: string) =>
		MAY_BE_NUMBER.test(name) && readDecimal(value) !== undefined ? undefined : readBoolean(value);
	const last = firstValue(scopes, [LAST_FLAG], read);
	return firstValue(scopes, [MORE_FLAG], read) ?? (last === undefined ? undefined : !last);
}

function findNextPage(scopes: readonly Fields[], { lists }: Envelope): PagingMetadata['nextPage'] {
	const named = scopes.flat().filter(([name]) => NEXT.test(name));
	const values = named.map(([, value]) => value);
	// Square and Airtable name the next page by a cursor.
	const isCursor = (value: unknown) =>
		typeof value === 'string' && readDecimal(value) === undefined && leadsSomewhere(value);
	const links = lists.flatMap(({ name, list }) => (/^links?$/.test(name) ? (list ?? []) : []));
	const isNamed =
		values.some(leadsSomewhere) ||
		scopes.some((fields) => has(fields, /^(?:cursor|offset)$/, isCursor)) ||
		links.some(leadsToNext);
	return isNamed ? 'named' : values.length > 0 ? 'none' : undefined;
}

function leadsToNext(link: unknown): boolean {
	const isNext = (relations: unknown) =>
		[relations]
			.flat()
			.some((one) => typeof one === 'string' && parseRelations(one).includes('next'));
	return isJsonObject(link) && has(scopeOf(link), /^rel(?:ation)?$/, isNext);
}

/** Whether the value leads to another page: a URL, a number, or an object with one. */
function leadsSomewhere(value: unknown): boolean {
	const number = readDecimal(value);
	if (number !== undefined) return number > 0;
	if (typeof value === 'string') return !WRITTEN_NOTHING.test(value);
	const isDestination = ([key, inner]: [string, unknown]) =>
		DESTINATION.has(normalizedLocalName(key)) && leadsSomewhere(inner);
	return isJsonObject(value) && Object.entries(value).some(isDestination);
}

/** The end, if a previous page is named and no next one: such a service names pages that exist. */
function endByPrevious(scopes: readonly Fields[]): false | undefined {
	const isEnd = (fields: Fields) =>
		has(fields, /^next$/, (value) => value === null) && has(fields, PREVIOUS, leadsSomewhere);
	return scopes.some(isEnd) ? false : undefined;
}

/** Elasticsearch states whether its total is exact: `{ value: 120, relation: 'eq' }`. */
function toTotal(value: unknown): number | undefined {
	return toCount(isJsonObject(value) && value.relation === 'eq' ? value.value : value);
}

function toCount(value: unknown): number | undefined {
	const number = readDecimal(value);
	return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
