import { isJsonObject, type JsonObject, parseJson } from '../values/json';
import { isPageNumber, normalizedLocalName } from './fieldNames';

export type Headers = Readonly<Record<string, string>>;

/** Reads a Link header (RFC 8288). The result is part of `PagingMetadata`. */
export function readLinkHeader(header: string | undefined): {
	more?: boolean;
	totalPages?: number;
	nextPage?: 'named' | 'none';
} {
	if (header === undefined) return {};
	const links = header.split(/,\s*(?=<)/).map(readLink);
	const to = (relation: string) => links.find(({ relations }) => relations.includes(relation));
	const [next, last] = [to('next'), to('last')];
	// If a last page is named, but no next one, this is the last page. Otherwise the service may
	// never name a next one.
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
	// Sentry links to a next page even if that is empty.
	const isEmpty = /;\s*results\s*=\s*"?false/i.test(parameters);
	return { relations: parseRelations(relations), page: page && Number(page[1]), isEmpty };
}

/** The relations of a link in lower case, as their case does not matter (RFC 8288 §2.1.1). */
export function parseRelations(text: string): string[] {
	return text.toLowerCase().split(/\s+/);
}

/** Reads Content-Range (RFC 9110 §14.4) and headers named like it: `items 0-24/573`. */
export function readRangeHeader(headers: Headers): { total?: number; more?: boolean } {
	const ranges = Object.entries(headers)
		.filter(([name, value]) => name.endsWith('range') && !/^\s*bytes\b/i.test(value))
		.flatMap(([, value]) => /(?:^|\D)\d{1,15}-(\d{1,15})\/(\d{1,15})\s*$/.exec(value) ?? []);
	const [, last, total] = ranges.map(Number);
	return total === undefined ? {} : { total, more: Number(last) + 1 < total };
}

/**
 * All headers as fields, such as `total-count` of `X-Total-Count`; and the JSON in `X-Pagination`.
 */
export function readPagingHeaders(headers: Headers): JsonObject[] {
	const named = Object.entries(headers).map(([name, value]): [string, string] => [
		name.replace(/^x-/, '').replace(/^(?:wp|pagination|opc|ms)-|^.*-(?=total-count$)/, ''),
		value,
	]);
	const written = headers['x-pagination'] ?? headers.pagination;
	// Text that is not JSON costs an exception, and most pages have none.
	const pagination = written === undefined ? undefined : parseJson(written);
	return [Object.fromEntries(named), ...(isJsonObject(pagination) ? [pagination] : [])];
}
