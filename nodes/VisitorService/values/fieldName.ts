import { isRecord, type JsonObject } from './json';

/**
 * The name of a field without what differs between services. `.` and `:` stay, because they part it
 * from the vocabulary it belongs to: `@odata.count`, `hydra:member`.
 */
export function fieldName(name: string): string {
	return name.toLowerCase().replace(/[-_\s$@]+/g, '');
}

/** As header fields are compared (RFC 9110 §5.1), and as Node.js names them. */
export function headerFieldName(name: string): string {
	return name.trim().toLowerCase();
}

interface Field<T> {
	/** The name as it stands in the object. */
	key: string;
	value: T;
}

/**
 * The field under the first of these names, likeliest first, that holds what is looked for; of one
 * name that with the shortest key: `id`, `_id`, `@id`.
 */
export function findField<T>(
	object: JsonObject,
	names: readonly string[],
	holds: (value: unknown) => value is T,
): Field<T> | undefined {
	const fields = Object.entries(object)
		.map(([key, value]) => [fieldName(key), { key, value }] as const)
		.sort(([, one], [, other]) => one.key.length - other.key.length);
	for (const sought of names) {
		for (const [name, { key, value }] of fields) {
			if (name === sought && holds(value)) return { key, value };
		}
	}
	return undefined;
}

/** The value under a name that is neither missing nor null. */
export function readField(object: unknown, name: string): unknown {
	return isRecord(object) ? findField(object, [name], isGiven)?.value : undefined;
}

function isGiven(value: unknown): value is string | number | boolean | object {
	return value !== undefined && value !== null;
}
