import { isRecord, type JsonObject } from '../values/json';

/** The fields to keep of each record, and which of them no record had. */
export class FieldSelection {
	private readonly seen = new Set<string>();

	private readonly absent = new Set<string>();

	/**
	 * @param fields names as they stand, or dot paths, which pass through lists or name places in
	 *   them; none = all fields
	 */
	constructor(private readonly fields: readonly string[]) {}

	/**
	 * Names that some record could have had, and none had so far: a list that is empty says nothing
	 * of what is in it.
	 */
	get missing(): string[] {
		return [...this.absent].filter((field) => !this.seen.has(field));
	}

	/** The record with these fields only, at their places; the record itself if none is named. */
	pick(record: JsonObject): JsonObject {
		if (this.fields.length === 0) return record;
		const picked: JsonObject = {};
		for (const field of this.fields) {
			const isThere = copyField(record, picked, field);
			if (isThere !== undefined) (isThere ? this.seen : this.absent).add(field);
		}
		return picked;
	}
}

/** @returns whether there is such a field; undefined if only empty lists are on the way to it */
function copyField(from: JsonObject, to: JsonObject, path: string): boolean | undefined {
	if (Object.hasOwn(from, path)) {
		to[path] = from[path];
		return true;
	}
	const keys = path.split('.');
	for (let length = keys.length - 1; length > 0; length--) {
		const head = keys.slice(0, length).join('.');
		if (Object.hasOwn(from, head)) return copyWithin(from, to, head, keys.slice(length).join('.'));
	}
	return false;
}

function copyWithin(
	from: JsonObject,
	to: JsonObject,
	head: string,
	rest: string,
): boolean | undefined {
	const inner = from[head];
	const copied = to[head];
	// Kept as a whole already.
	if (copied !== undefined && copied === inner) return true;
	if (isRecord(inner)) {
		const part = isRecord(copied) ? copied : {};
		const isThere = copyField(inner, part, rest);
		if (isThere !== false) to[head] = part;
		return isThere;
	}
	if (!Array.isArray(inner)) return false;
	const parts: unknown[] = Array.isArray(copied) ? copied : inner.map(() => ({}));
	const [, place, further] = /^(\d+)(?:\.(.+))?$/s.exec(rest) ?? [];
	const found = inner.map((element: unknown, at) => {
		if (place !== undefined && at !== Number(place)) return false;
		if (place !== undefined && further === undefined) {
			parts[at] = element;
			return true;
		}
		const part = parts[at];
		return isRecord(element) && isRecord(part) && copyField(element, part, further ?? rest);
	});
	const isThere = found.includes(true) || (found.includes(false) ? false : undefined);
	if (isThere !== false) to[head] = parts;
	return isThere;
}
