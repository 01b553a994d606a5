import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

export const lists: INodePropertyOptions[] = [
	{ name: 'Company', value: 'company' },
	{ name: 'Other List', value: 'other' },
	{ name: 'Task', value: 'task' },
	{ name: 'User', value: 'user' },
	{ name: 'Visit', value: 'visit' },
];

export const resource: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	options: lists,
	default: 'user',
};

/** Path Segment of each list whose path is not documented. */
export const pathSegments: INodeProperties[] = [
	pathSegment('company', 'companies'),
	pathSegment('task', 'tasks'),
	pathSegment('visit', 'visits'),
	{
		...pathSegment('other', ''),
		placeholder: 'e.g. badges',
		hint: 'For example badges or users/7/visits.',
	},
];

function pathSegment(resource: string, segment: string): INodeProperties {
	return {
		displayName: 'Path Segment',
		name: 'pathSegment',
		type: 'string',
		default: segment,
		required: true,
		displayOptions: { show: { resource: [resource] } },
		description:
			'What follows the API version in the URL of this list. <a href="https://github.com/n8n-nodes-visitor-service/n8n-nodes-visitor-service/blob/main/docs/service-provider.md" target="_blank">What to ask for</a>.',
		hint: 'The default is a guess: ask your service provider if it fails.',
	};
}

/** The collection Options. */
export function optionsOf(
	options: INodeProperties[],
	show?: IDisplayOptions['show'],
): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: show && { show },
		options,
	};
}

export function notice(
	name: string,
	displayName: string,
	show?: IDisplayOptions['show'],
): INodeProperties {
	return { displayName, name, type: 'notice', default: '', displayOptions: show && { show } };
}

/** An option that is usually left empty. */
export function detected(
	displayName: string,
	name: string,
	placeholder: string,
	what: string,
): INodeProperties {
	const description = `${what}. Leave empty to detect it.`;
	return { displayName, name, type: 'string', default: '', placeholder, description };
}

export const idPath = detected(
	'ID Path',
	'idPath',
	'e.g. person.number',
	'Dot path of the ID of a record',
);

export const itemsPath = detected(
	'Items Path',
	'itemsPath',
	'e.g. result.list',
	'Dot path of the list in the response',
);

export const pageSize: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: '',
	placeholder: 'Automatic',
	description:
		'Number of records to request per page. If it is not set, pages are as large as the service returns them, 1,000 at most.',
};

export const queryParameters: INodeProperties = {
	displayName: 'Query Parameters',
	name: 'queryParameters',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Parameter',
	default: {},
	description:
		'Filters that your service provider names, such as siteId. They are sent with each page as they are.',
	options: [
		{
			displayName: 'Parameters',
			name: 'parameters',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. siteId',
					description: 'Name of the parameter as the service expects it',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					placeholder: 'e.g. 42',
					description: 'Value of the parameter as the service expects it',
				},
			],
		},
	],
};

export const sort: INodeProperties = {
	displayName: 'Sort',
	name: 'sort',
	type: 'string',
	default: '',
	placeholder: 'e.g. lastName,asc',
	description: 'Sort order, sent as it is. Diagnose finds out the format.',
};

export const updatedSinceFormat: INodeProperties = {
	displayName: 'Updated Since Format',
	name: 'updatedSinceFormat',
	type: 'options',
	options: [
		{ name: 'Epoch Milliseconds', value: 'epochMs' },
		{ name: 'Epoch Seconds', value: 'epochS' },
		{ name: 'ISO 8601', value: 'iso' },
	],
	default: 'iso',
	description: 'Date format the service expects. ISO 8601 is sent in UTC.',
};
