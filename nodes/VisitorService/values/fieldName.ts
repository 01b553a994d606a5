import type { JsonObject } from './json';

/**
 * The name of a field without what differs between services: in lower case, without `-`, `_`, spaces, `$` and `@`.
 * `.` and `:` stay, because they part a name from the vocabulary it belongs to: `@odata.count`, `hydra:member`.
 */
export function fieldName(name: string): string {
	return name.toLowerCase().replace(/[-_\s$@]+/g, '');
}

export interface Field<T> {
	/** The name as it stands in the object. */
	key: string;
	value: T;
}

/**
 * The field of an object under the first of these names that holds what is looked for.
 *
 * @param names as `fieldName` writes them, the likelier the earlier
 */
export function findField<T>(
	object: JsonObject,
	names: readonly string[],
	holds: (value: unknown) => value is T,
): Field<T> | undefined {
	let best = names.length;
	let found: Field<T> | undefined;
	for (const key of Object.keys(object)) {
		const rank = names.indexOf(fieldName(key));
		if (rank < 0 || rank >= best) continue;
		const value = object[key];
		if (!holds(value)) continue;
		best = rank;
		found = { key, value };
	}
	return found;
}

/** The value under the first of these names, as `fieldName` writes them, that is neither missing nor null. */
export function readField(object: JsonObject, names: readonly string[]): unknown {
	return findField(object, names, isGiven)?.value;
}

function isGiven(value: unknown): value is string | number | boolean | object {
	return value !== undefined && value !== null;
}
