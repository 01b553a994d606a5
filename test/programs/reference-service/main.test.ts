import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

import { ReferenceServiceClient } from '../../reference-service/client';
import { compiledProgram } from '../compiledProgram';

const program = compiledProgram('reference-service', 'main.ts');

interface Child {
	process: ChildProcessByStdio<null, Readable, Readable>;
	output: string;
}

const children: Child[] = [];
afterEach(endAll);

async function endAll(): Promise<void> {
	for (const child of children.splice(0)) {
		if (child.process.exitCode === null && child.process.signalCode === null) {
			child.process.kill('SIGKILL');
			await once(child.process, 'exit');
		}
	}
}

function run(options: string[], environment: NodeJS.ProcessEnv = {}): Child {
	const child: Child = {
		process: spawn(process.execPath, [program, ...options], {
			stdio: ['ignore', 'pipe', 'pipe'],
			env: { ...process.env, ...environment },
		}),
		output: '',
	};
	for (const stream of [child.process.stdout, child.process.stderr]) {
		stream.on('data', (chunk: Buffer) => {
			child.output += chunk.toString();
		});
	}
	children.push(child);
	return child;
}

async function started(child: Child): Promise<string> {
	while (!child.output.includes('Ctrl-C')) {
		if (child.process.exitCode !== null) throw new Error(child.output);
		await once(child.process.stdout, 'data');
	}
	return /Tenant API URL +(\S+)/.exec(child.output)?.[1] ?? '';
}

describe('the service as a program', () => {
	it('says where it is, serves what was asked, ends at SIGINT, and tells when the port is taken', async () => {
		const switches = '{"list":{"envelope":"array"}}';
		const child = run(['--port', '0', '--memory', '--users', '7', '--switches', switches]);
		const url = await started(child);
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

	it('keeps its data in the folder given, or leaves nothing behind', async () => {
		const temporary = await mkdtemp(join(tmpdir(), 'reference-service-test-'));
		const data = join(temporary, 'data');
		try {
			const left = async () => await readdir(temporary);
			const runOnce = async (options: string[]) => {
				const child = run(['--port', '0', ...options], { TMPDIR: temporary });
				await started(child);
				const during = await left();
				child.process.kill('SIGTERM');
				expect(await once(child.process, 'exit')).toEqual([0, null]);
				return { during, after: await left(), greeting: child.output.split('\n')[0] };
			};
			const anyFolder = [expect.stringMatching(/^reference-service-/) as unknown];
			expect(await runOnce(['--users', '7'])).toMatchObject({ during: anyFolder, after: [] });
			const first = await runOnce(['--data', data, '--users', '9']);
			expect(first.after).toEqual(['data']);
			const second = await runOnce(['--data', data]);
			expect(second.greeting).toContain('with 9 users');
		} finally {
			await rm(temporary, { recursive: true, force: true });
		}
	}, 60_000);

	it('tells when the data folder is in use', async () => {
		const data = await mkdtemp(join(tmpdir(), 'reference-service-test-'));
		const options = ['--port', '0', '--data', data, '--users', '1'];
		try {
			await started(run(options));
			const second = run(options);
			expect(await once(second.process, 'exit')).toEqual([1, null]);
			expect(second.output).toContain('another service may be using it');
		} finally {
			await endAll();
			await rm(data, { recursive: true, force: true });
		}
	}, 60_000);

	it.each([
		['an unknown option', ['--prt', '1'], 'npm run service -- [options]'],
		['a number that is none', ['--users', 'many'], '--users takes a whole number, not "many".'],
		['switches that are no JSON', ['--switches', '{list:1}'], '--switches takes JSON such as'],
		['a switch that is none', ['--switches', '{"lists":1}'], 'There is no switch "lists".'],
	])(
		'refuses to start with %s',
		async (_, options, message) => {
			const child = run(['--port', '0', '--memory', ...options]);
			expect(await once(child.process, 'exit')).toEqual([1, null]);
			expect(child.output).toContain(message);
		},
		60_000,
	);
});
