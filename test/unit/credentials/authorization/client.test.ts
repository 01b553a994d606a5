import {
	readApiUrl,
	readClient,
	readTenantUrl,
	readWebhookSecrets,
} from '../../../../credentials/authorization/client';
import { thrownFailure } from '../thrownFailure';

const fields = {
	authUrl: 'https://auth.example.com/',
	baseUrl: ' https://tenant.example.com/ ',
	clientId: 'client',
	clientSecret: 'secret',
};

describe('readClient', () => {
	it('reads the client of the credential', () => {
		expect(readClient({ ...fields, answerPath: ' data.token ' })).toMatchObject({
			authUrl: 'https://auth.example.com',
			clientId: 'client',
			clientSecret: 'secret',
			answerPath: 'data.token',
		});
	});

	it('drops spaces around the ID, none of the secret', () => {
		const client = readClient({ ...fields, clientId: ' client\n', clientSecret: ' s e\n' });
		expect(client).toMatchObject({ clientId: 'client', clientSecret: ' s e\n' });
	});

	it.each([
		['clientId', 'Client ID'],
		['clientSecret', 'Client Secret'],
		['authUrl', 'Authorization Server URL'],
	])('names %s where it is missing', async (name, label) => {
		for (const value of ['', '  ', undefined, null]) {
			const { message, remedy, kind } = await thrownFailure(() =>
				readClient({ ...fields, [name]: value }),
			);
			expect(message).toBe(`The ${label} is empty.`);
			expect(remedy).toContain(label);
			expect(kind).toBe('configuration');
		}
	});
});

describe('readClient, if an expression returns another type', () => {
	it('takes a number for the text it is written as', () => {
		const client = { ...fields, clientId: 47, clientSecret: 11, answerPath: 0 };
		expect(readClient(client)).toMatchObject({
			clientId: '47',
			clientSecret: '11',
			answerPath: '0',
		});
	});

	it.each([
		['clientId', 'The Client ID must be text.'],
		['clientSecret', 'The Client Secret must be text.'],
		['answerPath', 'The Token Field must be text.'],
		['authUrl', 'The Authorization Server URL must be text.'],
		['allowInsecureHttp', 'The Allow Unencrypted HTTP must be true or false.'],
	])('refuses %s by its name on the screen if it is an object or a list', async (name, message) => {
		for (const value of [{}, { a: 1 }, ['a', 'b']]) {
			const failure = await thrownFailure(() => readClient({ ...fields, [name]: value }));
			expect(failure).toMatchObject({ message, kind: 'configuration' });
		}
	});
});

describe('readWebhookSecrets', () => {
	it.each([
		[{}, ['', '']],
		[{ webhookSecret: ' a ', previousWebhookSecret: 4711 }, [' a ', '4711']],
	])('reads the secrets of webhooks as any other text: %j', (given, secrets) => {
		expect(readWebhookSecrets(given)).toEqual(secrets);
	});

	it('refuses a secret that is not text, so that no webhook passes without it', async () => {
		const failure = await thrownFailure(() => readWebhookSecrets({ webhookSecret: ['a'] }));
		expect(failure.message).toBe('The Webhook Secret must be text.');
	});
});

describe('readApiUrl', () => {
	it.each([
		[{}, 'https://tenant.example.com/api/external/v2'],
		[{ apiVersion: '' }, 'https://tenant.example.com/api/external/v2'],
		[{ apiVersion: ' v3 ' }, 'https://tenant.example.com/api/external/v3'],
		[{ apiVersion: '2026-11' }, 'https://tenant.example.com/api/external/2026-11'],
		[{ apiVersion: 'v2.1' }, 'https://tenant.example.com/api/external/v2.1'],
		[{ apiVersion: 2 }, 'https://tenant.example.com/api/external/2'],
		[{ baseUrl: 'https://example.com/a/' }, 'https://example.com/a/api/external/v2'],
	])('builds the API URL for the fields %j: %s', (change, expected) => {
		expect(readApiUrl({ ...fields, ...change })).toBe(expected);
	});

	it.each([undefined, false, '', 'false', 'True ', 'true', true])(
		'accepts plain http only if the credential allows it: %j',
		async (allowInsecureHttp) => {
			const plain = { ...fields, baseUrl: 'http://tenant.example.com', allowInsecureHttp };
			const read = () => readApiUrl(plain);
			if (/true/i.test(String(allowInsecureHttp))) {
				expect(read()).toBe('http://tenant.example.com/api/external/v2');
			} else {
				expect((await thrownFailure(read)).kind).toBe('configuration');
			}
		},
	);

	it.each(['v2/users', '/v2', '..', '.', 'v2?x', 'v 2', 'v2#', '%2e%2e', 'v2\\x'])(
		'refuses the version %j',
		async (apiVersion) => {
			const failure = await thrownFailure(() => readApiUrl({ ...fields, apiVersion }));
			expect(failure.message).toBe('The API Version is not a single path segment.');
		},
	);
});

describe('Allowed Domains', () => {
	const restricted = (allowedDomains: unknown) => ({
		...fields,
		allowedHttpRequestDomains: 'domains',
		allowedDomains,
	});

	it.each([
		'*.example.com',
		['auth.example.com', ' Tenant.example.com.'],
		'auth.example.com, tenant.example.com',
		' TENANT.example.com., Auth.Example.Com',
	])('%j allows both servers', (allowed) => {
		expect(readClient(restricted(allowed)).authUrl).toBe('https://auth.example.com');
		expect(readTenantUrl(restricted(allowed))).toBe('https://tenant.example.com');
	});

	it.each([
		'example.com',
		'ample.com',
		'*.auth.example.com',
		'*.',
		'*',
		'https://auth.example.com',
		'auth.example.com:443',
		',other.example',
		4,
	])('%j allows neither', async (allowed) => {
		const client = await thrownFailure(() => readClient(restricted(allowed)));
		expect(client.message).toBe('The credential does not allow requests to auth.example.com.');
		expect(client.remedy).toBe(
			'Add auth.example.com to Allowed Domains in the credential, or correct the Authorization Server URL.',
		);
		expect(client.kind).toBe('blocked');
		const tenant = await thrownFailure(() => readTenantUrl(restricted(allowed)));
		expect(tenant.message).toContain('tenant.example.com');
		expect(tenant.remedy).toContain('Tenant API URL');
	});

	it('refuses every server if Allowed Domains names none', async () => {
		for (const empty of ['', ' ', undefined, ' , ', []]) {
			const failure = await thrownFailure(() => readTenantUrl(restricted(empty)));
			expect(failure.message).toBe('The credential does not allow requests to tenant.example.com.');
		}
	});

	it.each(['all', 'none', undefined])(
		'restricts no request of the node if the domain mode is %s',
		(mode) => {
			const open = { ...restricted('other.example'), allowedHttpRequestDomains: mode };
			expect(readTenantUrl(open)).toBe('https://tenant.example.com');
		},
	);
});
