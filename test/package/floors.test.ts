import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { array, object, string } from '../n8n/answerShape';
import { ROOT, runScript } from './unpackedPackage';

const NODES = 'nodes/VisitorService';

/** As CONTRIBUTING.md draws them, from the ground up. */
const FLOORS = [
	[`${NODES}/values`, `${NODES}/descriptions`],
	[`${NODES}/failure`],
	[`${NODES}/http`],
	[`${NODES}/answer`],
	['credentials/authorization'],
	[`${NODES}/tenant`, `${NODES}/listing`],
	[`${NODES}/polling`, `${NODES}/diagnosis`, `${NODES}/webhook`],
	[`${NODES}/operations`],
];
const FOLDERS = FLOORS.flat();
const floorOf = (folder: string) => FLOORS.findIndex((floor) => floor.includes(folder));
/** Any file of a folder, as the one that holds a text. */
const fileIn = (folder: string) => aFileOf(folder);
const NODE = `${NODES}/VisitorService.node.ts`;

describe('npm run lint', () => {
	it('lets a folder import what lies below it, and refuses what lies beside or above it', async () => {
		const files = [...FOLDERS.map(fileIn), NODE];
		const problems = await lint(
			Object.fromEntries(files.map((file) => [file, importsOf(file, FOLDERS)])),
			'import/no-restricted-paths',
		);
		const refused = FOLDERS.flatMap((folder) =>
			FOLDERS.flatMap((other, index) =>
				other !== folder && floorOf(other) >= floorOf(folder)
					? [`${fileIn(folder)}:${index + 1}`]
					: [],
			),
		);
		expect(problems).toEqual(refused);
		expect(refused).toContain(lineOf(`${NODES}/polling`, `${NODES}/diagnosis`));
		expect(refused).toContain(lineOf(`${NODES}/http`, `${NODES}/operations`));
	});

	it('knows the floor of every source', () => {
		const isOnFloor = (file: string) => FOLDERS.some((folder) => file.startsWith(`${folder}/`));
		const isOnTop = (file: string) =>
			/^(nodes\/VisitorService\/\w+\.node|credentials\/\w+\.credentials)\.ts$/.test(file);
		const sources = ['nodes', 'credentials'].flatMap(sourcesBelow);
		expect(sources.length).toBeGreaterThan(100);
		expect(sources.filter((file) => !isOnFloor(file) && !isOnTop(file))).toEqual([]);
	});

	it('refuses imports that go up within webhook/', async () => {
		const top = `${NODES}/webhook`;
		const [ground, middle] = [`${top}/delivery`, `${top}/signature`];
		const texts = {
			[fileIn(ground)]: importsOf(fileIn(ground), [middle, top]),
			[fileIn(middle)]: importsOf(fileIn(middle), [ground, top]),
			[fileIn(top)]: importsOf(fileIn(top), [ground, middle]),
		};
		expect(await lint(texts, 'import/no-restricted-paths')).toEqual([
			...lines(fileIn(ground), 2),
			`${fileIn(middle)}:2`,
		]);
	});

	it('finds no folder that imports another in a circle', () => {
		const imports = new Map<string, Set<string>>();
		for (const file of ['nodes', 'credentials'].flatMap(sourcesBelow)) {
			const folder = path.posix.dirname(file);
			const imported = imports.get(folder) ?? new Set();
			for (const [, place = ''] of sourceOf(file).matchAll(/ from '(\.[^']+)'/g)) {
				imported.add(path.posix.dirname(path.posix.join(folder, place)));
			}
			imports.set(folder, imported);
		}
		const below = (folder: string, reached = new Set<string>()): Set<string> => {
			for (const next of imports.get(folder) ?? []) {
				if (next !== folder && !reached.has(next)) below(next, reached.add(next));
			}
			return reached;
		};
		expect(below(`${NODES}/operations`).size).toBeGreaterThan(10);
		expect([...imports.keys()].filter((folder) => below(folder).has(folder))).toEqual([]);
	});

	it('lets no folder import a node, a credential or a test', async () => {
		const forbidden = [
			`${NODES}/VisitorService.node`,
			'credentials/VisitorServiceApi.credentials',
			'test/properties',
		];
		const problems = await lint(
			Object.fromEntries(
				FOLDERS.map((folder) => [fileIn(folder), importsOf(fileIn(folder), forbidden)]),
			),
			'import/no-restricted-paths',
		);
		expect(problems).toEqual(FOLDERS.flatMap((folder) => lines(fileIn(folder), forbidden.length)));
	});

	it('lets no node import another', async () => {
		const text = importsOf(NODE, [`${NODES}/VisitorServiceTrigger.node`]);
		expect(await lint({ [NODE]: text }, 'import/no-restricted-paths')).toEqual([`${NODE}:1`]);
	});

	it('refuses a file that is on no floor', async () => {
		const folders = ['nodes', NODES, `${NODES}/new`, `${NODES}/webhook/new`, 'credentials/new'];
		const files = folders.map((folder) => `${folder}/file.ts`);
		const texts = Object.fromEntries(files.map((file) => [file, 'export {};']));
		expect(await lint(texts, 'no-restricted-syntax')).toEqual(files.map((file) => `${file}:1`));
	});

	it('refuses files that import each other, in whatever way', async () => {
		const [importing, imported] = anImport();
		const [, from = ''] = / from (.*);/.exec(importLine(imported, importing, 1)) ?? [];
		const text = [
			`export * from ${from};`,
			`export type * from ${from};`,
			`import ${from};`,
			`export const a = async () => await import(${from});`,
		].join('\n');
		expect(await lint({ [imported]: text }, 'house/no-circle')).toEqual(lines(imported, 4));
	});

	it('refuses a clock and randomness of its own to whatever lies below the operations', async () => {
		const readings = [
			'Date.now()',
			'new Date()',
			'performance.now()',
			'DateTime.now()',
			'AbortSignal.timeout(1)',
			'Math.random()',
			'crypto.randomUUID()',
		];
		const text = [
			...readings.map((reading, index) => `export const a${index} = ${reading};`),
			"export { sleep } from 'n8n-workflow';",
			"export { randomUUID } from 'node:crypto';",
		].join('\n');
		const below = FOLDERS.filter((folder) => folder !== `${NODES}/operations`);
		const places = [...FOLDERS.map(fileIn), NODE];
		const problems = await lint(
			Object.fromEntries(places.map((file) => [file, text])),
			'no-restricted-properties',
			'no-restricted-syntax',
			'no-restricted-imports',
		);
		expect(problems).toEqual(
			below.flatMap((folder) => lines(fileIn(folder), text.split('\n').length)),
		);
	});
});

