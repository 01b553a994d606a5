import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';

import { ReferenceServiceClient } from '../../reference-service/client';

const program = path.join(__dirname, '..', '..', 'reference-service', 'main.ts');

interface Child {
	process: ChildProcessByStdio<null, Readable, Readable>;
	output: string;
}

const children: Child[] = [];

afterEach(async () => {
	for (const { process: child } of children.splice(0)) {
		if (child.exitCode !== null || child.signalCode !== null) continue;
		child.kill('SIGKILL');
		await once(child, 'exit');
	}
});

function run(options: readonly string[]): Child {
	const started = spawn(process.execPath, ['--import', 'tsx', program, ...options], {
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const child: Child = { process: started, output: '' };
	for (const stream of [started.stdout, started.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			child.output += chunk.toString();
		});
	}
	children.push(child);
	return child;
}

async function urlOf(child: Child): Promise<string> {
	while (!child.output.includes('Ctrl-C')) {
		if (child.process.exitCode !== null) throw new Error(child.output);
		await once(child.process.stdout, 'data');
	}
	return /Tenant API URL +(\S+)/.exec(child.output)?.[1] ?? '';
}

it('the service as a program says where it is, serves, ends at SIGINT, and tells when the port is taken', async () => {
	const switches = '{"list":{"envelope":"array"}}';
	const child = run(['--port', '0', '--memory', '--users', '7', '--switches', switches]);
	const url = await urlOf(child);
	expect(child.output).toContain('with 7 users, 50 companies, 200 visits, 100 tasks');
	expect(child.output).toContain('reference-secret');
	expect((await new ReferenceServiceClient(url).switches()).list.envelope).toBe('array');

	const second = run(['--port', new URL(url).port, '--memory']);
	expect(await once(second.process, 'exit')).toEqual([1, null]);
	expect(second.output).toContain('Choose another port with --port');

	child.process.kill('SIGINT');
	expect(await once(child.process, 'exit')).toEqual([0, null]);
	expect(child.output).toContain('Stopping.');
}, 60_000);
