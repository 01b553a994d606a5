import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { exclusively } from './exclusively';
import { NpmFailure, runNpm } from './runNpm';

const ROOT = path.resolve(__dirname, '..', '..');

/** All that decides what the package holds; `files` in package.json names what goes in. */
const SOURCES = [
	'package.json',
	'tsconfig.json',
	'gulpfile.js',
	'index.js',
	'README.md',
	'LICENSE.md',
	'credentials',
	'nodes',
];

/**
 * Builds the package and packs it as it would be published. Returns the path of the tarball, the
 * one of an earlier call as long as no source has changed since.
 */
export async function packPackage(onProgress: (text: string) => void = () => {}): Promise<string> {
	const folder = path.join(ROOT, 'node_modules', '.cache', 'visitor-service');
	const tarball = path.join(folder, `package-${await hashOfSources()}.tgz`);
	if (existsSync(tarball)) return tarball;
	await mkdir(folder, { recursive: true });
	try {
		await exclusively(path.join(folder, 'pack.lock'), async () => {
			if (existsSync(tarball)) return;
			onProgress('building the package');
			// The compiler does not remove what an earlier build left of deleted sources.
			await rm(path.join(ROOT, 'dist'), { recursive: true, force: true });
			await runNpm({ arguments: ['run', 'build'], folder: ROOT });
			onProgress('packing the package');
			const staging = path.join(folder, `staging-${process.pid}`);
			await mkdir(staging, { recursive: true });
			await runNpm({ arguments: ['pack', '--pack-destination', staging], folder: ROOT });
			const [packed] = await readdir(staging);
			if (!packed) throw new Error('`npm pack` made no tarball.');
			await removeOlderTarballs(folder);
			await rename(path.join(staging, packed), tarball);
			await rm(staging, { recursive: true });
		});
	} catch (error) {
		if (!(error instanceof NpmFailure)) throw error;
		throw new Error(
			`The package could not be built: ${error.message} Mend what it printed:\n${error.output}`,
			{ cause: error },
		);
	}
	return tarball;
}

async function hashOfSources(): Promise<string> {
	const hash = createHash('sha256');
	for (const source of SOURCES) {
		for (const file of await filesIn(path.join(ROOT, source))) {
			hash.update(`\n${path.relative(ROOT, file)}\n`).update(await readFile(file));
		}
	}
	return hash.digest('hex').slice(0, 12);
}

/** The files at or below `place`, in a fixed order; none where nothing is there. */
async function filesIn(location: string): Promise<string[]> {
	const found = await stat(location).catch(() => undefined);
	if (!found) return [];
	if (found.isFile()) return [location];
	const below = await Promise.all(
		(await readdir(location))
			.sort()
			.map(async (entry) => await filesIn(path.join(location, entry))),
	);
	return below.flat();
}

async function removeOlderTarballs(folder: string): Promise<void> {
	for (const entry of await readdir(folder)) {
		if (entry.endsWith('.tgz')) await rm(path.join(folder, entry), { force: true });
	}
}
