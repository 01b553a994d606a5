import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { bannedWords, isOldName, type Text } from './rules';
import { namesOfProgram, textsOfDocument, textsOfJson, textsOfProgram } from './texts';

const ROOT = path.resolve(__dirname, '..', '..', '..');

/** Documents for those who change or run the package, not for those who use it. */
const FOR_DEVELOPERS = ['docs/glossary.md', 'docs/performance.md', 'docs/tokens.md'];

const filesIn = (folder: string, recursive = true) =>
	readdirSync(path.join(ROOT, folder), { recursive, encoding: 'utf8' }).map((name) =>
		path.join(folder, name).split(path.sep).join('/'),
	);

const inFolders = ['nodes', 'credentials', 'docs', 'examples', 'deploy'].flatMap((folder) =>
	filesIn(folder),
);
const files = [...inFolders, ...filesIn('.', false).filter((file) => file.endsWith('.md'))];

const READERS: Readonly<Record<string, (content: string) => Text[]>> = {
	'.ts': textsOfProgram,
	'.json': textsOfJson,
	'.md': textsOfDocument,
};

function bannedIn(file: string): string[] {
	const texts = READERS[path.extname(file)]?.(readFileSync(path.join(ROOT, file), 'utf8')) ?? [];
	return texts
		.map((text) =>
			FOR_DEVELOPERS.includes(file) ? { ...text, reader: 'developer' as const } : text,
		)
		.flatMap(bannedWords)
		.map((banned) => `${file}: ${banned}`);
}

it.each(Object.keys(READERS))('every text of the %s files has plain words', (extension) => {
	const read = files.filter((file) => file.endsWith(extension));
	expect(read).not.toEqual([]);
	expect(read.flatMap(bannedIn)).toEqual([]);
});

it('every name of the programs has the words of the glossary', () => {
	const programs = ['nodes', 'credentials', 'test']
		.flatMap((folder) => filesIn(folder))
		.filter((file) => /\.(ts|mjs|cjs)$/.test(file) && !file.includes('node_modules'));
	expect(programs.length).toBeGreaterThan(200);
	const old = programs.flatMap((file) =>
		[path.parse(file).name, ...namesOfProgram(readFileSync(path.join(ROOT, file), 'utf8'))]
			.filter((name) => isOldName(name, file))
			.map((name) => `${file}: ${name}`),
	);
	expect(old).toEqual([]);
});
