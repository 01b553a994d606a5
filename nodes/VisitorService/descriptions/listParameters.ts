import type { INodeProperties } from 'n8n-workflow';

const listed = ['user', 'company', 'visit', 'task'];

function pathSegment(resource: string, segment: string): INodeProperties {
	return {
		displayName: 'Path Segment',
		name: 'pathSegment',
		type: 'string',
		default: segment,
		required: true,
		displayOptions: { show: { resource: [resource], operation: ['list'] } },
		description:
			'The last part of the address of this list. The service does not publish it: confirm it with the operator of the service.',
	};
}

export const operationParameters: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['company'] } },
		options: [
			{
				name: 'List Companies',
				value: 'list',
				description: 'Get the companies of the tenant, page by page or all at once',
				action: 'List companies',
			},
		],
		default: 'list',
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['task'] } },
		options: [
			{
				name: 'List Tasks',
				value: 'list',
				description: 'Get the tasks of the tenant, page by page or all at once',
				action: 'List tasks',
			},
		],
		default: 'list',
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['user'] } },
		options: [
			{
				name: 'List Users',
				value: 'list',
				description: 'Get the users of the tenant, page by page or all at once',
				action: 'List users',
			},
		],
		default: 'list',
	},
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['visit'] } },
		options: [
			{
				name: 'List Visits',
				value: 'list',
				description: 'Get the visits of the tenant, page by page or all at once',
				action: 'List visits',
			},
		],
		default: 'list',
	},
];

export const listParameters: INodeProperties[] = [
	pathSegment('company', 'companies'),
	pathSegment('task', 'tasks'),
	pathSegment('visit', 'visits'),
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
		description: 'Page to start from; the first page is 0',
	},
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
					'Return only users changed since this time, such as 2026-01-31T08:00:00Z. Without a time zone it is read in the time zone of the workflow.',
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
				description: 'Most pages in flight at a time; 1 reads one after the other',
			},
			{
				displayName: 'Fields',
				name: 'fields',
				type: 'string',
				default: '',
				placeholder: 'e.g. firstName, email',
				description: 'Top-level fields to keep, separated by commas. Empty keeps all.',
			},
			{
				displayName: 'Items Path',
				name: 'itemsPath',
				type: 'string',
				default: '',
				placeholder: 'e.g. result.list',
				description: 'Dot path of the list in the response. Empty detects it.',
			},
			{
				displayName: 'Max Pages',
				name: 'maxPages',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 0,
				description: 'Most pages to read; 0 means no cap. A hint says when it was reached.',
			},
			{
				displayName: 'Max Retries',
				name: 'maxRetries',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 20 },
				default: 5,
				description:
					'How often one page is asked for again after a broken connection or status 429, 502, 503 or 504',
			},
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 100,
				description:
					'Items per page to ask for. Where the service sends fewer, the listing goes on at the size that came.',
			},
			{
				displayName: 'Sort',
				name: 'sort',
				type: 'string',
				default: '',
				placeholder: 'e.g. lastName,asc',
				description: 'Sort order, sent as it is. The service does not publish the format.',
			},
			{
				displayName: 'Timeout',
				name: 'timeout',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 30000,
				description: 'Milliseconds to wait for the answer to one request',
			},
			{
				displayName: 'Until Stable',
				name: 'untilStable',
				type: 'boolean',
				default: false,
				description:
					'Whether to read the list again until nothing new comes, three readings in all at most. For lists that change while they are read.',
			},
			{
				displayName: 'Updated Since Format',
				name: 'updatedSinceFormat',
				type: 'options',
				options: [
					{ name: 'Epoch Milliseconds', value: 'epochMs' },
					{ name: 'Epoch Seconds', value: 'epochS' },
					{ name: 'ISO 8601', value: 'iso' },
				],
				default: 'iso',
				displayOptions: { show: { '/resource': ['user'] } },
				description: 'How Updated Since is written; ISO 8601 is sent in UTC',
			},
		],
	},
];
