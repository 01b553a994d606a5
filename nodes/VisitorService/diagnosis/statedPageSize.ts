import { isRecord } from '../json/isRecord';

const SIZE_KEYS = ['pageSize', 'page_size', 'size', 'perPage', 'per_page', 'limit', 'itemsPerPage'];

/** The number of records per page that an answer names, at its top or up to two levels below. */
export function readStatedPageSize(body: unknown, depth = 0): number | undefined {
	if (!isRecord(body)) return undefined;
	for (const key of SIZE_KEYS) {
		const value = body[key];
		if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
	}
	if (depth === 2) return undefined;
	for (const inner of Object.values(body)) {
		const stated = readStatedPageSize(inner, depth + 1);
		if (stated !== undefined) return stated;
	}
	return undefined;
}
