import { execFile } from 'node:child_process';
import { chown, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePorts } from '../../n8n/freePorts';
import { findProgram } from '../../requirements.cjs';
import { PrivateServer } from './privateServer';

/** A PostgreSQL of its own, which may be crashed. */
export async function startPostgres(): Promise<PrivateServer> {
	const [initdb, program] = [findProgram('initdb'), findProgram('postgres')];
	if (initdb === undefined || program === undefined) {
		throw new Error('These tests need the server programs of PostgreSQL. Install them first.');
	}
	const user = await unprivilegedUser();
	const folder = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-postgres-'));
	if (user !== undefined) await chown(folder, user.uid, user.gid);
	await promisify(execFile)(
		initdb,
		['--pgdata', folder, '--username', 'postgres', '--auth', 'trust', '--no-sync'],
		user ?? {},
	);
	const [port] = await freePorts(1);
	const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
	return await PrivateServer.start(new URL(url), folder, {
		program,
		arguments: [
			...['-D', folder, '-p', String(port), '-h', '127.0.0.1'],
			// No socket file: its folder may not be writable.
			...['-c', 'unix_socket_directories='],
		],
		user,
		responds: async () =>
			await query(url, 'SELECT 1').then(
				() => true,
				() => false,
			),
		// Immediate shutdown: no checkpoint, so that the next start has to recover from the log.
		crashSignal: 'SIGQUIT',
	});
}

/** PostgreSQL refuses to run as root. @returns undefined where we are nobody special ourselves */
async function unprivilegedUser(): Promise<{ uid: number; gid: number } | undefined> {
	if (process.getuid?.() !== 0) return undefined;
	for (const name of ['postgres', 'nobody']) {
		try {
			const [uid, gid] = await Promise.all(
				['-u', '-g'].map(async (flag) =>
					Number((await promisify(execFile)('id', [flag, name])).stdout),
				),
			);
			if (uid !== undefined && gid !== undefined) return { uid, gid };
		} catch {
			// There is no such user here.
		}
	}
	throw new Error(
		'PostgreSQL does not run as root. Run this as another user, or create a user named postgres.',
	);
}

async function query(url: string, text: string): Promise<void> {
	const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
	// A server that ends closes the connection, which may come after the response.
	client.on('error', () => {});
	await client.connect();
	try {
		await client.query(text);
	} finally {
		await client.end();
	}
}
