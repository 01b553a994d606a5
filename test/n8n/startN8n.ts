import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { request } from 'undici';
import { freePorts } from './freePorts';
import { installPackage } from './installPackage';
import type { N8nInstallation } from './prepareN8n';

const START_TIMEOUT_MS = 180_000;
const STOP_TIMEOUT_MS = 15_000;
const READY_POLL_MS = 250;

/**
 * The processes n8n consists of: the main one, and in queue mode workers and webhook processors.
 */
export type N8nCommand = 'start' | 'worker' | 'webhook';

export interface N8nOptions {
	installation: N8nInstallation;
	/** The packed node package to install first; omit it where the user folder has it already. */
	tarball?: string;
	/** Holds n8n's database, its key and the installed package; a new temporary folder if omitted. */
	userFolder?: string;
	command?: N8nCommand;
	/** Command line arguments after the command, such as `--concurrency=5`. */
	arguments?: string[];
	/** Command line arguments of Node.js, such as `--inspect`. */
	nodeArguments?: string[];
	/** Gets what n8n prints, as it prints it. */
	onOutput?: (text: string) => void;
	/** Environment variables beside, or instead of, those set here. */
	environment?: Record<string, string>;
	/** Kills n8n, also while it starts. */
	signal?: AbortSignal;
}

export interface RunningN8n {
	url: string;
	port: number;
	/** Undefined while it does not run. */
	readonly processId: number | undefined;
	/** Whether it responds and reaches its database. */
	isReady(): Promise<boolean>;
	/** All that n8n has printed so far. */
	log(): string;
	/** Asks n8n to end, kills it after 15 s, and removes a user folder that was made for it. */
	stop(): Promise<void>;
	/** Ends n8n in order; the data stays. */
	end(): Promise<void>;
	/** Ends n8n at once, as a crash of the machine would (SIGKILL); the data stays. */
	kill(): Promise<void>;
	/** Ends n8n in order if it runs, and starts it again on the same data and port. */
	restart(): Promise<void>;
}

/**
 * Starts an n8n process on the loopback address and returns when it responds. The process ends with
 * the one that started it, however that one ends.
 *
 * Throws an Error with the end of n8n's own output when it does not become ready.
 */
export async function startN8n(options: N8nOptions): Promise<RunningN8n> {
	const userFolder =
		options.userFolder ?? (await mkdtemp(path.join(os.tmpdir(), 'visitor-service-n8n-')));
	if (options.tarball) await installPackage(options.tarball, userFolder);

	const [port, brokerPort] = await freePorts(2);
	if (port === undefined || brokerPort === undefined) throw new Error('No free port was found.');
	const url = `http://127.0.0.1:${port}`;
	const command = options.command ?? 'start';
	const environment = {
		...inheritedEnvironment(),
		...ownEnvironment(userFolder, port, brokerPort),
		// What Node.js has compiled outlives the process: the next start costs half as much.
		NODE_COMPILE_CACHE: path.join(options.installation.folder, '.compile-cache'),
		...options.environment,
	};

	const output: string[] = [];
	const log = () => output.join('');
	let child: ChildProcess | undefined;

	const start = async () => {
		const started = spawn(
			options.installation.nodeBinary,
			[
				...(options.nodeArguments ?? []),
				'--require',
				path.join(__dirname, 'endWithParent.cjs'),
				options.installation.n8nScript,
				command,
				...(options.arguments ?? []),
			],
			{
				cwd: userFolder,
				env: environment,
				stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
				// A group of its own: n8n's task runner is killed with it, and a Ctrl-C in the terminal
				// reaches us first, so that n8n is stopped in order.
				detached: process.platform !== 'win32',
				signal: options.signal,
				killSignal: 'SIGKILL',
			},
		);
		child = started;
		for (const stream of [started.stdout, started.stderr]) {
			stream?.setEncoding('utf8').on('data', (text: string) => {
				output.push(text);
				options.onOutput?.(text);
			});
		}
		try {
			await ready(started, url, command, log);
		} catch (error) {
			await kill();
			throw error;
		}
	};

	/** @param grace ms that n8n has to end in order, before it is killed */
	const end = async (grace = STOP_TIMEOUT_MS) => {
		const running = child;
		child = undefined;
		if (!running || hasEnded(running)) return;
		const ended = once(running, 'exit');
		if (grace > 0) running.kill('SIGTERM');
		const graceOver = setTimeout(() => killGroup(running), grace);
		await ended;
		clearTimeout(graceOver);
	};

	const kill = async () => await end(0);

	const removeOwnFolder = async () => {
		if (!options.userFolder) await rm(userFolder, { recursive: true, force: true });
	};

	try {
		await start();
	} catch (error) {
		await removeOwnFolder();
		throw error;
	}
	return {
		url,
		port,
		get processId() {
			return child === undefined || hasEnded(child) ? undefined : child.pid;
		},
		isReady: async () => await respondsWell(readinessOf(url)),
		log,
		stop: async () => {
			await end();
			await removeOwnFolder();
		},
		end,
		kill,
		restart: async () => {
			await end();
			await start();
		},
	};
}

