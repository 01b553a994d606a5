import { inspect } from 'node:util';
import type { INodeProperties, INodeType } from 'n8n-workflow';
import {
	readFindSettings,
	readListSettings,
} from '../../../../../nodes/VisitorService/operations/listSettings';
import { readPollingSettings } from '../../../../../nodes/VisitorService/operations/pollingSettings';
import { readWebhookSettings } from '../../../../../nodes/VisitorService/operations/webhookSettings';
import { VisitorService } from '../../../../../nodes/VisitorService/VisitorService.node';
import { VisitorServicePollingTrigger } from '../../../../../nodes/VisitorService/VisitorServicePollingTrigger.node';
import { VisitorServiceTrigger } from '../../../../../nodes/VisitorService/VisitorServiceTrigger.node';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import type { GetValue } from '../../../../../nodes/VisitorService/values/parameters';
import { thrownFailure } from './thrownFailure';

// What the editor shows is in `descriptions/`, what is read in `operations/`. They have to agree.

interface Reader {
	node: INodeType;
	read: (given: JsonObject) => unknown;
}

const valueOf =
	(given: JsonObject): GetValue =>
	(name, missing) =>
		name in given ? given[name] : missing;

const READERS: Reader[] = [
	{
		node: new VisitorService(),
		read: (given) =>
			given.operation === 'find'
				? readFindSettings(valueOf(given), 'utc')
				: readListSettings(valueOf(given), 'utc'),
	},
	{
		node: new VisitorServicePollingTrigger(),
		read: (given) => readPollingSettings(valueOf(given), 'utc'),
	},
	{
		node: new VisitorServiceTrigger(),
		read: (given) => readWebhookSettings(valueOf(given), 'utc'),
	},
];

/** n8n reads them itself, or the conditions that they are a part of. */
const NOT_READ = ['operation', 'responseCode', 'value'];

/** A parameter, and one choice of the others that shows it. */
interface Parameter {
	property: INodeProperties;
	choice: JsonObject;
	readWith: (value: unknown) => unknown;
}

/** Each choice of the values by which a parameter is shown. */
function choicesThatShow({ displayOptions: { show = {} } = {} }: INodeProperties): JsonObject[] {
	let choices: JsonObject[] = [{}];
	for (const [name, values = []] of Object.entries(show)) {
		choices = choices.flatMap((choice) =>
			values.map((value) => ({ ...choice, [name.replace('/', '')]: value })),
		);
	}
	return choices;
}

function optionsOf({ type, options = [] }: INodeProperties): INodeProperties[] {
	return type === 'collection' ? options.filter((option) => 'type' in option) : [];
}

/** What some parameters need to mean anything: a list, a condition, a signed ID. */
const ALWAYS = {
	...{ field: 'id', pathSegment: 'badges', signedContent: '{id}.{body}' },
	match: { conditions: [{ field: 'id', value: '7' }] },
};

const setting = ({ name }: INodeProperties, value: unknown) =>
	value === undefined ? {} : { [name]: value };

function parametersOf({ node, read }: Reader): Parameter[] {
	return node.description.properties.flatMap((property) => {
		if (property.type === 'notice') return [];
		return choicesThatShow(property)
			.filter(({ resource }) => resource !== 'connection')
			.map((choice): [JsonObject, JsonObject] => [choice, { ...ALWAYS, ...choice }])
			.flatMap(([choice, around]) => [
				{
					...{ property, choice },
					readWith: (value: unknown) => read({ ...around, ...setting(property, value) }),
				},
				...optionsOf(property).flatMap((option) =>
					choicesThatShow(option)
						// A choice of a parameter that the collection is not shown with is none.
						.filter((inner) => Object.keys(inner).every((name) => isOpen(name, around, inner)))
						.map((inner) => ({
							...{ property: option, choice: { ...choice, ...inner } },
							readWith: (value: unknown) =>
								read({ ...around, ...inner, [property.name]: setting(option, value) }),
						})),
				),
			])
			.filter((one) => !NOT_READ.includes(one.property.name));
	});
}

function isOpen(name: string, around: JsonObject, inner: JsonObject): boolean {
	return !(name in around) || around[name] === inner[name];
}

const PARAMETERS = READERS.flatMap((reader) =>
	parametersOf(reader).map((parameter): [string, Parameter] => {
		const title = `${reader.node.description.displayName}, ${parameter.property.displayName}`;
		return [`${title} with ${JSON.stringify(parameter.choice)}`, parameter];
	}),
);

/** Values that all mean something else than the default. */
function samplesOf({ type, name, options = [], default: usual }: INodeProperties): unknown[] {
	if (type === 'boolean') return [usual !== true];
	if (type === 'number') return [7];
	if (type === 'dateTime') return ['2026-01-31T08:00:00Z'];
	if (name === 'match') return [{ conditions: [{ field: 'state', value: 'open' }] }];
	if (name === 'queryParameters') return [{ parameters: [{ name: 'siteId', value: '42' }] }];
	const offered = options.map((option) => ('value' in option ? option.value : undefined));
	return offered.length > 0
		? offered.filter((value) => value !== usual && value !== 'connection')
		: ['X-Sample'];
}

const MENUS = PARAMETERS.filter(
	([, { property }]) => property.type === 'options' && property.options !== undefined,
);

describe('what the editor shows and what is read', () => {
	it.each(PARAMETERS)(
		'an invalid value is an error that names the parameter: %s',
		async (_, { property, readWith }) => {
			const nonsense = property.type === 'collection' ? 1 : { a: 1 };
			const { message } = await thrownFailure(() => readWith(nonsense));
			expect(message.startsWith(`${property.displayName} `)).toBe(true);
		},
	);

	it.each(PARAMETERS.filter(([, { property }]) => property.type !== 'collection'))(
		'a value makes a difference wherever the parameter is shown: %s',
		(_, { property, readWith }) => {
			const outcomes = [property.default, ...samplesOf(property)].map((value) => {
				try {
					return inspect(readWith(value), { depth: 9 });
				} catch (error) {
					return String(error);
				}
			});
			expect(new Set(outcomes).size).toBe(outcomes.length);
		},
	);

	it.each(MENUS)(
		'a menu offers what is read, and nothing else: %s',
		async (_, { property: { options = [] }, readWith }) => {
			const { message } = await thrownFailure(() => readWith('nonsense'));
			const read = message.replace(/^.* must be |\.$/g, '').split(/, | or /);
			const offered = options.map((option) => ('value' in option ? option.value : ''));
			expect(read.sort()).toEqual(offered.filter((value) => value !== 'connection').sort());
		},
	);
});
