import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';
import { notice } from './sharedParameters';

/** Parameters that say how deliveries are authenticated. */
export const webhookAuthentication: INodeProperties[] = [
	notice(
		'addressNotice',
		'Open Webhook URLs above, choose Production URL, and send it to your service provider.',
	),
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		noDataExpression: true,
		default: 'hmac',
		description:
			'How the service proves that a webhook is genuine. The secret is in the credential.',
		options: [
			{
				name: 'Header Secret',
				value: 'header',
				description: 'The service sends the secret itself in a header',
			},
			{
				name: 'HMAC Signature',
				value: 'hmac',
				description: 'The service signs each webhook with the secret, or with an Ed25519 key',
			},
			{
				name: 'None',
				value: 'none',
				description: 'Anybody who knows the URL can start this workflow',
			},
			{
				name: 'Standard Webhooks',
				value: 'standardWebhooks',
				description: 'The service follows standardwebhooks.com, or delivers through Svix',
			},
		],
	},
	notice(
		'noneNotice',
		'Anybody who knows the URL can start this workflow with made-up events. Choose another authentication, or at least set IP Allowlist under Options.',
		{ authentication: ['none'] },
	),
	{
		displayName: 'Header Name',
		name: 'headerName',
		type: 'string',
		default: 'X-Webhook-Token',
		required: true,
		displayOptions: { show: { authentication: ['header'] } },
		description: 'Header whose whole value is the secret',
	},
	notice(
		'signatureNotice',
		[
			'<a href="https://github.com/n8n-nodes-visitor-service/n8n-nodes-visitor-service/blob/main/docs/service-provider.md#to-receive-webhooks" target="_blank">Ask your service provider</a>',
			'for the secret, the header with the signature, and how the signature is computed.',
			'<a href="https://github.com/n8n-nodes-visitor-service/n8n-nodes-visitor-service/blob/main/docs/webhooks.md#senders" target="_blank">Settings of known services</a>.',
		].join(' '),
		{ authentication: ['hmac'] },
	),
	{
		displayName: 'Signature Format',
		name: 'signatureFormat',
		type: 'options',
		noDataExpression: true,
		default: 'header',
		displayOptions: { show: { authentication: ['hmac'] } },
		description: 'How the service writes and computes the signature',
		options: [
			{ name: 'Custom', value: 'custom', description: 'Shows all settings' },
			{
				name: 'GitHub',
				value: 'github',
				description: 'X-Hub-Signature-256: sha256=…, over the body',
			},
			{
				name: 'One Header',
				value: 'header',
				description: 'SHA-256 of the body in hex, in a header of its own',
			},
			{
				name: 'Slack',
				value: 'slack',
				description: 'X-Slack-Signature: v0=…, over time and body',
			},
			{
				name: 'Stripe',
				value: 'stripe',
				description: 'Stripe-Signature: t=…,v1=…, over time and body',
			},
		],
	},
	{
		displayName: 'Signature Header',
		name: 'signatureHeader',
		type: 'string',
		default: 'X-Signature',
		required: true,
		displayOptions: { show: { authentication: ['hmac'], signatureFormat: ['header', 'custom'] } },
		description: 'Header with the signature. Separate several headers with commas.',
	},
	...updateDisplayOptions({ show: { authentication: ['hmac'], signatureFormat: ['custom'] } }, [
		{
			displayName: 'Signature Prefix',
			name: 'signaturePrefix',
			type: 'string',
			default: '',
			placeholder: 'e.g. sha256=',
			description: 'Text before the signature in the header',
		},
		{
			displayName: 'Algorithm',
			name: 'algorithm',
			type: 'options',
			default: 'sha256',
			description: 'Hash function of the HMAC, or Ed25519',
			options: [
				{
					name: 'Ed25519',
					value: 'ed25519',
					description: 'No HMAC: Webhook Secret is the public key of the service',
				},
				{ name: 'SHA-1', value: 'sha1' },
				{ name: 'SHA-256', value: 'sha256' },
				{ name: 'SHA-384', value: 'sha384' },
				{ name: 'SHA-512', value: 'sha512' },
			],
		},
		{
			displayName: 'Encoding',
			name: 'encoding',
			type: 'options',
			default: 'hex',
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
			displayName: 'Secret Encoding',
			name: 'secretEncoding',
			type: 'options',
			default: 'text',
			description: 'How Webhook Secret is written in the credential',
			options: [
				{ name: 'Base64', value: 'base64', description: 'Also with whsec_ before it' },
				{ name: 'Hex', value: 'hex' },
				{ name: 'Text', value: 'text', description: 'The secret is used as it is' },
			],
		},
		{
			displayName: 'Signed Content',
			name: 'signedContent',
			type: 'string',
			default: '{body}',
			required: true,
			placeholder: 'e.g. {timestamp}.{body}',
			hint: '{body}, {bodySha256Hex}, {bodySha256Base64}, {timestamp}, {id}, {method}, {url}, {path}, {query.name}, {header.name}',
			description:
				'Text the service signs, with placeholders for the parts of each webhook. If the time is always written in one way, use {timestampSeconds}, {timestampMilliseconds} or {timestampIso}.',
		},
		{
			displayName: 'Timestamp Header',
			name: 'timestampHeader',
			type: 'string',
			default: '',
			placeholder: 'e.g. X-Timestamp',
			description:
				'Header with the time of the webhook. Leave empty if the time is in the signature header, such as t=….',
		},
		{
			displayName: 'Signed ID Header',
			name: 'idHeader',
			type: 'string',
			default: '',
			placeholder: 'e.g. X-Event-ID',
			description: 'Header with the ID that Signed Content names',
		},
	]),
];
