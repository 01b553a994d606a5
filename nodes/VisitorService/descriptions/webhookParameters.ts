import type { INodeProperties } from 'n8n-workflow';
import { conditionParameters } from './conditions';
import { detected, optionsOf } from './sharedParameters';
import { webhookAuthentication } from './webhookAuthentication';

export const webhookOptions: INodeProperties[] = [
	detected('Event Header', 'eventHeader', 'e.g. X-Event-Name', 'Header with the name of the event'),
	detected(
		'Event Path',
		'eventPath',
		'e.g. meta.event',
		'Dot path of the name of the event in the body',
	),
	detected('ID Header', 'idHeader', 'e.g. X-Event-ID', 'Header with the ID of the event'),
	detected('ID Path', 'idPath', 'e.g. meta.number', 'Dot path of the ID of the event in the body'),
	{
		displayName: 'Ignore Repeats',
		name: 'ignoreRepeats',
		type: 'boolean',
		default: false,
		description:
			'Whether to ignore a webhook that was received before. With several processes that receive webhooks, add a Remove Duplicates node.',
	},
	{
		displayName: 'IP Allowlist',
		name: 'ipAllowlist',
		type: 'string',
		default: '',
		placeholder: 'e.g. 192.0.2.10, 2001:db8::/32',
		description:
			'IP addresses and CIDR ranges that may send webhooks, separated by commas. With a proxy in front of n8n, set N8N_PROXY_HOPS.',
	},
	detected(
		'Items Path',
		'itemsPath',
		'e.g. payload.events',
		'Dot path of the list of events in the body',
	),
	{
		displayName: 'Response Code',
		name: 'responseCode',
		type: 'number',
		// n8n does not resolve an expression inside a collection when it works out the code.
		noDataExpression: true,
		default: 200,
		typeOptions: { minValue: 200, maxValue: 299, numberPrecision: 0 },
		description: 'Status code the service gets when the workflow was started (200 to 299)',
	},
	{
		displayName: 'Timestamp Tolerance',
		name: 'tolerance',
		type: 'number',
		default: 300,
		typeOptions: { minValue: 1 },
		displayOptions: { show: { '/authentication': ['hmac', 'standardWebhooks'] } },
		description: 'Max number of seconds between the time of a webhook and the time here',
	},
	{
		displayName: 'Verification Requests',
		name: 'verificationRequests',
		type: 'options',
		// Decides which methods n8n registers.
		noDataExpression: true,
		default: 'off',
		description:
			'Whether to respond to the requests by which a service checks a new URL. They start nothing.',
		options: [
			{
				name: 'Answer',
				value: 'answer',
				description: 'Send back the challenge',
			},
			{ name: 'Off', value: 'off' },
		],
	},
];

/** Typed, because no list shows the fields of webhooks. */
const typedField: INodeProperties = {
	displayName: 'Field',
	name: 'field',
	type: 'string',
	default: '',
	placeholder: 'e.g. data.state',
	description: 'Name or dot path of a field of the body',
};

export const webhookParameters: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'string',
		default: '',
		placeholder: 'e.g. visit.created, visit.updated',
		description:
			'Names of the events that start the workflow, separated by commas. Leave empty for all events.',
	},
	...conditionParameters('Start only on events', typedField),
	...webhookAuthentication,
	optionsOf(webhookOptions),
];
