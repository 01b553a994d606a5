import type { JsonObject } from './findRecords';

/** Reads `options.fields`: names separated by commas; empty = all. */
export function readFieldNames(text: string): string[] {
	return text
		.split(',')
		.map((name) => name.trim())
		.filter((name) => name !== '');
}

/** The record with the named top-level fields only; the record itself where no field is named. */
export function pickFields(record: JsonObject, fields: readonly string[]): JsonObject {
	if (fields.length === 0) return record;
	const picked: JsonObject = {};
	for (const field of fields) if (Object.hasOwn(record, field)) picked[field] = record[field];
	return picked;
}
