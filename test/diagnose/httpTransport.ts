import { request } from 'undici';

import type { HttpAnswer, HttpRequest, Transport } from '../../nodes/VisitorService/http/message';

/**
 * Sends with undici, where there is no n8n to send with.
 *
 * @param longestWait milliseconds; requests that may wait longer are given up then
 */
export function httpTransport(longestWait = Infinity): Transport {
	return async (asked) => {
		const wait = Math.min(asked.timeout, longestWait);
		try {
			return await send(asked, wait);
		} catch (error) {
			const code = error instanceof Error && 'code' in error ? String(error.code) : '';
			// n8n's client names a wait that was too long otherwise than undici.
			throw code.endsWith('_TIMEOUT')
				? Object.assign(new Error('No answer in time.'), { code: 'ETIMEDOUT' })
				: error;
		}
	};
}

async function send(asked: HttpRequest, wait: number): Promise<HttpAnswer> {
	const { target, headers, body } = overHttp(asked);
	const answer = await request(target, {
		method: asked.method,
		headers,
		body,
		headersTimeout: wait,
		bodyTimeout: wait,
	});
	return {
		statusCode: answer.statusCode,
		headers: Object.fromEntries(
			Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
		),
		body: parsed(await answer.body.text()),
	};
}

/** A request as it goes over HTTP. */
export function overHttp({ url, headers, query, form }: HttpRequest): {
	target: URL;
	headers: Record<string, string>;
	body?: string;
} {
	const target = new URL(url);
	for (const [name, value] of Object.entries(query ?? {})) {
		target.searchParams.append(name, String(value));
	}
	if (form === undefined) return { target, headers: { ...headers } };
	const fields = new URLSearchParams();
	for (const [name, value] of form) fields.append(name, value);
	return {
		target,
		headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
		body: fields.toString(),
	};
}

/** A body as n8n's client hands it over: JSON parsed, anything else as text. */
export function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
