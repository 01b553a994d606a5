import type { JsonObject } from './findRecords';

/** What makes a record the same one when it comes again. */
export type RecordIdentity = (record: JsonObject) => string | number | undefined;

export interface FoundIdentity {
	field: string;
	identify: RecordIdentity;
}

/** Names of id fields, likeliest first; `{resource}` stands for the name of the resource. */
const ID_NAMES = [
	'id',
	'Id',
	'ID',
	'{resource}Id',
	'{resource}_id',
	'{resource}ID',
	'{Resource}Id',
	'{Resource}ID',
	'uuid',
	'UUID',
	'{resource}Uuid',
	'{resource}_uuid',
	'_id',
	'guid',
	'GUID',
	'recordId',
	'@id',
];

/** Names that may stand for something else; believed where at least two records differ in them. */
const DOUBTFUL_ID_NAMES = ['uid', 'oid', 'identifier', 'objectId', 'key'];

/**
 * Finds the field that identifies records: the likeliest name that every record of the page has, with no
 * value twice. A field that repeats within one page is no id.
 *
 * @returns undefined where no such field is, or the page is empty
 */
export function findIdentity(
	page: readonly JsonObject[],
	resource: string,
): FoundIdentity | undefined {
	if (page.length === 0) return undefined;
	const capitalized = resource.charAt(0).toUpperCase() + resource.slice(1);
	const names = ID_NAMES.map((name) =>
		name.replace('{resource}', resource).replace('{Resource}', capitalized),
	);
	if (page.length > 1) names.push(...DOUBTFUL_ID_NAMES);
	const field = names.find((name) => {
		const values = page.map((record) => readIdentity(record, name));
		return !values.includes(undefined) && new Set(values).size === values.length;
	});
	if (field === undefined) return undefined;
	return { field, identify: (record) => readIdentity(record, field) };
}

/**
 * The value of an id field; 1 and "1" are two ids. Undefined where it is no id, also for a number beyond 2^53:
 * parsed as a double, different ids become the same.
 */
export function readIdentity(record: JsonObject, field: string): string | number | undefined {
	const value = record[field];
	if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
	if (typeof value === 'string') return value === '' ? undefined : value;
	// MongoDB's extended JSON: { "$oid": "…" }.
	if (typeof value === 'object' && value !== null && '$oid' in value) {
		return typeof value.$oid === 'string' ? value.$oid : undefined;
	}
	return undefined;
}
