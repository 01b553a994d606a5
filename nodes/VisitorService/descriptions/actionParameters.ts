import {
	type INodeProperties,
	type INodePropertyOptions,
	updateDisplayOptions,
} from 'n8n-workflow';
import { conditionParameters, fieldOfList, fieldsOfList } from './conditions';
import {
	idPath,
	itemsPath,
	lists,
	optionsOf,
	pageSize,
	pathSegments,
	queryParameters,
	resource,
	sort,
	updatedSinceFormat,
} from './sharedParameters';

interface ListNames {
	resource: string;
	one: string;
	many: string;
	/** Text after the name of the records. */
	from?: string;
}

/** Sorted as the menu is, by name. */
const listNames: ListNames[] = [
	{ resource: 'company', one: 'company', many: 'companies' },
	{ resource: 'task', one: 'task', many: 'tasks' },
	{ resource: 'user', one: 'user', many: 'users' },
	{ resource: 'visit', one: 'visit', many: 'visits' },
	{ resource: 'other', one: 'record', many: 'records', from: ' of another list' },
];
const listed = listNames.map(({ resource }) => resource);

function operationOf(
	resource: string,
	value: string,
	options: INodePropertyOptions[],
): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options,
		default: value,
	};
}

function operationOfList({ resource, one, many, from }: ListNames): INodeProperties {
	return operationOf(resource, 'list', [
		{
			name: `Find ${titleCase(one)}`,
			value: 'find',
			description: `Get the first ${one}${from ?? ''} whose field equals a value`,
			action: `Find a ${one}${from ?? ''}`,
		},
		{
			name: `List ${titleCase(many)}`,
			value: 'list',
			description: `Get the ${many}${from ?? ' of your account'}, page by page or all at once`,
			action: `List ${many}${from ?? ''}`,
		},
	]);
}

function titleCase(name: string): string {
	return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Options that mean nothing to Find. */
const listOnly = { show: { '/operation': ['list'] } };

export const listOptions: INodeProperties[] = [
	{
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 50 },
		default: 5,
		description: 'Max number of pages to request at the same time',
	},
	idPath,
	{
		displayName: 'If Not Found',
		name: 'ifNotFound',
		type: 'options',
		options: [
			{ name: 'Fail', value: 'error' },
			{ name: 'Return No Item', value: 'noItem' },
		],
		default: 'noItem',
		displayOptions: { show: { '/operation': ['find'] } },
		description: 'What to do if no record has the value',
	},
	itemsPath,
	{
		displayName: 'Max Pages',
		name: 'maxPages',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'Max number of pages to read. 0 reads all pages.',
	},
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 20 },
		default: 5,
		description:
			'Max number of retries per page after broken connections or status 202, 403 with Retry-After, 429, 502, 503 or 504',
	},
	{
		displayName: 'Output Field Names or IDs',
		name: 'fields',
		type: 'multiOptions',
		typeOptions: fieldsOfList,
		default: [],
		description:
			'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	},
	pageSize,
	queryParameters,
	{
		displayName: 'Remove Duplicates',
		name: 'removeDuplicates',
		type: 'boolean',
		default: true,
		displayOptions: listOnly,
		description: 'Whether to leave out a record with the same ID as an earlier one',
	},
	sort,
	{
		displayName: 'Timeout',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 30000,
		description: 'Number of milliseconds to wait for the response to a request',
	},
	{
		displayName: 'Until Stable',
		name: 'untilStable',
		type: 'boolean',
		default: false,
		displayOptions: listOnly,
		description:
			'Whether to read the list up to three times, until no new records appear. Use it for lists that change while they are read.',
	},
	{
		...updatedSinceFormat,
		displayOptions: { show: { '/resource': ['user'], '/operation': ['list'] } },
	},
];

const operationOfConnection: INodeProperties[] = [
	operationOf('connection', 'diagnose', [
		{
			name: 'Diagnose',
			value: 'diagnose',
			description:
				'Find out how the service behaves and which options to set. It only reads, with up to 25 requests.',
			action: 'Diagnose connection',
		},
	]),
	optionsOf([itemsPath], { resource: ['connection'], operation: ['diagnose'] }),
];

/** Parameters of List and Find, after the choice of the list. */
export const listParameters: INodeProperties[] = [
	...updateDisplayOptions({ show: { resource: listed, operation: ['find'] } }, [
		{ ...fieldOfList, required: true },
		{
			displayName: 'Value',
			name: 'value',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. anna@example.com',
			description: 'What the field must equal. Letter case does not matter.',
		},
	]),
	...updateDisplayOptions({ show: { resource: listed, operation: ['list'] } }, [
		...conditionParameters('Return only records', fieldOfList),
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 50,
			displayOptions: { show: { returnAll: [false] } },
			description: 'Max number of results to return',
		},
		{
			displayName: 'Page',
			name: 'page',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			displayOptions: { show: { returnAll: [false] } },
			description: 'Page to start from. The first page is 0.',
		},
	]),
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		displayOptions: { show: { resource: ['user'], operation: ['list'] } },
		options: [
			{
				displayName: 'Updated Since',
				name: 'updatedSince',
				type: 'dateTime',
				default: '',
				description:
					'Return only users changed since this time. A time without a zone is in the time zone of the workflow.',
			},
		],
	},
	optionsOf(listOptions, { resource: listed, operation: ['list', 'find'] }),
];

const connection = { name: 'Connection', value: 'connection' };

export const actionParameters: INodeProperties[] = [
	{
		...resource,
		options: [...lists, connection].sort((one, other) => one.name.localeCompare(other.name)),
	},
	...listNames.map(operationOfList),
	...operationOfConnection,
	...updateDisplayOptions({ show: { operation: ['list', 'find'] } }, pathSegments),
	...listParameters,
];
