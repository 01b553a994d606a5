import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { packPackage } from '../n8n/packPackage';

export const ROOT = path.resolve(__dirname, '..', '..');

const run = promisify(execFile);

/**
 * What n8n lets a node of the package import besides Node.js itself; no other dependency must be
 * found.
 */
const PROVIDED_BY_N8N = ['n8n-workflow', 'luxon'];

export interface UnpackedPackage {
	folder: string;
	/** Relative paths with `/`, sorted, with their bytes. */
	files: ReadonlyMap<string, number>;
	remove(): Promise<void>;
}

/** Packs the package as it would be published, and unpacks it outside of the clone. */
export async function unpackPackage(): Promise<UnpackedPackage> {
	const tarball = await packPackage();
	const root = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-package-'));
	await run('tar', ['-xzf', tarball, '-C', root]);
	const modules = path.join(root, 'node_modules');
	await mkdir(modules);
	for (const name of PROVIDED_BY_N8N) {
		await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name), 'junction');
	}
	const folder = path.join(root, 'package');
	return {
		folder,
		files: await sizesIn(folder),
		remove: async () => {
			await rm(root, { recursive: true, force: true });
		},
	};
}

async function sizesIn(folder: string): Promise<Map<string, number>> {
	const sizes = new Map<string, number>();
	for (const entry of (await readdir(folder, { recursive: true })).sort()) {
		const found = await stat(path.join(folder, entry));
		if (found.isFile()) sizes.set(entry.split(path.sep).join('/'), found.size);
	}
	return sizes;
}

/** Runs a script beside this file in a Node.js of its own, and returns the JSON it printed last. */
export async function runScript(script: string, ...scriptArguments: string[]): Promise<unknown> {
	const { stdout } = await run(
		process.execPath,
		[path.join(__dirname, script), ...scriptArguments],
		{
			cwd: ROOT,
			// jest's 'test' would switch rules of n8n's older plugin off.
			env: { ...process.env, NODE_ENV: 'production' },
			maxBuffer: 32 * 1024 * 1024,
		},
	);
	const printed: unknown = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '');
	return printed;
}
