import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../../n8n/freePorts';
import { findProgram } from '../../requirements.cjs';
import { PrivateServer } from './privateServer';

/**
 * A Redis of its own, which may be crashed. It writes each change to its append-only file, as the
 * compose file's does.
 */
export async function startRedis(): Promise<PrivateServer> {
	const program = findProgram('redis-server');
	if (program === undefined)
		throw new Error('These tests need a Redis. Install redis-server, and start again.');
	const folder = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-redis-'));
	const [port] = await freePorts(1);
	const url = new URL(`redis://127.0.0.1:${port}`);
	return await PrivateServer.start(url, folder, {
		program,
		arguments: [
			...['--bind', '127.0.0.1', '--port', String(port), '--dir', folder],
			...['--appendonly', 'yes', '--appendfsync', 'everysec', '--save', ''],
		],
		responds: async () => (await call(url, 'PING').catch(() => '')) === 'PONG',
		crashSignal: 'SIGKILL',
	});
}

/** How many jobs of a Bull queue wait or are being worked on. */
export async function countJobs(url: URL, queue: string): Promise<number> {
	const counts = [
		await call(url, 'LLEN', `${queue}:wait`),
		await call(url, 'LLEN', `${queue}:active`),
	];
	return counts.map(Number).reduce((sum, count) => sum + count, 0);
}

/** The program beside the server, instead of a client that is used here only. */
async function call({ port }: URL, ...command: string[]): Promise<string> {
	const { stdout } = await promisify(execFile)('redis-cli', ['-p', port, ...command]);
	const response = stdout.trim();
	// A server that is loading its file responds with the reason.
	if (/^[A-Z]+ /.test(response)) throw new Error(response);
	return response;
}
