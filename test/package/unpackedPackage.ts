import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
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

/** The package as it would be published, outside of the clone from before the first test on. */
export function unpackedPackage() {
	/** With the relative paths of its files, written with `/`. */
	const unpacked = { folder: '', files: [] as string[] };
	let root = '';
	beforeAll(async () => {
		const tarball = await packPackage();
		root = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-package-'));
		await run('tar', ['-xzf', tarball, '-C', root]);
		const modules = path.join(root, 'node_modules');
		await mkdir(modules);
		for (const name of PROVIDED_BY_N8N) {
			await symlink(path.join(ROOT, 'node_modules', name), path.join(modules, name), 'junction');
		}
		unpacked.folder = path.join(root, 'package');
		unpacked.files = await filesIn(unpacked.folder);
	});
	afterAll(async () => await rm(root, { recursive: true, force: true }));
	return unpacked;
}

async function filesIn(folder: string): Promise<string[]> {
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile())
		.map(({ name, parentPath }) => path.relative(folder, path.join(parentPath, name)))
		.map((file) => file.split(path.sep).join('/'));
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
