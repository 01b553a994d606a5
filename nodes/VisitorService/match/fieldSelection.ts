import { isJsonObject, type JsonObject, readAllAtPath, stepInto } from '../values/json';

/** Records which of some fields occur in any record. */
export class FieldPresence {
	/** Whether any record had the field. */
	private readonly fields = new Map<string, boolean>();

	/** @param values of one record; none, as of an empty list, says nothing about the field */
	note(field: string, values: readonly unknown[]): void {
		if (values.length === 0 || this.isPresent(field)) return;
		this.fields.set(
			field,
			values.some((value) => value !== undefined),
		);
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

/** Picks fields of records, and notes which of them no record has. */
export class FieldSelection {
	private readonly presence = new FieldPresence();

	/**
	 * @param fields names, or dot paths, which pass through lists or name an index of one; none = all
	 *   fields
	 */
	constructor(private readonly fields: readonly string[]) {}

	warnings(plural: string): string[] {
		return this.presence.warnings(plural, 'check Output Field Names or IDs.');
	}

	/** The record with these fields only, nested as before; the record itself if none is named. */
	pick(record: JsonObject): JsonObject {
		if (this.fields.length === 0) return record;
		const picked: JsonObject = {};
		for (const field of this.fields) {
			const values = readAllAtPath(record, field);
			this.presence.note(field, values);
			const isAbsent = values.length > 0 && values.every((value) => value === undefined);
			if (!isAbsent) withField(record, picked, field);
		}
		return picked;
	}
}

/** Adds the value at the path to what was kept of a value: a copy each would take too long. */
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
	const inner = withField(step.value, part[step.key], step.rest);
	// Not by an assignment, which makes the prototype of what a service calls `__proto__`.
	const options = { enumerable: true, writable: true, configurable: true };
	return Object.defineProperty(part, step.key, { value: inner, ...options });
}
