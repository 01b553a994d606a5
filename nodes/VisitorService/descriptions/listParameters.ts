import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { idPath, itemsPath, pageSize, updatedSinceFormat } from './listOptions';
import { pathSegments } from './pathSegments';

/** By the names of the menu, which are in their order. */
const lists = [
	{ resource: 'company', name: 'List Companies', action: 'List companies' },
	{ resource: 'task', name: 'List Tasks', action: 'List tasks' },
	{ resource: 'user', name: 'List Users', action: 'List users' },
	{ resource: 'visit', name: 'List Visits', action: 'List visits' },
];
const listed = lists.map(({ resource }) => resource);

export const operationParameters: INodeProperties[] = lists.map(({ resource, ...names }) => ({
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	displayOptions: { show: { resource: [resource] } },
	options: [listOperation(names)],
	default: 'list',
}));

function listOperation({ name, action }: { name: string; action: string }): INodePropertyOptions {
	const plural = action.replace('List ', '');
	const description = `Get the ${plural} of your account, page by page or all at once`;
	return { name, value: 'list', description, action };
}

/** Asked for again if another list is chosen. */
const fieldsOfList = {
	loadOptionsMethod: 'getFields',
	loadOptionsDependsOn: ['resource', 'pathSegment', 'options.itemsPath'],
};

const comparisons = [
	{ name: 'After', value: 'after' },
	{ name: 'Before', value: 'before' },
	{ name: 'Contains', value: 'contains' },
	{ name: 'Equals', value: 'equals' },
	{ name: 'Is Empty', value: 'isEmpty' },
	{ name: 'Is Not Empty', value: 'isNotEmpty' },
	{ name: 'Not Equals', value: 'notEquals' },
	{ name: 'Starts With', value: 'startsWith' },
];

const match: INodeProperties = {
	displayName: 'Match',
	name: 'match',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add condition',
	default: {},
	description:
		'Return only records that meet all of these conditions. The node reads the list and stops as soon as Limit records match.',
	options: [
		{
			displayName: 'Conditions',
			name: 'conditions',
			values: [
				{
					displayName: 'Field Name or ID',
					name: 'field',
					type: 'options',
					typeOptions: fieldsOfList,
					default: '',
					description:
						'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				},
				{
					displayName: 'Condition',
					name: 'condition',
					type: 'options',
					options: comparisons,
					default: 'equals',
					description: 'Letter case does not matter',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. anna@example.com',
					displayOptions: { hide: { condition: ['isEmpty', 'isNotEmpty'] } },
					description:
						'What to compare the field with. For Before and After a time, such as 2026-01-31T08:00:00Z.',
				},
			],
		},
	],
};

export const listParameters: INodeProperties[] = [
	...pathSegments({ operation: ['list'] }),
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		displayOptions: { show: { resource: listed, operation: ['list'] } },
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		displayOptions: { show: { resource: listed, operation: ['list'], returnAll: [false] } },
		description: 'Max number of results to return',
	},
	{
		displayName: 'Page',
		name: 'page',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		displayOptions: { show: { resource: listed, operation: ['list'], returnAll: [false] } },
		description: 'Page to start from. The first page is 0.',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		displayOptions: { show: { resource: listed, operation: ['list'] } },
		options: [
			match,
			{
				displayName: 'Updated Since',
				name: 'updatedSince',
				type: 'dateTime',
				default: '',
				displayOptions: { show: { '/resource': ['user'] } },
				description:
					'Return only users changed since this time. A time without a zone is in the time zone of the workflow.',
			},
		],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { show: { resource: listed, operation: ['list'] } },
		options: [
			{
				displayName: 'Concurrency',
				name: 'concurrency',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 50 },
				default: 5,
				description: 'Max number of pages to request at the same time',
			},
			{
				displayName: 'Field Names or IDs',
				name: 'fields',
				type: 'multiOptions',
				typeOptions: fieldsOfList,
				default: [],
				description:
					'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
			},
			idPath,
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
					'Max number of retries of a page after a broken connection or status 202, 429, 502, 503 or 504',
			},
			pageSize,
			{
				displayName: 'Remove Duplicates',
				name: 'removeDuplicates',
				type: 'boolean',
				default: true,
				description: 'Whether to leave out a record with the same ID as an earlier one',
			},
			{
				displayName: 'Sort',
				name: 'sort',
				type: 'string',
				default: '',
				placeholder: 'e.g. lastName,asc',
				description: 'Sort order, sent as it is. Diagnose finds out the format.',
			},
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 30000,
				description: 'Number of milliseconds to wait for the answer to a request',
			},
			{
				displayName: 'Until Stable',
				name: 'untilStable',
				type: 'boolean',
				default: false,
				description:
					'Whether to read the list up to three times, until no new records appear. Use it for lists that change while they are read.',
			},
			{ ...updatedSinceFormat, displayOptions: { show: { '/resource': ['user'] } } },
		],
	},
];
