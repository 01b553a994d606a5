export type Placeholder = 'body' | 'timestamp' | 'id';

export interface ContentValues {
	body: Buffer;
	timestamp: string;
	id: string;
}

const PLACEHOLDER = /\{(body|timestamp|id)\}/;

/** The placeholders a template such as `{id}.{timestamp}.{body}` holds. */
export function placeholdersIn(template: string): ReadonlySet<Placeholder> {
	return new Set(split(template).filter((_, index) => index % 2 === 1) as Placeholder[]);
}

/** The signed bytes in the order of the template. The body stays the bytes that came. */
export function contentParts(template: string, values: ContentValues): Buffer[] {
	return split(template).map((part, index) => {
		if (index % 2 === 0) return Buffer.from(part, 'utf8');
		const value = values[part as Placeholder];
		// node:http reads header bytes as Latin-1; this gives the bytes that came.
		return typeof value === 'string' ? Buffer.from(value, 'latin1') : value;
	});
}

/** Text and names of placeholders in turn; text comes first and last. */
function split(template: string): string[] {
	return template.split(PLACEHOLDER);
}
