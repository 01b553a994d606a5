import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodeType } from 'n8n-workflow';

import { VisitorServiceApi } from '../../../../credentials/VisitorServiceApi.credentials';
import { LISTED_RESOURCES } from '../../../../nodes/VisitorService/answer/resources';
import { OTHER_LISTS } from '../../../../nodes/VisitorService/diagnosis/answers';
import { isOverload } from '../../../../nodes/VisitorService/http/temporaryStatus';
import { USUAL_PAGE_SIZE } from '../../../../nodes/VisitorService/listing/pageSize';
import { COMPARISONS } from '../../../../nodes/VisitorService/match/conditions';
import { readResource } from '../../../../nodes/VisitorService/operations/listParameters';
import { VisitorService } from '../../../../nodes/VisitorService/VisitorService.node';
import { VisitorServicePollingTrigger } from '../../../../nodes/VisitorService/VisitorServicePollingTrigger.node';
import { VisitorServiceTrigger } from '../../../../nodes/VisitorService/VisitorServiceTrigger.node';
import { headingsOf } from '../../headings';

// Rules of n8n's lint plugin that are not released yet (options-sorted-alphabetically,
// hint-max-length, single-credential-per-node), and those of n8n's guide for community nodes that
// no linter checks. The linter looks at node files only; here, the parameters are in files of their
// own.

const NODES: INodeType[] = [
	new VisitorService(),
	new VisitorServiceTrigger(),
	new VisitorServicePollingTrigger(),
];

const MAX_HINT_LENGTH = 120;
const MAX_WORDS = 20;

const REPOSITORY =
	'https://github.com/n8n-nodes-visitor-service/n8n-nodes-visitor-service/blob/main/';

/** All parameters of a node, those inside collections as well. */
function parametersOf(properties: readonly INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => [
		property,
		...(property.options ?? []).flatMap((option) => {
			if ('values' in option) return parametersOf(option.values);
			return 'type' in option ? parametersOf([option]) : [];
		}),
	]);
}

const all = NODES.flatMap(({ description }) =>
	parametersOf(description.properties).map(
		(property) => [`${description.name}: ${property.name}`, property] as const,
	),
);

/** The tooltips of parameters, and what the options of one say. */
const texts = [
	...all,
	...new VisitorServiceApi().properties.map(
		(property) => [`credential: ${property.name}`, property] as const,
	),
].flatMap(([title, { description, options = [] }]) => [
	...(description === undefined ? [] : [[title, description] as const]),
	...options.flatMap((option) =>
		'value' in option && option.description !== undefined
			? [[`${title}: ${option.name}`, option.description] as const]
			: [],
	),
]);

const namesOf = (property: INodeProperties) =>
	(property.options ?? []).map((option) =>
		'displayName' in option ? option.displayName : option.name,
	);

describe('parameters', () => {
	it.each(all.filter(([, property]) => property.options !== undefined))(
		'%s: options are in the order of the alphabet',
		(_, property) => {
			const names = namesOf(property);
			expect(names).toEqual(
				[...names].sort((one, other) =>
					one.localeCompare(other, undefined, { sensitivity: 'base' }),
				),
			);
		},
	);

	// Collections, and what chooses one of several, explain themselves by what is in them. For
	// Trigger On, n8n's guide wants no tooltip.
	const explained = all.filter(
		([, { type, name }]) =>
			!['notice', 'collection'].includes(type) &&
			!['resource', 'operation', 'triggerOn'].includes(name),
	);

	it.each(explained)(
		'%s: is explained to a person and a model',
		(_, { type, description = '' }) => {
			expect(description).toMatch(type === 'boolean' ? /^Whether / : /^[A-Z]/);
			expect(description.length).toBeGreaterThan(15);
		},
	);

	it('Trigger On says by a hint what it costs', () => {
		const [, triggerOn] = all.find(([, { name }]) => name === 'triggerOn') ?? [];
		expect(triggerOn?.description).toBeUndefined();
		expect(triggerOn?.hint).toMatch(/ reading the whole list at each poll$/);
	});

	it.each(texts)('%s: is said in two short sentences at most', (_, text) => {
		const sentences = text
			.replace(/e\.g\. |<[^>]+>/g, '')
			.split(/[.:!?](?: |$)/)
			.filter((sentence) => sentence !== '');
		expect(sentences.length).toBeLessThanOrEqual(2);
		expect(sentences.filter((sentence) => sentence.split(' ').length > MAX_WORDS)).toEqual([]);
	});

	it.each(texts.filter(([, text]) => /\bempty\b.*\bdetect/i.test(text)))(
		'%s: says with the usual words how to have it detected',
		(_, text) => {
			expect(text).toMatch(/\. Leave empty to detect it\.$/);
		},
	);

	it.each(all.filter(([, { hint }]) => hint !== undefined))(
		'%s: the hint is short',
		(_, { hint }) => {
			expect(hint?.length).toBeLessThanOrEqual(MAX_HINT_LENGTH);
		},
	);

	it.each(
		all.filter(([, { type, placeholder }]) => type === 'string' && placeholder !== undefined),
	)('%s: the placeholder is an example', (_, { placeholder }) => {
		expect(placeholder).toMatch(/^e\.g\. /);
	});
});

