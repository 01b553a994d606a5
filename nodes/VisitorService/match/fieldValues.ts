import { isNonBlank } from '../values/json';
import { sanitizeServerText } from '../values/serverText';

/** Names of fields whose values are words of the service, and not personal data. */
const STATUS_FIELD = /(?:status|state|type|kind|role|category|level|phase|stage)$/i;

const MAX_VALUES = 6;
const MAX_VALUE_LENGTH = 24;

/** The values of a field, if they are few, short and not personal. */
export class FieldValues {
	private readonly values = new Set<string>();

	private readonly hasStatus: boolean;

	constructor(private readonly field: string) {
		this.hasStatus = STATUS_FIELD.test(field);
	}

	note(values: readonly unknown[]): void {
		for (const value of values.flat(Infinity)) {
			if (this.values.size > MAX_VALUES) return;
			const isWord = typeof value === 'boolean' || (this.hasStatus && isNonBlank(value));
			if (isWord) this.values.add(String(value));
		}
	}

	/** A sentence, or nothing. */
	get notes(): string[] {
		const values = [...this.values];
		const isShort = values.every(({ length }) => length <= MAX_VALUE_LENGTH);
		const list = sanitizeServerText(values.join(', '));
		if (!isShort || values.length > MAX_VALUES || list === undefined) return [];
		return [`Values of "${this.field}" that were read: ${list}.`];
	}
}
