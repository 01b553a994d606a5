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

/*
 * All names as `localName` writes them. Not `count`, `size`, `found` or `recordcount` for a total:
 * they are often the number of records on this page.
 */

/** What a filter leaves is the list that is read. */
const FILTERED_TOTAL = /^(?:recordsfiltered|itotaldisplayrecords|filtercount|totalfiltered)$/;
/** `totalCount`, `itemsTotal`, `total_number_of_results`, and what others call it. */
const TOTAL =
	/^(?=.*total)(?:total|of|number|count|size|records?|items?|rows?|results?|entries|elements|objects|hits|matches|docs)+$|^(?:odata\.count|totalremotecount|objectcount|numfound|nbhits|numresults)$/;
/** `pageCount`, `pages_total`, `numberOfPages`; not `pageNumber`. */
const PAGE_COUNT =
	/^(?=.*(?:total|count|pages))(?:total|number|num|nb|count|of)*pages?(?:total|count)?$/;
const PAGE_SIZES = [/^pagesize$/, /^(?:size|perpage|limit|itemsperpage)$/];

/** `hasMore`, `has_next_page`, `more_items_in_collection`; only if the value is true or false. */
const MORE_FLAG =
	/^(?:has|is|are)?(?:more|next)(?:pages?|items?|results?|records?|rows?|data|available|remaining|exists?|in|collection)*$|^exceededtransferlimit$|^i?s?truncated$/;
const LAST_FLAG =
	/^(?:is)?last(?:page)?$|^endof(?:stream|list|results|data)$|^done$|^nomore(?:pages)?$/;
/** Names under which 1 and 0 may be the numbers of pages, or of records left, and no flags. */
const MAY_BE_NUMBER = /^(?:next|last)/;

/** Where the next page is. That none is given says nothing: many services never give one. */
const NEXT =
	/^(?:odata\.|cursor)?next(?:page|cursor|token|link|url|uri|href|start|offset|marker|key|id|range|records|results|by|index|skip|reference)*$|^(?:pagination|page)token$|^(?:continue|continuation)(?:token)?$|^aftercursor$/;
const PREVIOUS = /^prev(?:ious)?(?:page|link|url|uri|href|cursor)*$/;
/** What an object in its place holds if it leads there: "next" may be many things. */
const DESTINATION =
	/^(?:url|uri|href|link|resource|path|page|pagenumber|number|index|key|id|cursor|token|after|offset|start|startindex|skip|marker|next)$/;
/** How languages write nothing, if it is written as text. */
const WRITTEN_NOTHING = /^\s*(?:(?:null|none|nil|undefined|nan|false|n\/a)\s*)?$/i;

/** Objects that speak of the list, beside those that lead to it. */
const ABOUT_PAGES = [
	/^(?:meta|navigation|additionaldata|view|properties|results?|response|payload|list|data|d)$/,
	/(?:metadata|info)$/,
	/page|paging|paginat|pagy|cursor|link/,
];

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
	const places = [
		...placesIn(envelope),
		...headerFields(headers).map((named) => placeOf(named, '')),
	];
	const range = readRangeHeader(headers);
	const links = headers.link === undefined ? {} : readLinkHeader(headers.link);
	const next = nextIn(places, envelope);
	const grid = places.map(gridCounts).find((counts) => counts !== undefined);
	const pageSize = first(places, PAGE_SIZES, toCount) || undefined;
	const total =
		grid?.total ??
		first(places, [FILTERED_TOTAL, TOTAL], toTotal) ??
		totalOfNamed(places, envelope) ??
		djangoCount(places);
	const pages = grid?.totalPages ?? first(places, [PAGE_COUNT], toCount);
	return {
		total: total ?? range.total,
		totalPages: pages ?? lastPage(places, total, pageSize) ?? links.totalPages,
		more: flagOf(places) ?? (next === 'named' ? true : (links.more ?? range.more ?? endOf(places))),
		nextPage: links.nextPage === 'named' ? 'named' : (next ?? links.nextPage),
		pageSize,
	};
}

function placesIn({ objects }: Envelope): PagingPlace[] {
	return objects
		.filter(({ keys, leadsToList, isCompanion }) => {
			const isAround = keys.length === 0 || (leadsToList && !isCompanion);
			const name = localName(keys.at(-1) ?? '');
			return isAround || ABOUT_PAGES.some((pattern) => pattern.test(name));
		})
		.map(({ keys, value }) => placeOf(value, localName(keys.at(-1) ?? '')));
}

function placeOf(value: JsonObject, name: string): PagingPlace {
	// OData: `@odata.count`, `@count`, `$count`, and `__count` in its second version.
	const nameOf = (key: string) => (/^(?:@|\$|__)count$/.test(key) ? 'odata.count' : localName(key));
	const fields = fieldsOf(value, nameOf);
	// "Page 1 of 6": beside nothing but the number of the page, a total may be that of pages.
	const numbers = [...fields.keys()].filter(
		(key) => !NEXT.test(key) && hasField(fields, [key], (one) => toCount(one) !== undefined),
	);
	const isOfPage = (key: string) => isPageNumber(key) || isPageNumber(`page${key}`);
	const countsPages =
		/^pag(?:es?|ing|ination)$/.test(name) &&
		numbers.length === 2 &&
		numbers.every((key) => key === 'total' || isOfPage(key));
	return {
		fields: countsPages ? new Map([...fields].filter(([key]) => key !== 'total')) : fields,
		isCursor: /cursor/.test(name),
	};
}

