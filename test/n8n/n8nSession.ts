import { randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { Agent, request } from 'undici';
import { exclusively } from './exclusively';
import { isObject, UnexpectedResponse } from './responseShape';

const REQUEST_TIMEOUT_MS = 60_000;

/** How often a change waits for one of another process, in ms, and when that one counts as dead. */
const CHANGE_TIMES = { heartbeat: 50, abandoned: 2 * REQUEST_TIMEOUT_MS };

/** n8n rejected a request; `message` names the endpoint and repeats n8n's own text. */
export class N8nRejection extends Error {
	constructor(
		readonly method: string,
		readonly path: string,
		readonly statusCode: number,
		readonly reason: string,
	) {
		super(`n8n responded with ${statusCode} to ${method} ${path}: ${reason}`);
	}
}

/**
 * A browser's session with n8n's internal interface (`/rest`). n8n ties its login cookie to the
 * `browser-id` header, so one session sends the same one always.
 */
export class N8nSession {
	private readonly agent = new Agent();

	private readonly browserId = randomUUID();

	private readonly cookies = new Map<string, string>();

	constructor(readonly url: string) {}

	/** Sends a request and returns `data` of the response. @throws N8nRejection for 4xx and 5xx. */
	async send(
		method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
		path: string,
		body?: unknown,
	): Promise<unknown> {
		const response = await request(`${this.url}/rest${path}`, {
			method,
			dispatcher: this.agent,
			headersTimeout: REQUEST_TIMEOUT_MS,
			bodyTimeout: REQUEST_TIMEOUT_MS,
			headers: {
				'browser-id': this.browserId,
				...(this.cookies.size > 0 ? { cookie: this.cookieHeader() } : {}),
				...(body === undefined ? {} : { 'content-type': 'application/json' }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		this.keepCookies(response.headers['set-cookie']);
		const text = await response.body.text();
		const parsed = parseJson(text);
		if (response.statusCode >= 400) {
			const reason = isObject(parsed) && typeof parsed.message === 'string' ? parsed.message : text;
			throw new N8nRejection(method, path, response.statusCode, reason.slice(0, 500));
		}
		if (!isObject(parsed)) {
			throw new UnexpectedResponse(
				`n8n responded with ${response.statusCode} without a JSON object to ${method} ${path}: ${text.slice(0, 200)}`,
			);
		}
		return 'data' in parsed ? parsed.data : parsed;
	}

	/**
	 * Sends a request that changes what n8n stores, while no other process and nothing else here
	 * does. On its default database 1.123 mixes the transactions of requests that come together
	 * (SQLITE_ERROR: no such savepoint); with a pool of connections, which would keep them apart, it
	 * loses executions under load.
	 */
	async change(
		method: 'POST' | 'PATCH' | 'DELETE',
		route: string,
		body?: unknown,
	): Promise<unknown> {
		const lockFile = path.join(os.tmpdir(), `visitor-service-n8n-${new URL(this.url).port}.lock`);
		return await exclusively(
			lockFile,
			async () => await this.send(method, route, body),
			() => undefined,
			CHANGE_TIMES,
		);
	}

	async close(): Promise<void> {
		await this.agent.close();
	}

	private cookieHeader(): string {
		return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
	}

	private keepCookies(header: string | string[] | undefined): void {
		for (const cookie of [header ?? []].flat()) {
			const pair = cookie.split(';', 1)[0] ?? '';
			const split = pair.indexOf('=');
			if (split > 0) this.cookies.set(pair.slice(0, split), pair.slice(split + 1));
		}
	}
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
