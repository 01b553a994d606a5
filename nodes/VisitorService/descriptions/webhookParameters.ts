import type { INodeProperties } from 'n8n-workflow';

const forAuthentication = (...authentication: string[]) => ({ show: { authentication } });

const authentication: INodeProperties[] = [
	{
		displayName:
			'Give the <b>Production URL</b> above to the operator of the service as the address of your webhook receiver. It answers only while this workflow is published; the Test URL answers only while the editor listens.',
		name: 'addressNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		noDataExpression: true,
		default: 'hmac',
		description:
			'How a delivery proves that it comes from the service. The secret is in the credential; ask the operator of the service which way is used.',
		options: [
			{
				name: 'Header Secret',
				value: 'header',
				description: 'The service sends the secret itself in a header',
			},
			{
				name: 'HMAC Signature',
				value: 'hmac',
				description: 'The service signs the body with the secret',
			},
			{
				name: 'None',
				value: 'none',
				description: 'Everybody who knows the URL can start this workflow',
			},
			{
				name: 'Standard Webhooks',
				value: 'standardWebhooks',
				description: 'The service follows the specification at standardwebhooks.com',
			},
		],
	},
	{
		displayName:
			'Without authentication everybody who knows the URL can start this workflow with made-up events. Choose another authentication, or at least set IP Allowlist under Options.',
		name: 'noneNotice',
		type: 'notice',
		default: '',
		displayOptions: forAuthentication('none'),
	},
	{
		displayName: 'Header Name',
		name: 'headerName',
		type: 'string',
		default: 'X-Webhook-Token',
		required: true,
		displayOptions: forAuthentication('header'),
		description: 'Header whose whole value is the secret',
	},
];

const signature: INodeProperties[] = [
	{
		displayName: 'Signature Header',
		name: 'signatureHeader',
		type: 'string',
		default: 'X-Signature',
		required: true,
		displayOptions: forAuthentication('hmac'),
		description:
			'Header that holds the signature, or several separated by commas, semicolons or blanks',
	},
	{
		displayName: 'Signature Prefix',
		name: 'signaturePrefix',
		type: 'string',
		default: '',
		placeholder: 'e.g. sha256=',
		displayOptions: forAuthentication('hmac'),
		description: 'What stands before the signature in the header, such as sha256= or v1=',
	},
	{
		displayName: 'Algorithm',
		name: 'algorithm',
		type: 'options',
		default: 'sha256',
		displayOptions: forAuthentication('hmac'),
		description: 'Hash function of the HMAC',
		options: [
			{ name: 'SHA-1', value: 'sha1' },
			{ name: 'SHA-256', value: 'sha256' },
			{ name: 'SHA-512', value: 'sha512' },
		],
	},
	{
		displayName: 'Encoding',
		name: 'encoding',
		type: 'options',
		default: 'hex',
		displayOptions: forAuthentication('hmac'),
		description: 'How the signature is written',
		options: [
			{
				name: 'Base64',
				value: 'base64',
				description: 'Standard or URL-safe, with or without padding',
			},
			{ name: 'Hex', value: 'hex', description: 'In upper or lower case' },
		],
	},
	{
		displayName: 'Signed Content',
		name: 'signedContent',
		type: 'string',
		default: '{body}',
		required: true,
		placeholder: 'e.g. {timestamp}.{body}',
		hint: 'Can hold {body}, {timestamp} and {id}',
		displayOptions: forAuthentication('hmac'),
		description:
			'What the service signs, as a template: names in braces are replaced by what came, other text stands for itself',
	},
	{
		displayName: 'Timestamp Header',
		name: 'timestampHeader',
		type: 'string',
		default: '',
		placeholder: 'e.g. X-Timestamp',
		displayOptions: forAuthentication('hmac'),
		description:
			'Header with the time of the delivery, in seconds, milliseconds or ISO 8601. Deliveries outside the tolerance are refused. A part t=… or ts=… of the header is found by itself.',
	},
	{
		displayName: 'ID Header',
		name: 'idHeader',
		type: 'string',
		default: '',
		placeholder: 'e.g. X-Event-ID',
		displayOptions: forAuthentication('hmac'),
		description: 'Header with the ID of the event',
	},
];

const selection: INodeProperties[] = [
	{
		displayName: 'Events',
		name: 'events',
		type: 'string',
		default: '',
		placeholder: 'e.g. visit.created, visit.updated',
		description:
			'Names of the events that start the workflow, separated by commas. Leave empty for all. With names set, an event whose name is not found does not start it.',
	},
];

const options: INodeProperties[] = [
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Event Path',
				name: 'eventPath',
				type: 'string',
				default: '',
				placeholder: 'e.g. meta.event',
				description:
					'Where in the body the name of the event is, as a dot path. Leave empty to detect it.',
			},
			{
				displayName: 'ID Path',
				name: 'idPath',
				type: 'string',
				default: '',
				placeholder: 'e.g. meta.number',
				description:
					'Where in the body the ID of the event is, as a dot path. Leave empty to detect it.',
			},
			{
				displayName: 'Ignore Repeats',
				name: 'ignoreRepeats',
				type: 'boolean',
				default: false,
				description:
					'Whether a delivery whose ID was seen before starts nothing; ID Path or ID Header makes sure which ID is meant. One n8n process remembers the last 5,000 IDs of this trigger, and 250 across a restart. Several processes that receive webhooks do not see each other at once: add a Remove Duplicates node there. Not applied to test events.',
			},
			{
				displayName: 'IP Allowlist',
				name: 'ipAllowlist',
				type: 'string',
				default: '',
				placeholder: 'e.g. 192.0.2.10, 2001:db8::/32',
				description:
					'Addresses and CIDR ranges that may deliver, separated by commas. Behind a proxy set N8N_PROXY_HOPS of n8n, or all deliveries come from the proxy.',
			},
			{
				displayName: 'Items Path',
				name: 'itemsPath',
				type: 'string',
				default: '',
				placeholder: 'e.g. payload.events',
				description:
					'Where in the body the list of events is, as a dot path; each becomes an item. Leave empty to detect it.',
			},
			{
				displayName: 'Response Code',
				name: 'responseCode',
				type: 'number',
				// n8n does not resolve an expression inside a collection when it works out the code.
				noDataExpression: true,
				default: 200,
				typeOptions: { minValue: 200, maxValue: 299, numberPrecision: 0 },
				description:
					'Status code the service gets for an event that started the workflow, 200 to 299',
			},
			{
				displayName: 'Timestamp Tolerance',
				name: 'tolerance',
				type: 'number',
				default: 300,
				typeOptions: { minValue: 1 },
				description: 'Seconds the timestamp of a delivery may lie in the past or in the future',
			},
		],
	},
];

export const webhookParameters: INodeProperties[] = [
	...authentication,
	...signature,
	...selection,
	...options,
];
