import { isJsonObject, type JsonObject, type JsonValue } from './json';
import type { Page } from './page';
import { type Renewal, shownJson, shownRecord } from './recordShape';
import type { Resource } from './records';
import type { ListSwitches, MetadataField, PagingMetadata } from './switches';
import { fillTemplate } from './template';

/**
 * Stands for the list while the envelope is written; the records, which are JSON text already, then
 * replace it.
 */
const listMark = '\u0000list\u0000';

interface Envelope {
	/** In which `{records}` stands for the list. */
	template: JsonValue;
	/** Key under which the paging facts are; default: top level. */
	metadataUnder?: string;
	metadata?: MetadataField[];
	names?: Partial<Record<MetadataField, string>>;
}

const LIST = '{records}';
const STANDARD: MetadataField[] = ['page', 'pageSize', 'total', 'totalPages'];
const OF_SPRING = { page: 'number', pageSize: 'size', total: 'totalElements' };

const included: JsonValue = [
	{ id: 'site-000001', type: 'site', name: 'Site 000001' },
	{ id: 'site-000002', type: 'site', name: 'Site 000002' },
];

/**
 * The body of a page of a list; null for no content at all (status 204).
 * @param nextUrl address of the page after this one
 * @param renewal what each record shows besides
 */
export function pageBody(
	resource: Resource,
	page: Page,
	switches: ListSwitches,
	nextUrl: string,
	renewal?: Renewal,
): string | null {
	if (typeof switches.envelope === 'function') {
		const records = page.records.map((record) => ({
			...shownRecord(record, switches),
			...renewal?.(record),
		}));
		return JSON.stringify(switches.envelope({ resource, records, metadata: page.metadata }));
	}
	const empty =
		page.records.length === 0 &&
		switches.emptyAs !== 'array' &&
		(page.startsAfterEnd || !switches.emptyOnlyBeyondEnd);
	if (empty && switches.emptyAs === 'noContent') return null;
	const records = empty ? (switches.emptyAs === 'null' ? null : missingMark) : listMark;
	const envelope = envelopeOf(switches.envelope, resource, {
		isFirst: page.metadata.page === switches.firstPageNumber,
		isMissing: records === missingMark,
	});
	const values = { ...page.metadata, records };
	const filled = withoutMissing(fillTemplate(envelope.template, values));
	const frame = withMetadata(filled, envelope, switches, page.metadata, nextUrl);
	if (frame === undefined) return '';
	const json = `[${page.records.map((record) => shownJson(record, switches, renewal)).join(',')}]`;
	const list = switches.envelope === 'string' ? JSON.stringify(json) : json;
	return JSON.stringify(frame).split(JSON.stringify(listMark)).join(list);
}

function envelopeOf(
	kind: Exclude<ListSwitches['envelope'], (...parameters: never[]) => unknown>,
	resource: Resource,
	{ isFirst, isMissing }: { isFirst: boolean; isMissing: boolean },
): Envelope {
	switch (kind) {
		case 'array':
			return { template: LIST };
		case 'string':
			return { template: { data: LIST } };
		case 'named':
			return { template: { [resource]: LIST } };
		case 'value':
			return {
				template: { '@odata.context': `$metadata#${resource}`, value: LIST },
				metadata: ['total', 'next'],
				names: { total: '@odata.count', next: '@odata.nextLink' },
			};
		case 'content':
			return {
				template: { content: LIST, first: isFirst },
				metadata: [...STANDARD, 'last'],
				names: OF_SPRING,
			};
		case 'embedded':
			return {
				// Spring HATEOAS leaves `_embedded` out with the list.
				template: isMissing ? {} : { _embedded: { [resource]: LIST } },
				metadataUnder: 'page',
				names: OF_SPRING,
			};
		case 'resultList':
			return { template: { result: { list: LIST } }, metadataUnder: 'result' };
		case 'dataItems':
			return { template: { data: { items: LIST } }, metadataUnder: 'data' };
		case 'twoArrays':
			return { template: { included, [resource]: LIST } };
		case 'twoArraysUnnamed':
			return { template: { included, list: LIST } };
		default:
			return typeof kind === 'string'
				? { template: { [kind]: LIST } }
				: { template: kind.template, metadata: [] };
	}
}

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
			? (envelope.metadata ?? STANDARD)
			: switches.metadata === 'none'
				? []
				: switches.metadata;
	if (fields.length === 0) return frame;
	const { metadataUnder: under, names } = envelope;
	const facts: Record<MetadataField, JsonValue | undefined> = {
		total: metadata.total,
		totalPages: metadata.totalPages,
		page: metadata.page,
		pageSize: metadata.pageSize,
		last: metadata.last,
		hasMore: !metadata.last,
		next: metadata.last ? undefined : nextUrl,
	};
	const written = keyed(
		Object.fromEntries(fields.map((field) => [names?.[field] ?? field, facts[field]])),
	);
	if (under === undefined) return { ...frame, ...written };
	const inner = frame[under];
	return { ...frame, [under]: isJsonObject(inner) ? { ...inner, ...written } : written };
}
