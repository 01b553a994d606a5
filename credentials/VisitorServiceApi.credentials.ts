import {
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INodeProperties,
	sleep,
	UserError,
} from 'n8n-workflow';

import { credentialTransport } from '../nodes/VisitorService/transport/credentialTransport';
import { ServiceFailure } from '../nodes/VisitorService/transport/serviceFailure';
import { authorizeRequest } from './authorization/authorizeRequest';
import { readClient } from './authorization/credentialFields';
import { leaveFailure } from './authorization/leftFailure';
import { tokenCoordination } from './authorization/tokenCoordination';
import { exchangeToken } from './authorization/tokenExchange';
import { readStoredToken, storeToken } from './authorization/tokenStorage';

export class VisitorServiceApi implements ICredentialType {
	name = 'visitorServiceApi';

	displayName = 'Visitor Service API';

	icon = {
		light: 'file:visitorService.svg',
		dark: 'file:visitorService.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-visitor-service/n8n-nodes-visitor-service/blob/main/docs/credentials.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Authorization Server URL',
			name: 'authUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://auth.example.com',
			description: 'Base address of the server that issues tokens, without /auth/app-oauth',
		},
		{
			displayName: 'Tenant API URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://tenant.example.com',
			description: 'Base address of your tenant, without /api/external',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			required: true,
			description: 'Issued by the operator of the service',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'Issued by the operator of the service',
		},
		{
			displayName: 'API Version',
			name: 'apiVersion',
			type: 'string',
			default: 'v2',
			description: 'The path segment after /api/external/',
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'The secret the service signs webhooks with. Only the Visitor Service Trigger needs it.',
		},
		{
			displayName: 'Previous Webhook Secret',
			name: 'previousWebhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Accepted beside the current one while a secret is being rotated; empty afterwards',
		},
		{
			displayName: 'Token Field',
			name: 'tokenField',
			type: 'string',
			// A dot path is no secret, but n8n's linters go by the name.
			typeOptions: { password: true },
			default: '',
			placeholder: 'e.g. data.access_token',
			description:
				'Dot path of the token in the answer of the authorization server. Empty = detect.',
		},
		{
			displayName: 'Allow Unencrypted HTTP',
			name: 'allowInsecureHttp',
			type: 'boolean',
			default: false,
			description:
				'Whether to accept plain http addresses, which show the client secret and the token to everybody on the way. Loopback addresses are always accepted.',
		},
		{
			// n8n calls preAuthentication whenever this field is exactly '' (n8n 1.123 and 2.41); what is stored
			// in it is an expression that turns '' by itself when the token is to be replaced.
			displayName: 'Token State',
			name: 'tokenState',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			typeOptions: { password: true },
			default: '',
		},
		{
			displayName: 'Issued At',
			name: 'issuedAt',
			type: 'hidden',
			default: 0,
		},
		{
			displayName: 'Renew At',
			name: 'renewAt',
			type: 'hidden',
			default: 0,
		},
		{
			// A hash with the client secret in it; whoever may only use the credential must not see it either.
			displayName: 'Token Owner',
			name: 'tokenOwner',
			type: 'hidden',
			typeOptions: { password: true },
			default: '',
		},
	];

	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<ICredentialDataDecryptedObject> {
		return await showingFailures(credentials, async () => {
			const client = readClient(credentials);
			const clock = { now: () => Date.now(), sleep };
			const transport = credentialTransport(this.helpers);
			const token = await tokenCoordination.tokenFor(
				client,
				readStoredToken(credentials),
				clock.now(),
				async () => await exchangeToken(client, { transport, clock, random: Math.random }),
			);
			return storeToken(token, credentials);
		});
	}

	/** A function and no declarative rule, because the token must reach no other origin than the tenant's. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await showingFailures(credentials, () => authorizeRequest(credentials, requestOptions));
	}
}

/** n8n shows exactly the text of a UserError; any other error would bring an answer's body along. */
async function showingFailures<T>(
	credentials: ICredentialDataDecryptedObject,
	work: () => T | Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ServiceFailure)) throw error;
		leaveFailure(credentials, error);
		throw new UserError(error.message, { description: error.description });
	}
}
