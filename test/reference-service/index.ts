import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Level } from 'level';

import { controlRoutes } from './control';
import { ListFaults } from './faults';
import type { JsonObject } from './json';
import { RateLimiter } from './rateLimit';
import { RecordOrders } from './recordOrder';
import type { RecordId } from './recordStore';
import { RecordStore } from './recordStore';
import type { Resource } from './records';
import { isResource, singular, syntheticRecord } from './records';
import type { RecordedRequest, RequestSummary } from './requestLog';
import { RequestLog } from './requestLog';
import { buildServer } from './server';
import type { ListRequestHook, ServiceState } from './state';
import type { DeepPartial, Switches } from './switches';
import { defaultSwitches, mergeSwitches } from './switches';
import { Tokens } from './tokens';
import type { Delivery, Receiver } from './webhookDeliveries';
import { WebhookDeliveries } from './webhookDeliveries';
import type { WebhookEvent } from './webhookEnvelope';

export type { JsonObject, JsonValue } from './json';
export type { RecordId } from './recordStore';
export type { Resource } from './records';
export { resources, syntheticRecord } from './records';
export type { RecordedRequest, RequestSummary } from './requestLog';
export type { ListRequest, ListRequestHook } from './state';
export type * from './switches';
export { defaultSwitches } from './switches';
export type { Delivery, DeliveryAttempt, Receiver } from './webhookDeliveries';
export type { WebhookEnvelope, WebhookEvent } from './webhookEnvelope';
export type { HmacSigning, Signing } from './webhookSigning';

export interface ReferenceServiceOptions {
	/** Default 127.0.0.1. */
	host?: string;
	/** Default 0: a free port. */
	port?: number;
	/** Folder of the store; default: a temporary one, removed at the stop. */
	dataFolder?: string;
	/** Default true; false keeps everything in memory only, for benchmarks. */
	durable?: boolean;
	/** Default `reference-client`. */
	clientId?: string;
	/** Default `reference-secret`. */
	clientSecret?: string;
	/** Set from the start, and again by `resetSwitches`. */
	switches?: DeepPartial<Switches>;
	/** Milliseconds since 1970; default the real clock. For tests that move time. */
	clock?: () => number;
}

export interface ReferenceService {
	/** Authorization server and tenant API alike, without a slash at the end. */
	readonly url: string;
	readonly clientId: string;
	readonly clientSecret: string;

	/**
	 * Every request since the start or the last `clearRequests`, in the order they came; `/control`
	 * is not in it.
	 */
	readonly requests: readonly RecordedRequest[];
	/** Counts of the same, also when `recording` is `counts`. */
	summary(): RequestSummary;
	clearRequests(): void;

	readonly switches: Switches;
	/** Changes the switches named. @throws Error for a name that is none */
	set(switches: DeepPartial<Switches>): void;
	/** Back to the defaults and what the service was started with. */
	resetSwitches(): void;

	/**
	 * Replaces all records of a resource: by this many synthetic ones, or by these (with `id` and
	 * `updatedAt`, or not).
	 */
	seed(resource: Resource, records: number | JsonObject[]): Promise<void>;
	/**
	 * Adds a record or replaces the one with its `id`; without `updatedAt` it gets the service's
	 * time.
	 */
	upsert(resource: Resource, record: JsonObject): Promise<void>;
	remove(resource: Resource, id: RecordId): Promise<void>;
	/** How many records there are. */
	count(resource: Resource): number;

	/** From now on every token given out is invalid. */
	revokeTokens(): void;
	/** From now on every token given out has expired. */
	expireTokens(): void;
	/** How many were given out since the start. */
	readonly tokensIssued: number;

	/**
	 * Calls the hook for each list request that is going to be answered with a page, before the page
	 * is cut, and waits for it. @returns a function that takes the hook away
	 */
	onListRequest(hook: ListRequestHook): () => void;

	readonly receivers: {
		/** @returns the receiver's id */
		add(receiver: Receiver): Promise<string>;
		remove(id: string): Promise<boolean>;
		list(): Receiver[];
	};
	/** Sends events; resolves after the first attempt of each delivery, while retries go on. */
	emit(events: WebhookEvent | WebhookEvent[]): Promise<Delivery[]>;
	/** Starts a failed delivery over; null when there is none of that id. */
	redeliver(id: string): Promise<Delivery | null>;
	/** Every delivery since the start, unfinished ones of earlier runs included. */
	readonly deliveries: readonly Delivery[];
	/** Resolves when no delivery is pending. */
	deliveriesSettled(): Promise<void>;
	clearDeliveries(): Promise<void>;

	/**
	 * Closes every connection. Records, receivers and unfinished deliveries stay in a `dataFolder`
	 * given.
	 */
	stop(): Promise<void>;
}

