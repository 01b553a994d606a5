import { isRecord, type JsonObject, valuesAt } from '../values/json';

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
		let picked: JsonObject = {};
		for (const field of this.fields) {
			const places = valuesAt(record, field);
			const isAbsent = places.length > 0 && places.every((value) => value === undefined);
			if (places.length > 0) (isAbsent ? this.absent : this.seen).add(field);
			if (!isAbsent) picked = withField(record, picked, field) as JsonObject;
		}
		return picked;
	}
}

/** What was kept so far of a value, and what stands in it at the path. */
function withField(value: unknown, kept: unknown, path: string): unknown {
	if (path === '' || value === kept) return value;
	const keys = path.split('.');
	if (Array.isArray(value)) {
		const [head = '', ...rest] = keys;
		const parts: unknown[] = Array.isArray(kept) ? kept : value.map(() => ({}));
		const isPlace = /^\d+$/.test(head);
		return parts.map((part, place) => {
			if (!isPlace) return withField(value[place], part, path);
			return place === Number(head) ? withField(value[place], part, rest.join('.')) : part;
		});
	}
	const part = isRecord(kept) ? kept : {};
	if (!isRecord(value)) return part;
	for (let length = keys.length; length > 0; length--) {
		const name = keys.slice(0, length).join('.');
		if (!Object.hasOwn(value, name)) continue;
		return { ...part, [name]: withField(value[name], part[name], keys.slice(length).join('.')) };
	}
	return part;
}
