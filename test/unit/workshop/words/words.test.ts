import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Reader, refusedWords, type Text } from './rules';
import { textsOfDocument, textsOfJson, textsOfProgram, titlesOfSuite } from './texts';

const ROOT = path.resolve(__dirname, '..', '..', '..', '..');

/** Documents for those who change or run the package, not for those who use it. */
const FOR_DEVELOPERS = ['docs/performance.md', 'docs/scaling.md', 'docs/tokens.md'];

type Reads = (content: string) => Text[];

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const filesIn = (folder: string, extension: string, recursive = true) =>
	readdirSync(path.join(ROOT, folder), { recursive, encoding: 'utf8' })
		.map((name) => path.join(folder, name).split(path.sep).join('/'))
		.filter((file) => file.endsWith(extension));

const folderOf = (file: string) => path.dirname(file);
const itself = (file: string) => file;

const sources: ReadonlyArray<[files: string[], placeOf: (file: string) => string, texts: Reads]> = [
	[filesIn('nodes', '.ts'), folderOf, textsOfProgram],
	[filesIn('credentials', '.ts'), folderOf, textsOfProgram],
	[filesIn('nodes', '.json'), folderOf, textsOfJson],
	[filesIn('examples', '.json'), folderOf, textsOfJson],
	[filesIn('.', '.md', false), itself, textsOfDocument],
	[filesIn('docs', '.md'), itself, textsOfDocument],
	[filesIn('examples', '.md'), folderOf, textsOfDocument],
	[filesIn('deploy', '.md'), folderOf, textsOfDocument],
	[filesIn('test', '.test.ts'), folderOf, titlesOfSuite],
];

/** Where texts are, and what is read there. */
const places = new Map<string, Array<() => string[]>>();
for (const [files, placeOf, textsOf] of sources)
	for (const file of files) {
		const readings = places.get(placeOf(file)) ?? [];
		readings.push(() =>
			textsOf(read(file))
				.map(({ reader, text }) => ({
					reader: FOR_DEVELOPERS.includes(file) ? ('developer' as const) : reader,
					text,
				}))
				.flatMap(refusedWords)
				.map((refused) => `${file}: ${refused}`),
		);
		places.set(placeOf(file), readings);
	}

const refusedIn = (place: string) => (places.get(place) ?? []).flatMap((refused) => refused());

describe('Words', () => {
	it.each<[Reader, string]>([
		['user', 'Empty = detect.'],
		['user', 'Base address of your server'],
		['user', 'Where there is no ID, all records are kept.'],
		['user', 'Issued by the operator of the service'],
		['user', 'Most pages in flight at a time'],
		['user', 'It asks at intervals, for webhooks get lost, for they are not repeated.'],
		['developer', 'Digits behind the milliseconds are dropped.'],
		['developer', 'What is no number is refused.'],
		['developer', 'Returns what came out so long as it is new.'],
		['developer', 'The size that came decides.'],
	])('refuses words for a %s that have a better one: "%s"', (reader, text) => {
		expect(refusedWords({ reader, text })).not.toEqual([]);
	});

	it.each<[Reader, string]>([
		['user', 'Leave empty to detect it.'],
		['user', 'The IP address of a proxy'],
		['user', 'There is no ID. It is no longer used.'],
		['user', 'The Tenant API URL of your account'],
		['developer', 'n8n gives up if a process behind a proxy lags behind.'],
		['developer', 'The address of a tenant'],
	])('takes plain words for a %s: "%s"', (reader, text) => {
		expect(refusedWords({ reader, text })).toEqual([]);
	});

	it('reads words from strings, templates and comments of a program', () => {
		const program = [
			'// The first line,',
			'// and the second.',
			'const key = "not-prose"; /** A note. */',
			'const shown = `Found ${count} users in all.`; // At the end',
		].join('\n');
		expect(textsOfProgram(program)).toEqual([
			{ reader: 'user', text: 'Found … users in all.' },
			{ reader: 'developer', text: 'The first line,\nand the second.' },
			{ reader: 'developer', text: 'A note. ' },
			{ reader: 'developer', text: 'At the end' },
		]);
	});

	it('reads words from a document, but not from its code and its links', () => {
		const document = 'Set `the address` in [this page](the/address.md).\n\n```\nthe address\n```\n';
		expect(textsOfDocument(document).flatMap(refusedWords)).toEqual([]);
		expect(textsOfDocument('The address').flatMap(refusedWords)).not.toEqual([]);
	});
});

describe('The words test', () => {
	it.each([...places.keys()])('finds only plain words in %s', (place) => {
		expect(refusedIn(place)).toEqual([]);
	});
});
