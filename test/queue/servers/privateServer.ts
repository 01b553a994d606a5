import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

export interface ServerProgram {
	program: string;
	arguments: string[];
	/** The user it runs as; undefined = the one who runs this. */
	user?: { uid: number; gid: number };
	/** Whether it responds. */
	responds(): Promise<boolean>;
	/** What makes it end as a crash would: nothing flushed, nobody told. */
	crashSignal: NodeJS.Signals;
}

/**
 * A server on a free port of the loopback address that nobody else uses, so that it may be crashed,
 * with its data in a folder of its own.
 */
export class PrivateServer {
	private guard?: ChildProcess;

	private runningProcess?: number;

	private output = '';

	private constructor(
		readonly url: URL,
		private readonly folder: string,
		private readonly server: ServerProgram,
	) {}

	static async start(url: URL, folder: string, program: ServerProgram): Promise<PrivateServer> {
		const server = new PrivateServer(url, folder, program);
		try {
			await server.start();
		} catch (error) {
			await server.release();
			throw error;
		}
		return server;
	}

	/** @throws Error with the end of what the server printed when it does not respond in time */
	async start(): Promise<void> {
		const { program, user } = this.server;
		const guard = fork(
			path.join(__dirname, 'endWithParent.cjs'),
			[String(user?.uid ?? ''), String(user?.gid ?? ''), program, ...this.server.arguments],
			{ stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] },
		);
		this.guard = guard;
		for (const stream of [guard.stdout, guard.stderr]) {
			stream?.setEncoding('utf8').on('data', (text: string) => {
				this.output = (this.output + text).slice(-4_000);
			});
		}
		guard.once('message', (processId) => {
			this.runningProcess = Number(processId);
		});
		const deadline = Date.now() + START_TIMEOUT_MS;
		while (this.runningProcess === undefined || !(await this.server.responds())) {
			if (guard.exitCode !== null || Date.now() > deadline) {
				await this.crash();
				throw new Error(`${program} did not start. Its last words:\n${this.output}`);
			}
			await delay(POLL_MS);
		}
	}

	async crash(): Promise<void> {
		await this.end(this.server.crashSignal);
	}

	/** Stops the server, and removes its folder. */
	async release(): Promise<void> {
		await this.end('SIGINT');
		await rm(this.folder, { recursive: true, force: true });
	}

	private async end(signal: NodeJS.Signals): Promise<void> {
		const { guard, runningProcess } = this;
		this.guard = undefined;
		this.runningProcess = undefined;
		if (guard === undefined || guard.exitCode !== null) return;
		const ended = once(guard, 'exit');
		if (runningProcess === undefined) guard.kill('SIGKILL');
		else process.kill(runningProcess, signal);
		await ended;
	}
}
