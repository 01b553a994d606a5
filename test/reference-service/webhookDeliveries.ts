import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import type { Level } from 'level';

import type { WebhookSwitches } from './switches';
import { deliveryBody, type WebhookEnvelope, type WebhookEvent } from './webhookEnvelope';
import { WebhookPost } from './webhookPost';
import { type Signing, signatureHeaders } from './webhookSigning';

/** Who is told of events, and how. */
export interface Receiver {
	/** Default: a new one. */
	id?: string;
	url: string;
	/** Event names wanted; none = all. */
	events?: string[];
	/** Default: none. */
	signing?: Signing;
	envelope?: WebhookEnvelope;
	/** Events per delivery; set, every delivery is a list. */
	batchSize?: number;
	/** Bodies are gzipped; the signature is over the plain bytes, or over the compressed ones. */
	gzip?: false | 'signedPlain' | 'signedCompressed';
	/** Sent with every delivery. */
	headers?: Record<string, string>;
	/** Added to the time that is signed, for stale and future deliveries. */
	timestampOffsetMs?: number;
	/**
	 * Damage for tests of the receiver: the signature's last character, or the body after it was
	 * signed.
	 */
	tamper?: 'signature' | 'body';
}

export interface DeliveryAttempt {
	/** Milliseconds since 1970. */
	at: number;
	/** One per copy; null where there was no answer. */
	statuses: Array<number | null>;
	/** Why there was no answer. */
	error?: string;
	milliseconds: number;
}

/** One message to one receiver, and what became of it. The object changes as attempts are made. */
export interface Delivery {
	readonly id: string;
	readonly receiverId: string;
	readonly url: string;
	readonly events: Array<Required<WebhookEvent>>;
	/** `failed` after the last attempt, or a 410. */
	state: 'pending' | 'delivered' | 'failed';
	attempts: DeliveryAttempt[];
}

/**
 * Tells receivers of events. A delivery is in the store before it is sent and until it is answered
 * with 2xx; one left over from an earlier run is sent again at the start.
 */
export class WebhookDeliveries {
	readonly deliveries: Delivery[] = [];
	private readonly receivers = new Map<string, Receiver>();
	private readonly post = new WebhookPost();
	private readonly waiting: Array<() => void> = [];
	private readonly timers = new Set<NodeJS.Timeout>();
	private inFlight = 0;
	private pending = 0;
	private stopped = false;
	private whenSettled: Array<() => void> = [];

	/** @param serviceTime milliseconds since 1970 by the service's clock */
	constructor(
		private readonly database: Level | null,
		private readonly switches: WebhookSwitches,
		private readonly serviceTime: () => number,
	) {}

	/** Reads receivers and unfinished deliveries of an earlier run and goes on with them. */
	async load(): Promise<void> {
		if (this.database === null) return;
		for await (const text of this.database.values({ gte: 'receiver/', lt: 'receiver0' })) {
			const receiver = JSON.parse(text) as Receiver & { id: string };
			this.receivers.set(receiver.id, receiver);
		}
		for await (const text of this.database.values({ gte: 'delivery/', lt: 'delivery0' })) {
			const delivery = JSON.parse(text) as Delivery;
			this.deliveries.push(delivery);
			if (delivery.state === 'pending') this.inBackground(this.start(delivery));
		}
	}

	/** @returns its id */
	async addReceiver(receiver: Receiver): Promise<string> {
		const id = receiver.id ?? randomUUID();
		const kept = { ...structuredClone(receiver), id };
		await this.database?.put(`receiver/${id}`, JSON.stringify(kept));
		this.receivers.set(id, kept);
		return id;
	}

	/** @returns whether there was such a receiver */
	async removeReceiver(id: string): Promise<boolean> {
		await this.database?.del(`receiver/${id}`);
		return this.receivers.delete(id);
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
		await this.database?.batch(
			deliveries.map((delivery) => ({
				type: 'put' as const,
				key: `delivery/${delivery.id}`,
				value: JSON.stringify(delivery),
			})),
		);
		for (const delivery of deliveries) this.deliveries.push(delivery);
		await Promise.all(deliveries.map((delivery) => this.start(delivery)));
		return deliveries;
	}

	/** Starts a failed delivery over. */
	async redeliver(id: string): Promise<Delivery | null> {
		const delivery = this.deliveries.find((known) => known.id === id);
		if (delivery === undefined || delivery.state !== 'failed') return null;
		delivery.state = 'pending';
		await this.start(delivery);
		return delivery;
	}

	/**
	 * Resolves when no delivery is pending, which with long retries may take as long as the schedule.
	 */
	async settled(): Promise<void> {
		if (this.pending === 0) return;
		await new Promise<void>((resolve) => this.whenSettled.push(resolve));
	}

	/** Forgets finished deliveries. */
	async clear(): Promise<void> {
		const unfinished = this.deliveries.filter(({ state }) => state === 'pending');
		const failed = this.deliveries.filter(({ state }) => state === 'failed');
		await this.database?.batch(
			failed.map(({ id }) => ({ type: 'del' as const, key: `delivery/${id}` })),
		);
		this.deliveries.splice(0, this.deliveries.length, ...unfinished);
	}

	/** Sends an event without waiting for anything. */
	announce(event: WebhookEvent): void {
		this.inBackground(this.emit(event));
	}

