import type { INodeProperties } from 'n8n-workflow';

/*
 * Options of whatever reads a list: the list operations and the polling trigger.
 */

/** An option that names a place, which is detected as a rule. */
export function dotPath(
	displayName: string,
	name: string,
	placeholder: string,
	what: string,
): INodeProperties {
	const description = `Dot path of ${what}. Leave empty to detect it.`;
	return { displayName, name, type: 'string', default: '', placeholder, description };
}

export const idPath = dotPath('ID Path', 'idPath', 'e.g. person.number', 'the ID of a record');

export const itemsPath = dotPath(
	'Items Path',
	'itemsPath',
	'e.g. result.list',
	'the list in the response',
);

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
