import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cp, rm } from 'node:fs/promises';
import path from 'node:path';
import { installOnce } from '../n8n/installOnce';
import { object } from '../n8n/responseShape';
import { runNpm } from '../n8n/runNpm';

const SOURCES = path.join(__dirname, 'servers');

export interface Stacks {
	url: string;
	stop(): Promise<void>;
}

/** Starts all stacks in one process. The first time they are installed, which takes two minutes. */
export async function startStacks(): Promise<Stacks> {
	const installed = await installOnce({
		title: 'the stacks of others',
		label: `stacks-node${process.versions.modules}`,
		pinned: SOURCES,
		install,
		onProgress: (text) => process.stderr.write(`${text}\n`),
	});
	// Beside their packages, where Node.js looks for what they import.
	const folder = path.join(installed, `run-${process.pid}`);
	await cp(SOURCES, folder, { recursive: true });
	const servers = fork(path.join(folder, 'main.mjs'), { cwd: folder, silent: true });
	const exit = once(servers, 'exit');
	const started = await Promise.race([once(servers, 'message'), exit.then(() => undefined)]);
	if (started === undefined) {
		const output = servers.stderr?.read() as Buffer | null;
		throw new Error(`The stacks did not start:\n${output?.toString()}`);
	}
	const { port } = object(started[0], 'The first message');
	return {
		url: `http://127.0.0.1:${Number(port)}`,
		stop: async () => {
			servers.kill();
			await exit;
			await rm(folder, { recursive: true, force: true });
		},
	};
}

async function install(folder: string): Promise<void> {
	const quiet = ['--legacy-peer-deps', '--no-fund', '--no-audit'];
	await runNpm({ arguments: ['ci', '--ignore-scripts', ...quiet], folder });
	// The only package that is no JavaScript.
	await runNpm({ arguments: ['rebuild', 'better-sqlite3', '--ignore-scripts=false'], folder });
}
