import { ServiceFailure } from '../failure/serviceFailure';
import { isJsonObject, readJson } from '../values/json';
import { isByteStream, readBytes, type SizeLimit } from './sizeLimit';

/** One request, as the transport gets it. `query` values are sent percent-encoded. */
export interface HttpRequest {
	method: 'GET' | 'POST';
	url: string;
	headers?: Record<string, string>;
	query?: Record<string, string | number>;
	/** Form fields in the order they are sent (application/x-www-form-urlencoded). */
	form?: ReadonlyArray<[name: string, value: string]>;
	/** How long one attempt may take, from its start to the last byte of its response. */
	timeoutMs: number;
	sizeLimit: SizeLimit;
	/** Whether the list can be read without the response, so that no token is judged by it. */
	isTrial?: boolean;
	/** Aborted when the attempt is given up, so that its connection is closed. */
	signal?: AbortSignal;
	/** Restarts the time-out of the attempt, which has waited for something else. */
	extendTimeout?: (milliseconds: number) => void;
}

/**
 * One response. Header names are in lower case; `body` is parsed JSON, or text if it was not JSON.
 */
export interface HttpResponse {
	statusCode: number;
	headers: Record<string, string>;
	body: unknown;
	/** Names of the fields whose integers are text, because a number would round them. */
	longIntegers?: readonly string[];
	/** Time from the request to its response, without an exchange before it. */
	durationMs?: number;
}

/** Sends one request once. Resolves for every status code; rejects if no response can be read. */
export type Transport = (request: HttpRequest) => Promise<HttpResponse>;

/** Time as the logic sees it, so that tests decide what time it is. Milliseconds. */
export interface Clock {
	now(): number;
	sleep(milliseconds: number): Promise<void>;
	/** Calls `ring` after that time. @returns a function that stops the timer */
	startTimer(milliseconds: number, ring: () => void): () => void;
}

/** The name in lower case, as header fields are compared (RFC 9110 §5.1) and Node.js names them. */
export function headerFieldName(name: string): string {
	return name.trim().toLowerCase();
}

/**
 * Turns what an n8n request helper resolves with (`returnFullResponse`) into a response. The host's
 * types promise more than its code does, so every part is checked.
 */
export async function toHttpResponse(
	response: unknown,
	{ sizeLimit }: Pick<HttpRequest, 'sizeLimit'>,
): Promise<HttpResponse> {
	const full = isJsonObject(response) ? response : {};
	const headers: Record<string, string> = {};
	if (isJsonObject(full.headers)) {
		for (const [name, value] of Object.entries(full.headers)) {
			if (typeof value === 'string') headers[headerFieldName(name)] = value;
		}
	}
	const statusCode = typeof full.statusCode === 'number' ? full.statusCode : 0;
	const body = isByteStream(full.body)
		? await readBytes(full.body, sizeLimit, headers['content-length'])
		: full.body;
	return { statusCode, headers, ...readBody(body, headers, statusCode) };
}

/**
 * Bytes, unless a helper of n8n has made something else of them already.
 *
 * @throws ServiceFailure if a response with a status of success cannot be decoded: replacement
 *   characters would be stored as parts of names. The status of any other says enough.
 */
function readBody(
	body: unknown,
	headers: HttpResponse['headers'],
	statusCode: number,
): Pick<HttpResponse, 'body' | 'longIntegers'> {
	const text = Buffer.isBuffer(body) ? decode(body, headers) : body;
	if (text === undefined && body !== undefined && statusCode < 300) {
		throw new ServiceFailure(
			'The response of the service has bytes that are not text in its charset.',
			'Ask your service provider to name the right charset in the Content-Type of its responses.',
			{ kind: 'response' },
		);
	}
	// A text may be anything else than JSON.
	const reading = typeof text === 'string' ? readJson(text) : undefined;
	if (reading === undefined) return { body: text };
	return { body: reading.value, longIntegers: reading.longIntegers };
}

/**
 * Decodes by the charset that the response names, otherwise as UTF-8 (RFC 8259 §8.1). Drops a byte
 * order mark.
 *
 * @returns undefined if it is not text in that charset
 */
function decode(bytes: Buffer, headers: HttpResponse['headers']): string | undefined {
	const charset = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(headers['content-type'] ?? '')?.[1];
	try {
		const decoder = decoderOf(charset);
		// Without `stream`, Node.js 20 decodes windows-1252 as Latin-1, in which € is a control
		// character. Each character is one byte, so no incomplete one is left at the end.
		return decoder.decode(bytes, { stream: decoder.encoding === 'windows-1252' });
	} catch {
		return undefined;
	}
}

/** A charset that Node.js does not support is ignored. */
function decoderOf(charset: string | undefined) {
	try {
		return new TextDecoder(charset, { fatal: true });
	} catch {
		return new TextDecoder('utf-8', { fatal: true });
	}
}
