import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { INodeProperties, INodeType } from 'n8n-workflow';

import { VisitorServiceApi } from '../../../../credentials/VisitorServiceApi.credentials';
import { OTHER_LISTS } from '../../../../nodes/VisitorService/diagnosis/access';
import {
	isRetryableStatus,
	isSecondaryRateLimit,
} from '../../../../nodes/VisitorService/http/backoff';
import { COMPARISONS } from '../../../../nodes/VisitorService/match/conditions';
import { readResource } from '../../../../nodes/VisitorService/operations/listSettings';
import { classifyText } from '../../../../nodes/VisitorService/response/outcomeText';
import { LISTED_RESOURCES } from '../../../../nodes/VisitorService/response/resources';
import { VisitorService } from '../../../../nodes/VisitorService/VisitorService.node';
import { VisitorServicePollingTrigger } from '../../../../nodes/VisitorService/VisitorServicePollingTrigger.node';
import { VisitorServiceTrigger } from '../../../../nodes/VisitorService/VisitorServiceTrigger.node';
import { headingsOf } from '../../headings';

// Rules of n8n's lint plugin that are not released yet (options-sorted-alphabetically,
// hint-max-length, single-credential-per-node), and those of n8n's guide for community nodes that
// no linter checks. The linter looks at node files only; here, the parameters are in files of their
// own.

const node = new VisitorService();
const pollingTrigger = new VisitorServicePollingTrigger();
const NODES: INodeType[] = [node, new VisitorServiceTrigger(), pollingTrigger];

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
const named = (wanted: string) => all.filter(([title]) => title.endsWith(`: ${wanted}`));

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

// Collections, and what chooses one of several, explain themselves by what is in them. For Trigger
// On, n8n's guide wants no tooltip.
const SELF_EXPLAINING = /^(notice|collection|resource|operation|triggerOn)$/;

describe('parameters', () => {
	it.each(all)('%s: is explained, with an example and options in order', (_, property) => {
		const { type, name, description, hint = '', placeholder, options = [] } = property;
		const names = options.map((one) => ('displayName' in one ? one.displayName : one.name));
		const byLetters = (one: string, other: string) =>
			one.localeCompare(other, undefined, { sensitivity: 'base' });
		expect(names).toEqual([...names].sort(byLetters));
		expect(hint.length).toBeLessThanOrEqual(MAX_HINT_LENGTH);
		if (type === 'string' && placeholder !== undefined) expect(placeholder).toMatch(/^e\.g\. /);
		if (SELF_EXPLAINING.test(type) || SELF_EXPLAINING.test(name)) return;
		expect(description).toMatch(type === 'boolean' ? /^Whether .{8}/ : /^[A-Z].{15}/);
	});

	it.each(texts)('%s: is said in two short sentences at most', (_, text) => {
		const sentences = text
			.replace(/e\.g\. |<[^>]+>/g, '')
			.split(/[.:!?](?: |$)/)
			.filter((sentence) => sentence !== '');
		expect(sentences.length).toBeLessThanOrEqual(2);
		expect(sentences.filter((sentence) => sentence.split(' ').length > MAX_WORDS)).toEqual([]);
		// How to have it detected is said with the usual words.
		if (/\bempty\b.*\bdetect/i.test(text)) expect(text).toMatch(/\. Leave empty to detect it\.$/);
	});
});

it.each(NODES)('explains no two parameters alike: $description.name', ({ description }) => {
	const explained = parametersOf(description.properties).flatMap(({ name, description: text }) =>
		text === undefined ? [] : [[text, name] as const],
	);
	const named = new Map(explained);
	expect(explained.filter(([text, name]) => named.get(text) !== name)).toEqual([]);
});

it('names each choice as its value does, if that is not cut', () => {
	const others = all.flatMap(([, { options = [] }]) =>
		options.flatMap((option) => {
			if (!('value' in option)) return [];
			const name = option.name.replace(/[\s-]/g, '').toLowerCase();
			return name.includes(String(option.value).toLowerCase()) ? [] : option.name;
		}),
	);
	expect(new Set(others)).toEqual(new Set(['Fail', 'Epoch Milliseconds']));
	const { subtitle, properties } = pollingTrigger.description;
	for (const option of properties.find(({ name }) => name === 'triggerOn')?.options ?? []) {
		const [name, value] = 'value' in option ? [option.name.toLowerCase(), option.value] : [];
		if (name !== value) expect(subtitle).toContain(`${String(value)}: "${name}"`);
	}
});

