import { setTimeout as delay } from 'node:timers/promises';
import { itemsOf } from '../n8n/execution';
import { type StoredWorkflow, visitorServiceCredential } from '../n8n/n8nClient';
import { waitFor } from '../n8n/waitFor';
import {
	type CredentialReference,
	chainedWorkflow,
	type NewNode,
	ownNode,
	webhookUrl,
} from '../n8n/workflow';
import {
	type Delivery,
	type ReferenceService,
	startReferenceService,
	syntheticRecord,
} from '../reference-service';
import { outcomeOf } from './cluster/deliveryOutcome';
import type { EventExecution } from './cluster/executionStore';
import { QueueCluster } from './cluster/queueCluster';

const START_TIMEOUT_MS = 600_000;
const TEST_TIMEOUT_MS = 300_000;

jest.setTimeout(TEST_TIMEOUT_MS);

const WEBHOOKS = 600;
const WORKERS = 4;
const REQUESTS_PER_SECOND = 25;
const EVENTS = 120;
/** So many are executed before the fault, so that it comes in the middle. */
const BEFORE_FAULT = 30;
const USERS = 5_000;
const PAGE_SIZE = USERS / 40;
/** One small page after the other: such a listing is still under way when a fault comes. */
const LASTING = { concurrency: 1, pageSize: PAGE_SIZE };
const CHANGES = 20;
const OUTAGE_MS = 10_000;
const LIST_PATH = '/api/external/v2/users';
const WEBHOOK_NODE = 'Event';
const LIST_NODE = 'List';
const WEBHOOK_SECRET = 'queue-webhook-secret';

const nothing: NewNode = { name: 'What came', type: 'n8n-nodes-base.noOp' };

let service: ReferenceService;
let cluster: QueueCluster;
let credential: CredentialReference;
let deliveryWorkflow: StoredWorkflow;
let nextEvent = 1;
/** Stopped at the end, the last one first. */
const started: Array<{ stop(): Promise<void> }> = [];

beforeAll(async () => {
	service = await startReferenceService({
		switches: {
			webhooks: {
				// A response that is slow on a busy machine is not a fault; one that fails is sent again
				// for minutes.
				timeoutMs: TEST_TIMEOUT_MS,
				retryScheduleMs: Array.from({ length: 120 }, () => 1_000),
			},
		},
	});
	started.push(service);
	await service.seed('users', USERS);
	// One execution at a time for each worker: four listings are then on four workers for certain.
	cluster = await QueueCluster.start({ webhookProcessors: 2, workers: WORKERS, concurrency: 1 });
	started.push(cluster);
	const content = visitorServiceCredential(service, { webhookSecret: WEBHOOK_SECRET });
	credential = await cluster.client.createCredential(content);
	deliveryWorkflow = await activateWebhook(nothing);
}, START_TIMEOUT_MS);

afterAll(async () => {
	for (const running of started.reverse()) await running.stop();
}, START_TIMEOUT_MS);

beforeEach(async () => {
	// A case that failed half-way may have left a process dead.
	await cluster.restartEnded();
	await cluster.waitUntilReady(START_TIMEOUT_MS);
	service.resetSwitches();
	service.clearRequests();
});

/** An active workflow of these nodes. */
async function activate(name: string, ...chain: NewNode[]): Promise<StoredWorkflow> {
	const workflow = await cluster.client.createWorkflow(chainedWorkflow(name, chain));
	await cluster.client.activateWorkflow(workflow);
	return workflow;
}

/** An active workflow that starts with a signed webhook. */
async function activateWebhook(next: NewNode): Promise<StoredWorkflow> {
	const trigger = ownNode('webhook', WEBHOOK_NODE, credential, { authentication: 'hmac' });
	return await activate('Queue', trigger, next);
}

/** One that then reads all users. */
async function activateListing(options: Record<string, unknown>): Promise<StoredWorkflow> {
	const all = { resource: 'user', operation: 'list', returnAll: true };
	return await activateWebhook(ownNode('action', LIST_NODE, credential, { ...all, options }));
}

/** Delivers `count` events to a workflow, each until it is accepted. */
async function deliver(workflow: StoredWorkflow, count: number): Promise<Delivery[]> {
	const events = Array.from({ length: count }, () => {
		const number = String(nextEvent++).padStart(6, '0');
		return { id: `event-${number}`, event: 'delivery.due', data: { id: `user-${number}` } };
	});
	const url = webhookUrl(cluster.proxyUrl, workflow, WEBHOOK_NODE);
	const deliveries = await service.webhooks.send({ url, secret: WEBHOOK_SECRET }, events);
	await service.webhooks.settled();
	return deliveries;
}

const succeeded = async (workflow: StoredWorkflow) =>
	(await cluster.executions.countByStatus(workflow.id).catch(() => ({ success: undefined })))
		.success ?? 0;

/**
 * Delivers events while `fault` happens in their midst, and waits until those accepted are
 * executed.
 */
