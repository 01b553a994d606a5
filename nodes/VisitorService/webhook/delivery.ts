import { headerFieldName } from '../http/message';
import { isJsonObject } from '../values/json';

/** Header fields with names in lower case, as node:http writes them. */
export type HeaderFields = Record<string, string | string[] | undefined>;

/** One webhook request, its body already free of Content-Encoding but otherwise untouched. */
export interface Delivery {
	/** In upper case. */
	method: string;
	/** The URL the sender called: that of the node, with the query as it was sent. */
	url: () => string;
	headers: HeaderFields;
	query: Record<string, unknown>;
	rawBody: Buffer;
	/** That of the sender, trusted proxies already taken off; undefined without one. */
	ipAddress: string | undefined;
	/** In milliseconds since 1970. */
	receivedAt: number;
}

/**
 * What is used of the request n8n hands over: express, whose types a node has not, with the
 * additions of n8n's `rawBodyReader`.
 */
export interface WebhookRequest extends Pick<Delivery, 'method' | 'headers' | 'query'> {
	originalUrl?: string;
	/** Follows `N8N_PROXY_HOPS`. */
	ip?: string;
	rawBody?: Buffer;
	/** Fills `rawBody`. */
	readRawBody?: () => Promise<void>;
	/** These two are those of the stream the body comes in. */
	unpipe?: () => unknown;
	resume?: () => unknown;
}

/** As {@link WebhookRequest}, of the response. */
export interface WebhookResponse {
	readonly statusCode: number;
	/** Whether the response was written, even if the sender had hung up. */
	readonly writableEnded?: boolean;
	/** Whether the response was sent, or the sender hung up. */
	readonly closed?: boolean;
	status(code: number): { json(body: unknown): unknown; end(text?: string): unknown };
	setHeader(name: string, value: string): unknown;
	once(event: 'close', listener: () => void): unknown;
}

/** Asana sends its secret once, and gets it back in a header of the same name. */
export const HANDSHAKE_HEADER = 'X-Hook-Secret';
/** The headers that let somebody in again, whatever the settings are. */
const LOGIN_HEADERS = ['authorization', 'proxy-authorization', 'cookie', HANDSHAKE_HEADER];

/** What n8n undoes, written in small letters only. */
const DECODED_ENCODINGS = ['', 'identity', 'gzip', 'deflate'];

type RawBodyResult = { kind: 'bytes'; bytes: Buffer } | { kind: 'cutOff' | 'tooLarge' };

/** Reads the bytes of a body, whether n8n has read it yet or not. */
export async function readRawBody(request: WebhookRequest): Promise<RawBodyResult> {
	try {
		if (request.rawBody === undefined) await request.readRawBody?.();
	} catch (error) {
		// As raw-body says it, with which n8n reads up to N8N_PAYLOAD_SIZE_MAX.
		if (!isJsonObject(error) || error.type !== 'entity.too.large') return { kind: 'cutOff' };
		// raw-body leaves the rest unread, and a sender that still writes would not see the response.
		request.unpipe?.();
		request.resume?.();
		return { kind: 'tooLarge' };
	}
	return { kind: 'bytes', bytes: request.rawBody ?? Buffer.alloc(0) };
}

/**
 * Whether the bytes n8n hands over are those that were sent: it reads a form with files itself, so
 * that waiting for its bytes would not end.
 */
export function isReadableContent(headers: HeaderFields): boolean {
	const isFormWithFiles = /^multipart\/form-data\b/i.test(headerValue(headers, 'content-type'));
	return DECODED_ENCODINGS.includes(headerValue(headers, 'content-encoding')) && !isFormWithFiles;
}

/**
 * The value of a header field, spaces around it removed; `''` if it is missing, empty or has no
 * name.
 */
export function headerValue(headers: HeaderFields, name: string): string {
	const field = headerFieldName(name);
	// A name such as "constructor" must not reach what every object inherits.
	const value = Object.hasOwn(headers, field) ? headers[field] : undefined;
	const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
	// Without looking behind, a forged value full of spaces would be searched anew from each of them.
	return text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
}

/**
 * A copy of the headers for the output, where they are stored with the execution: who reads that
 * must not be able to send the delivery again.
 *
 * @param secretNames of the headers with the shared secret or the signature
 */
export function redactHeaders(headers: HeaderFields, secretNames: readonly string[]): HeaderFields {
	const shown = (name: string) => (isRedacted(name, secretNames) ? '[redacted]' : headers[name]);
	return Object.fromEntries(Object.keys(headers).map((name) => [name, shown(name)]));
}

/** Whether the value of this header would let somebody in again. */
export function isRedacted(name: string, secretNames: readonly string[]): boolean {
	const field = headerFieldName(name);
	return [...LOGIN_HEADERS, ...secretNames].map(headerFieldName).includes(field);
}
