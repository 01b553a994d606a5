import { isJsonObject, type JsonObject, type JsonValue } from './json';
import type { Page } from './page';
import { shownJson, shownRecord } from './recordShape';
import type { Resource } from './records';
import type { ListSwitches, MetadataField, PagingMetadata } from './switches';
import { fillTemplate } from './template';

/**
 * Stands for the list while the envelope is written; the records, which are JSON text already, then
 * replace it.
 */
const listMark = '\u0000list\u0000';

interface Envelope {
	/** Puts the list in its place. `undefined` leaves its key out. */
	place(list: JsonValue | undefined): JsonValue | undefined;
	/** Key under which the paging facts are; null = top level. */
	metadataUnder: string | null;
	metadata: MetadataField[];
	names: Partial<Record<MetadataField, string>>;
}

const plainMetadata: Pick<Envelope, 'metadata' | 'metadataUnder' | 'names'> = {
	metadata: ['page', 'pageSize', 'total', 'totalPages'],
	metadataUnder: null,
	names: {},
};

/**
 * The body of a page of a list; null for no content at all (status 204).
 * @param nextUrl address of the page after this one
 * @param renewed what each record shows besides
 */
export function pageBody(
	resource: Resource,
	page: Page,
	switches: ListSwitches,
	nextUrl: string,
	renewed?: JsonObject,
): string | null {
	if (typeof switches.envelope === 'function') {
		const records = page.records.map((record) => ({
			...shownRecord(record, switches),
			...renewed,
		}));
		return JSON.stringify(switches.envelope({ resource, records, metadata: page.metadata }));
	}
	const empty =
		page.records.length === 0 &&
		switches.emptyAs !== 'array' &&
		(page.isBeyondEnd || !switches.emptyOnlyBeyondEnd);
	if (empty && switches.emptyAs === 'noContent') return null;
	const envelope = envelopeOf(switches.envelope, resource, page.metadata, switches.firstPageNumber);
	const placed = envelope.place(
		empty ? (switches.emptyAs === 'null' ? null : undefined) : listMark,
	);
	const frame = withMetadata(placed, envelope, switches, page.metadata, nextUrl);
	if (frame === undefined) return '';
	const records = `[${page.records.map((record) => shownJson(record, switches, renewed)).join(',')}]`;
	const list = switches.envelope === 'string' ? JSON.stringify(records) : records;
	return JSON.stringify(frame).split(JSON.stringify(listMark)).join(list);
}

function envelopeOf(
	kind: Exclude<ListSwitches['envelope'], (...parameters: never[]) => unknown>,
	resource: Resource,
	metadata: PagingMetadata,
	firstPage: number,
): Envelope {
	switch (kind) {
		case 'array':
			return { ...plainMetadata, place: (list) => list };
		case 'data':
		case 'items':
		case 'results':
		case 'records':
			return { ...plainMetadata, place: (list) => keyed({ [kind]: list }) };
		case 'string':
			return { ...plainMetadata, place: (list) => keyed({ data: list }) };
		case 'named':
			return { ...plainMetadata, place: (list) => keyed({ [resource]: list }) };
		case 'value':
			return {
				place: (list) => keyed({ '@odata.context': `$metadata#${resource}`, value: list }),
				metadataUnder: null,
				metadata: ['total', 'next'],
				names: { total: '@odata.count', next: '@odata.nextLink' },
			};
		case 'content':
			return {
				place: (list) => keyed({ content: list, first: metadata.page === firstPage }),
				metadataUnder: null,
				metadata: ['page', 'pageSize', 'total', 'totalPages', 'last'],
				names: { page: 'number', pageSize: 'size', total: 'totalElements' },
			};
		case 'embedded':
			return {
				// Spring HATEOAS leaves `_embedded` out with the list.
				place: (list) =>
					keyed({ _embedded: list === undefined ? undefined : { [resource]: list } }),
				metadataUnder: 'page',
				metadata: ['pageSize', 'total', 'totalPages', 'page'],
				names: { page: 'number', pageSize: 'size', total: 'totalElements' },
			};
		case 'resultList':
			return {
				...plainMetadata,
				place: (list) => ({ result: keyed({ list }) }),
				metadataUnder: 'result',
			};
		case 'dataItems':
			return {
				...plainMetadata,
				place: (list) => ({ data: keyed({ items: list }) }),
				metadataUnder: 'data',
			};
		case 'twoArrays':
			return { ...plainMetadata, place: (list) => keyed({ included, [resource]: list }) };
		case 'twoArraysUnnamed':
			return { ...plainMetadata, place: (list) => keyed({ included, list }) };
		default:
			return {
				place: (list) =>
					withoutMissing(
						fillTemplate(kind.template, {
							...metadata,
							records: list === undefined ? missingMark : list,
						}),
					),
				metadataUnder: null,
				metadata: [],
				names: {},
			};
	}
}

const included: JsonValue = [
	{ id: 'site-000001', type: 'site', name: 'Site 000001' },
	{ id: 'site-000002', type: 'site', name: 'Site 000002' },
];

/** An object without the keys whose value is undefined, as JSON writes it. */
function keyed(object: Record<string, JsonValue | undefined>): JsonObject {
	const kept: JsonObject = {};
	for (const [key, value] of Object.entries(object)) if (value !== undefined) kept[key] = value;
	return kept;
}

const missingMark = '\u0000missing\u0000';

function withoutMissing(value: JsonValue): JsonValue | undefined {
	if (value === missingMark) return undefined;
	if (!isJsonObject(value)) return value;
	return keyed(
		Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutMissing(inner)])),
	);
}

function withMetadata(
	frame: JsonValue | undefined,
	envelope: Envelope,
	switches: ListSwitches,
	metadata: PagingMetadata,
	nextUrl: string,
): JsonValue | undefined {
	// A bare array has no room for them.
	if (!isJsonObject(frame)) return frame;
	const fields =
		switches.metadata === 'standard'
			? envelope.metadata
			: switches.metadata === 'none'
				? []
				: switches.metadata;
	if (fields.length === 0) return frame;
	const names = { ...envelope.names, ...switches.metadataNames };
	const facts: Record<MetadataField, JsonValue | undefined> = {
		total: metadata.total,
		totalPages: metadata.totalPages,
		page: metadata.page,
		pageSize: metadata.pageSize,
		last: metadata.last,
		hasNext: !metadata.last,
		hasMore: !metadata.last,
		next: metadata.last ? undefined : nextUrl,
	};
	const written = keyed(
		Object.fromEntries(fields.map((field) => [names[field] ?? field, facts[field]])),
	);
	const under = switches.metadataUnder ?? envelope.metadataUnder;
	if (under === null) return { ...frame, ...written };
	const inner = frame[under];
	return { ...frame, [under]: isJsonObject(inner) ? { ...inner, ...written } : written };
}

/** The headers that carry paging facts. */
export function pageHeaders(
	{ metadataHeaders }: ListSwitches,
	{ total, last }: PagingMetadata,
	nextUrl: string,
): Record<string, string> {
	const headers: Record<string, string> = {};
	if (metadataHeaders.includes('xTotalCount')) headers['x-total-count'] = String(total);
	if (metadataHeaders.includes('link') && !last) headers.link = `<${nextUrl}>; rel="next"`;
	return headers;
}
