import { createHmac, randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

import { Agent, request } from 'undici';

import type { JsonValue } from './json';
import type { WebhookSwitches } from './switches';

/** Something that happened, as receivers are told. */
export interface WebhookEvent {
	/** Such as `user.updated`. */
	event: string;
	data: JsonValue;
	/** Default: a new one. The same in every attempt. */
	id?: string;
	/** ISO time; default: now by the service's clock. */
	createdAt?: string;
}

/** Who is told of an event, and how. */
export interface Receiver {
	url: string;
	/** That of the HMAC-SHA256 of the body in `X-Signature`; without one nothing is signed. */
	secret?: string;
}

/** One event for one receiver, and what became of it. The object changes as attempts are made. */
export interface Delivery {
	readonly receiver: Receiver;
	readonly event: Required<WebhookEvent>;
	/** The response to each attempt; 0 if there was none. */
	readonly statuses: number[];
}

/** Whether a receiver accepted it. */
export const isDelivered = ({ statuses }: Pick<Delivery, 'statuses'>): boolean =>
	statuses.some((status) => status >= 200 && status < 300);

/** Tells receivers of events, again and again until they have responded with a 2xx. */
export class WebhookDeliveries {
	/** Fifty deliveries at a time to one receiver. */
	private readonly agent = new Agent({ connections: 50, headersTimeout: 0, bodyTimeout: 0 });
	private readonly stopping = new AbortController();
	private readonly retries: Array<Promise<void>> = [];

	/** @param serviceTime milliseconds since 1970 by the service's clock */
	constructor(
		private readonly switches: WebhookSwitches,
		private readonly serviceTime: () => number,
	) {
		// As many wait as deliveries were rejected.
		setMaxListeners(0, this.stopping.signal);
	}

	/** @returns the deliveries, each after its first attempt; retries go on by themselves */
	async send(receiver: Receiver, events: WebhookEvent[]): Promise<Delivery[]> {
		return await Promise.all(
			events.map(async (event) => {
				const id = `evt-${randomUUID()}`;
				const createdAt = new Date(this.serviceTime()).toISOString();
				const delivery = { receiver, event: { id, createdAt, ...event }, statuses: [] };
				await this.attempt(delivery);
				this.retries.push(this.retry(delivery));
				return delivery;
			}),
		);
	}

	/** Resolves when each delivery was accepted, or tried as often as the schedule says. */
	async settled(): Promise<void> {
		await Promise.all(this.retries.splice(0));
	}

	/** Gives up waiting. */
	stop(): void {
		this.stopping.abort();
		void this.agent.destroy();
	}

	private async retry(delivery: Delivery): Promise<void> {
		const { signal } = this.stopping;
		for (const wait of this.switches.retryScheduleMs) {
			if (isDelivered(delivery)) return;
			await delay(wait, undefined, { signal }).catch(() => undefined);
			if (signal.aborted) return;
			await this.attempt(delivery);
		}
	}

	/** The body is the same in each attempt. */
	private async attempt({ event, receiver: { url, secret }, statuses }: Delivery): Promise<void> {
		const body = JSON.stringify(event);
		const signature = secret && createHmac('sha256', secret).update(body).digest('hex');
		const responded = request(url, {
			dispatcher: this.agent,
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				...(signature !== undefined && { 'x-signature': signature }),
			},
			body,
			signal: AbortSignal.timeout(this.switches.timeoutMs),
		});
		const status = responded.then(async (response) => {
			await response.body.dump();
			return response.statusCode;
		});
		statuses.push(await status.catch(() => 0));
	}
}
