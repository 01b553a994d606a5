import { gunzipSync, inflateSync } from 'node:zlib';

export interface Delivery {
	/** POST if not set. */
	method?: string;
	/** The query as it is written, with its question mark. */
	search?: string;
	/** The bytes on the wire. */
	body?: Buffer | string;
	/** Names as the sender writes them. */
	headers?: Record<string, string | string[]>;
	query?: Record<string, string | string[]>;
	/** The address n8n found, `N8N_PROXY_HOPS` applied. */
	ip?: string;
}

/**
 * What a trigger can reach of express' request after n8n's `rawBodyReader` (n8n 2.41.1). Of a node
 * whose version is not 1 no body is read or parsed before.
 */
export interface WebhookRequest {
	method: string;
	originalUrl: string;
	headers: Record<string, string | string[]>;
	query: Record<string, string | string[]>;
	ip: string;
	rawBody?: Buffer;
	readRawBody(): Promise<void>;
}

export function webhookRequest(delivery: Delivery): WebhookRequest {
	const headers: WebhookRequest['headers'] = {};
	for (const [name, value] of Object.entries(delivery.headers ?? {}))
		headers[name.toLowerCase()] = value;
	const request: WebhookRequest = {
		method: delivery.method ?? 'POST',
		originalUrl: `/webhook/1/webhook${delivery.search ?? ''}`,
		headers,
		query: delivery.query ?? queryOf(delivery.search),
		ip: delivery.ip ?? '127.0.0.1',
		readRawBody: async () => {
			await Promise.resolve();
			request.rawBody ??= decode(Buffer.from(delivery.body ?? ''), headers['content-encoding']);
		},
	};
	return request;
}

/** As express' extended parser (`qs`) reads it: a key that comes twice is a list. */
function queryOf(search?: string): WebhookRequest['query'] {
	const read = new URLSearchParams(search);
	return Object.fromEntries(
		[...read.keys()].map((name) => {
			const [first = '', ...more] = read.getAll(name);
			return [name, more.length === 0 ? first : [first, ...more]];
		}),
	);
}

function decode(wire: Buffer, contentEncoding: string | string[] | undefined): Buffer {
	if (contentEncoding === 'gzip') return gunzipSync(wire);
	return contentEncoding === 'deflate' ? inflateSync(wire) : wire;
}
