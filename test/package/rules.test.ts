import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { object } from '../n8n/responseShape';
import { ROOT, runScript, unpackedPackage } from './unpackedPackage';

/** One of each of n8n's plugins. How many there are is for the next version of a plugin to say. */
const SAMPLE_RULES = [
	'@n8n/community-nodes/no-restricted-globals',
	'n8n-nodes-base/node-dirname-against-convention',
];

const unpacked = unpackedPackage();

/** Counts what the scanner reads: package.json, and code and JSON of what is published. */
async function sourceFiles(): Promise<number> {
	const folders = ['nodes', 'credentials'].map((folder) => path.join(ROOT, folder));
	const found = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true })));
	return 1 + found.flat().filter((file) => /\.(ts|json)$/.test(file)).length;
}

/** Expects that nothing is found. @returns what was read, and by which rules */
async function expectClean(folder: string, kind: 'source' | 'package') {
	const scan = await runScript('scanFolder.mjs', folder, kind);
	const { verdict, problems, files, rules } = object(scan, `The scan of the ${kind}`);
	expect(problems).toEqual([]);
	expect(verdict).toEqual({ passed: true });
	return { files, rules };
}

describe("n8n's package scanner", () => {
	it('finds nothing in the source', async () => {
		const { files, rules } = await expectClean(ROOT, 'source');
		expect(files).toBe(await sourceFiles());
		expect(rules).toEqual(expect.arrayContaining(SAMPLE_RULES));
	});

	it('finds nothing in the package', async () => {
		const { files, rules } = await expectClean(unpacked.folder, 'package');
		const read = unpacked.files.filter((file) => /\.(js|json)$/.test(file));
		expect(files).toBe(read.length);
		expect(rules).toContain(SAMPLE_RULES[0]);
	});
});
