import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runNpm } from '../n8n/runNpm';
import { ROOT } from './unpackedPackage';

/** What decides what is packed, as a fresh clone has it. */
const MANIFEST = ['package.json', 'index.js', '.npmignore', '.npmrc'];

let clone: string;

beforeEach(async () => {
	clone = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-clone-'));
	for (const file of MANIFEST) {
		await cp(path.join(ROOT, file), path.join(clone, file), { verbatimSymlinks: true });
	}
});

afterEach(async () => {
	await rm(clone, { recursive: true, force: true });
});

it.each([
	['pack', '--dry-run'],
	['publish', '--dry-run'],
])('npm %s fails without a build', async (...words) => {
	await expect(runNpm({ arguments: words, folder: clone })).rejects.toMatchObject({
		output: expect.stringContaining('.npmignore') as string,
	});
});

it('npm pack packs what was built', async () => {
	const built = path.join(clone, 'dist/nodes/VisitorService');
	await mkdir(built, { recursive: true });
	await writeFile(path.join(built, 'VisitorService.node.js'), '');
	await runNpm({ arguments: ['pack', '--dry-run'], folder: clone });
});
