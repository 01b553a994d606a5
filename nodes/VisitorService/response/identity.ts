import { isJsonObject, type JsonObject, type Records, readDotPath } from '../values/json';
import { type FieldCandidate, fieldsOfRecords } from './recordFields';
import { listedResource, resourceNames } from './resources';

export type RecordId = string | number;

/** Normalized names of the ID, likeliest first. `*` stands for the names of the resource. */
const RECORD_ID_NAMES = 'id *id uuid *uuid guid *guid recordid recid sysid pk'.split(' ');

/** Names that may identify something else: a card, a link, what the record belongs to. */
const UNCERTAIN_ID_NAMES =
	`objectid uid oid gid sid vid identifier *no *number *key *code key emplid pin username loginname
	uri href`.split(/\s+/);

/**
 * Finds the field that identifies records: the likeliest name that every record of the page has,
 * with no value twice.
 *
 * @param resource name of the resource, such as "user"
 * @returns its dot path; not certain if fields of this name often hold something else, such as the
 *   number of a card
 */
export function findIdField(
	page: Records,
	resource: string,
): { field: string; isCertain: boolean } | undefined {
	const names = resourceNames(resource);
	const related = listedResource(resource)?.relatedNames ?? [];
	const sureNames = namesFrom(RECORD_ID_NAMES, names);
	const uncertainNames = [
		...namesFrom(RECORD_ID_NAMES, related),
		...namesFrom(UNCERTAIN_ID_NAMES, [...names, ...related]),
	];
	const possible = new Set([...sureNames, ...uncertainNames]);
	const fields = fieldsOfRecords(page, names, (name) => possible.has(name));
	// Newtonsoft numbers the objects of each response in `$id`.
	const isNumbered = page.every(({ $id }) => /^\d+$/.test(String($id)));
	const likeliest = (likely: readonly string[]) =>
		ranked(fields, likely).find(
			({ path }) => !(path === '$id' && isNumbered) && isDifferentInAll(path, page),
		);
	const sure = likeliest(sureNames);
	if (sure !== undefined) return { field: sure.path, isCertain: !sure.isAuditField };
	// A single record does not show whether records differ in this field.
	if (page.length < 2) return undefined;
	const uncertain = likeliest(uncertainNames);
	return uncertain && { field: uncertain.path, isCertain: false };
}

function isDifferentInAll(path: string, page: Records): boolean {
	const values = new Set<RecordId>();
	return page.every((record) => {
		const id = readId(record, path);
		return id !== undefined && values.size < values.add(id).size;
	});
}

/**
 * The fields with one of the names: those of the record itself first, then in the order of names.
 */
function ranked(fields: readonly FieldCandidate[], names: readonly string[]): FieldCandidate[] {
	const rank = ({ depth, name, extraChars }: FieldCandidate) =>
		depth * 1e6 + names.indexOf(name) * 1e3 + extraChars;
	return fields
		.filter(({ name }) => names.includes(name))
		.sort((one, other) => rank(one) - rank(other));
}

function namesFrom(patterns: readonly string[], names: readonly string[]): string[] {
	return patterns.flatMap((pattern) =>
		pattern.startsWith('*') ? names.map((name) => name + pattern.slice(1)) : [pattern],
	);
}

/**
 * The ID as written. Not a number beyond 2^53, because JSON parsers round those to the same one.
 */
export function readId(record: JsonObject, path: string): RecordId | undefined {
	const value = readDotPath(record, path);
	if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
	if (typeof value === 'string') return value === '' ? undefined : value;
	// Extended JSON of MongoDB.
	return isJsonObject(value) && typeof value.$oid === 'string' ? value.$oid : undefined;
}

const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,15})$/;

/** A UUID, in braces or without hyphens too, or an ID of MongoDB. */
const HEXADECIMAL =
	/^(?:\{?[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\}?|[\da-f]{24}|[\da-f]{32})$/i;

/** A quick check: most IDs are in lower case, and a list may hold a million of them. */
const MAY_BE_CAPITALS = /[A-F{]/;

/** One spelling for each ID: a later response may be from another store that writes 7 as "7". */
export function normalizeId(id: RecordId): RecordId {
	if (typeof id === 'number') return id;
	if (WHOLE_NUMBER.test(id)) {
		const number = Number(id);
		return Number.isSafeInteger(number) ? number : id;
	}
	return MAY_BE_CAPITALS.test(id) && HEXADECIMAL.test(id)
		? id.toLowerCase().replace(/[{}]/g, '')
		: id;
}