it('Max Retries names the statuses after which a page is requested again', () => {
	const [, property] = named('maxRetries')[0] ?? [];
	const statuses = Array.from({ length: 500 }, (_, index) => 100 + index);
	const headers = { 'retry-after': '1' };
	const retried = statuses.filter(
		(statusCode) =>
			isRetryableStatus(statusCode) || isSecondaryRateLimit({ statusCode, headers }, 0),
	);
	expect(property?.description?.match(/\b\d{3}\b/g)?.map(Number)).toEqual(retried);
});

describe('links in the editor', () => {
	const shown = [...NODES.map(({ description }) => description), new VisitorServiceApi()];
	const links = [
		...JSON.stringify(shown)
			.replaceAll('\\"', '"')
			.matchAll(/<a href="([^"]+)"([^>]*)>/g),
	]
		.map(([, target = '', more = '']) => [target, more] as const)
		.filter(([target]) => target.startsWith(REPOSITORY));

	it.each(links)('lead to a heading that exists, in a tab of its own: %s', (target, more) => {
		const [file = '', heading] = target.slice(REPOSITORY.length).split('#');
		const document = readFileSync(path.resolve(__dirname, '../../../..', file), 'utf8');
		if (heading !== undefined) expect(headingsOf(document)).toContain(heading);
		expect(more).toContain('target="_blank"');
	});
});

it.each(NODES)(
	'uses one credential, and has a method to test it, and for each menu: $description.name',
	({ description, methods }) => {
		const credential = { name: 'visitorServiceApi', required: true, testedBy: 'testConnection' };
		expect(description.credentials).toEqual([expect.objectContaining(credential)]);
		expect(methods?.credentialTest).toHaveProperty(credential.testedBy);
		const loaded = parametersOf(description.properties).flatMap(
			({ typeOptions }) => typeOptions?.loadOptionsMethod ?? [],
		);
		expect(Object.keys(methods?.loadOptions ?? {})).toEqual(expect.arrayContaining(loaded));
		const searched = parametersOf(description.properties).flatMap(({ modes = [] }) =>
			modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []),
		);
		expect(Object.keys(methods?.listSearch ?? {})).toEqual(expect.arrayContaining(searched));
	},
);

const custom =
	'signaturePrefix algorithm encoding secretEncoding signedContent timestampHeader idHeader';
const unlessUnused = { 'not condition: isEmpty isNotEmpty isToday': 'value' };

/** What is shown by which values of others; the rest always is, but for what lists differ in. */
const SHOWN: Record<string, Record<string, string>> = {
	visitorService: {
		...unlessUnused,
		'resource: connection, operation: diagnose': 'options',
		'resource: any list, operation: list find': 'options',
		'resource: any list, operation: find': 'field value',
		'resource: any list, operation: list': 'matchType match returnAll',
		'returnAll: false, resource: any list, operation: list': 'limit page',
		'resource: user, operation: list': 'filters updatedSinceFormat',
		'operation: find': 'ifNotFound',
		'operation: list': 'removeDuplicates untilStable',
	},
	visitorServicePollingTrigger: {
		...unlessUnused,
		'resource: company other task visit': 'wholeListNotice0',
		'resource: user, triggerOn: removed startsToMatch': 'wholeListNotice1',
		'triggerOn: createdOrUpdated created updated startsToMatch': 'matchType match',
		'resource: user, triggerOn: createdOrUpdated created updated': 'startFrom',
		'resource: user, triggerOn: createdOrUpdated created updated, startFrom: date': 'startDate',
	},
	visitorServiceTrigger: {
		...unlessUnused,
		'authentication: header hmac standardWebhooks': 'visitorServiceApi',
		'authentication: none': 'noneNotice',
		'authentication: header': 'headerName',
		'authentication: hmac': 'signatureNotice signatureFormat',
		'authentication: hmac, signatureFormat: header custom': 'signatureHeader',
		'authentication: hmac, signatureFormat: custom': custom,
		'authentication: hmac standardWebhooks': 'tolerance',
	},
};