/**
 * Starts a Visitor Service with the published interface.
 * @throws the system's error (`EADDRINUSE`, …) when it cannot listen
 */
export async function startReferenceService(
	options: ReferenceServiceOptions = {},
): Promise<ReferenceService> {
	const { clientId = 'reference-client', clientSecret = 'reference-secret' } = options;
	const switches = defaultSwitches();
	mergeSwitches(switches, options.switches ?? {});
	const temporary = options.dataFolder === undefined && options.durable !== false;
	const folder = temporary
		? await mkdtemp(join(tmpdir(), 'reference-service-'))
		: (options.dataFolder ?? null);
	const database = folder === null || options.durable === false ? null : new Level(folder);
	const forgetFolder = async () => {
		if (temporary && folder !== null) await rm(folder, { recursive: true, force: true });
	};

	const realTime = options.clock ?? Date.now;
	const serviceTime = () => realTime() + switches.clockOffsetMs;
	const stopping = new AbortController();
	const store = new RecordStore(database);
	const webhooks = new WebhookDeliveries(database, switches.webhooks, serviceTime);
	const state: ServiceState = {
		clientId,
		clientSecret,
		switches,
		store,
		orders: new RecordOrders(store),
		tokens: new Tokens(),
		log: new RequestLog(),
		limiter: new RateLimiter(),
		listFaults: new ListFaults(),
		listHooks: new Set(),
		serviceTime,
		realTime,
		pause: async (milliseconds) => {
			if (milliseconds <= 0) return;
			await delay(milliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);
		},
	};

	const announce = (resource: Resource, happened: string, record: JsonObject) => {
		if (!switches.webhooks.onChange) return;
		webhooks.announce({ event: `${singular[resource]}.${happened}`, data: record });
	};

	const service = {
		url: '',
		clientId,
		clientSecret,
		requests: state.log.requests,
		summary: () => state.log.summary(),
		clearRequests: () => state.log.clear(),
		switches,
		set: (changes: DeepPartial<Switches>) => {
			mergeSwitches(switches, changes);
			if (changes.list?.rateLimit !== undefined) state.limiter.reset();
		},
		resetSwitches: () => {
			mergeSwitches(switches, defaultSwitches());
			mergeSwitches(switches, options.switches ?? {});
			state.limiter.reset();
		},
		seed: (resource: Resource, records: number | JsonObject[]) =>
			store.replace(
				resource,
				typeof records === 'number'
					? syntheticRecords(resource, records, switches.seeding.idStyle)
					: records,
			),
		upsert: async (resource: Resource, record: JsonObject) => {
			const stamped = { ...record };
			stamped.updatedAt ??= new Date(serviceTime()).toISOString();
			const isNew = await store.put(resource, stamped);
			announce(resource, isNew ? 'created' : 'updated', stamped);
		},
		remove: async (resource: Resource, id: RecordId) => {
			if (await store.remove(resource, id)) announce(resource, 'deleted', { id });
		},
		count: (resource: Resource) => store.all(resource).length,
		revokeTokens: () => state.tokens.revoke(),
		expireTokens: () => state.tokens.expire(),
		get tokensIssued() {
			return state.tokens.count;
		},
		onListRequest: (hook: ListRequestHook) => {
			state.listHooks.add(hook);
			return () => {
				state.listHooks.delete(hook);
			};
		},
		receivers: {
			add: (receiver: Receiver) => webhooks.addReceiver(receiver),
			remove: (id: string) => webhooks.removeReceiver(id),
			list: () => webhooks.listReceivers(),
		},
		emit: (events: WebhookEvent | WebhookEvent[]) => webhooks.emit(events),
		redeliver: (id: string) => webhooks.redeliver(id),
		deliveries: webhooks.deliveries,
		deliveriesSettled: () => webhooks.settled(),
		clearDeliveries: () => webhooks.clear(),
		stop: async () => {
			webhooks.stop();
			await app.close();
			// After the connections are gone, so that nobody gets an answer early.
			stopping.abort();
			await database?.close();
			await forgetFolder();
		},
	};

	const app = await buildServer(state, (routes) => controlRoutes(routes, service));
	const host = options.host ?? '127.0.0.1';
	try {
		await database?.open();
		await store.load();
		await app.listen({ host, port: options.port ?? 0 });
	} catch (error) {
		await database?.close();
		await forgetFolder();
		throw error;
	}
	const { port } = app.server.address() as AddressInfo;
	service.url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
	await webhooks.load();
	return service;
}

function* syntheticRecords(
	resource: Resource,
	count: number,
	idStyle: Switches['seeding']['idStyle'],
): Generator<JsonObject> {
	if (!isResource(resource)) throw new Error(`There is no resource "${String(resource)}".`);
	for (let number = 1; number <= count; number++) yield syntheticRecord(resource, number, idStyle);
}
