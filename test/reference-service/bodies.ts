import type { JsonValue } from './json';

export interface Body {
	/** null = no `Content-Type`. */
	contentType: string | null;
	text: string;
}

export interface ForcedResponse {
	status: number;
	/**
	 * Sent as `Retry-After`: a number is seconds, `{inSeconds}` an HTTP date that far ahead, a text
	 * goes as it is.
	 */
	retryAfter?: number | string | { inSeconds: number };
	/**
	 * A text goes as it is, anything else as JSON. Left out: an error body in the style of
	 * `errors.body`.
	 */
	body?: JsonValue;
	/**
	 * Default `text/html` for a body that starts with `<`, `text/plain` for another text, else
	 * `application/json`.
	 */
	contentType?: string;
	headers?: Record<string, string>;
}

/** A text as it is, which is called what it looks like; anything else as JSON. */
export function bodyOf(value: JsonValue): Body {
	if (value === '') return { contentType: null, text: '' };
	if (typeof value !== 'string')
		return { contentType: 'application/json; charset=utf-8', text: JSON.stringify(value) };
	const type = value.startsWith('<') ? 'text/html' : 'text/plain';
	return { contentType: `${type}; charset=utf-8`, text: value };
}
