import type { INodeProperties } from 'n8n-workflow';

/*
 * Options of whatever reads a list: the list operations and the polling trigger.
 */

export const idPath: INodeProperties = {
	displayName: 'ID Path',
	name: 'idPath',
	type: 'string',
	default: '',
	placeholder: 'e.g. person.number',
	description: 'Dot path of the ID of a record. Leave empty to detect it.',
};

export const itemsPath: INodeProperties = {
	displayName: 'Items Path',
	name: 'itemsPath',
	type: 'string',
	default: '',
	placeholder: 'e.g. result.list',
	description: 'Dot path of the list in the response. Leave empty to detect it.',
};

export const pageSize: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 100,
	description:
		'Number of records to request per page. If the service returns fewer, the node adapts.',
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