/** Returns the places, as `file:line`, at which one of these rules finds something. */
async function lint(texts: Record<string, string>, ...rules: string[]): Promise<string[]> {
	const found = await runScript('lintTexts.mjs', JSON.stringify(texts));
	return array(found, 'The problems')
		.map((problem) => object(problem, 'A problem'))
		.filter(({ ruleId }) => rules.includes(String(ruleId)))
		.map(({ filePath, line }) => `${string(filePath, 'The file')}:${String(line)}`);
}

const lines = (file: string, count: number) =>
	Array.from({ length: count }, (_none, index) => `${file}:${index + 1}`);

const lineOf = (folder: string, imported: string) =>
	`${fileIn(folder)}:${FOLDERS.indexOf(imported) + 1}`;

/**
 * One import for each of these places, in their order: files without their ending, or any file of a
 * folder.
 */
const importsOf = (file: string, places: string[]) =>
	places.map((place, index) => importLine(file, aFileOf(place), index)).join('\n');

function importLine(file: string, imported: string, number: number): string {
	const relative = path.posix.relative(path.posix.dirname(file), imported.replace(/\.ts$/, ''));
	return `export * as a${number} from '${relative.startsWith('.') ? relative : `./${relative}`}';`;
}

function aFileOf(place: string): string {
	if (existsSync(path.join(ROOT, `${place}.ts`))) return `${place}.ts`;
	const [first] = sourcesIn(place);
	if (first === undefined) throw new Error(`There is no source in ${place}.`);
	return first;
}

const sourceOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const sourcesIn = (folder: string) =>
	readdirSync(path.join(ROOT, folder))
		.filter((name) => name.endsWith('.ts'))
		.map((name) => `${folder}/${name}`);

const sourcesBelow = (folder: string) =>
	readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((name) => name.endsWith('.ts'))
		.map((name) => `${folder}/${name.split(path.sep).join('/')}`);

/**
 * Two files of one folder, of which the first imports a value of the second, and the second nothing
 * of ours.
 */
function anImport(): [string, string] {
	for (const folder of FOLDERS) {
		for (const file of sourcesIn(folder)) {
			const name = /^import \{ \w+ \} from '\.\/(\w+)';$/m.exec(sourceOf(file))?.[1];
			const imported = `${folder}/${name}.ts`;
			if (name !== undefined && !/ from '\.\.?\//.test(sourceOf(imported))) return [file, imported];
		}
	}
	throw new Error('No file imports one beside it.');
}
