import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
	type INodeParameters,
	type INodeProperties,
	type INodeTypeDescription,
	NodeHelpers,
} from 'n8n-workflow';
import { VisitorService } from '../../nodes/VisitorService/VisitorService.node';
import { VisitorServicePollingTrigger } from '../../nodes/VisitorService/VisitorServicePollingTrigger.node';
import { VisitorServiceTrigger } from '../../nodes/VisitorService/VisitorServiceTrigger.node';
import { isRecord } from '../../nodes/VisitorService/values/json';
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
	it('can be read to the end', () => {
		const words = documents
			.filter((document) => /^(README|docs\/|examples\/)/.test(document))
			.map((document) => read(document).split(/\s+/).length);
		expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(5_000);
	});

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

	it.each(documents)('%s names npm scripts that exist', (document) => {
		const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
		const named = [...read(document).matchAll(/`npm run (?:-s )?([\w:]+)/g)].map(
			([, name]) => name,
		);
		expect(named.filter((name) => name === undefined || !(name in scripts))).toEqual([]);
	});

	it('CONTRIBUTING.md shows every folder of the nodes and of the tests', () => {
		const text = read('CONTRIBUTING.md');
		const foldersIn = (place: string) =>
			readdirSync(path.join(root, place), { withFileTypes: true })
				.filter((entry) => entry.isDirectory() && entry.name !== '__schema__')
				// git leaves folders behind whose files have moved.
				.filter(({ name }) => readdirSync(path.join(root, place, name)).length > 0)
				.map(({ name }) => `${name}/`);
		const folders = [...foldersIn('nodes/VisitorService'), ...foldersIn('test')];
		expect(folders.filter((folder) => !text.includes(folder))).toEqual([]);
	});

	it('troubleshooting.md names texts of the source only', () => {
		const source = [...filesIn('nodes', '.ts', true), ...filesIn('credentials', '.ts', true)]
			.map(read)
			.join('\n');
		const texts = textsInFirstColumn(read('docs/troubleshooting.md'));
		const unknown = texts.filter((text) => {
			const parts = text.split('…').map((part) => part.trim());
			const telling = Math.max(...parts.map(({ length }) => length));
			return telling < 8 || parts.some((part) => !source.includes(withoutFullStop(part)));
		});
		expect(texts.length).toBeGreaterThan(15);
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
		return [description.name, description];
	}),
);

/** What n8n itself adds to a node that polls, and to one that is used as a tool. */
const HOST_PARAMETERS = { polling: ['pollTimes'], tool: ['descriptionType', 'toolDescription'] };

const examples = filesIn('examples', '.json');

describe('examples', () => {
	it('examples are each described', () => {
		const text = read('examples/README.md');
		expect(examples.filter((file) => !text.includes(`(${path.basename(file)})`))).toEqual([]);
		expect(examples.length).toBeLessThanOrEqual(6);
	});

	it.each(examples)('%s connects nodes it has', (file) => {
		const { nodes, connections } = parseExample(file);
		const names = nodes.map(({ name }) => name);
		const targets = [...JSON.stringify(connections).matchAll(/"node":"([^"]+)"/g)].map(
			([, name]) => name,
		);
		expect(new Set(names).size).toBe(names.length);
		expect(targets.length).toBeGreaterThan(0);
		expect(
			[...Object.keys(connections), ...targets].filter((name) => !names.includes(name ?? '')),
		).toEqual([]);
	});

	it.each(examples)('%s sets parameters that the nodes of this package have and show', (file) => {
		const nodes = parseExample(file).nodes.filter(({ type }) => type.startsWith(PACKAGE));
		expect(nodes.length).toBeGreaterThan(0);
		expect(nodes.flatMap(findProblems)).toEqual([]);
	});
});

function parseExample(file: string): {
	nodes: ExampleNode[];
	connections: Record<string, unknown>;
} {
	const workflow: unknown = JSON.parse(read(file));
	if (!isRecord(workflow) || !Array.isArray(workflow.nodes) || !isRecord(workflow.connections)) {
		throw new Error(`${file} is no workflow`);
	}
	return { nodes: workflow.nodes as ExampleNode[], connections: workflow.connections };
}

function findProblems({ name, type, typeVersion, parameters, credentials }: ExampleNode): string[] {
	const nodeName = type.slice(PACKAGE.length);
	const asTool = nodeName.endsWith('Tool');
	const description = descriptions.get(asTool ? nodeName.replace(/Tool$/, '') : nodeName);
	if (description === undefined) return [`${name}: there is no node ${type}`];
	const ofHost = [
		...(description.polling === true ? HOST_PARAMETERS.polling : []),
		...(asTool && description.usableAsTool === true ? HOST_PARAMETERS.tool : []),
	];
	const given = Object.entries(parameters).filter(([key]) => !ofHost.includes(key));
	const values = withDefaults(description.properties, parameters);
	const node = { typeVersion };
	const shown = description.properties.filter((property) =>
		NodeHelpers.displayParameter(values, property, node, description),
	);
	return [
		...([description.version].flat().includes(typeVersion)
			? []
			: [`${name}: version ${typeVersion}`]),
		...(credentials === undefined ? [] : [`${name}: names a credential of somebody else`]),
		...given.flatMap(([key, value]) => problemsOf(`${name}: ${key}`, key, value, shown)),
	];
}

function withDefaults(
	properties: readonly INodeProperties[],
	parameters: INodeParameters,
): INodeParameters {
	return {
		...Object.fromEntries(properties.map((property) => [property.name, property.default])),
		...parameters,
	};
}

function problemsOf(
	place: string,
	key: string,
	value: unknown,
	properties: readonly INodeProperties[],
): string[] {
	const property = properties.find((one) => one.name === key);
	if (property === undefined) return [`${place} is not shown`];
	if (typeof value === 'string' && value.startsWith('=')) return [];
	const inner = (property.options ?? []).filter(
		(option): option is INodeProperties => 'type' in option,
	);
	if (property.type === 'collection') {
		if (!isRecord(value)) return [`${place} is no collection`];
		return Object.entries(value).flatMap(([name, one]) =>
			problemsOf(`${place}.${name}`, name, one, inner),
		);
	}
	// n8n asks the service for the choices of the others.
	if (property.type === 'options' && property.options !== undefined) {
		const known = property.options.map((option) => ('value' in option ? option.value : undefined));
		return known.includes(value as string) ? [] : [`${place} cannot be ${String(value)}`];
	}
	return typeof value === typeof property.default ? [] : [`${place} is of another type`];
}
