import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

interface NpmRun {
	arguments: string[];
	/** The folder npm works in. */
	folder: string;
	/** The Node.js that runs npm and the install scripts; the one that runs this, unless given. */
	nodeBinary?: string;
	environment?: Record<string, string>;
}

/** npm ended with an error; `output` is all it printed. */
export class NpmFailure extends Error {
	constructor(
		command: string,
		readonly output: string,
		options: ErrorOptions,
	) {
		super(`\`${command}\` failed.`, options);
	}
}

/** @throws NpmFailure when npm does not end with 0 */
export async function runNpm(run: NpmRun): Promise<void> {
	const nodeBinary = run.nodeBinary ?? process.execPath;
	const script = npmScript();
	const [program, programArguments] = script ? [nodeBinary, [script]] : ['npm', []];
	const running = promisify(execFile)(program, [...programArguments, ...run.arguments], {
		cwd: run.folder,
		env: {
			...process.env,
			...run.environment,
			// Install scripts start `node`, and their binaries must fit the one they will run in.
			PATH: [path.dirname(nodeBinary), process.env.PATH ?? ''].join(path.delimiter),
		},
		// Windows starts npm through npm.cmd, which needs a shell.
		shell: !script && process.platform === 'win32',
		maxBuffer: Infinity,
	});
	const endWithUs = () => running.child.kill();
	process.once('exit', endWithUs);
	try {
		await running;
	} catch (cause) {
		const { stdout = '', stderr = '' } = cause as { stdout?: string; stderr?: string };
		throw new NpmFailure(`npm ${run.arguments.join(' ')}`, stdout + stderr, { cause });
	} finally {
		process.removeListener('exit', endWithUs);
	}
}

/** npm tells every script it runs where npm itself is; other package managers set the same name. */
function npmScript(): string | undefined {
	const script = process.env.npm_execpath;
	return script && path.basename(script) === 'npm-cli.js' ? script : undefined;
}
