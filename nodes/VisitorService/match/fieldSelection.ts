import { isJsonObject, type JsonObject, readAllAtPath, stepInto } from '../values/json';

/** Fields that are looked for in records, and which of them none had. */
export class FieldPresence {
	/** Whether a record had it. */
	private readonly fields = new Map<string, boolean>();

	/** @param values what a record has at the field: none in an empty list, which says nothing */
	note(field: string, values: readonly unknown[]): void {
		if (values.length === 0 || this.isPresent(field)) return;
		const isThere = values.some((value) => value !== undefined);
		this.fields.set(field, isThere);
	}

	isPresent(field: string): boolean {
		return this.fields.get(field) === true;
	}

	get missing(): string[] {
		return [...this.fields.keys()].filter((field) => !this.isPresent(field));
	}

	/** A warning of the fields that no record had, or nothing. */
	warnings(plural: string, advice: string, what = ''): string[] {
		const names = this.missing.map((field) => `"${field}"`).join(', ');
		return names === '' ? [] : [`None of the ${plural} has ${what}${names}: ${advice}`];
	}
}

/** The fields to keep of each record, and which of them no record had. */
export class FieldSelection {
	private readonly presence = new FieldPresence();

	/**
	 * @param fields names as they stand, or dot paths, which pass through lists or name places in
	 *   them; none = all fields
	 */
	constructor(private readonly fields: readonly string[]) {}

	warnings(plural: string): string[] {
		return this.presence.warnings(plural, 'check Output Field Names or IDs.');
	}

	/** The record with these fields only, at their places; the record itself if none is named. */
	pick(record: JsonObject): JsonObject {
		if (this.fields.length === 0) return record;
		let picked: JsonObject = {};
		for (const field of this.fields) {
			const values = readAllAtPath(record, field);
			this.presence.note(field, values);
			const isAbsent = values.length > 0 && values.every((value) => value === undefined);
			if (!isAbsent) picked = withField(record, picked, field) as JsonObject;
		}
		return picked;
	}
}

/** What was kept so far of a value, and what stands in it at the path. */
function withField(value: unknown, kept: unknown, path: string): unknown {
	if (path === '' || value === kept) return value;
	const step = stepInto(value, path);
	if (Array.isArray(value)) {
		const parts: unknown[] = Array.isArray(kept) ? kept : value.map(() => ({}));
		return parts.map((part, index) => {
			if (step === undefined) return withField(value[index], part, path);
			return index === Number(step.key) ? withField(step.value, part, step.rest) : part;
		});
	}
	const part = isJsonObject(kept) ? kept : {};
	if (step === undefined) return part;
	return { ...part, [step.key]: withField(step.value, part[step.key], step.rest) };
}
