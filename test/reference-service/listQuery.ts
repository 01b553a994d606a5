import type { Resource } from './records';
import type { ListSwitches, SortSpelling } from './switches';
import { readTime } from './times';

export interface Sort {
	field: string;
	descending: boolean;
}

/** A list request as the service understands it. */
export interface ListQuery {
	/** Page number as the service counts, for the metadata. */
	page: number;
	/** Pages before this one; null = before the first, there is nothing. */
	pagesBefore: number | null;
	/** Records per page that were asked for. */
	requestedSize: number;
	/** Records per page that are sent. */
	pageSize: number;
	/** Records per page by which the place of a page is computed. */
	stride: number;
	sort: Sort | null;
	/** Milliseconds since 1970; Infinity where an unreadable time gets an empty list. */
	updatedSince: number | null;
}

/** A parameter that the service rejects. */
export class BadParameter {
	constructor(readonly message: string) {}
}

/**
 * Understands the query parameters. `fields` are the names records show; null when there is none to
 * tell from. `now` is the service's time in milliseconds since 1970.
 */
export function listQuery(
	resource: Resource,
	parameters: Record<string, string>,
	switches: ListSwitches,
	fields: ReadonlySet<string> | null,
	now = Infinity,
): ListQuery | BadParameter {
	const page = pageOf(parameters.page, switches);
	if (page instanceof BadParameter) return page;
	const size = sizeOf(parameters.pageSize, switches);
	if (size instanceof BadParameter) return size;
	const sort = sortOf(parameters.sort, switches, fields);
	if (sort instanceof BadParameter) return sort;
	const updatedSince =
		resource === 'users' ? sinceOf(parameters.updatedSince, switches, now) : null;
	if (updatedSince instanceof BadParameter) return updatedSince;
	return { ...page, ...size, sort, updatedSince };
}

function pageOf(
	text: string | undefined,
	switches: ListSwitches,
): Pick<ListQuery, 'page' | 'pagesBefore'> | BadParameter {
	const first = { page: switches.firstPageNumber, pagesBefore: 0 };
	if (text === undefined || switches.pageIgnored) return first;
	const page = /^\d{1,15}$/.test(text) ? Number(text) : null;
	if (page === null) return new BadParameter('page must be a whole number from 0.');
	if (page >= switches.firstPageNumber)
		return { page, pagesBefore: page - switches.firstPageNumber };
	if (switches.pageBeforeFirst === 'error')
		return new BadParameter('page must be a whole number from 1.');
	return switches.pageBeforeFirst === 'first' ? first : { page, pagesBefore: null };
}

type Size = Pick<ListQuery, 'requestedSize' | 'pageSize' | 'stride'>;

function sizeOf(text: string | undefined, switches: ListSwitches): Size | BadParameter {
	const { defaultPageSize, minPageSize, maxPageSize } = switches;
	const size = (pageSize: number, stride = pageSize, requestedSize = pageSize): Size => ({
		requestedSize,
		pageSize,
		stride,
	});
	if (text === undefined) return size(defaultPageSize);
	const requested = /^\d{1,15}$/.test(text) ? Number(text) : 0;
	if (switches.pageSizeIgnored) return size(defaultPageSize, defaultPageSize, requested);
	if (requested < 1) return new BadParameter('pageSize must be a whole number from 1.');
	const raised = Math.max(requested, minPageSize);
	if (raised <= maxPageSize) return size(raised, raised, requested);
	switch (switches.beyondMaximum) {
		case 'clamp':
			return size(maxPageSize, maxPageSize, requested);
		case 'clampKeepingOffsetOfRequestedSize':
			return size(maxPageSize, requested, requested);
		case 'useDefault':
			return size(defaultPageSize, defaultPageSize, requested);
		case 'error':
			return new BadParameter(`pageSize must be at most ${maxPageSize}.`);
	}
}

const spellings: Array<[SortSpelling, RegExp]> = [
	['field,desc', /^(?<field>[\w.]+),(?<direction>asc|desc)$/i],
	['field:desc', /^(?<field>[\w.]+):(?<direction>asc|desc)$/i],
	['field desc', /^(?<field>[\w.]+) (?<direction>asc|desc)$/i],
	['-field', /^(?<direction>-)(?<field>[\w.]+)$/],
];

function sortOf(
	text: string | undefined,
	{ sortSpellings, unknownSort }: ListSwitches,
	fields: ReadonlySet<string> | null,
): Sort | null | BadParameter {
	if (text === undefined) return null;
	const sort = readSort(text, sortSpellings);
	if (sort !== null && (fields === null || fields.has(sort.field))) return sort;
	return unknownSort === 'error' ? new BadParameter('sort is not understood.') : null;
}

function readSort(text: string, accepted: SortSpelling[]): Sort | null {
	if (accepted.length > 0 && /^[\w.]+$/.test(text)) return { field: text, descending: false };
	for (const [spelling, shape] of spellings) {
		const { field, direction } = shape.exec(text)?.groups ?? {};
		if (field !== undefined && direction !== undefined && accepted.includes(spelling)) {
			return { field, descending: ['desc', '-'].includes(direction.toLowerCase()) };
		}
	}
	return null;
}

function sinceOf(
	text: string | undefined,
	switches: ListSwitches,
	now: number,
): number | null | BadParameter {
	const { ignored, maxAgeMs, rejectsFuture, unreadable } = switches.updatedSince;
	if (text === undefined || ignored) return null;
	const time = readTime(text, switches.updatedSince, switches.zoneOffsetMinutes);
	if (rejectsFuture && time !== null && time > now)
		return new BadParameter('updatedSince must not be in the future.');
	if (maxAgeMs > 0 && time !== null && time < now - maxAgeMs)
		return new BadParameter('updatedSince is too long ago.');
	if (time !== null) return time;
	if (unreadable === 'error')
		return new BadParameter('updatedSince is not a time this service reads.');
	return unreadable === 'ignored' ? null : Infinity;
}
