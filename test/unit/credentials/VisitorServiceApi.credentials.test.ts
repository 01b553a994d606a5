import { type IHttpRequestHelper, type IHttpRequestOptions, UserError } from 'n8n-workflow';

import { VisitorServiceApi } from '../../../credentials/VisitorServiceApi.credentials';

const credential = new VisitorServiceApi();
const hidden = ['tokenState', 'accessToken', 'issuedAt', 'renewAt', 'tokenOwner'];
let clients = 0;

/** Another client each time: the coordination of tokens lives as long as the process. */
const newFields = () => ({
	authUrl: 'https://auth.example.com',
	baseUrl: 'https://tenant.example.com',
	clientId: `client-${++clients}`,
	clientSecret: 'synthetic-secret-0001',
	accessToken: '',
	tokenState: '',
});

function host(answer: object | Error) {
	const requests: IHttpRequestOptions[] = [];
	const helper: IHttpRequestHelper = {
		helpers: {
			httpRequest: async (options: IHttpRequestOptions) => {
				requests.push(options);
				await Promise.resolve();
				if (answer instanceof Error) throw answer;
				return { statusCode: 200, headers: {}, ...answer };
			},
		},
	};
	return { helper, requests };
}

async function thrown(action: () => Promise<unknown>): Promise<unknown> {
	return await action().then(
		() => undefined,
		(error: unknown) => error,
	);
}

describe('the fields of the credential', () => {
	it('the fields of the credential are those users rely on', () => {
		const visible = credential.properties.filter(({ type }) => type !== 'hidden');
		expect(
			visible.map(({ name, displayName, type, default: value }) =>
				type === 'notice' ? name : [name, displayName, value],
			),
		).toEqual([
			'providerNotice',
			['authUrl', 'Authorization Server URL', ''],
			['baseUrl', 'Tenant API URL', ''],
			['clientId', 'Client ID', ''],
			['clientSecret', 'Client Secret', ''],
			'webhookNotice',
			['webhookSecret', 'Webhook Secret', ''],
			['previousWebhookSecret', 'Previous Webhook Secret', ''],
			'advancedNotice',
			['apiVersion', 'API Version', 'v2'],
			['scope', 'Scope', ''],
			['audience', 'Audience', ''],
			['answerPath', 'Token Field', ''],
			['allowInsecureHttp', 'Allow Unencrypted HTTP', false],
			['allowUnauthorizedCerts', 'Ignore SSL Issues (Insecure)', false],
		]);
	});

	it('the fields hold the token in hidden ones, of which n8n watches exactly one', () => {
		const own = credential.properties.filter(({ type }) => type === 'hidden');
		expect(own.map(({ name }) => name)).toEqual(hidden);
		expect(own.filter(({ typeOptions }) => typeOptions?.expirable === true)).toHaveLength(1);
		expect(own[0]).toMatchObject({
			name: 'tokenState',
			default: '',
			typeOptions: { expirable: true },
		});
	});

	it.each(['clientSecret', 'webhookSecret', 'previousWebhookSecret', 'accessToken', 'tokenOwner'])(
		'the fields show %s to nobody',
		(name) => {
			const field = credential.properties.find((property) => property.name === name);
			expect(field?.typeOptions?.password).toBe(true);
		},
	);

	it('the fields of the credential have no declared test, which n8n would prefer to the one of the nodes', () => {
		expect('test' in credential).toBe(false);
	});
});

describe('preAuthentication', () => {
	it('exchanges the client for a token and returns what n8n is to store', async () => {
		const { helper, requests } = host({
			body: { access_token: 'synthetic-token', expires_in: 3600 },
		});
		const output = await credential.preAuthentication.call(helper, newFields());
		expect(Object.keys(output)).toEqual(hidden);
		expect(output).toMatchObject({ accessToken: 'synthetic-token' });
		expect(requests).toHaveLength(1);
		expect(requests[0]).toMatchObject({
			method: 'POST',
			url: 'https://auth.example.com/auth/app-oauth',
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
			body: `grant_type=client_credentials&client_id=client-${clients}&client_secret=synthetic-secret-0001`,
		});
	});

	it('turns every failure into a text that n8n shows as it is', async () => {
		const { helper } = host({ statusCode: 401, body: { error: 'invalid_client' } });
		const error = await thrown(() => credential.preAuthentication.call(helper, newFields()));
		expect(error).toBeInstanceOf(UserError);
		expect(error).toMatchObject({
			message:
				'The authorization server does not accept the client ID and secret (invalid_client), status 401.',
			description:
				'Check Client ID and Client Secret in the credential. Your service provider issues them.',
		});
	});

	it('says which field is missing, without a request', async () => {
		const { helper, requests } = host({});
		const error = await thrown(() =>
			credential.preAuthentication.call(helper, { ...newFields(), clientSecret: '' }),
		);
		expect(error).toMatchObject({ message: 'The Client Secret is empty.' });
		expect(requests).toEqual([]);
	});

	it('lets nothing of the request out with an error of the connection', async () => {
		const failure = Object.assign(new Error('synthetic-secret-0001'), {
			code: 'ENOTFOUND',
			config: { data: 'client_secret=synthetic-secret-0001' },
		});
		const error = await thrown(() =>
			credential.preAuthentication.call(host(failure).helper, newFields()),
		);
		expect(error).toMatchObject({ message: 'The host auth.example.com was not found.' });
		expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(
			'synthetic-secret',
		);
		expect((error as Error).cause).toBeUndefined();
	});
});

describe('authenticate', () => {
	it('puts the stored token on a request to the tenant', async () => {
		const { helper } = host({ body: { access_token: 'synthetic-token' } });
		const fields = newFields();
		const stored = await credential.preAuthentication.call(helper, fields);
		const options = await credential.authenticate(
			{ ...fields, ...stored },
			{ url: 'https://tenant.example.com/x' },
		);
		expect(options.headers).toEqual({ Authorization: 'Bearer synthetic-token' });
	});

	it('refuses other hosts with a text that n8n shows as it is', async () => {
		const error = await thrown(() =>
			credential.authenticate(newFields(), { url: 'https://other.example.com/' }),
		);
		expect(error).toBeInstanceOf(UserError);
		expect(error).toMatchObject({
			description:
				'Use this credential only for URLs that begin with Tenant API URL. Its token is sent nowhere else.',
		});
	});
});
