import { isJsonObject, type JsonValue } from './json';
import type { Page } from './page';
import { ENVELOPES, type Envelope, STANDARD_METADATA } from './presets';
import { type Renewal, shownJson, shownRecord } from './recordShape';
import type { Resource } from './records';
import type { ListSwitches, PagingMetadata } from './switches';
import { fillTemplate } from './template';

/**
 * Stands for the list while the envelope is written; the records, which are JSON text already, then
 * replace it.
 */
const listMark = '\u0000list\u0000';

const missingMark = '\u0000missing\u0000';

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
	const envelope: Envelope =
		typeof switches.envelope === 'string'
			? ENVELOPES[switches.envelope]
			: { ...switches.envelope, metadata: [] };
	const { template, templateWithoutList = template } = envelope;
	const first = page.metadata.page === switches.firstPageNumber;
	const filled = fillTemplate(records === missingMark ? templateWithoutList : template, {
		...{ ...page.metadata, first, records, resource },
	});
	const frame = withMetadata(filled, envelope, switches, page.metadata, nextUrl);
	const withoutMissing = (_: string, value: unknown) => (value === missingMark ? undefined : value);
	const text = JSON.stringify(frame, withoutMissing) as string | undefined;
	const json = `[${page.records.map((record) => shownJson(record, switches, renewal)).join(',')}]`;
	const list = switches.envelope === 'string' ? JSON.stringify(json) : json;
	return text?.split(JSON.stringify(listMark)).join(list) ?? '';
}

function withMetadata(
	frame: JsonValue,
	{ metadata: standard = STANDARD_METADATA, metadataUnder: under, names }: Envelope,
	{ metadata }: ListSwitches,
	{ page, pageSize, total, totalPages, last }: PagingMetadata,
	nextUrl: string,
): unknown {
	const fields = metadata === 'standard' ? standard : metadata === 'none' ? [] : metadata;
	// A bare array has no room for them.
	if (!isJsonObject(frame) || fields.length === 0) return frame;
	const next = last ? undefined : nextUrl;
	const facts = { total, totalPages, page, pageSize, last, hasMore: !last, next };
	const written = Object.fromEntries(
		fields.map((field) => [names?.[field] ?? field, facts[field]]),
	);
	if (under === undefined) return { ...frame, ...written };
	const inner = frame[under];
	return { ...frame, [under]: isJsonObject(inner) ? { ...inner, ...written } : written };
}