async function deliverThrough(fault: () => Promise<void>) {
	const before = await succeeded(deliveryWorkflow);
	const delivering = deliver(deliveryWorkflow, EVENTS);
	await waitFor(
		() => 'Too few events are executed to make the fault happen.',
		TEST_TIMEOUT_MS,
		async () => (await succeeded(deliveryWorkflow)) >= before + BEFORE_FAULT,
	);
	expect(await succeeded(deliveryWorkflow)).toBeLessThan(before + EVENTS);
	await fault();
	const deliveries = await delivering;
	const events = deliveries.map(({ event }) => event.id);
	await cluster.waitUntilIdle(TEST_TIMEOUT_MS);
	return { deliveries, events };
}

/** Delivers events, each of which has to be accepted and executed once. */
async function deliverAndExecute(workflow: StoredWorkflow, count: number) {
	const deliveries = await deliver(workflow, count);
	const executions = await cluster.executions.waitForEvents(
		workflow.id,
		deliveries.map(({ event }) => event.id),
		TEST_TIMEOUT_MS,
	);
	const once = { accepted: count, lost: [], doubled: [], multiplied: [] };
	expect(outcomeOf(deliveries, executions)).toEqual(once);
	return { deliveries, executions };
}

/** The executions of a workflow, once all of `count` have ended. */
async function allEnded({ id }: StoredWorkflow, count: number): Promise<EventExecution[]> {
	return await cluster.executions.waitUntilEnded(id, TEST_TIMEOUT_MS, count);
}

/** An active workflow that polls at its activation and then each minute, as often as n8n allows. */
async function activatePolling(startDate: Date): Promise<StoredWorkflow> {
	const trigger = ownNode('polling', 'Changed users', credential, {
		pollTimes: { item: [{ mode: 'everyMinute' }] },
		startFrom: 'date',
		startDate: startDate.toISOString(),
	});
	return await activate('Polling', trigger, nothing);
}

async function changeUsers(first: number, count: number): Promise<void> {
	for (let number = first; number < first + count; number++) {
		await service.upsert('users', {
			...syntheticRecord('users', number),
			updatedAt: new Date().toISOString(),
		});
	}
}

const listRequests = () => service.requests.filter(({ path }) => path === LIST_PATH).length;

async function listingUnderWay(): Promise<void> {
	await waitFor(
		() => 'No listing is under way.',
		TEST_TIMEOUT_MS,
		() => listRequests() >= 3,
	);
}

/** An execution has read each user once. */
async function readAll(executionId: string): Promise<void> {
	const execution = await cluster.client.waitForExecution(executionId);
	expect(execution.error).toBeNull();
	const users = itemsOf(execution, LIST_NODE).map(({ id }) => id);
	expect(users).toHaveLength(USERS);
	expect(new Set(users).size).toBe(USERS);
}

describe('load shared by the processes of queue mode', () => {
	it(`executes ${WEBHOOKS} signed webhooks at 50 connections once each`, async () => {
		await deliverAndExecute(deliveryWorkflow, WEBHOOKS);
		expect(await cluster.executions.countByStatus(deliveryWorkflow.id)).toEqual({
			success: WEBHOOKS,
		});
		// Everybody took a part.
		for (const processor of cluster.webhookProcessors) {
			expect(processor.log()).toContain('Enqueued execution ');
		}
		for (const worker of cluster.workers) {
			expect(worker.log()).toContain('Worker started execution ');
		}
	});

	it(`reads ${USERS} users on ${WORKERS} workers at once within the rate limit of the tenant`, async () => {
		service.set({
			list: { rateLimit: { requestsPerSecond: REQUESTS_PER_SECOND, burst: REQUESTS_PER_SECOND } },
		});
		const listing = await activateListing({ pageSize: PAGE_SIZE });
		// In mid-listing the token of every worker expires.
		let pages = 0;
		const stopExpiry = service.onListRequest(() => {
			pages++;
			if (pages === (WORKERS * USERS) / PAGE_SIZE / 2) service.expireTokens();
		});
		const { executions } = await deliverAndExecute(listing, WORKERS);
		stopExpiry();

		const workers = executions.map(({ executionId }) => cluster.workerOf(executionId)?.port);
		expect(new Set(workers).size).toBe(WORKERS);
		for (const { executionId } of executions) await readAll(executionId);
		// The limit was met, so that it was shared in earnest.
		expect(service.summary().byPath[LIST_PATH]?.['429']).toBeGreaterThan(0);
		// Two lifetimes, and one exchange per process in each of them at most.
		expect(service.tokensIssued).toBeGreaterThanOrEqual(2);
		expect(service.tokensIssued).toBeLessThanOrEqual(2 * WORKERS);
	});
});

