import { isJsonObject, type JsonObject, parseJson } from '../values/json';
import { isPageNumber, normalizedLocalName } from './fieldNames';

export type Headers = Readonly<Record<string, string>>;

/** What a Link header (RFC 8288) says of the pages around this one, as `PagingMetadata`. */
export function readLinkHeader(header = ''): {
	more?: boolean;
	totalPages?: number;
	nextPage?: 'named' | 'none';
} {
	const links = header.split(/,\s*(?=<)/).map(readLink);
	const to = (relation: string) => links.find(({ relations }) => relations.includes(relation));
	const [next, last] = [to('next'), to('last')];
	// A service that names its last page, but no next one, is there. Without `last` it may name no
	// next one at all.
	const more = next === undefined ? last && false : !next.isEmpty;
	const isAboutPages = links.some(({ relations }) => relations.some((name) => name !== ''));
	const nextPage = next === undefined ? (isAboutPages ? 'none' : undefined) : 'named';
	const first = to('first')?.page ?? (next?.page === 1 ? 0 : undefined);
	if (first === undefined || last?.page === undefined) return { more, nextPage };
	return { more, nextPage, totalPages: last.page - first + 1 };
}

function readLink(text: string) {
	const [, url = '', parameters = ''] = /^\s*<([^>]*)>(.*)$/s.exec(text) ?? [];
	const [, relations = ''] = /;\s*rel\s*=\s*"?([^";]*)/i.exec(parameters) ?? [];
	const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
	// PHP, Rails and JSON:API write an object as `page[number]`.
	const nameOf = (key: string) => normalizedLocalName(key.replace(/[[\].]/g, ''));
	const page = [...new URLSearchParams(query)].find(
		([key, value]) => isPageNumber(nameOf(key)) && /^\d{1,9}$/.test(value),
	);
	// Sentry links a next page that is empty.
	const isEmpty = /;\s*results\s*=\s*"?false/i.test(parameters);
	return { relations: parseRelations(relations), page: page && Number(page[1]), isEmpty };
}

/** Relations are compared without regard to case (RFC 8288 §2.1.1). */
export function parseRelations(text: string): string[] {
	return text.toLowerCase().split(/\s+/);
}

/** Content-Range (RFC 9110 §14.4) and what is named like it: `items 0-24/573`. */
export function readRangeHeader(headers: Headers): { total?: number; more?: boolean } {
	const ranges = Object.entries(headers)
		.filter(([name, value]) => name.endsWith('range') && !/^\s*bytes\b/i.test(value))
		.flatMap(([, value]) => /(?:^|\D)\d{1,15}-(\d{1,15})\/(\d{1,15})\s*$/.exec(value) ?? []);
	const [, last, total] = ranges.map(Number);
	return total === undefined ? {} : { total, more: Number(last) + 1 < total };
}

/** `total-count` of `X-Total-Count` and the like, and what `X-Pagination` holds as JSON. */
export function readPagingHeaders(headers: Headers): JsonObject[] {
	const named = Object.entries(headers).map(([name, value]): [string, string] => [
		name.replace(/^x-/, '').replace(/^(?:wp|pagination|opc|ms)-|^.*-(?=total-count$)/, ''),
		value,
	]);
	const pagination = parseJson(headers['x-pagination'] ?? headers.pagination ?? '');
	return [Object.fromEntries(named), ...(isJsonObject(pagination) ? [pagination] : [])];
}
