import { isRecord, type JsonObject } from '../values/json';

/** The fields to keep of each record, and which of them no record had. */
export class FieldSelection {
	private readonly unseen: Set<string>;

	/** @param fields names as they stand, or dot paths, which pass through lists; none = all fields */
	constructor(private readonly fields: readonly string[]) {
		this.unseen = new Set(fields);
	}

	/** Names that no record had so far. */
	get missing(): string[] {
		return [...this.unseen];
	}

	/** The record with these fields only, at their places; the record itself if none is named. */
	pick(record: JsonObject): JsonObject {
		if (this.fields.length === 0) return record;
		const picked: JsonObject = {};
		for (const field of this.fields) {
			if (copyField(record, picked, field)) this.unseen.delete(field);
		}
		return picked;
	}
}

/** @returns whether there is such a field */
function copyField(from: JsonObject, to: JsonObject, path: string): boolean {
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

function copyWithin(from: JsonObject, to: JsonObject, head: string, rest: string): boolean {
	const inner = from[head];
	const copied = to[head];
	// Kept as a whole already.
	if (copied !== undefined && copied === inner) return true;
	if (isRecord(inner)) {
		const part = isRecord(copied) ? copied : {};
		if (!copyField(inner, part, rest)) return false;
		to[head] = part;
		return true;
	}
	if (!Array.isArray(inner)) return false;
	const parts: unknown[] = Array.isArray(copied) ? copied : inner.map(() => ({}));
	const found = inner.map((element: unknown, place) => {
		const part = parts[place];
		return isRecord(element) && isRecord(part) && copyField(element, part, rest);
	});
	if (!found.includes(true)) return false;
	to[head] = parts;
	return true;
}
