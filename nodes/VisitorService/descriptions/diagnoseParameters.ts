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
					'Find out what the interface of the service does not publish, and which options to set. Reads only, with at most 25 requests.',
				action: 'Diagnose connection',
			},
		],
		default: 'diagnose',
	},
];
