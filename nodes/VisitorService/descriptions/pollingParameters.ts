import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';
import { conditionParameters, fieldOfList } from './conditions';
import {
	detected,
	idPath,
	itemsPath,
	notice,
	optionsOf,
	pageSize,
	pathSegments,
	queryParameters,
	resource,
	sort,
	updatedSinceFormat,
} from './sharedParameters';

const ofChanges = ['createdOrUpdated', 'created', 'updated'];

/** For triggers that return records. Removed returns only IDs. */
const withRecord = { triggerOn: [...ofChanges, 'startsToMatch'] };

/** Only the list of users accepts `updatedSince`. */
const withStart = { resource: ['user'], triggerOn: ofChanges };

/** Where each poll compares the whole list with the previous poll. */
const wholeListNotices = [
	{ resource: ['company', 'other', 'task', 'visit'] },
	{ resource: ['user'], triggerOn: ['removed', 'startsToMatch'] },
].map((show, index) =>
	notice(
		`wholeListNotice${index}`,
		'Each poll reads the whole list: choose 5 minutes or more in Poll Times.',
		show,
	),
);

export const pollingOptions: INodeProperties[] = [
	detected(
		'Created At Path',
		'createdAtPath',
		'e.g. meta.createdAt',
		'Dot path of the time a record was created',
	),
	idPath,
	{
		displayName: 'Ignore Fields',
		name: 'ignoreFields',
		type: 'string',
		default: '',
		placeholder: 'e.g. photoUrl, meta.signature',
		description:
			'Comma-separated names or dot paths of fields that do not count as a change, such as a signed URL',
	},
	itemsPath,
	{
		displayName: 'Max Items',
		name: 'maxItems',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10000,
		description: 'Max number of records per poll. The rest follow with the next polls.',
	},
	{
		displayName: 'Overlap',
		name: 'overlap',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 5,
		description:
			'How many minutes each poll looks back, to catch changes that appear late. <a href="https://github.com/n8n-nodes-visitor-service/n8n-nodes-visitor-service/blob/main/docs/service-provider.md" target="_blank">Ask your service provider</a> how late that can be.',
	},
	pageSize,
	queryParameters,
	{
		...sort,
		placeholder: 'e.g. updatedAt,desc',
		description:
			'Sort order, sent as it is. Set it if the service returns pages in no fixed order.',
	},
	detected(
		'Updated At Path',
		'updatedAtPath',
		'e.g. meta.changedAt',
		'Dot path of the time a record was changed last',
	),
	updatedSinceFormat,
];

export const pollingParameters: INodeProperties[] = [
	resource,
	...pathSegments,
	{
		displayName: 'Trigger On',
		name: 'triggerOn',
		type: 'options',
		options: [
			{
				name: 'Created',
				value: 'created',
				description: 'Each new record, once',
			},
			{
				name: 'Created or Updated',
				value: 'createdOrUpdated',
				description: 'Each new record and each change of a record',
			},
			{
				name: 'Removed',
				value: 'removed',
				description: 'The ID of each record that is no longer in the list',
			},
			{
				name: 'Starts to Match',
				value: 'startsToMatch',
				description: 'Each record that matches the conditions, and did not at the last poll',
			},
			{
				name: 'Updated',
				value: 'updated',
				description: 'Each change of a record that was there before',
			},
		],
		default: 'createdOrUpdated',
	},
	...wholeListNotices,
	...updateDisplayOptions(
		{ show: withRecord },
		conditionParameters('Start only on records', fieldOfList),
	),
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		displayOptions: { show: withStart },
		options: [
			{
				name: 'Date',
				value: 'date',
				description: 'Begin with the changes since a date',
			},
			{
				name: 'Now',
				value: 'now',
				description: 'Begin with the first change after the workflow is published',
			},
		],
		default: 'now',
		description:
			'Where to start when the workflow is published for the first time. After that the trigger continues where it left off.',
	},
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		default: '',
		required: true,
		displayOptions: { show: { ...withStart, startFrom: ['date'] } },
		description: 'A time without a zone is in the time zone of the workflow',
	},
	optionsOf(pollingOptions),
];
