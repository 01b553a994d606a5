import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';

const END_WITH_PARENT = path.resolve(__dirname, '..', 'n8n', 'endWithParent.cjs');

export interface Watched {
	/** The folder that holds package.json, the sources and node_modules. */
	sources: string;
	/** Becomes the package, as if it was unpacked there. */
	folder: string;
	/** Gets what the compiler prints. */
	onOutput: (text: string) => void;
}

/**
 * Builds the package into a folder, with source maps, and again after each change of a source, an
 * icon or a codex file. Returns after the first build, also if that has errors, which the compiler
 * prints.
 *
 * @returns what stops it
 */
export async function watchPackage({
	sources,
	folder,
	onOutput,
}: Watched): Promise<() => Promise<void>> {
	const built = path.join(folder, 'dist');
	await mkdir(built, { recursive: true });
	for (const file of ['package.json', 'index.js']) {
		await cp(path.join(sources, file), path.join(folder, file));
	}
	const start = (program: string, ...programArguments: string[]): ChildProcess =>
		spawn(
			process.execPath,
			[
				'--require',
				END_WITH_PARENT,
				path.join(sources, 'node_modules', program),
				...programArguments,
			],
			{
				cwd: sources,
				env: { ...process.env, BUILD_FOLDER: built },
				stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
			},
		);
	const gulp = (task: string) => start('gulp/bin/gulp.js', task, '--silent');

	const copied = gulp('default');
	const [exitCode] = (await once(copied, 'exit')) as [number | null];
	if (exitCode !== 0) throw new Error('The icons and codex files could not be copied.');

	const compiler = start(
		'typescript/lib/tsc.js',
		...['--watch', '--preserveWatchOutput', '--sourceMap', '--outDir', built],
	);
	const running = [gulp('watch'), compiler];
	const stop = async () => {
		await Promise.all(running.map(end));
	};
	const firstBuild = new Promise<void>((resolve, reject) => {
		compiler.stdout?.setEncoding('utf8').on('data', (text: string) => {
			onOutput(text);
			if (text.includes('Watching for file changes.')) resolve();
		});
		compiler.once('exit', () => {
			reject(new Error('The compiler ended before the package was built.'));
		});
	});
	try {
		await firstBuild;
	} catch (error) {
		await stop();
		throw error;
	}
	return stop;
}

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, 'exit');
	child.kill('SIGTERM');
	await ended;
}