/**
 * What any program needs; nothing that configures an n8n or a proxy of the person who starts this.
 */
function inheritedEnvironment(): Record<string, string> {
	const names = 'PATH HOME LANG LC_ALL TMPDIR TEMP TMP USERPROFILE APPDATA SystemRoot'.split(' ');
	return Object.fromEntries(
		names.flatMap((name) => {
			const value = process.env[name];
			return value === undefined ? [] : [[name, value]];
		}),
	);
}

function ownEnvironment(
	userFolder: string,
	port: number,
	brokerPort: number,
): Record<string, string> {
	return {
		N8N_USER_FOLDER: userFolder,
		N8N_PORT: String(port),
		N8N_HOST: '127.0.0.1',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_EDITOR_BASE_URL: `http://127.0.0.1:${port}`,
		WEBHOOK_URL: `http://127.0.0.1:${port}/`,
		N8N_RUNNERS_BROKER_PORT: String(brokerPort),
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
		// Workers serve nothing but their health.
		QUEUE_HEALTH_CHECK_ACTIVE: 'true',
		QUEUE_HEALTH_CHECK_PORT: String(port),
		N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
		// Browsers and clients send no secure cookie over plain http.
		N8N_SECURE_COOKIE: 'false',
		N8N_LOG_LEVEL: 'info',
		NO_COLOR: '1',
		// Nothing here may call out.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		EXTERNAL_FRONTEND_HOOKS_URLS: '',
		// Nothing but the editor itself is shown.
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_HIRING_BANNER_ENABLED: 'false',
	};
}

async function ready(
	child: ChildProcess,
	url: string,
	command: N8nCommand,
	log: () => string,
): Promise<void> {
	const failure = new Promise<never>((_resolve, reject) => {
		child.once('error', reject);
		child.once('exit', (code, signal) => {
			reject(
				new Error(
					`n8n ${command} ended with ${signal ?? `code ${code}`} before it was ready. Its last lines say why:\n${lastLines(log())}`,
				),
			);
		});
	});
	// Whoever is late in the race must not count as an unhandled rejection.
	failure.catch(() => {});
	// The main process reports ready before it serves its interface.
	const addresses = [readinessOf(url), ...(command === 'start' ? [`${url}/rest/settings`] : [])];
	const deadline = Date.now() + START_TIMEOUT_MS;
	for (const address of addresses) {
		while (!(await Promise.race([respondsWell(address), failure]))) {
			if (Date.now() > deadline) {
				throw new Error(
					`n8n ${command} was not ready after ${START_TIMEOUT_MS / 1000} s. Its last lines say why:\n${lastLines(log())}`,
				);
			}
			await Promise.race([delay(READY_POLL_MS), failure]);
		}
	}
}

const readinessOf = (url: string) => `${url}/healthz/readiness`;

async function respondsWell(address: string): Promise<boolean> {
	try {
		const { statusCode, headers, body } = await request(address, {
			headersTimeout: 5_000,
			reset: true,
		});
		await body.dump();
		return statusCode === 200 && String(headers['content-type']).includes('application/json');
	} catch {
		return false;
	}
}

function hasEnded(child: ChildProcess): boolean {
	return child.exitCode !== null || child.signalCode !== null;
}

function killGroup(child: ChildProcess): void {
	if (child.pid === undefined) return;
	try {
		process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
	} catch {
		// It ended in the same moment.
	}
}

function lastLines(text: string): string {
	return text.trimEnd().split('\n').slice(-15).join('\n');
}
