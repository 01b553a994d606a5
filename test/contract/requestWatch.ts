import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { REQUESTS } from '../reference-service/state';
import type { PublishedInterface, ReceivedRequest } from './publishedInterface';

type Verdict = Promise<string | undefined>;

/**
 * Watches the requests to the Visitor Services of this process, and judges them by the published
 * interface.
 */
export class RequestWatch {
	/** Suites without a network send the same request thousands of times, but for the token. */
	private readonly verdicts = new Map<string, Verdict>();

	private unread = new Set<Verdict>();

	private published?: Promise<PublishedInterface>;

	start(): void {
		subscribe(REQUESTS, this.judge);
	}

	stop(): void {
		unsubscribe(REQUESTS, this.judge);
	}

	/** What was wrong with the requests since the last call, each kind once. */
	async violations(): Promise<string[]> {
		const judged = await Promise.all(this.unread);
		this.unread = new Set();
		return [...new Set(judged.filter((violation) => violation !== undefined))];
	}

	private readonly judge = (message: unknown): void => {
		const request = message as ReceivedRequest;
		const key = JSON.stringify(request).replace(/"Bearer [^"\s]+"/, '"Bearer …"');
		const verdict = this.verdicts.get(key) ?? this.violation(request);
		this.verdicts.set(key, verdict);
		this.unread.add(verdict);
	};

	private async violation(request: ReceivedRequest): Verdict {
		// Loaded with the first request only: most test files send none.
		this.published ??= import('./publishedInterface').then(
			async (module) => await module.PublishedInterface.load(),
		);
		return await (await this.published).violation(request);
	}
}
