import { spawn } from 'node:child_process';
import path from 'node:path';
import readline from 'node:readline';

export interface NpmRun {
	arguments: string[];
	/** The folder npm works in. */
	folder: string;
	/** The Node.js that runs npm and the install scripts; the one that runs this, unless given. */
	nodeBinary?: string;
	environment?: Record<string, string>;
	onLine?: (line: string) => void;
}

/** npm ended with an error; `output` is all it printed. */
export class NpmFailure extends Error {
	constructor(
		readonly command: string,
		readonly output: string,
		readonly exitCode: number | null,
	) {
		super(`\`${command}\` ended with ${exitCode === null ? 'a signal' : `code ${exitCode}`}.`);
	}
}

/** Runs npm and returns what it printed. Throws a NpmFailure when it does not end with 0. */
export async function runNpm(run: NpmRun): Promise<string> {
	const nodeBinary = run.nodeBinary ?? process.execPath;
	const script = npmScript();
	const [program, programArguments] = script ? [nodeBinary, [script]] : ['npm', []];
	const command = `npm ${run.arguments.join(' ')}`;
	const child = spawn(program, [...programArguments, ...run.arguments], {
		cwd: run.folder,
		env: {
			...process.env,
			...run.environment,
			// Install scripts start `node`, and their binaries must fit the one they will run in.
			PATH: [path.dirname(nodeBinary), process.env.PATH ?? ''].join(path.delimiter),
		},
		stdio: ['ignore', 'pipe', 'pipe'],
		// Windows starts npm through npm.cmd, which needs a shell.
		shell: !script && process.platform === 'win32',
	});
	const endWithUs = () => child.kill();
	process.once('exit', endWithUs);
	const lines: string[] = [];
	for (const stream of [child.stdout, child.stderr]) {
		readline.createInterface({ input: stream }).on('line', (line) => {
			lines.push(line);
			run.onLine?.(line);
		});
	}
	try {
		const exitCode = await new Promise<number | null>((resolve, reject) => {
			child.once('error', reject);
			child.once('close', resolve);
		});
		const output = lines.join('\n');
		if (exitCode !== 0) throw new NpmFailure(command, output, exitCode);
		return output;
	} finally {
		process.removeListener('exit', endWithUs);
	}
}

/** npm tells every script it runs where npm itself is; other package managers set the same name. */
function npmScript(): string | undefined {
	const script = process.env.npm_execpath;
	return script && path.basename(script) === 'npm-cli.js' ? script : undefined;
}
