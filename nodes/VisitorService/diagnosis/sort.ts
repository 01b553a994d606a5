import type { JsonObject } from '../values/json';
import { type Found, ok, unknown } from './finding';
import { type ListedUsers, MAX_CHANGES, type UserPage, type Users } from './users';

/** Each writes that a field is sorted in descending order. */
const SPELLINGS = ['field,desc', '-field', 'field:desc', 'field desc'];
/** How many of them are tried: with a second field only those that are most usual. */
const TRIED_WITH_FIELD = [SPELLINGS.length, 2];

/** Which spelling of `sort` changes the order: six questions at most. */
export async function checkSort({ users, isComparable }: ListedUsers): Promise<Found> {
	const tried: string[] = [];
	const fields = isComparable ? findSortableFields(users) : [];
	for (const [place, field] of fields.entries()) {
		for (const spelling of SPELLINGS.slice(0, TRIED_WITH_FIELD[place] ?? 0)) {
			const sort = spelling.replace('field', () => field);
			const page = await users.read({ sort, ...users.size });
			if (page === undefined) return undefined;
			const outcome = judgeOrder(page, users.beginning, field);
			tried.push(`"${sort}" ${outcome}`);
			if (outcome === 'works') return ok('sortFormat', spelling, `${tried.join(', ')}.`);
		}
	}
	if (tried.length === 0) return unknown('sortFormat');
	return unknown('sortFormat', `${tried.join(', ')}. The service may sort by other fields only.`);
}

function judgeOrder({ kind, keys, records }: UserPage, known: UserPage, field: string): string {
	if (kind === 'refused') return 'is refused';
	// One that follows the known order but for a change of the list may be in order anyway.
	const before = new Map(known.keys.map((key, place) => [key, known.keys[place - 1]]));
	const moved = keys.filter((key, place) => before.get(key) !== keys[place - 1]);
	if (keys.length > 0 && moved.length <= MAX_CHANGES) return 'has no effect';
	return descends(records, field, known.records) ? 'works' : 'was not clear';
}

/** Fields of which most values differ, and by which the list does not descend anyway. */
function findSortableFields({ first, beginning: { records }, size }: Users): string[] {
	const page = records.slice(0, size.pageSize ?? first.came);
	return Object.keys(records[0] ?? {}).filter((field) => {
		const different = new Set(valuesOf(records, field)).size;
		return different > 1 && different >= records.length / 2 && !descends(page, field, records);
	});
}

/** Whether the values of a page descend, from one that none of the known records exceeds. */
function descends(page: JsonObject[], field: string, known: JsonObject[]): boolean {
	const values = valuesOf(page, field);
	const [greatest] = values;
	return (
		greatest !== undefined &&
		values.every((value, place) => value <= (values[place - 1] ?? greatest)) &&
		valuesOf(known, field).every((value) => value <= greatest)
	);
}

/** Values that every service puts in one order: numbers, or texts of one shape. None otherwise. */
function valuesOf(records: readonly JsonObject[], field: string): Array<string | number> {
	const values = records
		.map((record) => record[field])
		.filter((value) => typeof value === 'number' || typeof value === 'string');
	// Lower case with the same punctuation at the same places sorts alike under every collation.
	const shapes = values.map((value) =>
		typeof value === 'number' ? 'number' : value.replace(/[0-9a-z]/g, 'x'),
	);
	return new Set(shapes).size === 1 && values.length === records.length ? values : [];
}
