import { createHmac, randomUUID } from 'node:crypto';

import { Agent, request } from 'undici';

import type { WebhookSwitches } from './switches';
import type { WebhookEvent } from './webhookEvent';

/** Who is told of events, and how. */
export interface Receiver {
	/** Default: a new one. */
	id?: string;
	url: string;
	/** Event names wanted; none = all. */
	events?: string[];
	/** That of the HMAC-SHA256 of the body in `X-Signature`; without one nothing is signed. */
	secret?: string;
}

export interface DeliveryAttempt {
	/** Milliseconds since 1970. */
	at: number;
	/** Undefined if there was no answer. */
	status?: number;
	/** Why there was no answer. */
	error?: string;
	milliseconds: number;
}

/** One event for one receiver, and what became of it. The object changes as attempts are made. */
export interface Delivery {
	readonly id: string;
	readonly receiverId: string;
	readonly url: string;
	readonly events: Array<Required<WebhookEvent>>;
	/** `failed` after the last attempt. */
	state: 'pending' | 'delivered' | 'failed';
	attempts: DeliveryAttempt[];
}

/** Tells receivers of events, and again until they have answered with 2xx. */
export class WebhookDeliveries {
	readonly deliveries: Delivery[] = [];
	private readonly receivers = new Map<string, Receiver>();
	private readonly agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
	private readonly waiting: Array<() => void> = [];
	private readonly timers = new Set<NodeJS.Timeout>();
	private inFlight = 0;
	private pending = 0;
	private stopped = false;
	private whenSettled: Array<() => void> = [];

	/** @param serviceTime milliseconds since 1970 by the service's clock */
	constructor(
		private readonly switches: WebhookSwitches,
		private readonly serviceTime: () => number,
	) {}

	/** @returns its id */
	addReceiver(receiver: Receiver): string {
		const id = receiver.id ?? randomUUID();
		this.receivers.set(id, { ...structuredClone(receiver), id });
		return id;
	}

	removeReceiver(id: string): void {
		this.receivers.delete(id);
	}

	listReceivers(): Receiver[] {
		return [...this.receivers.values()];
	}

	/**
	 * Sends events to every receiver that wants them.
	 * @returns the deliveries, each after its first attempt; retries go on by themselves
	 */
	async emit(events: WebhookEvent | WebhookEvent[]): Promise<Delivery[]> {
		const complete = [events].flat().map((event) => ({
			id: `evt-${randomUUID()}`,
			createdAt: new Date(this.serviceTime()).toISOString(),
			...event,
		}));
		const deliveries = [...this.receivers.values()].flatMap((receiver) =>
			newDeliveries(receiver, complete),
		);
		this.deliveries.push(...deliveries);
		this.pending += deliveries.length;
		await Promise.all(deliveries.map((delivery) => this.attempt(delivery, 0)));
		return deliveries;
	}

	/**
	 * Resolves when no delivery is pending, which with long retries may take as long as the schedule.
	 */
	async settled(): Promise<void> {
		if (this.pending === 0) return;
		await new Promise<void>((resolve) => this.whenSettled.push(resolve));
	}

	/** Forgets finished deliveries. */
	clear(): void {
		const unfinished = this.deliveries.filter(({ state }) => state === 'pending');
		this.deliveries.splice(0, this.deliveries.length, ...unfinished);
	}

	/** Gives up waiting. */
	stop(): void {
		this.stopped = true;
		for (const timer of this.timers) clearTimeout(timer);
		for (const proceed of this.waiting.splice(0)) proceed();
		for (const resolve of this.whenSettled.splice(0)) resolve();
		void this.agent.destroy();
	}

	/** Later ones follow by the schedule. */
	private async attempt(delivery: Delivery, retry: number): Promise<void> {
		if (!(await this.turn())) return;
		const attempt = await this.send(delivery);
		this.next();
		if (this.stopped) return;
		delivery.attempts.push(attempt);
		const wait = this.switches.retryScheduleMs[retry];
		const { status = 0 } = attempt;
		if (status >= 200 && status < 300) this.finish(delivery, 'delivered');
		else if (wait === undefined || !this.receivers.has(delivery.receiverId))
			this.finish(delivery, 'failed');
		else this.later(wait, () => void this.attempt(delivery, retry + 1));
	}

	private finish(delivery: Delivery, state: 'delivered' | 'failed'): void {
		delivery.state = state;
		this.pending--;
		if (this.pending > 0) return;
		for (const resolve of this.whenSettled.splice(0)) resolve();
	}

	private async send(delivery: Delivery): Promise<DeliveryAttempt> {
		const at = Date.now();
		const receiver = this.receivers.get(delivery.receiverId);
		if (receiver === undefined) return { at, error: 'no receiver', milliseconds: 0 };
		const outcome = await this.post(receiver, delivery)
			.then((status) => ({ status }))
			.catch((error: unknown) => ({ error: String(error) }));
		return { at, ...outcome, milliseconds: Date.now() - at };
	}

	/** The body is the same in each attempt. @returns the status of the answer */
	private async post({ url, secret }: Receiver, { events: [event] }: Delivery): Promise<number> {
		const body = JSON.stringify(event);
		const signature = secret && createHmac('sha256', secret).update(body).digest('hex');
		const { statusCode, body: answer } = await request(url, {
			dispatcher: this.agent,
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				...(signature !== undefined && { 'x-signature': signature }),
			},
			body,
			signal: AbortSignal.timeout(this.switches.timeoutMs),
		});
		await answer.dump();
		return statusCode;
	}

	/** Waits for a place in flight. @returns false when the service stopped meanwhile */
	private async turn(): Promise<boolean> {
		if (this.inFlight < this.switches.concurrency) this.inFlight++;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
		return !this.stopped;
	}

	/** Hands the place in flight to the next that waits. */
	private next(): void {
		const proceed = this.waiting.shift();
		if (proceed === undefined) this.inFlight--;
		else proceed();
	}

	private later(milliseconds: number, work: () => void): void {
		const timer = setTimeout(() => {
			this.timers.delete(timer);
			work();
		}, milliseconds);
		this.timers.add(timer);
	}
}

function newDeliveries(receiver: Receiver, events: Array<Required<WebhookEvent>>): Delivery[] {
	return events
		.filter(({ event }) => receiver.events?.includes(event) ?? true)
		.map((event) => ({
			id: `msg-${randomUUID()}`,
			receiverId: receiver.id ?? '',
			url: receiver.url,
			events: [event],
			state: 'pending' as const,
			attempts: [],
		}));
}
