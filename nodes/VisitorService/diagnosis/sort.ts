import { type JsonObject, readDotPath } from '../values/json';
import { type Found, ok, unknown } from './finding';
import { MAX_CHANGES, type Seen, type UserPage } from './seen';
import type { Users } from './users';

/** Each writes that a field is sorted in descending order. */
const SPELLINGS = ['field,desc', '-field', 'field:desc', 'field desc'];

interface SortableField {
	name: string;
	greatest: string | number;
}

/** How many of them are tried: with a second field only those that are most usual. */
const TRIED_WITH_FIELD = [SPELLINGS.length, 2];

/**
 * Which spelling of `sort` changes the order: six questions at most.
 *
 * @param preferred dot paths of fields to try first
 */
export async function checkSort(users: Users, preferred: readonly string[]): Promise<Found> {
	const { seen } = users;
	const size = seen.usualSize;
	const tried: string[] = [];
	for (const [place, field] of findSortableFields(seen, preferred, size.pageSize).entries()) {
		for (const spelling of SPELLINGS.slice(0, TRIED_WITH_FIELD[place] ?? 0)) {
			const sort = spelling.replace('field', () => field.name);
			const page = await users.read({ sort, ...size });
			if (page === undefined) return undefined;
			const outcome = page.kind === 'refused' ? 'is refused' : judgeOrder(page, seen, field);
			tried.push(`"${sort}" ${outcome}`);
			if (outcome === 'works') return ok('sortFormat', spelling, `${tried.join(', ')}.`);
		}
	}
	if (tried.length === 0) return undefined;
	return unknown('sortFormat', `${tried.join(', ')}. The service may sort by other fields only.`);
}

function judgeOrder({ keys, records }: UserPage, seen: Seen, field: SortableField): string {
	const known = seen.beginning.keys;
	if (keys.length > 0 && keys.every((key, place) => key === known[place])) return 'has no effect';
	// Fewer may be in order by a change of the list.
	return records.length > MAX_CHANGES && isSorted(records, field) ? 'works' : 'was not clear';
}

/** Whether records descend, from a value no smaller than the greatest known; not if one has none, or another type. */
function isSorted(records: readonly JsonObject[], { name, greatest }: SortableField): boolean {
	const values = records.map((record) => readDotPath(record, name));
	return values.every((value, place) =>
		place === 0 ? isAtLeast(value, greatest) : isAtLeast(values[place - 1], value),
	);
}

function isAtLeast(high: unknown, low: unknown): boolean {
	if (typeof high === 'number' && typeof low === 'number') return high >= low;
	return typeof high === 'string' && typeof low === 'string' && high >= low;
}

/**
 * Fields by which sorting in descending order would show: their values differ, every service puts them in the same
 * order, and the list does not begin with the greatest of them anyway.
 */
function findSortableFields(
	seen: Seen,
	preferred: readonly string[],
	pageSize = seen.first.keys.length,
): SortableField[] {
	const { records } = seen.beginning;
	const names = new Set([...preferred, ...Object.keys(records[0] ?? {})]);
	return [...names].flatMap((name) => {
		const greatest = greatestOf(records.map((record) => readDotPath(record, name)));
		if (greatest === undefined) return [];
		return isSorted(records.slice(0, pageSize), { name, greatest }) ? [] : [{ name, greatest }];
	});
}

/** Undefined if the values do not differ much, or services may put them in different orders. */
function greatestOf(values: readonly unknown[]): string | number | undefined {
	const comparable = values.filter(
		(value) => typeof value === 'number' || typeof value === 'string',
	);
	const isOfOneShape = new Set(comparable.map(shapeOf)).size === 1;
	const different = new Set(comparable).size;
	if (comparable.length < values.length || !isOfOneShape) return undefined;
	if (different < 2 || different < values.length / 2) return undefined;
	return comparable.reduce((most, value) => (value > most ? value : most));
}

/** Texts of one length in lower case, with the same punctuation at the same places, sort alike under every collation. */
function shapeOf(value: string | number): string {
	return typeof value === 'number' ? 'number' : `text:${value.replace(/[0-9a-z]/g, 'x')}`;
}