it.each(NODES)('shows what means something, and nothing else: $description.name', (one) => {
	const { credentials = [], name: node, properties } = one.description;
	const shown: Record<string, string> = {};
	for (const { name, displayOptions } of [...credentials, ...parametersOf(properties)]) {
		const { show, hide } = displayOptions ?? {};
		const values = Object.entries(show ?? hide ?? {});
		if (values.length === 0 || /^(operation|pathSegment)$/.test(name)) continue;
		const conditions = values.map(
			([other, some = []]) => `${other}: ${(some as string[]).join(' ')}`,
		);
		const written = `${show ? '' : 'not '}${conditions.join(', ')}`.replaceAll('/', '');
		const when = written.replace('company task user visit other', 'any list');
		shown[when] = [...(shown[when]?.split(' ') ?? []), name].join(' ');
	}
	expect(shown).toEqual(SHOWN[node]);
});

it('the panel of the webhook trigger says, published or not, who cannot reach a local URL', () => {
	const local = expect.stringContaining('http://localhost') as string;
	expect(new VisitorServiceTrigger().description.triggerPanel).toMatchObject({
		executionsHelp: { inactive: local, active: local },
	});
});

it('takes no expression where n8n reads none', () => {
	const fixed = all.filter(([, { noDataExpression }]) => noDataExpression === true);
	expect([...new Set(fixed.map(([, { name }]) => name))]).toEqual(
		'resource operation authentication signatureFormat responseCode verificationRequests'.split(
			' ',
		),
	);
});

it('sets no page size, as it is found automatically', () => {
	const sizes = named('pageSize').map(([, property]) => [property.default, property.placeholder]);
	expect(sizes).toEqual([
		['', 'Automatic'],
		['', 'Automatic'],
	]);
});

it('offers each comparison that a condition can make, and no other', () => {
	const offered = all
		.filter(([title]) => title === 'visitorService: condition')
		.flatMap(([, { options = [] }]) => options.map((option) => 'value' in option && option.value));
	expect([...offered].sort()).toEqual([...COMPARISONS].sort());
});

describe('a resource that can be listed', () => {
	const others = Object.values(LISTED_RESOURCES).filter(({ name }) => name !== 'user');
	const shownFor = ({ displayOptions }: INodeProperties) => displayOptions?.show?.resource ?? [];
	const propertiesOf = ({ description }: INodeType, wanted: string) =>
		description.properties.filter(({ name }) => name === wanted);
	const resourcesOf = (one: INodeType) =>
		propertiesOf(one, 'resource')
			.flatMap(({ options = [] }) => options)
			.flatMap((option) => ('value' in option ? option.value : []));
	const segmentsOf = (one: INodeType) =>
		propertiesOf(one, 'pathSegment').map((property) => [...shownFor(property), property.default]);

	it.each(Object.keys(LISTED_RESOURCES))('is in the menus and operations: %s', (name) => {
		expect(resourcesOf(node)).toContain(name);
		expect(resourcesOf(pollingTrigger)).toContain(name);
		expect(propertiesOf(node, 'operation').flatMap(shownFor)).toContain(name);
		const valueOf = (parameter: string) => (parameter === 'resource' ? name : undefined);
		expect(readResource(valueOf).name).toBe(name);
	});

	it.each(others)('is read as a whole at each poll, as a notice says: $plural', ({ name }) => {
		const notices = pollingTrigger.description.properties.filter(({ type }) => type === 'notice');
		const stated = notices.filter(({ displayName }) => displayName.includes('the whole list'));
		expect(stated.flatMap(shownFor)).toContain(name);
	});

	it.each(Object.values(LISTED_RESOURCES))('is known in "No $plural found"', ({ plural }) => {
		expect(classifyText(`No ${plural} found`)).toBe('noRecords');
	});

	it.each(others)('has the path segment of $plural in both nodes, and in Diagnose', (other) => {
		expect(segmentsOf(node)).toContainEqual([other.name, other.segment]);
		expect(segmentsOf(pollingTrigger)).toContainEqual([other.name, other.segment]);
		expect(OTHER_LISTS.map(({ name }) => name)).toContain(other.name);
	});
});
