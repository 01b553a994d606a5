import type { Delivery, HeaderFields } from './delivery';

/** What is used of the request n8n hands over (express, with the additions of n8n's `rawBodyReader`). */
export interface WebhookRequest {
	headers: HeaderFields;
	query: Record<string, unknown>;
	/** Follows `N8N_PROXY_HOPS`. */
	ip?: string;
	rawBody?: Buffer;
	/** Fills `rawBody`. */
	readRawBody?: () => Promise<void>;
	/** Those of the stream the body comes in. */
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
	status(code: number): { json(body: unknown): unknown };
	once(event: 'close', listener: () => void): unknown;
}

/** n8n's types name those of express, which a node has not; these are the parts of them that are used. */
export function exchangeOf(
	request: unknown,
	response: unknown,
): { request: WebhookRequest; response: WebhookResponse } {
	return { request: request as WebhookRequest, response: response as WebhookResponse };
}

/** Why a body could not be read, as the sender is told (RFC 9110 section 15.5). */
export interface UnreadBody {
	statusCode: 400 | 413;
	message: 'Bad Request' | 'Content Too Large';
}

/**
 * Reads a delivery from the request of n8n, whether n8n has read its body yet or not.
 *
 * @returns why not, for a body that was cut off, say, or is larger than n8n takes
 */
export async function readDelivery(
	request: WebhookRequest,
	receivedAt: number,
): Promise<Delivery | UnreadBody> {
	try {
		// After a form with files n8n leaves nothing to read, and waiting for it would not end.
		const isRead = request.rawBody !== undefined || isMultipartForm(request.headers);
		if (!isRead) await request.readRawBody?.();
	} catch (error) {
		if (!isTooLarge(error)) return { statusCode: 400, message: 'Bad Request' };
		// raw-body leaves the rest unread, and a sender that is still writing would not see the answer.
		request.unpipe?.();
		request.resume?.();
		return { statusCode: 413, message: 'Content Too Large' };
	}
	const { headers, query, ip, rawBody = Buffer.alloc(0) } = request;
	return { headers, query, rawBody, address: ip, receivedAt };
}

/** As raw-body says it, with which n8n reads up to N8N_PAYLOAD_SIZE_MAX. */
function isTooLarge(error: unknown): boolean {
	return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

function isMultipartForm(headers: HeaderFields): boolean {
	return /^\s*multipart\/form-data/i.test(String(headers['content-type'] ?? ''));
}
