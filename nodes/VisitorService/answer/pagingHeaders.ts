import { isRecord, type JsonObject, parseJson } from '../values/json';
import { isPageNumber, localName } from './fieldNames';

export type Headers = Readonly<Record<string, string>>;

export interface LinkedPages {
	/** Whether pages follow this one. */
	more?: boolean;
	totalPages?: number;
	/** As `PagingMetadata`. */
	nextPage?: 'named' | 'none';
}

interface Link {
	relations: readonly string[];
	/** The page number in the URL. */
	page?: number;
	isEmpty: boolean;
}

/** What a Link header (RFC 8288) says of the pages around this one. */
export function readLinkHeader(header: string): LinkedPages {
	const links = header.split(/,\s*(?=<)/).map(readLink);
	const to = (relation: string) => links.find(({ relations }) => relations.includes(relation));
	const next = to('next');
	const last = to('last');
	// A service that names its last page, but no next one, is there. Without `last` it may name no
	// next one at all.
	const more = next === undefined ? last && false : !next.isEmpty;
	const isAboutPages = links.some(({ relations }) => relations.some((name) => name !== ''));
	const nextPage = next === undefined ? (isAboutPages ? 'none' : undefined) : 'named';
	const first = to('first')?.page ?? (next?.page === 1 ? 0 : undefined);
	if (first === undefined || last?.page === undefined) return { more, nextPage };
	return { more, nextPage, totalPages: last.page - first + 1 };
}

function readLink(text: string): Link {
	const [, url = '', parameters = ''] = /^\s*<([^>]*)>(.*)$/s.exec(text) ?? [];
	const [, relations = ''] = /;\s*rel\s*=\s*"?([^";]*)/i.exec(parameters) ?? [];
	return {
		relations: relationsIn(relations),
		page: pageIn(url),
		// Sentry links a next page that is empty.
		isEmpty: /;\s*results\s*=\s*"?false/i.test(parameters),
	};
}

/** Relations are compared without regard to case (RFC 8288 §2.1.1). */
export function relationsIn(text: string): string[] {
	return text.toLowerCase().split(/\s+/);
}

function pageIn(url: string): number | undefined {
	const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
	// PHP, Rails and JSON:API write an object as `page[number]`.
	const nameOf = (key: string) => localName(key.replace(/[[\].]/g, ''));
	const found = [...new URLSearchParams(query)].find(
		([key, value]) => isPageNumber(nameOf(key)) && /^\d{1,9}$/.test(value),
	);
	return found === undefined ? undefined : Number(found[1]);
}

/** Content-Range (RFC 9110 §14.4) and what is named like it: `items 0-24/573`. */
export function readRangeHeader(headers: Headers): { total?: number; more?: boolean } {
	for (const [name, value] of Object.entries(headers)) {
		if (!name.endsWith('range') || /^\s*bytes\b/i.test(value)) continue;
		const [, last, total] = /(?:^|\D)\d{1,15}-(\d{1,15})\/(\d{1,15})\s*$/.exec(value) ?? [];
		if (total === undefined) continue;
		return { total: Number(total), more: Number(last) + 1 < Number(total) };
	}
	return {};
}

/**
 * What headers say by their names, without the words in front of them: `X-Total-Count`,
 * `X-WP-TotalPages`,
 * `Pagination-Total`; and what `X-Pagination` holds as JSON.
 */
export function headerFields(headers: Headers): JsonObject[] {
	const named = Object.entries(headers).map(([name, value]): [string, string] => [
		name.replace(/^x-/, '').replace(/^(?:wp|pagination|opc|ms)-|^.*-(?=total-count$)/, ''),
		value,
	]);
	const text = headers['x-pagination'] ?? headers.pagination;
	const pagination = text === undefined ? undefined : parseJson(text);
	return [Object.fromEntries(named), ...(isRecord(pagination) ? [pagination] : [])];
}
