import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { refusedWords, type Text } from './rules';
import { textsOfDocument, textsOfJson, textsOfProgram } from './texts';

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

function refusedIn(file: string): string[] {
	const texts = READERS[path.extname(file)]?.(readFileSync(path.join(ROOT, file), 'utf8')) ?? [];
	return texts
		.map((text) =>
			FOR_DEVELOPERS.includes(file) ? { ...text, reader: 'developer' as const } : text,
		)
		.flatMap(refusedWords)
		.map((refused) => `${file}: ${refused}`);
}

it.each(Object.keys(READERS))('every text of the %s files has plain words', (extension) => {
	const read = files.filter((file) => file.endsWith(extension));
	expect(read).not.toEqual([]);
	expect(read.flatMap(refusedIn)).toEqual([]);
});
