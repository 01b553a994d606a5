import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePorts } from '../../n8n/freePorts';
import { findProgram } from './findProgram';
import { startPrivate } from './privateServer';

/**
 * Where a PostgreSQL is looked for before one is started; its user must be allowed to create
 * databases.
 */
const POSTGRES_URL = 'VISITOR_SERVICE_POSTGRES_URL';
const USUAL_URL = 'postgres://postgres@127.0.0.1:5432/postgres';

export interface PostgresServer {
	/** A database of its own. */
	url: URL;
	/** Drops the database, or stops the whole server where it is a private one. */
	release(): Promise<void>;
}

export interface PrivatePostgres extends PostgresServer {
	readonly processId: number | undefined;
	crash(): Promise<void>;
	start(): Promise<void>;
}

/**
 * A new database of the PostgreSQL of the environment, else of the one on the usual port, else of a
 * private one.
 */
export async function findPostgres(): Promise<PostgresServer> {
	const chosen = process.env[POSTGRES_URL]?.trim();
	const url = chosen || USUAL_URL;
	if (await answersQuery(url)) return await createDatabase(url);
	if (chosen)
		throw new Error(
			`No PostgreSQL answers at the address in ${POSTGRES_URL}. Start it, or unset that variable.`,
		);
	return await startPrivatePostgres();
}

async function createDatabase(serverUrl: string): Promise<PostgresServer> {
	const name = `visitor_service_${randomBytes(6).toString('hex')}`;
	const url = new URL(serverUrl);
	url.pathname = `/${name}`;
	await query(serverUrl, `CREATE DATABASE ${name}`);
	return { url, release: async () => await query(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** A PostgreSQL that may be crashed. */
export async function startPrivatePostgres(): Promise<PrivatePostgres> {
	const [initdb, program] = [await findProgram('initdb'), await findProgram('postgres')];
	if (initdb === undefined || program === undefined) {
		throw new Error(
			`These tests need a PostgreSQL. Start one on 127.0.0.1:5432 with the user postgres and no password, name one in ${POSTGRES_URL}, or install its server programs; for the tests that crash it, they have to be installed.`,
		);
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
	return await startPrivate(url, folder, {
		program,
		arguments: [
			...['-D', folder, '-p', String(port), '-h', '127.0.0.1'],
			// No socket file: its folder may not be writable.
			...['-c', 'unix_socket_directories='],
		],
		user,
		answers: async () => await answersQuery(url),
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

async function answersQuery(url: string): Promise<boolean> {
	return await query(url, 'SELECT 1').then(
		() => true,
		() => false,
	);
}

async function query(url: string, text: string): Promise<void> {
	const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
	// A server that ends closes the connection, which may come after the answer.
	client.on('error', () => {});
	await client.connect();
	try {
		await client.query(text);
	} finally {
		await client.end();
	}
}
