import { setMaxListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { FastifyInstance } from 'fastify';
import { Level } from 'level';

import { controlRoutes } from './control';
import { singular } from './records';
import { buildServer } from './server';
import { type ServiceOptions, VisitorService } from './service';
import { type Delivery, type Receiver, WebhookDeliveries } from './webhookDeliveries';
import type { WebhookEvent } from './webhookEnvelope';

export type { JsonObject, JsonValue } from './json';
export type { RecordId } from './recordStore';
export type { Resource } from './records';
export { resources, syntheticRecord } from './records';
export type { RecordedRequest, RequestSummary } from './requestLog';
export type { ListRequestHook } from './state';
export type * from './switches';
export { defaultSwitches } from './switches';
export type { Delivery, DeliveryAttempt, Receiver } from './webhookDeliveries';
export type { WebhookEnvelope, WebhookEvent } from './webhookEnvelope';
export type { HmacSigning, Signing } from './webhookSigning';

export interface ReferenceServiceOptions extends Omit<ServiceOptions, 'database' | 'pause'> {
	/** Default 127.0.0.1. */
	host?: string;
	/** Default 0: a free port. */
	port?: number;
	/** Folder of the store; default: a temporary one, removed at the stop. */
	dataFolder?: string;
	/** Default true; false keeps everything in memory only, for benchmarks. */
	durable?: boolean;
}

/**
 * Starts a Visitor Service with the published interface.
 * @throws the system's error (`EADDRINUSE`, …) when it cannot listen
 */
export async function startReferenceService(
	options: ReferenceServiceOptions = {},
): Promise<ReferenceService> {
	const temporary = options.dataFolder === undefined && options.durable !== false;
	const folder = temporary
		? await mkdtemp(join(tmpdir(), 'reference-service-'))
		: (options.dataFolder ?? null);
	const database = folder === null || options.durable === false ? null : new Level(folder);
	const forgetFolder = async () => {
		if (temporary && folder !== null) await rm(folder, { recursive: true, force: true });
	};
	const stopping = new AbortController();
	// As many requests wait as clients send.
	setMaxListeners(0, stopping.signal);
	const service = new ReferenceService(
		{
			...options,
			database,
			pause: async (milliseconds) => {
				await delay(milliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);
			},
		},
		async (app) => {
			await app?.close();
			// After the connections are gone, so that nobody gets an answer early.
			stopping.abort();
			await database?.close();
			await forgetFolder();
		},
	);
	return await service.start(options.host ?? '127.0.0.1', options.port ?? 0);
}

/** A Visitor Service that listens, and sends webhooks. */
export class ReferenceService extends VisitorService {
	/** Authorization server and tenant API alike, without a slash at the end. */
	url = '';

	readonly receivers: {
		/** @returns the receiver's id */
		add(receiver: Receiver): Promise<string>;
		remove(id: string): Promise<boolean>;
		list(): Receiver[];
	};

	/** Every delivery since the start, unfinished ones of earlier runs included. */
	readonly deliveries: readonly Delivery[];

	private readonly webhooks: WebhookDeliveries;
	private app?: FastifyInstance;

	constructor(
		options: ServiceOptions,
		private readonly close: (app: FastifyInstance | undefined) => Promise<void>,
	) {
		super(options);
		const { switches, state } = this;
		const webhooks = new WebhookDeliveries(
			options.database ?? null,
			switches.webhooks,
			state.serviceTime,
		);
		this.webhooks = webhooks;
		this.deliveries = webhooks.deliveries;
		this.receivers = {
			add: (receiver) => webhooks.addReceiver(receiver),
			remove: (id) => webhooks.removeReceiver(id),
			list: () => webhooks.listReceivers(),
		};
		this.changed = (resource, happened, record) => {
			if (!switches.webhooks.onChange) return;
			webhooks.announce({ event: `${singular[resource]}.${happened}`, data: record });
		};
	}

	async start(host: string, port: number): Promise<this> {
		const app = await buildServer(this, (routes) => controlRoutes(routes, this));
		this.app = app;
		try {
			await this.load();
			await app.listen({ host, port });
		} catch (error) {
			await this.close(undefined);
			throw error;
		}
		const address = app.server.address() as AddressInfo;
		this.url = `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
		await this.webhooks.load();
		return this;
	}

	/** Sends events; resolves after the first attempt of each delivery, while retries go on. */
	async emit(events: WebhookEvent | WebhookEvent[]): Promise<Delivery[]> {
		return await this.webhooks.emit(events);
	}

	/** Starts a failed delivery over; null if there is none of that id. */
	async redeliver(id: string): Promise<Delivery | null> {
		return await this.webhooks.redeliver(id);
	}

	/** Resolves when no delivery is pending. */
	async deliveriesSettled(): Promise<void> {
		await this.webhooks.settled();
	}

	async clearDeliveries(): Promise<void> {
		await this.webhooks.clear();
	}

	/**
	 * Closes every connection. Records, receivers and unfinished deliveries stay in a `dataFolder`
	 * given.
	 */
	async stop(): Promise<void> {
		this.webhooks.stop();
		await this.close(this.app);
	}
}
