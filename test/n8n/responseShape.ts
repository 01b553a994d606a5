/** n8n responded with something whose shape is not the expected one. */
export class UnexpectedResponse extends Error {}

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `value` as an object; throws an UnexpectedResponse that names `what` was asked otherwise. */
export function object(value: unknown, what: string): JsonObject {
	if (isObject(value)) return value;
	throw new UnexpectedResponse(`${what}: expected an object, got ${describe(value)}.`);
}

export function array(value: unknown, what: string): unknown[] {
	if (Array.isArray(value)) return value;
	throw new UnexpectedResponse(`${what}: expected a list, got ${describe(value)}.`);
}

export function string(value: unknown, what: string): string {
	if (typeof value === 'string') return value;
	throw new UnexpectedResponse(`${what}: expected a text, got ${describe(value)}.`);
}

function describe(value: unknown): string {
	const text = value === undefined ? 'nothing' : JSON.stringify(value);
	return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
