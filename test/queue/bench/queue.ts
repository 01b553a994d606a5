import type { ServiceProcess } from '../../bench/startServiceProcess';
import type { StoredWorkflow } from '../../n8n/n8nClient';
import type { CredentialReference } from '../../n8n/workflow';
import { QueueCluster } from '../cluster/queueCluster';
import {
	activateWebhookWorkflow,
	createCredential,
	listNode,
	numberedEvents,
	receiverOf,
} from '../cluster/testbed';
import { processorTime } from './processorTime';

const WORKERS = [1, 2, 4];
const CONCURRENCY = 5;
const WEBHOOKS = 300;
const LISTINGS = 20;
const USERS = 2_000;
const USERS_PER_PAGE = 100;
const LATENCY_MS = 100;
const TIMEOUT_MS = 600_000;

interface Bench {
	cluster: QueueCluster;
	service: ServiceProcess;
	nextEvent: number;
}

interface Run {
	seconds: number;
	/** Processor time by role, in s. */
	processor: Record<string, number>;
}

/** Webhooks and listings at 1, 2 and 4 workers as ratios, and what each costs in processor time. */
export async function measureQueue(service: ServiceProcess): Promise<void> {
	const size = { webhookProcessors: 1, workers: 0, concurrency: CONCURRENCY };
	const cluster = await QueueCluster.start(size);
	try {
		await measure({ cluster, service, nextEvent: 1 });
	} finally {
		await cluster.stop();
	}
}

async function measure(bench: Bench): Promise<void> {
	const { cluster, service } = bench;
	const { url, control } = service;
	await control.resetSwitches();
	await control.set({
		recording: 'counts',
		list: { latencyMs: LATENCY_MS },
		webhooks: { timeoutMs: TIMEOUT_MS },
	});
	await control.seed('users', USERS);
	const credential = await createCredential(cluster, { ...(await control.service()), url });
	const workflows = await activateBoth(cluster, credential);

	console.log(
		`Queue mode, 1 webhook processor, workers with ${CONCURRENCY} executions at a time: ${WEBHOOKS} signed webhooks, and ${LISTINGS} listings of ${USERS} users, ${USERS_PER_PAGE} a page, ${LATENCY_MS} ms each, one request at a time\n`,
	);
	console.log('| workers | webhooks/s | ratio | users listed/s | ratio |');
	console.log('|---|---|---|---|---|');
	let first: { webhooks: number; listings: number } | undefined;
	const costs: Array<{ webhooks: Run; listings: Run }> = [];
	for (const workers of WORKERS) {
		while (cluster.workers.length < workers) await cluster.addWorker();
		// Compiled and connected before anything is measured.
		await run(bench, workflows.webhooks, 20 * workers);
		await run(bench, workflows.listings, workers);
		const webhooks = await run(bench, workflows.webhooks, WEBHOOKS);
		const listings = await run(bench, workflows.listings, LISTINGS);
		first ??= { webhooks: webhooks.seconds, listings: listings.seconds };
		costs.push({ webhooks, listings });
		const cells = [
			workers,
			(WEBHOOKS / webhooks.seconds).toFixed(1),
			(first.webhooks / webhooks.seconds).toFixed(2),
			Math.round((LISTINGS * USERS) / listings.seconds),
			(first.listings / listings.seconds).toFixed(2),
		];
		console.log(`| ${cells.join(' | ')} |`);
	}

	console.log('\nProcessor time, mean of the rows above (ms)\n');
	console.log('| process | one webhook | 1,000 users listed |');
	console.log('|---|---|---|');
	for (const role of Object.keys(costs[0]?.webhooks.processor ?? {})) {
		const webhook = mean(costs.map(({ webhooks }) => webhooks.processor[role] ?? NaN)) / WEBHOOKS;
		const users =
			mean(costs.map(({ listings }) => listings.processor[role] ?? NaN)) / (LISTINGS * USERS);
		console.log(`| ${role} | ${(webhook * 1e3).toFixed(1)} | ${(users * 1e6).toFixed(0)} |`);
	}
	console.log('');
}

async function activateBoth(cluster: QueueCluster, credential: CredentialReference) {
	return {
		webhooks: await activateWebhookWorkflow(cluster, credential, [
			{ name: 'What came', type: 'n8n-nodes-base.noOp' },
		]),
		listings: await activateWebhookWorkflow(cluster, credential, [
			listNode(credential, { pageSize: USERS_PER_PAGE, concurrency: 1 }),
		]),
	};
}

/** From the first delivery to the end of the last execution. */
async function run(bench: Bench, workflow: StoredWorkflow, count: number): Promise<Run> {
	const { cluster, service } = bench;
	const events = numberedEvents(count, bench.nextEvent);
	bench.nextEvent += count;
	const before = await processorTimes(bench);
	const startedAt = performance.now();
	await service.control.send(receiverOf(cluster, workflow), events);
	const executions = await cluster.executions.waitForEvents(
		workflow.id,
		events.map(({ id }) => id),
		TIMEOUT_MS,
	);
	const seconds = (performance.now() - startedAt) / 1_000;
	const failed = executions.filter(({ status }) => status !== 'success').length;
	if (failed > 0) throw new Error(`${failed} of ${executions.length} executions have failed.`);
	const after = await processorTimes(bench);
	const processor = Object.fromEntries(
		Object.entries(after).map(([role, time]) => [role, time - (before[role] ?? 0)]),
	);
	return { seconds, processor };
}

async function processorTimes({ cluster }: Bench): Promise<Record<string, number>> {
	const sum = async (processes: Array<{ processId: number | undefined }>) => {
		const times = await Promise.all(
			processes.map(async ({ processId }) =>
				processId === undefined ? NaN : await processorTime(processId),
			),
		);
		return times.reduce((total, time) => total + time, 0);
	};
	return {
		main: await sum([cluster.main]),
		'webhook processor': await sum(cluster.webhookProcessors),
		workers: await sum(cluster.workers),
		Redis: await sum([cluster.redis]),
		PostgreSQL: await sum([cluster.postgres]),
	};
}

function mean(values: number[]): number {
	return values.reduce((sum, value) => sum + value, 0) / values.length;
}