describe('the search for nodes', () => {
	const aliasesOf = (name: string) => {
		const file = path.resolve(__dirname, '../../../../nodes/VisitorService', `${name}.node.json`);
		return (JSON.parse(readFileSync(file, 'utf8')) as { alias: string[] }).alias;
	};

	it.each(NODES.map((node) => node.constructor.name))('finds %s by what people type', (name) => {
		expect(aliasesOf(name)).toEqual(
			expect.arrayContaining([
				'visitor',
				'visit',
				'guest',
				'people',
				'employee',
				'host',
				'users',
				'companies',
				'tasks',
				'front desk',
				'reception',
				'check-in',
				'badge',
				'access control',
			]),
		);
	});

	it('shows for the pair of action and webhook trigger what both do', () => {
		const { description } = new VisitorServiceTrigger().description;
		expect(description).toMatch(/^List users, companies, visits and tasks, or start a workflow/);
	});
});

describe('what a user has to ask for', () => {
	it('names the values in the webhook trigger, and says whom to ask', () => {
		const { properties } = new VisitorServiceTrigger().description;
		const notice = properties.find(({ name }) => name === 'signatureNotice')?.displayName ?? '';
		expect(notice).toMatch(/the secret, the header with the signature, and how the signature is/);
		expect(notice).toContain('Ask your service provider');
	});

	it.each(all.filter(([, { name }]) => name === 'pathSegment'))(
		'says what to ask for in a hint below the field, not in its tooltip alone: %s',
		(_, { hint }) => {
			expect(hint).toMatch(
				/ask your service provider if it fails\.$|^What follows the API version /,
			);
		},
	);

	it('groups the credential: from the provider, for webhooks, advanced', () => {
		const notices = new VisitorServiceApi().properties.filter(({ type }) => type === 'notice');
		expect(notices.map(({ displayName }) => displayName)).toEqual([
			expect.stringMatching(/^Your service provider issues these four values: <a /),
			expect.stringMatching(/^Webhooks: /),
			expect.stringMatching(/^Advanced: /),
		]);
	});
});

describe('Max Retries', () => {
	it('names the statuses after which a page is requested again', () => {
		const [, property] = all.find(([, { name }]) => name === 'maxRetries') ?? [];
		const named = property?.description?.match(/\b\d{3}\b/g)?.map(Number);
		const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);
		expect(named).toEqual(statuses.filter(isOverload));
	});
});

describe('links in the editor', () => {
	const shown = [...NODES.map(({ description }) => description), new VisitorServiceApi()];
	const texts = JSON.stringify(shown).replaceAll('\\"', '"');
	const links = [...texts.matchAll(/<a href="([^"]+)"([^>]*)>/g)]
		.map(([, target = '', more = '']) => [target, more] as const)
		.filter(([target]) => target.startsWith(REPOSITORY));

	it.each(links)('lead to a heading that exists, in a tab of its own: %s', (target, more) => {
		const [file = '', heading] = target.slice(REPOSITORY.length).split('#');
		const document = readFileSync(path.resolve(__dirname, '../../../..', file), 'utf8');
		if (heading !== undefined) expect(headingsOf(document)).toContain(heading);
		expect(more).toContain('target="_blank"');
	});
});

