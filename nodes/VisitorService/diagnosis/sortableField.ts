import { readDotPath } from '../json/dotPath';
import type { JsonObject } from '../listing/findRecords';

export interface SortableField {
	name: string;
	greatest: string | number;
	least: string | number;
}

/**
 * Finds a field by which sorting in descending order would show: its values differ, every service puts them in the
 * same order, and the list does not begin with the greatest of them by itself.
 *
 * @param preferred names to try before all others
 * @param pageSize records on a page
 */
export function findSortableField(
	records: readonly JsonObject[],
	preferred: readonly string[],
	pageSize: number,
): SortableField | undefined {
	const page = records.slice(0, pageSize);
	for (const name of new Set([...preferred, ...Object.keys(records[0] ?? {})])) {
		const field = readSortableField(records, name);
		if (field === undefined) continue;
		const values = page.map((record) => readDotPath(record, name));
		const alreadySorted =
			isSorted(values, 'descending') && isSorted([values[0], field.greatest], 'descending');
		if (!alreadySorted) return field;
	}
	return undefined;
}

/** @returns undefined where services may disagree about the order of the values, or they are mostly the same */
export function readSortableField(
	records: readonly JsonObject[],
	name: string,
): SortableField | undefined {
	const values = new Set<string | number>();
	const shapes = new Set<string>();
	for (const record of records) {
		const value = readDotPath(record, name);
		if (typeof value !== 'number' && typeof value !== 'string') return undefined;
		values.add(value);
		shapes.add(shapeOf(value));
		if (shapes.size > 1) return undefined;
	}
	if (values.size < 2 || values.size < records.length / 2) return undefined;
	const sorted = [...values].sort((one, other) => (one < other ? -1 : 1));
	const [least] = sorted;
	const greatest = sorted.at(-1);
	return least === undefined || greatest === undefined ? undefined : { name, greatest, least };
}

/** Whether comparable values follow each other in this direction; not where one is missing or of another type. */
export function isSorted(
	values: readonly unknown[],
	direction: 'ascending' | 'descending',
): boolean {
	if (values.length === 0) return false;
	return values.every((value, index) => {
		const before = index === 0 ? value : values[index - 1];
		if (typeof value === 'number' && typeof before === 'number') {
			return direction === 'ascending' ? before <= value : before >= value;
		}
		if (typeof value !== 'string' || typeof before !== 'string') return false;
		return direction === 'ascending' ? before <= value : before >= value;
	});
}

/** Texts of one length in lower case, with the same punctuation at the same places, sort alike under every collation. */
function shapeOf(value: string | number): string {
	return typeof value === 'number' ? 'number' : `text:${value.replace(/[0-9a-z]/g, 'x')}`;
}
