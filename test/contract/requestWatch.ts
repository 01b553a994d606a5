import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import type { PublishedInterface, ReceivedRequest } from './publishedInterface';

// Fastify announces every request on this channel of Node.js before it is handled.
const CHANNEL = 'tracing:fastify.request.handler:start';

/** Watches the requests that reference services of this process receive, and judges them by the published interface. */
export class RequestWatch {
	private readonly judged: Array<Promise<string | undefined>> = [];

	private published?: Promise<PublishedInterface>;

	start(): void {
		subscribe(CHANNEL, this.judge);
	}

	stop(): void {
		unsubscribe(CHANNEL, this.judge);
	}

	/** What was wrong with the requests since the last call, each kind once. */
	async violations(): Promise<string[]> {
		const judged = await Promise.all(this.judged.splice(0));
		return [...new Set(judged.filter((violation) => violation !== undefined))];
	}

	private readonly judge = (event: unknown): void => {
		const { request } = event as { request: ReceivedRequest & { recorded?: unknown } };
		// What the reference service records is for the interface; anything else is control, or another server.
		if (request.recorded === undefined) return;
		const { method, url, headers, body } = request;
		this.judged.push(this.violation({ method, url, headers: { ...headers }, body }));
	};

	private async violation(request: ReceivedRequest): Promise<string | undefined> {
		// Loaded with the first request only: most test files send none.
		this.published ??= import('./publishedInterface').then(
			async (module) => await module.PublishedInterface.load(),
		);
		return await (await this.published).violation(request);
	}
}
