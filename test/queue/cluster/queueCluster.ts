import { randomBytes, randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { installPackage } from '../../n8n/installPackage';
import { type N8nClient, signIn } from '../../n8n/n8nClient';
import { packPackage } from '../../n8n/packPackage';
import { chosenVersion, prepareN8n } from '../../n8n/prepareN8n';
import { type N8nCommand, type RunningN8n, startN8n } from '../../n8n/startN8n';
import { waitFor } from '../../n8n/waitFor';
import { startPostgres } from '../servers/postgres';
import type { PrivateServer } from '../servers/privateServer';
import { countJobs, startRedis } from '../servers/redis';
import { DeliveryProxy } from './deliveryProxy';
import { ExecutionStore } from './executionStore';
import { QUEUE_KEY, queueEnvironment } from './queueEnvironment';

export interface ClusterSize {
	webhookProcessors: number;
	workers: number;
	/** Executions one worker runs at the same time. */
	concurrency: number;
}

/** n8n in queue mode: the processes of deploy/queue/compose.yaml, without containers. */
export class QueueCluster {
	readonly workers: RunningN8n[] = [];

	private constructor(
		readonly redis: PrivateServer,
		readonly postgres: PrivateServer,
		readonly main: RunningN8n,
		/** Where deliveries are sent to. */
		readonly proxyUrl: string,
		readonly webhookProcessors: RunningN8n[],
		readonly client: N8nClient,
		readonly executions: ExecutionStore,
		private readonly start: (
			command: N8nCommand,
			commandArguments?: string[],
		) => Promise<RunningN8n>,
		private readonly release: () => Promise<void>,
		private readonly concurrency: number,
	) {}

	static async start(size: ClusterSize): Promise<QueueCluster> {
		const redis = await startRedis();
		const postgres = await startPostgres();
		const installation = await prepareN8n(chosenVersion(process.env));
		const tarball = await packPackage();
		const folder = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-queue-'));
		const packageFolder = path.join(folder, 'package');
		await installPackage(tarball, packageFolder);
		const encryptionKey = randomBytes(24).toString('hex');
		const environment = queueEnvironment(redis.url, postgres.url, encryptionKey);
		const started: RunningN8n[] = [];
		const store = new ExecutionStore(postgres.url);
		let proxy: DeliveryProxy | undefined;
		const release = async () => {
			await proxy?.stop();
			await Promise.all(started.map(async (running) => await running.stop()));
			await store.close();
			await redis.release();
			await postgres.release();
			await rm(folder, { recursive: true, force: true });
		};
		const start = async (command: N8nCommand, commandArguments: string[] = []) => {
			// As in containers: each process has a folder of its own, with the log of events that it
			// reads after a crash.
			const userFolder = path.join(folder, randomUUID());
			await cp(packageFolder, userFolder, { recursive: true });
			const running = await startN8n({
				installation,
				userFolder,
				command,
				arguments: commandArguments,
				environment,
			});
			started.push(running);
			return running;
		};
		try {
			const main = await start('start');
			const client = await signIn(main.url);
			const processors: RunningN8n[] = [];
			proxy = await DeliveryProxy.start(() => processors.map(({ url }) => url));
			const cluster = new QueueCluster(
				redis,
				postgres,
				main,
				proxy.url,
				processors,
				client,
				store,
				start,
				release,
				size.concurrency,
			);
			await Promise.all([
				...Array.from({ length: size.webhookProcessors }, () => cluster.addWebhookProcessor()),
				...Array.from({ length: size.workers }, () => cluster.addWorker()),
			]);
			return cluster;
		} catch (error) {
			await release();
			throw error;
		}
	}

	async addWorker(): Promise<RunningN8n> {
		const worker = await this.start('worker', [`--concurrency=${this.concurrency}`]);
		this.workers.push(worker);
		return worker;
	}

	async addWebhookProcessor(): Promise<RunningN8n> {
		const processor = await this.start('webhook');
		this.webhookProcessors.push(processor);
		return processor;
	}

	/** By what they are. */
	private processes(): Array<{ name: string; running: RunningN8n }> {
		return [
			{ name: 'main', running: this.main },
			...this.webhookProcessors.map((running, index) => ({
				name: `webhook ${index + 1}`,
				running,
			})),
			...this.workers.map((running, index) => ({ name: `worker ${index + 1}`, running })),
		];
	}

	/** n8n gives up where it cannot go on, and counts on a restart, as compose.yaml has it. */
	async restartEnded(): Promise<void> {
		const ended = this.processes().filter(({ running }) => running.processId === undefined);
		for (const { running } of ended) await running.restart();
	}

	/** Waits until every process reaches its database again. */
	async waitUntilReady(timeout: number): Promise<void> {
		let waiting: string[] = [];
		await waitFor(
			() => `Not ready: ${waiting.join(', ')}.`,
			timeout,
			async () => {
				const states = await Promise.all(
					this.processes().map(async ({ name, running }) => ({
						name,
						isReady: await running.isReady(),
					})),
				);
				waiting = states.filter(({ isReady }) => !isReady).map(({ name }) => name);
				return waiting.length === 0;
			},
		);
	}

	/** The worker that took an execution from the queue, if one has. */
	workerOf(executionId: string): RunningN8n | undefined {
		// The number is followed by the number of the job.
		const taken = `Worker started execution ${executionId} (`;
		return this.workers.find((worker) => worker.log().includes(taken));
	}

	/** Waits until no job waits and none is being worked on. */
	async waitUntilIdle(timeout: number): Promise<void> {
		await waitFor(
			() => 'There still are jobs in the queue.',
			timeout,
			async () => (await countJobs(this.redis.url, QUEUE_KEY).catch(() => undefined)) === 0,
		);
	}

	/**
	 * Does what the guarantees ask of a person after a crash: n8n finds at the start of its main
	 * process, and every few hours, the executions whose job is gone; they are run again one by one,
	 * except those of which n8n has kept no data.
	 *
	 * @param wanted events that have to have an execution that succeeded
	 */
	async recover(workflowId: string, wanted: string[], timeout: number): Promise<void> {
		await this.waitUntilIdle(timeout);
		await this.main.restart();
		const executions = await this.executions.waitUntilEnded(workflowId, timeout);
		const last = new Map(executions.map(({ event, executionId }) => [event, executionId]));
		for (const { event, status } of executions) if (status === 'success') last.delete(event);
		const broken = wanted.map((event) => last.get(event)).filter((id) => id !== undefined);
		for (const executionId of broken) await this.client.retryExecution(executionId);
	}

	async stop(): Promise<void> {
		await this.client.close();
		await this.release();
	}
}
