import { setTimeout as delay } from 'node:timers/promises';
import { type ReferenceService, startReferenceService } from '../../reference-service';
import { QueueCluster } from '../cluster/queueCluster';
import {
	activateWebhookWorkflow,
	createCredential,
	EVENT_NAME,
	emitAll,
	listNode,
	numberedEvents,
	receiverOf,
} from '../cluster/testbed';
import { startPostgres } from '../servers/postgres';
import type { StartedServer } from '../servers/privateServer';
import { startRedis } from '../servers/redis';
import { type Fault, faultsOf } from './faults';
import { MemoryRecord } from './memoryRecord';
import { reportMemory, reportOutcome } from './report';
import { readSoakOptions, type SoakOptions } from './soakOptions';

const USERS = 2_000;
const SAMPLE_MS = 5_000;
const END_TIMEOUT_MS = 240_000;
const CONCURRENCY = 5;
const LISTING_EVENT = 'listing.due';

/**
 * `npm run soak -- --minutes 20`: mixed load with faults in it. Ends with 0 where nothing was lost
 * and no memory grew.
 */
async function main(): Promise<void> {
	const options = readSoakOptions(process.argv.slice(2));
	const service = await startReferenceService({
		switches: {
			recording: 'counts',
			list: { latencyMs: 20 },
			webhooks: { timeoutMs: 60_000, retryScheduleMs: Array.from({ length: 200 }, () => 1_000) },
		},
	});
	try {
		await service.seed('users', USERS);
		const [redis, postgres] = [await startRedis(), await startPostgres()];
		const cluster = await QueueCluster.start(
			{ redis, postgres },
			{ webhookProcessors: 2, workers: 2, concurrency: CONCURRENCY },
		);
		try {
			const faults = faultsOf(cluster, service, redis, postgres);
			process.exitCode = (await soak(options, cluster, service, faults, redis)) ? 0 : 1;
		} finally {
			await cluster.stop();
		}
	} finally {
		await service.stop();
	}
}

async function soak(
	options: SoakOptions,
	cluster: QueueCluster,
	service: ReferenceService,
	faults: Fault[],
	redis: StartedServer,
): Promise<boolean> {
	const credential = await createCredential(cluster, service);
	const webhooks = await activateWebhookWorkflow(cluster, credential, [
		{ name: 'What came', type: 'n8n-nodes-base.noOp' },
	]);
	const listings = await activateWebhookWorkflow(cluster, credential, [
		listNode(credential, { maxRetries: 30 }),
	]);
	service.receivers.add(receiverOf(cluster, webhooks));
	service.receivers.add(receiverOf(cluster, listings, LISTING_EVENT));

	const memory = new MemoryRecord();
	const until = Date.now() + options.minutes * 60_000;
	let next = 1;
	let happened = 0;
	let isFaulty = false;
	const sending: Array<Promise<unknown>> = [];
	const send = (count: number, name?: string) => {
		sending.push(emitAll(service, numberedEvents(count, next, name)));
		next += count;
	};
	/** Everything at its own pace, until the time is over. */
	const every = async (milliseconds: number, act: () => void | Promise<void>) => {
		while (Date.now() + milliseconds < until) {
			await delay(milliseconds);
			await act();
		}
	};
	await Promise.all([
		every(1_000, () => send(options.webhooksPerSecond)),
		every(options.secondsBetweenListings * 1_000, () => send(1, LISTING_EVENT)),
		every(options.secondsBetweenFaults * 1_000, async () => {
			const fault = faults[happened++ % faults.length];
			console.log(`${new Date().toISOString()} ${fault?.name}`);
			isFaulty = true;
			await fault?.happen();
			isFaulty = false;
		}),
		every(SAMPLE_MS, async () => {
			if (!isFaulty) {
				for (const name of await cluster.restartEnded()) {
					console.log(
						`${new Date().toISOString()} ${name} had ended by itself and was started again`,
					);
				}
			}
			if (redis.processId !== undefined) await memory.sample('Redis', redis.processId);
			for (const { name, running } of cluster.processes()) {
				if (running.processId !== undefined) await memory.sample(name, running.processId);
			}
		}),
	]);
	await Promise.all(sending);
	await service.deliveriesSettled();
	await cluster.waitUntilIdle(END_TIMEOUT_MS);
	// At its start n8n looks for executions whose job is gone, and marks them.
	await cluster.main.restart();
	const nothingLost = [
		await reportOutcome(cluster, service.deliveries, 'webhooks', webhooks, EVENT_NAME),
		await reportOutcome(cluster, service.deliveries, 'listings', listings, LISTING_EVENT),
	].every(Boolean);
	return reportMemory(memory) && nothingLost;
}

main().catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
