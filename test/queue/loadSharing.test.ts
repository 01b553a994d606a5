import { itemsOf } from '../n8n/execution';
import type { StoredWorkflow } from '../n8n/n8nClient';
import type { CredentialReference } from '../n8n/workflow';
import { type ReferenceService, startReferenceService } from '../reference-service';
import { outcomeOf } from './cluster/deliveryOutcome';
import { QueueCluster } from './cluster/queueCluster';
import {
	activateWebhookWorkflow,
	createCredential,
	emitAll,
	eventIds,
	LIST_NODE,
	listNode,
	numberedEvents,
	receiverOf,
} from './cluster/testbed';
import { startPostgres } from './servers/postgres';
import { startRedis } from './servers/redis';

const START_TIMEOUT_MS = 600_000;
const TEST_TIMEOUT_MS = 900_000;

const WEBHOOKS = 1_500;
const WORKERS = 4;
const USERS = 20_000;
const USERS_PER_PAGE = 500;
const REQUESTS_PER_SECOND = 25;

let service: ReferenceService;
let cluster: QueueCluster;
let credential: CredentialReference;
/** Stopped at the end, the last one first. */
const started: Array<{ stop(): Promise<void> }> = [];

beforeAll(async () => {
	service = await startReferenceService({
		// A busy machine is not a fault: nothing is sent twice because an answer is slow.
		switches: { webhooks: { concurrency: 50, timeoutMs: TEST_TIMEOUT_MS } },
	});
	started.push(service);
	cluster = await QueueCluster.start(
		{ redis: await startRedis(), postgres: await startPostgres() },
		// One execution at a time for each worker: four listings are then on four workers for certain.
		{ webhookProcessors: 2, workers: WORKERS, concurrency: 1 },
	);
	started.push(cluster);
	credential = await createCredential(cluster, service);
}, START_TIMEOUT_MS);

afterAll(async () => {
	for (const running of started.reverse()) await running.stop();
}, START_TIMEOUT_MS);

function receive(workflow: StoredWorkflow): void {
	for (const { id } of service.receivers.list()) service.receivers.remove(id ?? '');
	service.receivers.add(receiverOf(cluster, workflow));
	service.clearDeliveries();
}

describe('load shared by the processes of queue mode', () => {
	it(
		`executes ${WEBHOOKS} signed webhooks at 50 connections once each`,
		async () => {
			const workflow = await activateWebhookWorkflow(cluster, credential, [
				{ name: 'What came', type: 'n8n-nodes-base.noOp' },
			]);
			receive(workflow);

			const events = numberedEvents(WEBHOOKS);
			const deliveries = await emitAll(service, events);
			const executions = await cluster.executions.waitForEvents(
				workflow.id,
				eventIds(events),
				TEST_TIMEOUT_MS,
			);

			expect(outcomeOf(deliveries, executions)).toEqual({
				accepted: WEBHOOKS,
				lost: [],
				doubled: [],
				multiplied: [],
			});
			expect(await cluster.executions.countByStatus(workflow.id)).toEqual({ success: WEBHOOKS });
			// Everybody took a part.
			for (const processor of cluster.webhookProcessors) {
				expect(processor.log()).toContain('Enqueued execution ');
			}
			for (const worker of cluster.workers) {
				expect(worker.log()).toContain('Worker started execution ');
			}
		},
		TEST_TIMEOUT_MS,
	);

	it(
		`reads ${USERS} users on ${WORKERS} workers at once within the rate limit of the tenant`,
		async () => {
			await service.seed('users', USERS);
			service.set({
				list: { rateLimit: { requestsPerSecond: REQUESTS_PER_SECOND, burst: REQUESTS_PER_SECOND } },
			});
			const workflow = await activateWebhookWorkflow(cluster, credential, [
				listNode(credential, { pageSize: USERS_PER_PAGE }),
			]);
			receive(workflow);
			service.clearRequests();
			// In mid-listing the token of every worker expires.
			let pages = 0;
			const stopExpiry = service.onListRequest(() => {
				pages++;
				if (pages === (WORKERS * USERS) / USERS_PER_PAGE / 2) service.expireTokens();
			});

			const events = numberedEvents(WORKERS, WEBHOOKS + 1);
			await emitAll(service, events);
			const executions = await cluster.executions.waitForEvents(
				workflow.id,
				eventIds(events),
				TEST_TIMEOUT_MS,
			);
			stopExpiry();

			const workers = executions.map(({ executionId }) => cluster.workerOf(executionId)?.port);
			expect(new Set(workers).size).toBe(WORKERS);
			for (const { executionId } of executions) {
				const execution = await cluster.client.waitForExecution(executionId);
				expect(execution.error).toBeNull();
				const users = itemsOf(execution, LIST_NODE).map(({ id }) => id);
				expect(users).toHaveLength(USERS);
				expect(new Set(users).size).toBe(USERS);
			}
			// The limit was met, so that it was shared in earnest.
			const { byPath } = service.summary();
			expect(byPath['/api/external/v2/users']?.['429']).toBeGreaterThan(0);
			// Two lifetimes, and one exchange per process in each of them at most.
			expect(service.tokensIssued).toBeGreaterThanOrEqual(2);
			expect(service.tokensIssued).toBeLessThanOrEqual(2 * WORKERS);
		},
		TEST_TIMEOUT_MS,
	);
});
