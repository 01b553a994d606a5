import type { INodeProperties } from 'n8n-workflow';
import { itemsPath } from './listOptions';

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
		options: [itemsPath],
	},
];
