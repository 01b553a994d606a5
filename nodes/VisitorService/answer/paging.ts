import { readDecimal } from '../values/decimal';
import { type Fields, fieldsOf, hasField, readField } from '../values/fieldName';
import { readSaidFlag } from '../values/flag';
import { isRecord, type JsonObject } from '../values/json';
import { type Envelope, readEnvelope } from './envelope';
import { isPageNumber, localName } from './fieldNames';
import {
	type Headers,
	headerFields,
	readLinkHeader,
	readRangeHeader,
	relationsIn,
} from './pagingHeaders';

/** What a page says about the list it belongs to. Every part may be missing, and totals may lag. */
export interface PagingMetadata {
	/** Number of records in the whole list. */
	total?: number;
	/** Number of pages at the size of this page. */
	totalPages?: number;
	/** Whether pages follow this one. */
	more?: boolean;
	/**
	 * Whether the page names the one after it: a URL, a number, a cursor. `none`: in its place there
	 * is nothing.
	 */
	nextPage?: 'named' | 'none';
	/** Number of records on a full page, as the service counts it. */
	pageSize?: number;
}

/**
 * All names as `localName` writes them, the likelier ones first. Not `count`, `size`, `found` or
 * `recordcount`: they are often the number of records on this page.
 */
const TOTAL_NAMES = [
	// What a filter leaves is the list that is read.
	...['recordsfiltered', 'itotaldisplayrecords', 'filtercount', 'totalfiltered'],
	...['odata.count', 'total', 'totalremotecount', 'objectcount', 'numfound'],
	...['nbhits', 'numresults'],
];
/** `totalCount`, `itemsTotal`, `total_number_of_results`. */
const COUNTED_TOTAL =
	/^(?=.*total)(?:total|of|number|count|size|records?|items?|rows?|results?|entries|elements|objects|hits|matches|docs)+$/;
/** `pageCount`, `pages_total`, `numberOfPages`; not `pageNumber`. */
const PAGE_COUNT_NAME =
	/^(?=.*(?:total|count|pages))(?:total|number|num|nb|count|of)*pages?(?:total|count)?$/;
const PAGE_SIZE_NAMES = ['pagesize', 'size', 'perpage', 'limit', 'itemsperpage'];
const LAST_PAGE_NAMES = ['lastpage'];

/**
 * `hasMore`, `has_next_page`, `more_items_in_collection`; only if the value is true or false,
 * however written.
 */
const MORE_FLAG =
	/^(?:has|is|are)?(?:more|next)(?:pages?|items?|results?|records?|rows?|data|available|remaining|exists?|in|collection)*$|^exceededtransferlimit$|^i?s?truncated$/;
const LAST_FLAG =
	/^(?:is)?last(?:page)?$|^endof(?:stream|list|results|data)$|^done$|^nomore(?:pages)?$/;

/** Names under which 1 and 0 may be the numbers of pages, or of records left, and no flags. */
const MAY_BE_NUMBER = /^(?:next|last)/;

/**
 * Where the next page is: a URL, a number, a cursor. That none is given says nothing: many services
 * never give one.
 */
const NEXT_NAME =
	/^(?:odata\.|cursor)?next(?:page|cursor|token|link|url|uri|href|start|offset|marker|key|id|range|records|results|by|index|skip|reference)*$|^(?:pagination|page)token$|^(?:continue|continuation)(?:token)?$|^aftercursor$/;
const PREVIOUS_NAME = /^prev(?:ious)?(?:page|link|url|uri|href|cursor)*$/;

/** What an object in its place holds if it leads there: "next" may be many things. */
const DESTINATION_NAMES = [
	...['url', 'uri', 'href', 'link', 'resource', 'path', 'page', 'pagenumber', 'number'],
	...['index', 'key', 'id'],
	...['cursor', 'token', 'after', 'offset', 'start', 'startindex', 'skip', 'marker', 'next'],
];

/** How languages write nothing, if it is written as text. */
const WRITTEN_NOTHING = /^\s*(?:null|none|nil|undefined|nan|false|n\/a)?\s*$/i;

/** Objects that speak of the list, beside those that lead to it. */
const ABOUT_PAGES =
	/^(?:meta|\w*metadata|\w*info|navigation|additionaldata|\w*(?:page|paging|paginat|pagy|cursor|link)\w*|view|properties|results?|response|payload|list|data|d)$/;

interface PagingPlace {
	fields: Fields;
	isCursor: boolean;
}

