import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePorts } from '../../n8n/freePorts';
import { findProgram } from './findProgram';
import { startPrivate } from './privateServer';

/** Where a Redis is looked for before one is started. */
const REDIS_URL = 'VISITOR_SERVICE_REDIS_URL';
const USUAL_URL = 'redis://127.0.0.1:6379';

export interface RedisServer {
	url: URL;
	/**
	 * Gives back what was taken: the keys below `prefix`, or the whole server where it is a private
	 * one.
	 */
	release(prefix: string): Promise<void>;
}

export interface PrivateRedis extends RedisServer {
	readonly processId: number | undefined;
	crash(): Promise<void>;
	start(): Promise<void>;
}

/** The Redis of the environment, else the one on the usual port, else a private one. */
export async function findRedis(): Promise<RedisServer> {
	const chosen = process.env[REDIS_URL]?.trim();
	const url = chosen || USUAL_URL;
	if (await answersPing(url)) {
		return { url: new URL(url), release: async (prefix) => await removeKeys(url, prefix) };
	}
	if (chosen) throw new Error(`No Redis answers at ${chosen}. Start it, or unset ${REDIS_URL}.`);
	return await startPrivateRedis();
}

/**
 * A Redis that may be crashed. It writes each change to its append-only file, as the compose file's
 * does.
 */
export async function startPrivateRedis(): Promise<PrivateRedis> {
	const program = await findProgram('redis-server');
	if (program === undefined) {
		throw new Error(
			`These tests need a Redis. Start one on 127.0.0.1:6379, name one in ${REDIS_URL}, or install redis-server; for the tests that crash it, redis-server has to be installed.`,
		);
	}
	const folder = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-redis-'));
	const [port] = await freePorts(1);
	const url = `redis://127.0.0.1:${port}`;
	return await startPrivate(url, folder, {
		program,
		arguments: [
			...['--bind', '127.0.0.1', '--port', String(port), '--dir', folder],
			...['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''],
		],
		answers: async () => await answersPing(url),
		crashSignal: 'SIGKILL',
	});
}

/** How many jobs of a Bull queue wait or are being worked on. */
export async function countJobs({ url }: RedisServer, queue: string): Promise<number> {
	return await withClient(url.href, async (client) => {
		const [waiting, active] = [
			await client.llen(`${queue}:wait`),
			await client.llen(`${queue}:active`),
		];
		return waiting + active;
	});
}

async function answersPing(url: string): Promise<boolean> {
	return await withClient(url, async (client) => await client.ping()).then(
		() => true,
		() => false,
	);
}

async function removeKeys(url: string, prefix: string): Promise<void> {
	await withClient(url, async (client) => {
		for await (const keys of client.scanStream({ match: `${prefix}*`, count: 1_000 })) {
			if (isKeys(keys)) await client.unlink(...keys);
		}
	});
}

function isKeys(value: unknown): value is string[] {
	return Array.isArray(value) && value.length > 0;
}

async function withClient<Result>(
	url: string,
	use: (client: Redis) => Promise<Result>,
): Promise<Result> {
	const client = new Redis(url, {
		lazyConnect: true,
		connectTimeout: 2_000,
		retryStrategy: () => null,
		maxRetriesPerRequest: 0,
	});
	// Without a listener the client prints each failed attempt.
	client.on('error', () => {});
	try {
		await client.connect();
		return await use(client);
	} finally {
		client.disconnect();
	}
}
