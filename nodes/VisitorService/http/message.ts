import { headerFieldName } from '../values/headerFieldName';
import { isRecord, parseJson } from '../values/json';

/** One request, as the transport gets it. `query` values are sent as they are, percent-encoded. */
export interface HttpRequest {
	method: 'GET' | 'POST';
	url: string;
	headers?: Record<string, string>;
	query?: Record<string, string | number>;
	/** Form fields in the order they are sent (application/x-www-form-urlencoded). */
	form?: ReadonlyArray<readonly [name: string, value: string]>;
	/** Milliseconds one attempt may take, from its start to the last byte of its answer. */
	timeout: number;
	/** Aborted when the attempt is given up, so that its connection is closed. */
	signal?: AbortSignal;
	/**
	 * From now on the attempt may take that many milliseconds: what it waited for was not the answer.
	 */
	extend?: (milliseconds: number) => void;
}

/**
 * One answer. Header names are in lower case; `body` is parsed JSON, or text if it was not JSON.
 */
export interface HttpAnswer {
	statusCode: number;
	headers: Record<string, string>;
	body: unknown;
}

/** Sends one request once. Resolves for every status code; rejects only if no whole answer came. */
export type Transport = (request: HttpRequest) => Promise<HttpAnswer>;

/** Time as the logic sees it, so that tests decide what time it is. Milliseconds. */
export interface Clock {
	now(): number;
	sleep(milliseconds: number): Promise<void>;
	/** Calls `ring` after that time, unless the function it returns is called before. */
	startTimer(milliseconds: number, ring: () => void): () => void;
}

/**
 * Turns what an n8n request helper resolves with (`returnFullResponse`) into an answer.
 * The host's types promise more than its code does, so every part is checked.
 */
export function toHttpAnswer(response: unknown): HttpAnswer {
	const full = isRecord(response) ? response : {};
	const headers: Record<string, string> = {};
	if (isRecord(full.headers)) {
		for (const [name, value] of Object.entries(full.headers)) {
			if (typeof value === 'string' || typeof value === 'number') {
				headers[headerFieldName(name)] = String(value);
			} else if (Array.isArray(value)) {
				headers[headerFieldName(name)] = value.map(String).join(', ');
			}
		}
	}
	return {
		statusCode: typeof full.statusCode === 'number' ? full.statusCode : 0,
		headers,
		body: parseText(full.body),
	};
}

/**
 * Some of n8n's helpers leave the parsing to the caller, and none reads JSON after a byte order
 * mark, which RFC 8259 §8.1 allows to ignore. Text that is not a JSON object or array stays as it
 * is.
 */
function parseText(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	const text = body.replace(/^\uFEFF/, '');
	if (!/^\s*[[{]/.test(text)) return text;
	return parseJson(text) ?? text;
}