/**
 * Reads paging metadata from the objects around the records, those that speak of the list, and from
 * headers.
 */
export function readPagingMetadata(body: unknown, headers: Headers): PagingMetadata {
	const envelope = readEnvelope(body);
	const places = [...placesIn(envelope), ...headerFields(headers).map((fields) => placeOf(fields))];
	const range = readRangeHeader(headers);
	const links = headers.link === undefined ? {} : readLinkHeader(headers.link);
	const pageSize = first(places, PAGE_SIZE_NAMES, toCount) || undefined;
	const total = first(places, totalNames(envelope), toTotal) ?? djangoCount(places);
	const next = nextIn(places, envelope);
	const grid = places.map(gridCounts).find((counts) => counts !== undefined);
	return {
		total: grid?.total ?? total ?? range.total,
		totalPages:
			grid?.totalPages ??
			first(places, [PAGE_COUNT_NAME], toCount) ??
			lastPage(places, total, pageSize) ??
			links.totalPages,
		more: flagOf(places) ?? (next === 'named' ? true : (links.more ?? range.more ?? endOf(places))),
		nextPage: links.nextPage === 'named' ? 'named' : (next ?? links.nextPage),
		pageSize,
	};
}

function placesIn({ objects }: Envelope): PagingPlace[] {
	const read = new Set<string>();
	return objects
		.filter(({ keys, leadsToList, isCompanion }) => {
			const name = localName(keys.at(-1) ?? '');
			const isAround = keys.length === 0 || (leadsToList && !isCompanion);
			if (!isAround && !ABOUT_PAGES.test(name)) return false;
			// What is in an object that says nothing of the list says nothing either.
			if (keys.length > 0 && !read.has(keys.slice(0, -1).join('\0'))) return false;
			read.add(keys.join('\0'));
			return true;
		})
		.map(({ keys, value }) => {
			const name = localName(keys.at(-1) ?? '');
			const place = placeOf(value, /cursor/.test(name));
			return /^pag(?:es?|ing|ination)$/.test(name) ? withoutPageTotal(place) : place;
		});
}

/**
 * "Page 1 of 6": in an object about pages, a total beside nothing but the number of the page may be
 * that of pages.
 */
function withoutPageTotal({ fields, isCursor }: PagingPlace): PagingPlace {
	const isNumber = (name: string) =>
		hasField(fields, [name], (value) => toCount(value) !== undefined);
	const numbers = [...fields.keys()].filter((name) => !NEXT_NAME.test(name) && isNumber(name));
	const isOfPage = (name: string) => isPageNumber(name) || isPageNumber(`page${name}`);
	const isOnlyNumber = numbers.every((name) => name === 'total' || isOfPage(name));
	if (!isOnlyNumber || numbers.length !== 2) return { fields, isCursor };
	return { fields: new Map([...fields].filter(([name]) => name !== 'total')), isCursor };
}

function placeOf(value: JsonObject, isCursor = false): PagingPlace {
	return { fields: fieldsOf(value, pagingName), isCursor };
}

/** OData: `@odata.count`, `@count`, `$count`, and `__count` in its second version. */
function pagingName(key: string): string {
	return /^(?:@|\$|__)count$/.test(key) ? 'odata.count' : localName(key);
}

/**
 * The outermost value under the likeliest name.
 *
 * @param names in the order they are tried in, or what some of them look like
 */
function first<T>(
	places: readonly PagingPlace[],
	names: ReadonlyArray<string | RegExp>,
	read: (value: unknown, name: string) => T | undefined,
): T | undefined {
	for (const { fields } of places) {
		for (const name of names.flatMap((one) => namesLike(one, fields))) {
			for (const { value } of fields.get(name) ?? []) {
				const found = read(value, name);
				if (found !== undefined) return found;
			}
		}
	}
	return undefined;
}

function namesLike(pattern: string | RegExp, fields: Fields): string[] {
	if (typeof pattern === 'string') return fields.has(pattern) ? [pattern] : [];
	return [...fields.keys()].filter((name) => pattern.test(name));
}

/** `total_users` too, if there is a list called `users`. */
function totalNames({ lists }: Envelope): ReadonlyArray<string | RegExp> {
	const names = lists.map(({ keys }) => localName(keys.at(-1) ?? ''));
	const named = names.flatMap((name) => [`total${name}`, `${name}total`]);
	return [
		...[...TOTAL_NAMES, COUNTED_TOTAL],
		...named.filter((name) => !PAGE_COUNT_NAME.test(name)),
	];
}