describe('what survives in queue mode', () => {
	it.each<[string, () => Promise<void>]>([
		[
			'a webhook processor that is killed: its senders try again, what was accepted is executed',
			async () => {
				const [processor] = cluster.webhookProcessors;
				await processor?.kill();
				await processor?.restart();
			},
		],
		[
			'a Redis that crashes: the queue is read back from its file',
			async () => {
				await cluster.redis.crash();
				await cluster.redis.start();
			},
		],
	])('%s', async (_, fault) => {
		const { deliveries } = await deliverThrough(fault);
		const executions = await cluster.executions.eventExecutions(deliveryWorkflow.id);
		const once = { accepted: EVENTS, lost: [], multiplied: [] };
		expect(outcomeOf(deliveries, executions)).toMatchObject(once);
	});

	it('a PostgreSQL that crashes: deliveries are accepted when they come again, no accepted one is without a trace', async () => {
		const before = await cluster.executions.eventExecutions(deliveryWorkflow.id);
		const { deliveries, events } = await deliverThrough(async () => {
			await cluster.postgres.crash();
			await cluster.postgres.start();
		});
		// What a worker took from the queue while there was no database has not been executed. It has
		// its row, shows as crashed once n8n looks for such rows, and can be run again.
		await cluster.recover(deliveryWorkflow.id, events, TEST_TIMEOUT_MS);
		const after = (await cluster.executions.eventExecutions(deliveryWorkflow.id)).slice(
			before.length,
		);
		const { accepted, lost } = outcomeOf(deliveries, after);
		expect(accepted).toBe(EVENTS);
		// n8n (2.41.1, workflow-runner.js, `run`) also accepts a delivery whose credential it could
		// not look up just before the database was back, and keeps nothing of it but the error: one
		// for each event without an execution.
		const failed = after.filter(({ event, status }) => event === null && status === 'error');
		expect(lost.filter((event) => !event.endsWith(' ()'))).toEqual([]);
		expect(failed).toHaveLength(lost.length);
	});

	it('a main process that is killed between polls: deliveries go on without it, no change is missed', async () => {
		const startDate = new Date();
		await changeUsers(1, CHANGES);
		const polling = await activatePolling(startDate);
		const polled = async (count: number) =>
			await waitFor(
				() => `The polls have not brought ${count} changed users.`,
				TEST_TIMEOUT_MS,
				async () => {
					const users = await cluster.executions.occurrences(polling.id, 'user-[0-9]{6}');
					return users.size >= count ? users : undefined;
				},
			);
		await polled(CHANGES);
		await cluster.main.kill();
		await changeUsers(CHANGES + 1, CHANGES);
		const { deliveries } = await deliverAndExecute(deliveryWorkflow, EVENTS);
		expect(deliveries.every(({ statuses }) => statuses.length === 1)).toBe(true);

		await cluster.main.restart();
		const times = [...(await polled(2 * CHANGES)).values()];
		expect(times).toEqual(Array.from({ length: 2 * CHANGES }, () => 1));
		await cluster.client.deactivateWorkflow(polling.id);
	});

	it('a worker that is killed in mid-listing: that listing fails visibly, all others are executed', async () => {
		service.set({ list: { latencyMs: 300 } });
		const listing = await activateListing(LASTING);
		await deliver(listing, 1);
		await listingUnderWay();
		const [running] = await cluster.executions.eventExecutions(listing.id);
		const worker = cluster.workerOf(running?.executionId ?? '');
		await worker?.kill();
		expect(worker).toBeDefined();

		await deliverAndExecute(deliveryWorkflow, EVENTS);
		// n8n 2 never runs a started execution again: it may have had effects.
		const [ended, ...more] = await allEnded(listing, 1);
		expect(['error', 'crashed']).toContain(ended?.status);
		expect(more).toEqual([]);

		// The next one reads all.
		service.set({ list: { latencyMs: 0 } });
		await worker?.restart();
		await deliver(listing, 1);
		const next = (await allEnded(listing, 2)).at(-1);
		await readAll(next?.executionId ?? '');
	});

	it('a Visitor Service that is down for a while: a listing waits for it, or fails with its reason; deliveries go on', async () => {
		service.set({ list: { latencyMs: 100 } });
		const patient = await activateListing({ ...LASTING, maxRetries: 30 });
		const impatient = await activateListing({ maxRetries: 0 });
		await deliver(patient, 1);
		await listingUnderWay();
		service.set({ outage: { status: 503 } });
		const outage = delay(OUTAGE_MS);

		// While it is down, one listing gives up and deliveries are executed.
		await deliver(impatient, 1);
		const [givenUp] = await allEnded(impatient, 1);
		await deliverAndExecute(deliveryWorkflow, EVENTS);
		await outage;
		service.set({ outage: 'none' });

		const failed = await cluster.client.waitForExecution(givenUp?.executionId ?? '');
		expect(failed.status).toBe('error');
		expect(failed.error?.message).toContain('503');
		const [waited] = await allEnded(patient, 1);
		await readAll(waited?.executionId ?? '');
		expect(service.summary().byPath[LIST_PATH]?.['503']).toBeGreaterThan(1);
	});
});
