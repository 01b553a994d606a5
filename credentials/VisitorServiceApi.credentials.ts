import {
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INodeProperties,
	UserError,
} from 'n8n-workflow';
import { authorizeRequest } from '../nodes/VisitorService/authorization/authorizeRequest';
import { readClient } from '../nodes/VisitorService/authorization/client';
import { exchangeToken } from '../nodes/VisitorService/authorization/exchange';
import { readStoredToken, storeToken } from '../nodes/VisitorService/authorization/storedToken';
import { tokenSingleFlight } from '../nodes/VisitorService/authorization/tokenSingleFlight';
import { notice } from '../nodes/VisitorService/descriptions/sharedParameters';
import {
	failureByCredentialData,
	ServiceFailure,
} from '../nodes/VisitorService/failure/serviceFailure';
import { isExchangeRequested } from '../nodes/VisitorService/http/exchangeRequest';
import { credentialTransport } from '../nodes/VisitorService/http/hostTransports';
import { clock, random } from '../nodes/VisitorService/operations/host';

const text = (
	displayName: string,
	name: string,
	description: string,
	more: Partial<INodeProperties> = {},
): INodeProperties => {
	return { displayName, name, type: 'string', default: '', description, ...more };
};
/** What n8n stores of a token. */
const hidden = (
	displayName: string,
	name: string,
	typeOptions?: INodeProperties['typeOptions'],
): INodeProperties => {
	return { displayName, name, type: 'hidden', ...(typeOptions && { typeOptions }), default: '' };
};

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
		notice(
			'providerNotice',
			'Your service provider issues these four values: <a href="https://github.com/n8n-nodes-visitor-service/n8n-nodes-visitor-service/blob/main/docs/service-provider.md" target="_blank">what to ask for</a>',
		),
		text('Authorization Server URL', 'authUrl', 'With or without /auth/app-oauth', {
			placeholder: 'e.g. https://auth.example.com',
			hint: 'Issues access tokens. Often contains auth or login.',
		}),
		text('Tenant API URL', 'baseUrl', 'With or without /api/external', {
			placeholder: 'e.g. https://tenant.example.com',
			hint: 'The URL of your own company at the service',
		}),
		text('Client ID', 'clientId', 'Issued by your service provider'),
		text('Client Secret', 'clientSecret', 'Issued by your service provider', {
			typeOptions: { password: true },
		}),
		notice('webhookNotice', 'Webhooks: only the Visitor Service Trigger needs these'),
		text('Webhook Secret', 'webhookSecret', 'The secret the service signs webhooks with', {
			typeOptions: { password: true },
		}),
		text(
			'Previous Webhook Secret',
			'previousWebhookSecret',
			'The old secret, still accepted while you replace it. Clear it afterwards.',
			{ typeOptions: { password: true } },
		),
		notice('advancedNotice', 'Advanced: leave these as they are unless something does not work'),
		text('API Version', 'apiVersion', 'The part of the URL after /api/external/', {
			default: 'v2',
		}),
		text(
			'Scope',
			'scope',
			'Only if your service provider names one. Separate several with spaces.',
			{ placeholder: 'e.g. visitors.read' },
		),
		text('Audience', 'audience', 'Only if your service provider names one'),
		text(
			'Token Field',
			'answerPath',
			'Dot path of the token in the response of the authorization server. Leave empty to detect it.',
			{ placeholder: 'e.g. data.access_token' },
		),
		{
			displayName: 'Allow Unencrypted HTTP',
			name: 'allowInsecureHttp',
			type: 'boolean',
			default: false,
			description:
				'Whether to accept URLs that start with http://. They show the client secret and the token to everybody on the network.',
		},
		{
			displayName: 'Ignore SSL Issues (Insecure)',
			name: 'allowUnauthorizedCerts',
			type: 'boolean',
			// Has no effect on a switch, but n8n's linter requires it by the name of the field.
			typeOptions: { password: true },
			default: false,
			description:
				'Whether to connect even if the certificate of a server cannot be verified. Anybody on the network could pretend to be the server.',
		},
		// n8n calls preAuthentication if this is exactly '' (n8n 1.123 and 2.41), as it is until a
		// token is stored. If n8n changes that, the engine tests of tokens notice.
		hidden('Token State', 'tokenState', { expirable: true, password: true }),
		hidden('Access Token', 'accessToken', { password: true }),
		{ ...hidden('Issued At', 'issuedAt'), default: 0 },
		{ ...hidden('Renew At', 'renewAt'), default: 0 },
		// A hash with the client secret in it, which nobody who only uses the credential may see.
		hidden('Token Owner', 'tokenOwner', { password: true }),
	];

	async preAuthentication(
		this: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<ICredentialDataDecryptedObject> {
		return await rethrowAsUserError(credentials, async () => {
			const client = readClient(credentials);
			const transport = credentialTransport(this.helpers, client.allowUnauthorizedCerts);
			const held = readStoredToken(credentials);
			// After a failed request n8n calls this too, but does not clear the state.
			const mustReplace = isExchangeRequested(credentials);
			const token = await tokenSingleFlight.getToken(
				client,
				{ held, mustReplace, now: clock.now() },
				async () => await exchangeToken(client, { transport, clock, random }),
			);
			return storeToken(token, credentials, clock.now());
		});
	}

	/**
	 * A function instead of a declarative rule, because the token must reach no other origin than the
	 * tenant's.
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		return await rethrowAsUserError(credentials, () =>
			authorizeRequest(credentials, requestOptions, clock.now()),
		);
	}
}

/**
 * n8n shows exactly the text of a UserError; of any other error it would store the body of the
 * response too.
 */
async function rethrowAsUserError<T>(
	credentials: ICredentialDataDecryptedObject,
	work: () => T | Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (!(error instanceof ServiceFailure)) throw error;
		failureByCredentialData.set(credentials, error);
		throw new UserError(error.message, { description: error.description });
	}
}