/** The outermost value under a name like these, which are tried in their order. */
function first<T>(
	places: readonly PagingPlace[],
	names: readonly RegExp[],
	read: (value: unknown, name: string) => T | undefined,
): T | undefined {
	for (const { fields } of places) {
		for (const name of names.flatMap((pattern) => namesLike(pattern, fields))) {
			for (const { value } of fields.get(name) ?? []) {
				const found = read(value, name);
				if (found !== undefined) return found;
			}
		}
	}
	return undefined;
}

function namesLike(pattern: RegExp, fields: Fields): string[] {
	return [...fields.keys()].filter((name) => pattern.test(name));
}

/** `total_users`, if there is a list called `users`. */
function totalOfNamed(places: readonly PagingPlace[], { lists }: Envelope): number | undefined {
	const names = new Set(lists.map(({ keys }) => localName(keys.at(-1) ?? '')));
	return first(places, [/^total|total$/], (value, name) =>
		names.has(name.replace(/^total|total$/, '')) && !PAGE_COUNT.test(name)
			? toTotal(value)
			: undefined,
	);
}

/** Django REST framework counts the whole list, and always names next and previous page. */
function djangoCount(places: readonly PagingPlace[]): number | undefined {
	const namesPages = ({ fields }: PagingPlace) =>
		fields.has('next') && (fields.has('previous') || fields.has('prev'));
	return first(places.filter(namesPages), [/^count$/], toCount);
}

/** jqGrid calls the number of pages `total`, and that of records `records`. */
function gridCounts({ fields }: PagingPlace): { total: number; totalPages: number } | undefined {
	const total = toCount(readField(fields, ['records']));
	const totalPages = toCount(readField(fields, ['total']));
	if (total === undefined || totalPages === undefined || !fields.has('page')) return undefined;
	return totalPages < total ? { total, totalPages } : undefined;
}

/** The number of the last page, if total and page size say so: pages may be counted from 0. */
function lastPage(places: readonly PagingPlace[], total = NaN, pageSize = NaN): number | undefined {
	const number = first(places, [/^lastpage$/], toCount);
	const pages = Math.ceil(total / pageSize);
	return number === pages || number === pages - 1 ? pages : undefined;
}

function flagOf(places: readonly PagingPlace[]): boolean | undefined {
	const read = (value: unknown, name: string) =>
		MAY_BE_NUMBER.test(name) && readDecimal(value) !== undefined ? undefined : readSaidFlag(value);
	const last = first(places, [LAST_FLAG], read);
	return first(places, [MORE_FLAG], read) ?? (last === undefined ? undefined : !last);
}

function nextIn(places: readonly PagingPlace[], { lists }: Envelope): PagingMetadata['nextPage'] {
	const values = places.flatMap(({ fields, isCursor }) => {
		const names = namesLike(NEXT, fields);
		// Beside a cursor to the begin of this page, it is that to its end.
		if (isCursor && !hasField(fields, ['before'], leadsSomewhere)) names.push('after');
		return names.flatMap((name) => fields.get(name) ?? []).map(({ value }) => value);
	});
	// Of a list that is not counted: Square, Airtable.
	const isCursor = (value: unknown) =>
		typeof value === 'string' && readDecimal(value) === undefined && leadsSomewhere(value);
	const links = lists
		.filter(({ keys }) => /^links?$/.test(localName(keys.at(-1) ?? '')))
		.flatMap(({ list }) => list ?? []);
	const isNamed =
		values.some(leadsSomewhere) ||
		places.some(({ fields }) => hasField(fields, ['cursor', 'offset'], isCursor)) ||
		links.some(leadsToNext);
	if (isNamed) return 'named';
	return values.length > 0 ? 'none' : undefined;
}

function leadsToNext(link: unknown): boolean {
	const isNext = (relations: unknown) =>
		[relations].flat().some((one) => typeof one === 'string' && relationsIn(one).includes('next'));
	return isRecord(link) && hasField(fieldsOf(link, localName), ['rel', 'relation'], isNext);
}

/** Whether a URL, a number or an object in its place leads somewhere. */
function leadsSomewhere(value: unknown): boolean {
	const number = readDecimal(value);
	if (number !== undefined) return number > 0;
	if (typeof value === 'string') return !WRITTEN_NOTHING.test(value);
	const isDestination = ([key, inner]: [string, unknown]) =>
		DESTINATION.test(localName(key)) && leadsSomewhere(inner);
	return isRecord(value) && Object.entries(value).some(isDestination);
}

/** No next page beside a previous one: the service does name pages, if there are any. */
function endOf(places: readonly PagingPlace[]): false | undefined {
	const isEnd = places.some(
		({ fields }) =>
			hasField(fields, ['next'], (value) => value === null) &&
			hasField(fields, namesLike(PREVIOUS, fields), leadsSomewhere),
	);
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