describe.each(NODES)('$description.name', ({ description }) => {
	it('uses one credential', () => {
		expect(description.credentials).toHaveLength(1);
	});
});

describe('the operations of the action node', () => {
	const operations = new VisitorService().description.properties.flatMap(
		({ name, options = [], displayOptions }) =>
			name === 'operation'
				? options.map((option) => ({ option, resource: JSON.stringify(displayOptions?.show) }))
				: [],
	);

	it('the operations of the action node are there for each resource', () => {
		expect(operations).toHaveLength(11);
	});

	it.each(operations)('explain themselves: $option.name', ({ option, resource }) => {
		if (!('value' in option)) throw new Error('An operation is an option.');
		const { description = '', action = '' } = option;
		expect(description).toMatch(/^[A-Z]/);
		// A single sentence ends without a full stop, several end with one.
		expect(description.endsWith('.')).toBe(description.includes('. '));
		const [, object = ''] = action
			.replace(' a ', ' ')
			.replace(/records? of an/, '')
			.split(' ');
		expect(resource).toContain(object.replace(/ies$|s$/, ''));
	});
});

it('shows the page size that is used if none is set', () => {
	const sizes = NODES.flatMap(({ description }) => parametersOf(description.properties)).filter(
		({ name }) => name === 'pageSize',
	);
	expect(sizes.map((parameter) => parameter.default)).toEqual([USUAL_PAGE_SIZE, USUAL_PAGE_SIZE]);
});

it('offers each comparison that a condition can make, and no other', () => {
	const offered = all
		.filter(([title]) => title === 'visitorService: condition')
		.flatMap(([, { options = [] }]) => options.map((option) => 'value' in option && option.value));
	expect([...offered].sort()).toEqual([...COMPARISONS].sort());
});

it.each(NODES)(
	'has a method for each menu it loads: $description.name',
	({ description, methods }) => {
		const loaded = parametersOf(description.properties).flatMap(
			({ typeOptions }) => typeOptions?.loadOptionsMethod ?? [],
		);
		expect(Object.keys(methods?.loadOptions ?? {})).toEqual(expect.arrayContaining(loaded));
	},
);

describe('a resource that can be listed', () => {
	const others = Object.values(LISTED_RESOURCES).filter(({ name }) => name !== 'user');
	const shownFor = ({ displayOptions }: INodeProperties) => displayOptions?.show?.resource ?? [];
	const resourcesOf = (node: INodeType) =>
		node.description.properties
			.filter(({ name }) => name === 'resource')
			.flatMap(({ options = [] }) => options)
			.flatMap((option) => ('value' in option ? option.value : []));
	const segmentsOf = (node: INodeType) =>
		node.description.properties
			.filter(({ name }) => name === 'pathSegment')
			.map((property) => [...shownFor(property), property.default]);

	it.each(Object.keys(LISTED_RESOURCES))(
		'has %s in the menus and operations of the nodes',
		(name) => {
			const [node, , trigger] = NODES as [INodeType, INodeType, INodeType];
			expect(resourcesOf(node)).toContain(name);
			expect(resourcesOf(trigger)).toContain(name);
			const operations = node.description.properties.filter((one) => one.name === 'operation');
			expect(operations.flatMap(shownFor)).toContain(name);
			const valueOf = (parameter: string) => (parameter === 'resource' ? name : undefined);
			expect(readResource(valueOf).name).toBe(name);
		},
	);

	it.each(others)('has the path segment of $plural in both nodes, and in Diagnose', (other) => {
		const [node, , trigger] = NODES as [INodeType, INodeType, INodeType];
		expect(segmentsOf(node)).toContainEqual([other.name, other.segment]);
		expect(segmentsOf(trigger)).toContainEqual([other.name, other.segment]);
		expect(OTHER_LISTS.map(({ name }) => name)).toContain(other.name);
	});
});
