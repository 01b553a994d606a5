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

/** A parameter, and what is given with a value of it: others are such that it is shown. */
interface Parameter {
	property: INodeProperties;
	readWith: (value: unknown) => unknown;
}

/** The first value of each parameter by which this one is shown. */
function shownBy({ displayOptions: { show = {} } = {} }: INodeProperties): JsonObject {
	return Object.fromEntries(
		Object.entries(show).map(([name, values]) => [name.replace('/', ''), values?.[0]]),
	);
}

function optionsOf({ type, options = [] }: INodeProperties): INodeProperties[] {
	return type === 'collection' ? options.filter((option) => 'type' in option) : [];
}

function parametersOf({ node, read }: Reader): Parameter[] {
	return node.description.properties.flatMap((property) => {
		const around: JsonObject = { field: 'id', pathSegment: 'badges', ...shownBy(property) };
		if (property.type === 'notice' || around.resource === 'connection') return [];
		const setting = ({ name }: INodeProperties, value: unknown) =>
			value === undefined ? {} : { [name]: value };
		const own = {
			property,
			readWith: (value: unknown) => read({ ...around, ...setting(property, value) }),
		};
		const inner = optionsOf(property).map((option) => ({
			property: option,
			readWith: (value: unknown) =>
				read({
					...around,
					...shownBy(option),
					[property.name]: setting(option, value),
				}),
		}));
		return [own, ...inner].filter((one) => !NOT_READ.includes(one.property.name));
	});
}

const PARAMETERS = READERS.flatMap((reader) =>
	parametersOf(reader).map((parameter): [string, Parameter] => [
		`${reader.node.description.displayName}, ${parameter.property.displayName}`,
		parameter,
	]),
);

const MENUS = PARAMETERS.filter(
	([, { property }]) => property.type === 'options' && property.options !== undefined,
);

describe('what the editor shows and what is read', () => {
	it.each(PARAMETERS)(
		'what cannot be meant is refused with the name on the screen: %s',
		async (_, { property, readWith }) => {
			const nonsense = property.type === 'collection' ? 1 : { a: 1 };
			const { message } = await thrownFailure(() => readWith(nonsense));
			expect(message.startsWith(`${property.displayName} `)).toBe(true);
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
