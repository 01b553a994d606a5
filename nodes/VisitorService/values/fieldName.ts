import type { JsonObject } from './json';

/**
 * The name of a field without what differs between services. `.` and `:` stay, because they part it
 * from the vocabulary it belongs to: `@odata.count`, `hydra:member`.
 */
export function fieldName(name: string): string {
	return name.toLowerCase().replace(/[-_\s$@]+/g, '');
}

export interface Field<T = unknown> {
	/** The name as it stands in the object. */
	key: string;
	value: T;
}

/** The fields of an object by name; of one name the shortest key first: `id`, `_id`, `@id`. */
export type Fields = ReadonlyMap<string, readonly Field[]>;

/** @param nameOf what a key is compared by */
export function fieldsOf(object: JsonObject, nameOf = fieldName): Fields {
	const fields = new Map<string, Field[]>();
	for (const [key, value] of Object.entries(object)) {
		const name = nameOf(key);
		const known = fields.get(name);
		if (known === undefined) fields.set(name, [{ key, value }]);
		else known.push({ key, value });
	}
	for (const same of fields.values()) {
		if (same.length > 1) same.sort((one, other) => one.key.length - other.key.length);
	}
	return fields;
}

/** The field under the first of these names, likeliest first, that holds what is looked for. */
export function findField<T>(
	fields: Fields,
	names: readonly string[],
	holds: (value: unknown) => value is T,
): Field<T> | undefined {
	for (const name of names) {
		for (const { key, value } of fields.get(name) ?? []) {
			if (holds(value)) return { key, value };
		}
	}
	return undefined;
}

/** The value under the first of these names that is neither missing nor null. */
export function readField(fields: Fields, names: readonly string[]): unknown {
	return findField(fields, names, isGiven)?.value;
}

/** Whether a field under one of these names holds such a value. */
export function hasField(
	fields: Fields,
	names: readonly string[],
	holds: (value: unknown) => boolean,
): boolean {
	return names.some((name) => fields.get(name)?.some(({ value }) => holds(value)));
}

function isGiven(value: unknown): value is string | number | boolean | object {
	return value !== undefined && value !== null;
}