	/** Gives up waiting; what is pending stays in the store. */
	stop(): void {
		this.stopped = true;
		for (const timer of this.timers) clearTimeout(timer);
		for (const proceed of this.waiting.splice(0)) proceed();
		for (const resolve of this.whenSettled.splice(0)) resolve();
		this.post.close();
	}

	/** Makes the first attempt; later ones follow by the schedule. */
	private async start(delivery: Delivery): Promise<void> {
		this.pending++;
		await this.attempt(delivery, 0);
	}

	private async attempt(delivery: Delivery, retry: number): Promise<void> {
		if (!(await this.turn())) return;
		const attempt = await this.send(delivery);
		this.next();
		if (this.stopped) return;
		delivery.attempts.push(attempt);
		const receiver = this.receivers.get(delivery.receiverId);
		const wait = this.switches.retryScheduleMs[retry];
		if (attempt.statuses.some((status) => status !== null && status >= 200 && status < 300)) {
			await this.finish(delivery, 'delivered');
		} else if (receiver === undefined || attempt.statuses.includes(410)) {
			// Standard Webhooks: a receiver that answers 410 wants no more.
			await this.removeReceiver(delivery.receiverId);
			await this.finish(delivery, 'failed');
		} else if (wait === undefined) {
			await this.finish(delivery, 'failed');
		} else {
			await this.database?.put(`delivery/${delivery.id}`, JSON.stringify(delivery));
			this.later(wait, () => this.inBackground(this.attempt(delivery, retry + 1)));
		}
	}

	private async finish(delivery: Delivery, state: 'delivered' | 'failed'): Promise<void> {
		delivery.state = state;
		const key = `delivery/${delivery.id}`;
		if (state === 'delivered') await this.database?.del(key);
		else await this.database?.put(key, JSON.stringify(delivery));
		this.pending--;
		if (this.pending > 0) return;
		for (const resolve of this.whenSettled.splice(0)) resolve();
	}

	private async send(delivery: Delivery): Promise<DeliveryAttempt> {
		const at = Date.now();
		const receiver = this.receivers.get(delivery.receiverId);
		if (receiver === undefined) return { at, statuses: [], error: 'no receiver', milliseconds: 0 };
		const { headers, body } = message(delivery, receiver, this.serviceTime());
		const outcomes = await Promise.allSettled(
			Array.from({ length: 1 + this.switches.duplicates }, () =>
				this.post.send(receiver.url, headers, body, this.switches.timeoutMs),
			),
		);
		const failed = outcomes.find((outcome) => outcome.status === 'rejected');
		return {
			at,
			statuses: outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : null)),
			...(failed === undefined ? {} : { error: String(failed.reason) }),
			milliseconds: Date.now() - at,
		};
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

	private inBackground(work: Promise<unknown>): void {
		work.catch((error: unknown) => {
			// The store is closed under what was going on at the stop; it goes on at the next start.
			if (!this.stopped) throw error;
		});
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
	const wanted = events.filter(
		({ event }) => (receiver.events ?? []).length === 0 || receiver.events?.includes(event),
	);
	const size = receiver.batchSize ?? 1;
	return Array.from({ length: Math.ceil(wanted.length / size) }, (_, batch) => ({
		id: `msg-${randomUUID()}`,
		receiverId: receiver.id ?? '',
		url: receiver.url,
		events: wanted.slice(batch * size, (batch + 1) * size),
		state: 'pending' as const,
		attempts: [],
	}));
}

/**
 * What goes over the wire in one attempt: the body is the same each time, the signed time is that
 * of the attempt.
 */
function message(
	{ id, events }: Delivery,
	receiver: Receiver,
	now: number,
): { headers: Record<string, string>; body: Buffer } {
	const batched = receiver.batchSize !== undefined;
	const plain = Buffer.from(JSON.stringify(deliveryBody(events, receiver.envelope ?? {}, batched)));
	const body = receiver.gzip ? gzipSync(plain) : plain;
	const signed = signatureHeaders(
		receiver.signing ?? { scheme: 'none' },
		batched ? id : (events[0]?.id ?? id),
		receiver.gzip === 'signedCompressed' ? body : plain,
		now + (receiver.timestampOffsetMs ?? 0),
	);
	return tampered(
		{
			headers: {
				'content-type': 'application/json',
				...(receiver.gzip ? { 'content-encoding': 'gzip' } : {}),
				...signed,
				...receiver.headers,
			},
			body,
		},
		receiver,
		Object.keys(signed),
	);
}

function tampered(
	{ headers, body }: { headers: Record<string, string>; body: Buffer },
	{ tamper }: Receiver,
	signed: string[],
): { headers: Record<string, string>; body: Buffer } {
	// Space is insignificant before JSON, so the body still parses and only the signature can tell.
	if (tamper === 'body') return { headers, body: Buffer.concat([Buffer.from(' '), body]) };
	const header = signed.find((name) => /signature|token/i.test(name)) ?? signed[0];
	if (tamper !== 'signature' || header === undefined) return { headers, body };
	const signature = headers[header] ?? '';
	// The first character of a base64 or hex digest always counts; trailing ones may be padding.
	const changed = signature.replace(
		/(\w)(\w{8,})/,
		(_, first: string, rest: string) => (first === 'a' ? 'b' : 'a') + rest,
	);
	return {
		headers: { ...headers, [header]: changed === signature ? `${signature}x` : changed },
		body,
	};
}
