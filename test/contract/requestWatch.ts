import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { REQUESTS } from '../reference-service/state';
import type { PublishedInterface, ReceivedRequest } from './publishedInterface';

/**
 * Watches the requests to the Visitor Services of this process, and judges them by the published
 * interface.
 */
export class RequestWatch {
	/** Suites without a network send the same request thousands of times, but for the token. */
	private readonly verdicts = new Map<string, string | undefined>();

	private unread = new Set<string>();

	private published?: PublishedInterface;

	start(): void {
		subscribe(REQUESTS, this.judge);
	}

	stop(): void {
		unsubscribe(REQUESTS, this.judge);
	}

	/** What was wrong with the requests since the last call, each kind once. */
	violations(): string[] {
		const judged = [...this.unread];
		this.unread = new Set();
		return judged;
	}

	private readonly judge = (message: unknown): void => {
		const request = message as ReceivedRequest;
		const key = JSON.stringify(request).replace(/"Bearer [^"\s]+"/, '"Bearer …"');
		if (!this.verdicts.has(key)) this.verdicts.set(key, this.violation(request));
		const verdict = this.verdicts.get(key);
		if (verdict !== undefined) this.unread.add(verdict);
	};

	private violation(request: ReceivedRequest): string | undefined {
		// Loaded with the first request only: most test files send none.
		if (this.published === undefined) {
			const { PublishedInterface } =
				jest.requireActual<typeof import('./publishedInterface')>('./publishedInterface');
			this.published = new PublishedInterface();
		}
		return this.published.violation(request);
	}
}
