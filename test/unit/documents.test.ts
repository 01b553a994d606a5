import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';
import { END_OF_LIST_RULES } from '../../nodes/VisitorService/listing/endOfList';
import { LISTED_RESOURCES } from '../../nodes/VisitorService/response/resources';
import { VisitorService } from '../../nodes/VisitorService/VisitorService.node';
import { VisitorServicePollingTrigger } from '../../nodes/VisitorService/VisitorServicePollingTrigger.node';
import { VisitorServiceTrigger } from '../../nodes/VisitorService/VisitorServiceTrigger.node';
import { isJsonObject } from '../../nodes/VisitorService/values/json';
import { headingsOf } from './headings';

const root = path.join(__dirname, '..', '..');
const PACKAGE = 'n8n-nodes-visitor-service.';

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const filesIn = (folder: string, extension: string, deep = false) =>
	readdirSync(path.join(root, folder), { recursive: deep })
		.map((name) => path.join(folder, String(name)))
		.filter((file) => file.endsWith(extension))
		.sort();

const documents = [
	...filesIn('.', '.md'),
	...filesIn('docs', '.md', true),
	...filesIn('examples', '.md'),
];

describe('documents', () => {
	it.each(documents)('%s leads to files and headings that exist', (document) => {
		const links = [...read(document).matchAll(/(?:\]\(|src(?:set)?=")([^)"\s]+)/g)].map(
			([, target = '']) => target,
		);
		const broken = links
			.filter((target) => !/^[a-z]+:/i.test(target))
			.filter((target) => {
				const [file = '', heading] = target.split('#');
				const linked = file === '' ? document : path.join(path.dirname(document), file);
				if (!existsSync(path.join(root, linked))) return true;
				return heading !== undefined && !headingsOf(read(linked)).includes(heading);
			});
		expect(broken).toEqual([]);
	});

	it('name every list where they name several', () => {
		const lists = Object.values(LISTED_RESOURCES);
		const names = lists.map(({ name, plural }) => `(?:a )?(?:${plural}|${name})`);
		const enumeration = new RegExp(`(?:\\b(?:${names.join('|')})\\b(?:, | and | or )?){3,}`, 'g');
		const programs = filesIn('nodes', '.ts', true).map((file) => [file, read(file)] as const);
		const texts = [...documents.map((file) => [file, read(file)] as const), ...programs];
		const sentences = [...texts, ['package.json', read('package.json')] as const].flatMap(
			([file, text]) => [...text.matchAll(enumeration)].map(([found]) => `${file}: ${found}`),
		);
		expect(sentences.length).toBeGreaterThan(7);
		// The path of users needs no question to a service provider.
		const isExempt = (sentence: string, name: string) =>
			name === 'user' && /find|provider/.test(sentence);
		const incomplete = sentences.filter((sentence) =>
			lists.some(
				({ name, plural }) =>
					!new RegExp(`\\b(?:${name}|${plural})\\b`).test(sentence) && !isExempt(sentence, name),
			),
		);
		expect(incomplete).toEqual([]);
	});

	it.each(documents)('%s names npm scripts that exist', (document) => {
		const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
		const named = [...read(document).matchAll(/`npm run (?:-s )?([\w:]+)/g)].map(
			([, name]) => name,
		);
		expect(named.filter((name) => name === undefined || !(name in scripts))).toEqual([]);
	});

	it('CONTRIBUTING.md leads to files of the nodes that exist', () => {
		const named = [...read('CONTRIBUTING.md').matchAll(/`([a-z]+\/[a-zA-Z]+)`/g)]
			.map(([, file = '']) => file)
			.filter((file) => existsSync(path.join(root, 'nodes/VisitorService', path.dirname(file))));
		expect(named.length).toBeGreaterThan(5);
		const isThere = (file: string) =>
			existsSync(path.join(root, 'nodes/VisitorService', `${file}.ts`));
		expect(named.filter((file) => !isThere(file))).toEqual([]);
	});

	it('listing.md names each rule of where a list ends, word by word', () => {
		const [, section = ''] = read('docs/listing.md').split('## Where the list ends\n');
		const [table = ''] = section.split('\n\n').filter((block) => block.startsWith('|'));
		const rows = table.split('\n').slice(2);
		const names = rows.map((row) => row.split('|')[1]?.trim());
		expect(names).toEqual(END_OF_LIST_RULES.map(({ name }) => name));
	});

	it('troubleshooting.md names texts of the source only', () => {
		const source = [...filesIn('nodes', '.ts', true), ...filesIn('credentials', '.ts', true)]
			.map(read)
			.join('\n');
		const texts = textsInFirstColumn(read('docs/troubleshooting.md'));
		const unknown = texts.filter((text) => {
			const parts = text.split('…').map((part) => part.trim());
			const longest = Math.max(...parts.map(({ length }) => length));
			return longest < 8 || parts.some((part) => !source.includes(withoutFullStop(part)));
		});
		// Why a webhook is refused is said by n8n, with what to do.
		expect(texts.length).toBeGreaterThan(8);
		// The words n8n's guide for community nodes asks to avoid (UX guidelines, "Errors").
		expect(texts.filter((text) => /\b(error|problem|failure|mistake)s?\b/i.test(text))).toEqual([]);
		expect(unknown).toEqual([]);
	});
});

/** The code in the first cell of each row of the tables whose first column is headed "text". */
function textsInFirstColumn(markdown: string): string[] {
	return markdown
		.split(/\n\n/)
		.filter((block) => block.startsWith('| text |'))
		.flatMap((block) => block.split('\n').slice(2))
		.flatMap((row) =>
			[...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, text = '']) => text),
		);
}

/** Many texts end in a value and a full stop, which stand apart in the source. */
function withoutFullStop(part: string): string {
	return part.replace(/\.$/, '');
}

interface ExampleNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters: INodeParameters;
	credentials?: unknown;
}

const descriptions = new Map<string, INodeTypeDescription>(
	[VisitorService, VisitorServiceTrigger, VisitorServicePollingTrigger].map((Node) => {
		const { description } = new Node();
		return [`${PACKAGE}${description.name}`, description];
	}),
);

/** What n8n itself adds to a node that polls, and to one that is used as a tool. */
const HOST_PARAMETERS = ['pollTimes', 'descriptionType', 'toolDescription'];

const examples = filesIn('examples', '.json');

describe('examples', () => {
	it('examples are each described', () => {
		const text = read('examples/README.md');
		expect(examples.filter((file) => !text.includes(`(${path.basename(file)})`))).toEqual([]);
	});

	it.each(examples)('%s sets parameters that the nodes of this package have and show', (file) => {
		const { nodes } = JSON.parse(read(file)) as { nodes: ExampleNode[] };
		const own = nodes.filter(({ type }) => type.startsWith(PACKAGE));
		expect(own).not.toEqual([]);
		expect(own.flatMap(findProblems)).toEqual([]);
	});
});

function findProblems({ name, type, typeVersion, parameters, credentials }: ExampleNode): string[] {
	const description = descriptions.get(type.replace(/Tool$/, ''));
	if (description === undefined) return [`${name}: there is no node ${type}`];
	const { properties, version } = description;
	const defaults = properties.map((property) => [property.name, property.default] as const);
	const values = { ...Object.fromEntries(defaults), ...parameters };
	const shown = properties.filter((property) =>
		NodeHelpers.displayParameter(values, property, { typeVersion }, description),
	);
	return [
		...([version].flat().includes(typeVersion) ? [] : [`${name}: version ${typeVersion}`]),
		...(credentials === undefined ? [] : [`${name}: names a credential of somebody else`]),
		...problemsIn(parameters, shown).map((problem) => `${name}: ${problem}`),
	];
}

function problemsIn(values: object, properties: readonly INodeProperties[]): string[] {
	return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
		if (HOST_PARAMETERS.includes(key)) return [];
		const property = properties.find(({ name }) => name === key);
		if (property === undefined) return [`${key} is not shown`];
		if (typeof value === 'string' && value.startsWith('=')) return [];
		const { type, options, default: usual } = property;
		if (type === 'collection' && isJsonObject(value)) {
			return problemsIn(value, options?.filter((option) => 'type' in option) ?? []);
		}
		// n8n asks the service for the choices of the others.
		const choices = options?.map((option) => ('value' in option ? option.value : undefined));
		const isFit = type === 'options' ? (choices?.includes(value as string) ?? true) : true;
		return isFit && typeof value === typeof usual ? [] : [`${key} cannot be ${String(value)}`];
	});
}
