import { headerFieldName } from '../http/message';
import { isJsonObject } from '../values/json';

/** Header fields with names in lower case, as node:http writes them. */
export type HeaderFields = Record<string, string | string[] | undefined>;

/** One webhook request. Its body has no Content-Encoding any more, but is otherwise unchanged. */
export interface Delivery {
	/** In upper case. */
	method: string;
	/** The URL the sender called: that of the node, with the query as it was sent. */
	url: () => string;
	headers: HeaderFields;
	query: Record<string, unknown>;
	rawBody: Buffer;
	/** IP address of the sender, without trusted proxies. */
	ipAddress: string | undefined;
	/** In milliseconds since 1970. */
	receivedAt: number;
}

/**
 * The parts used of n8n's request: that of express, whose types a node does not have, with
 * additions of n8n's `rawBodyReader`.
 */
export interface WebhookRequest extends Pick<Delivery, 'method' | 'headers' | 'query'> {
	originalUrl?: string;
	/** Follows `N8N_PROXY_HOPS`. */
	ip?: string;
	rawBody?: Buffer;
	/** Fills `rawBody`. */
	readRawBody?: () => Promise<void>;
	/** These two are methods of the body's stream. */
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

/** Asana sends its secret once in this header, and expects it back in the same header. */
export const HANDSHAKE_HEADER = 'X-Hook-Secret';
/** Headers with which somebody could send further requests, with any settings. */
const LOGIN_HEADERS = ['authorization', 'proxy-authorization', 'cookie', HANDSHAKE_HEADER];

/** The encodings that n8n decodes, if they are in lower case. */
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
 * Whether n8n passes on the bytes that were sent. It reads multipart forms itself, and waiting for
 * their bytes would never end.
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
	// Without the lookbehind, a forged value full of spaces would be searched from each of them.
	return text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
}

/**
 * A copy of the headers for the output, which is stored with the execution. Whoever reads that must
 * not be able to send the delivery again.
 *
 * @param secretNames of the headers with the shared secret or the signature
 */
export function redactHeaders(headers: HeaderFields, secretNames: readonly string[]): HeaderFields {
	const shown = (name: string) => (isRedacted(name, secretNames) ? '[redacted]' : headers[name]);
	return Object.fromEntries(Object.keys(headers).map((name) => [name, shown(name)]));
}

/** Whether somebody could send further requests with the value of this header. */
export function isRedacted(name: string, secretNames: readonly string[]): boolean {
	const field = headerFieldName(name);
	return [...LOGIN_HEADERS, ...secretNames].map(headerFieldName).includes(field);
}
