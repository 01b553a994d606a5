import { parse } from 'node:querystring';
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

/** What a node can reach of express' request after n8n's `rawBodyReader`. */
export interface WebhookRequest {
	method: string;
	originalUrl: string;
	headers: Record<string, string | string[]>;
	query: Record<string, string | string[]>;
	params: Record<string, string>;
	ip: string | undefined;
	ips: string[];
	contentType?: string;
	encoding?: string;
	body?: unknown;
	rawBody?: Buffer;
	readRawBody(): Promise<void>;
}

/** Thrown if n8n itself would answer, before any node code runs. */
export class HostAnswer extends Error {
	constructor(readonly statusCode: number) {
		super(`n8n answers ${statusCode}`);
	}
}

/**
 * The request as n8n 2.41.1 hands it to a node: `middlewares/body-parser.js` for a node of version
 * 1. Content-Encoding gzip and deflate is undone, and a body n8n knows to parse is parsed.
 *
 * @throws HostAnswer if n8n would answer itself
 */
export async function webhookRequest(delivery: Delivery): Promise<WebhookRequest> {
	const request = unreadRequest(delivery);
	await parseBody(request);
	return request;
}

/** The request before n8n read its body. */
export function unreadRequest(delivery: Delivery): WebhookRequest {
	const headers: WebhookRequest['headers'] = {};
	for (const [name, value] of Object.entries(delivery.headers ?? {}))
		headers[name.toLowerCase()] = value;
	const wire = Buffer.from(delivery.body ?? '');
	const request: WebhookRequest = {
		method: delivery.method ?? 'POST',
		originalUrl: `/webhook/1/webhook${delivery.search ?? ''}`,
		headers,
		query: delivery.query ?? Object.fromEntries(new URLSearchParams(delivery.search)),
		params: {},
		ip: delivery.ip ?? '127.0.0.1',
		ips: [],
		readRawBody: () =>
			new Promise((resolve) => {
				request.rawBody ??= decode(wire, headers['content-encoding']);
				resolve();
			}),
	};
	const contentType = headers['content-type'];
	if (typeof contentType === 'string') {
		const [type = '', ...parameters] = contentType.split(';').map((part) => part.trim());
		request.contentType = type.toLowerCase();
		const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
		request.encoding =
			charset?.slice('charset='.length).replace(/^"|"$/g, '').toLowerCase() ?? 'utf-8';
	}
	return request;
}

function decode(wire: Buffer, contentEncoding: string | string[] | undefined): Buffer {
	try {
		if (contentEncoding === 'gzip') return gunzipSync(wire);
		if (contentEncoding === 'deflate') return inflateSync(wire);
		return wire;
	} catch {
		throw new HostAnswer(500);
	}
}

async function parseBody(request: WebhookRequest): Promise<void> {
	if (request.contentType?.startsWith('multipart/')) return;
	await request.readRawBody();
	const { rawBody, contentType, encoding } = request;
	if (rawBody === undefined || rawBody.length === 0) return;
	try {
		const text = () =>
			rawBody.toString(encoding as BufferEncoding | undefined).replace(/^\ufeff/, '');
		if (contentType === 'application/json') request.body = JSON.parse(text());
		if (contentType === 'application/x-www-form-urlencoded') request.body = parse(text());
		if (contentType === 'text/plain') request.body = text();
	} catch {
		throw new HostAnswer(422);
	}
}
