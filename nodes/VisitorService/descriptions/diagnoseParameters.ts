import type { INodeProperties } from 'n8n-workflow';

export const diagnoseParameters: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['connection'] } },
		options: [
			{
				name: 'Diagnose',
				value: 'diagnose',
				description:
					'Find out how the service behaves and which options to set. It only reads, with up to 25 requests.',
				action: 'Diagnose connection',
			},
		],
		default: 'diagnose',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		displayOptions: { show: { resource: ['connection'], operation: ['diagnose'] } },
		options: [
			{
				displayName: 'Items Path',
				name: 'itemsPath',
				type: 'string',
				default: '',
				placeholder: 'e.g. result.list',
				description: 'Dot path of the list of users in the response. Leave empty to detect it.',
			},
		],
	},
];
