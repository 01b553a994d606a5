import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

import { type Control, controlOf } from '../reference-service/control';

export interface ServiceProcess {
	url: string;
	control: Control;
	stop(): Promise<void>;
}

/**
 * The reference service in a process of its own, so that it does not share a thread with what is
 * measured.
 */
export async function startServiceProcess(): Promise<ServiceProcess> {
	const program = path.join(__dirname, '..', 'reference-service', 'main.ts');
	const given = ['--import', 'tsx', program, '--port', '0', '--users', '0'];
	const child = spawn(process.execPath, given, { stdio: ['ignore', 'pipe', 'inherit'] });
	const url = await new Promise<string>((resolve, reject) => {
		let output = '';
		child.stdout.setEncoding('utf8').on('data', (text: string) => {
			output += text;
			const found = /Tenant API URL\s+(\S+)/.exec(output)?.[1];
			if (found !== undefined) resolve(found);
		});
		child.once('exit', (code) => {
			reject(new Error(`The reference service ended with ${String(code)}: ${output}`));
		});
	});
	return {
		url,
		control: controlOf(url),
		stop: async () => {
			const ended = once(child, 'exit');
			child.kill('SIGTERM');
			await ended;
		},
	};
}