/** Django REST framework counts the whole list, and always names next and previous page. */
function djangoCount(places: readonly PagingPlace[]): number | undefined {
	const counts = places.map(({ fields }) => {
		const namesPages = fields.has('next') && (fields.has('previous') || fields.has('prev'));
		return namesPages ? toCount(readField(fields, ['count'])) : undefined;
	});
	return counts.find((count) => count !== undefined);
}

/** jqGrid calls the number of pages `total`, and that of records `records`. */
function gridCounts({ fields }: PagingPlace): { total: number; totalPages: number } | undefined {
	const total = toCount(readField(fields, ['records']));
	const totalPages = toCount(readField(fields, ['total']));
	if (total === undefined || totalPages === undefined || !fields.has('page')) return undefined;
	return totalPages < total ? { total, totalPages } : undefined;
}

/**
 * The number of the last page is that of the pages if total and page size say so: pages may be
 * counted from 0.
 */
function lastPage(
	places: readonly PagingPlace[],
	total: number | undefined,
	pageSize: number | undefined,
): number | undefined {
	const number = first(places, LAST_PAGE_NAMES, toCount);
	if (number === undefined || total === undefined || pageSize === undefined) return undefined;
	const pages = Math.ceil(total / pageSize);
	return number === pages || number === pages - 1 ? pages : undefined;
}

function flagOf(places: readonly PagingPlace[]): boolean | undefined {
	const flag = (names: RegExp) =>
		first(places, [names], (value, name) =>
			MAY_BE_NUMBER.test(name) && readDecimal(value) !== undefined
				? undefined
				: readSaidFlag(value),
		);
	const last = flag(LAST_FLAG);
	return flag(MORE_FLAG) ?? (last === undefined ? undefined : !last);
}

function nextIn(places: readonly PagingPlace[], { lists }: Envelope): PagingMetadata['nextPage'] {
	const namesIn = ({ fields, isCursor }: PagingPlace) => {
		const names = namesLike(NEXT_NAME, fields);
		// Beside a cursor to the begin of this page, it is that to its end.
		return isCursor && !hasField(fields, ['before'], leadsSomewhere) ? [...names, 'after'] : names;
	};
	const isNamed = places.some((place) => {
		const { fields } = place;
		if (hasField(fields, namesIn(place), leadsSomewhere)) return true;
		// Of a list that is not counted: Square, Airtable.
		return (
			hasField(fields, ['cursor'], (value) => typeof value === 'string' && leadsSomewhere(value)) ||
			hasField(
				fields,
				['offset'],
				(value) =>
					typeof value === 'string' && readDecimal(value) === undefined && leadsSomewhere(value),
			)
		);
	});
	const links = lists
		.filter(({ keys }) => /^links?$/.test(localName(keys.at(-1) ?? '')))
		.flatMap(({ list }) => list ?? [])
		.filter(isRecord);
	if (isNamed || links.some(leadsToNext)) return 'named';
	const hasPlace = places.some((place) => hasField(place.fields, namesIn(place), () => true));
	return hasPlace ? 'none' : undefined;
}

function leadsToNext(link: JsonObject): boolean {
	const isNext = (relation: unknown) =>
		typeof relation === 'string' && relationsIn(relation).includes('next');
	return hasField(fieldsOf(link, localName), ['rel', 'relation'], (relations) =>
		[relations].flat().some(isNext),
	);
}

/** Whether a URL, a number or an object in its place leads somewhere. */
function leadsSomewhere(value: unknown): boolean {
	const number = readDecimal(value);
	if (number !== undefined) return number > 0;
	if (typeof value === 'string') return !WRITTEN_NOTHING.test(value);
	return isRecord(value) && hasField(fieldsOf(value, localName), DESTINATION_NAMES, leadsSomewhere);
}

/** No next page beside a previous one: the service does name pages, if there are any. */
function endOf(places: readonly PagingPlace[]): false | undefined {
	const isEnd = places.some(({ fields }) => {
		const isLast = hasField(fields, ['next'], (value) => value === null);
		return isLast && hasField(fields, namesLike(PREVIOUS_NAME, fields), leadsSomewhere);
	});
	return isEnd ? false : undefined;
}

/** Elasticsearch says whether its number is exact: `{ value: 120, relation: 'eq' }`. */
function toTotal(value: unknown): number | undefined {
	return toCount(isRecord(value) && value.relation === 'eq' ? value.value : value);
}

function toCount(value: unknown): number | undefined {
	const number = readDecimal(value);
	return number !== undefined && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}
