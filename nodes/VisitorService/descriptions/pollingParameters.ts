import type { INodeProperties } from 'n8n-workflow';

export const pollingParameters: INodeProperties[] = [
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		options: [
			{
				name: 'Date',
				value: 'date',
				description: 'Changes since a date come out, then each new one',
			},
			{ name: 'Now', value: 'now', description: 'Changes from the first activation on come out' },
		],
		default: 'now',
		description:
			'Where to start when the trigger is activated for the first time. After that it goes on from where it was.',
	},
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		default: '',
		required: true,
		displayOptions: { show: { startFrom: ['date'] } },
		description: 'Without a time zone it is read in the time zone of the workflow',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'ID Path',
				name: 'idPath',
				type: 'string',
				default: '',
				placeholder: 'e.g. profile.number',
				description: 'Dot path of the field that identifies a user. Empty detects it.',
			},
			{
				displayName: 'Max Items',
				name: 'maxItems',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 10000,
				description: 'Most users one poll gives; what is left comes with the next polls',
			},
			{
				displayName: 'Overlap',
				name: 'overlap',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 5,
				description:
					'Minutes to look back. A change that shows in the list that much later than it is dated is still found.',
			},
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: 100,
				description: 'Users per page to ask for',
			},
			{
				displayName: 'Sort',
				name: 'sort',
				type: 'string',
				default: '',
				placeholder: 'e.g. updatedAt,desc',
				description: 'Sort order, sent as it is. The trigger does not rely on it.',
			},
			{
				displayName: 'Updated At Path',
				name: 'updatedAtPath',
				type: 'string',
				default: '',
				placeholder: 'e.g. meta.changedAt',
				description: 'Dot path of the time a user was changed last. Empty detects it.',
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
				description:
					'How the time is written that the service is asked with; ISO 8601 is sent in UTC',
			},
		],
	},
];
