import { headerFieldName } from '../../values/headerFieldName';
import { isRecord } from '../../values/json';

/** Header fields with names in lower case, as node:http writes them. */
export type HeaderFields = Record<string, string | string[] | undefined>;

/**
 * What is used of the request n8n hands over: express, with the additions of n8n's `rawBodyReader`.
 */
export interface WebhookRequest {
	method: string;
	headers: HeaderFields;
	query: Record<string, unknown>;
	/** The path and the query as they came. */
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

/** What is used of express' response. */
export interface WebhookResponse {
	readonly statusCode: number;
	/** Whether the answer was given, to a sender that hung up too. */
	readonly writableEnded?: boolean;
	/** Whether the answer is out, or the sender hung up. */
	readonly closed?: boolean;
	status(code: number): { json(body: unknown): unknown; end(text?: string): unknown };
	setHeader(name: string, value: string): unknown;
	once(event: 'close', listener: () => void): unknown;
}

/** One webhook request, its body already free of Content-Encoding but otherwise untouched. */
export interface Delivery {
	/** In upper case. */
	method: string;
	/** The URL the sender called: that of the node, with the query as it came. */
	url: () => string;
	headers: HeaderFields;
	query: Record<string, unknown>;
	rawBody: Buffer;
	/** That of the sender, known proxies already taken off; undefined if unknown. */
	ipAddress: string | undefined;
	/** When it came, in milliseconds since 1970. */
	receivedAt: number;
}

/**
 * The bytes of a body, or why they could not be read, as the sender is told (RFC 9110 section
 * 15.5).
 */
export type RawBody = { kind: 'whole'; bytes: Buffer } | { kind: 'cutOff' } | { kind: 'tooLarge' };

/** What the name of a header may consist of (RFC 9110 section 5.6.2), as part of a pattern. */
export const HEADER_NAME = "[\\w!#$%&'*+.^`|~-]+";

const REDACTED = '[redacted]';

const CREDENTIAL_FIELDS = ['authorization', 'proxy-authorization', 'cookie', 'x-hook-secret'];

/**
 * n8n's types name those of express, which a node has not: what is used of them is looked at here.
 */
export function isWebhookRequest(value: unknown): value is WebhookRequest {
	return isRecord(value) && isRecord(value.headers) && typeof value.method === 'string';
}

/** As {@link isWebhookRequest}, of the response. */
export function isWebhookResponse(value: unknown): value is WebhookResponse {
	return isRecord(value) && typeof value.status === 'function';
}

/**
 * Reads the bytes of a body, whether n8n has read it yet or not.
 *
 * @returns why not, e.g. for a body that was cut off, or is larger than n8n takes
 */
export async function readRawBody(request: WebhookRequest): Promise<RawBody> {
	try {
		// After a form with files n8n leaves nothing to read, and waiting for it would not end.
		const isRead = request.rawBody !== undefined || isMultipartForm(request.headers);
		if (!isRead) await request.readRawBody?.();
	} catch (error) {
		if (!isTooLarge(error)) return { kind: 'cutOff' };
		// raw-body leaves the rest unread, and a sender that is still writing would not see the answer.
		request.unpipe?.();
		request.resume?.();
		return { kind: 'tooLarge' };
	}
	return { kind: 'whole', bytes: request.rawBody ?? Buffer.alloc(0) };
}

/** The query as it came, with its question mark; `''` if there is none. */
export function queryAsSent(request: WebhookRequest): string {
	const { originalUrl = '' } = request;
	const start = originalUrl.indexOf('?');
	return start < 0 ? '' : originalUrl.slice(start);
}

/**
 * The value of a header field, spaces around it removed; `''` if it is missing, empty or has no
 * name.
 */
export function headerValue(headers: HeaderFields, name: string): string {
	const field = headerFieldName(name);
	// A name such as "constructor" must not reach what every object inherits.
	const value = Object.hasOwn(headers, field) ? headers[field] : undefined;
	if (value === undefined) return '';
	const text = Array.isArray(value) ? value.join(', ') : value;
	// Without looking behind, a forged value full of spaces would be searched anew from each of them.
	return text.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, '');
}

/** The media type in lower case, without its parameters. */
export function mediaType(headers: HeaderFields): string {
	const [type = ''] = headerValue(headers, 'content-type').split(';');
	return type.trim().toLowerCase();
}

export function isMultipartForm(headers: HeaderFields): boolean {
	return mediaType(headers) === 'multipart/form-data';
}

/**
 * A copy of the headers for the output, where they are stored with the execution. Whatever lets
 * somebody in again is replaced. A signature stays: it fits this one body only, and whoever sets
 * the trigger up needs to see how it is written.
 *
 * @param secretHeader name of the header with the shared secret, if there is one
 */
export function redactHeaders(
	headers: HeaderFields,
	secretHeader: string | undefined,
): Record<string, string | string[]> {
	const fields = Object.entries(headers).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, letsIn(name, secretHeader) ? REDACTED : value] as const],
	);
	return Object.fromEntries(fields);
}

/** The headers in which a name or an ID may be looked for, because these are shown. */
export function withoutSecrets(
	headers: HeaderFields,
	secretHeader: string | undefined,
): HeaderFields {
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => !letsIn(name, secretHeader)),
	);
}

/** Whether the value of this header lets somebody in again. */
export function letsIn(name: string, secretHeader: string | undefined): boolean {
	const field = headerFieldName(name);
	const isSecret = secretHeader !== undefined && field === headerFieldName(secretHeader);
	return isSecret || CREDENTIAL_FIELDS.includes(field);
}

/** As raw-body says it, with which n8n reads up to N8N_PAYLOAD_SIZE_MAX. */
function isTooLarge(error: unknown): boolean {
	return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}
