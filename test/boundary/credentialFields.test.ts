import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { MemoryHost } from '../host/memoryHost';
import type { DeepPartial, Switches } from '../reference-service';
import { diagnose, hostWith, list, tokenRequests } from './listedHost';

describe('Ignore SSL Issues', () => {
	const selfSigned = async () => {
		const host = await hostWith({ users: 3 });
		const url = `${host.url}.self-signed`;
		host.network.add(url, host.service, { selfSigned: true });
		const use = (allowUnauthorizedCerts: boolean) =>
			host.credential({ authUrl: url, baseUrl: url, allowUnauthorizedCerts });
		return { host, use };
	};

	it.each([
		[false, 'No secure connection', 'Error'],
		[true, undefined, 'OK'],
	])(
		'decides for the exchange, lists and the connection test: %p',
		async (allows, failure, status) => {
			const { host, use } = await selfSigned();
			host.credentials.put('one', use(allows));
			const { error, items } = await list(host);
			if (failure === undefined) expect(items).toHaveLength(3);
			else expect(error?.message).toContain(failure);
			expect((await host.testConnection(use(allows))).status).toBe(status);
			const { finding } = await diagnose(host);
			expect(finding('usersReadable')?.observed === true).toBe(allows);
		},
	);

	it('is set for both request helpers of n8n, as the HTTP Request node uses them', async () => {
		const { host, use } = await selfSigned();
		host.credentials.put('one', use(true));
		await list(host);
		const fields = host.credentials.peek('one');
		const url = `${host.url}.self-signed/x`;
		const insecure = { skipSslCertificateValidation: true, rejectUnauthorized: false };
		const api = new VisitorServiceApi();
		const authorized = (change = {}) =>
			host.during(async () => await api.authenticate({ ...fields, ...change }, { url }));
		expect(await authorized()).toMatchObject(insecure);
		const strict = await authorized({ allowUnauthorizedCerts: false });
		expect(strict).not.toHaveProperty('rejectUnauthorized');
	});
});

describe('Scope and Audience', () => {
	it.each([
		[{}, []],
		[{ scope: 'read:users', audience: ' ' }, ['scope']],
		[{ scope: 'a b', audience: 'api' }, ['scope', 'audience']],
	])('of %j are sent after the documented fields, only if set', async (change, names) => {
		const bodies: string[] = [];
		const httpRequest = async ({ body }: IHttpRequestOptions) => {
			bodies.push(body as string);
			return await Promise.resolve({ statusCode: 200, headers: {}, body: { token: 'synthetic' } });
		};
		await new VisitorServiceApi().preAuthentication.call(
			{ helpers: { httpRequest } },
			new MemoryHost().credential(change),
		);
		expect([...new URLSearchParams(bodies[0]).keys()]).toEqual([
			'grant_type',
			'client_id',
			'client_secret',
			...names,
		]);
	});
});

it.each(['clientId', 'clientSecret', 'answerPath', 'scope', 'audience'])(
	'a token is not used any more if %s was changed',
	async (field) => {
		const host = new MemoryHost();
		await list(host);
		const fields = host.credentials.peek('one');
		host.credentials.put('one', { ...fields, [field]: 'another' });
		await list(host);
		expect(tokenRequests(host).length).toBeGreaterThan(1);
	},
);

describe('A token that n8n wants to have replaced after an error', () => {
	const held = async (token: DeepPartial<Switches['token']> = {}) => {
		const host = new MemoryHost({ switches: { token } });
		await list(host);
		const fields = host.credentials.peek('one');
		const helpers = { httpRequest: host.network.httpRequest.bind(host.network) };
		const renewed = async () =>
			await host.during(
				async () => await new VisitorServiceApi().preAuthentication.call({ helpers }, fields),
			);
		return { fields, host, renewed };
	};

	it('is replaced although the same text was issued again meanwhile', async () => {
		const { fields, host, renewed } = await held({ response: { template: { token: 'one-text' } } });
		host.time.pass(10_000);
		expect((await renewed()).accessToken).toBe(fields.accessToken);
		host.service.set({ token: { response: { template: { token: 'other-text' } } } });
		expect((await renewed()).accessToken).toBe('other-text');
	});

	it('is kept while it is younger than ten seconds, and replaced later', async () => {
		const { fields, host, renewed } = await held();
		expect((await renewed()).accessToken).toBe(fields.accessToken);
		host.time.pass(10_000);
		expect((await renewed()).accessToken).not.toBe(fields.accessToken);
	});
});

describe('the connection test', () => {
	const tested = async (switches: DeepPartial<Switches> = {}, change = {}) => {
		const host = await hostWith({ users: 3 }, { switches });
		const { message, status } = await host.testConnection(host.credential(change));
		return { host, message, status, requests: host.service.requests };
	};

	it('gets a token that lists use from then on, because theirs may have ended by it', async () => {
		const host = await hostWith({}, { switches: { token: { revokePrevious: true } } });
		await list(host);
		host.time.pass(60_000);
		await host.testConnection();
		expect((await list(host)).error).toBeUndefined();
		expect(tokenRequests(host)).toHaveLength(2);
	});

	it.each([200, 400])('quotes the service, but for secrets: %d', async (status) => {
		const failWith = async (message: string) =>
			await tested({ list: { force: { status, body: { error: { message } } } } });
		const { host, message } = await failWith('bad sort');
		expect(message).toContain('"bad sort"');
		expect((await failWith(`bad ${host.service.clientSecret}`)).message).not.toContain('said');
		const token = 'a-synthetic-token';
		const invalid = { status: 400, body: { template: { message: `bad ${token}` } } };
		const response = { template: { token } };
		const { message: shown } = await tested({ token: { response }, authorization: { invalid } });
		expect(shown).toContain('status 400');
		expect(shown).not.toContain('said');
	});

	it('makes a fresh exchange and one cheap list call', async () => {
		const { message, requests, status } = await tested({}, { accessToken: 'stored' });
		expect([status, message]).toEqual([
			'OK',
			'Connection successful: a token was issued and users can be read.',
		]);
		expect(requests.map(({ url }) => url)).toEqual([
			'/auth/app-oauth',
			'/api/external/v2/users?page=0&pageSize=1',
		]);
	});

	it.each<[string, DeepPartial<Switches>, object, RegExp]>([
		['a log-in page', { list: { force: 'html' } }, {}, /a web page instead of a list/],
		['a rejection', { list: { force: { status: 403 } } }, {}, /is not allowed to read .* Scope/],
		['an error with 200', { list: { force: 'errorObject200' } }, {}, /Something went wrong/],
		[
			'a wrong secret',
			{},
			{ clientSecret: 'other' },
			/\(invalid_client\), status 401\. Check Client/,
		],
		[
			'another version',
			{ list: { apiVersions: [] } },
			{},
			/nothing at .*v2\/users \(status 404\)\. Check Tenant API URL/,
		],
		[
			'another server',
			{ token: { force: { status: 404 } } },
			{},
			/no token endpoint at .*, status 404\. Check Authorization Server URL/,
		],
		[
			'no token',
			{ token: { response: { template: { token_type: 'Bearer' } } } },
			{},
			/holds no access token\. Set Token Field/,
		],
		['a redirect', { token: { redirectTo: 'https://x.test' } }, {}, /redirects the token request/],
		[
			'an outage',
			{ outage: { status: 503 } },
			{},
			/failed to process the token request, status 503/,
		],
	])('says what is wrong and what to do: %s', async (_, switches, change, text) => {
		const { host, message, status } = await tested(switches, change);
		expect(status).toBe('Error');
		expect(message).toMatch(text);
		expect(message).toMatch(/^(The|This) .*\. [A-Z].*\.$/);
		expect(message).not.toContain(host.service.clientSecret);
	});

	it.each(['x', 'client', 'secret', 'invalid_client', 'Check Client ID and Client Secret'])(
		'says that the client is wrong, as lists and Diagnose do, whatever the secret is: %s',
		async (clientSecret) => {
			const { host, message } = await tested({}, { clientSecret });
			const text =
				'The authorization server does not accept the client ID and secret (invalid_client), status 401.';
			expect(message).toContain(text);
			host.credentials.put('one', host.credential({ clientSecret }));
			expect((await list(host)).error?.message).toBe(text);
			expect((await diagnose(host)).finding('tokenExchange')?.meaning).toContain(text);
		},
	);

	it('quotes an error in the charset that the service names', async () => {
		const host = await hostWith({});
		host.network.intercept(async (options, send) => {
			if (!options.url.includes('/api/')) return await send(options);
			const bytes = Buffer.from('{"error":"Zoë"}', 'latin1');
			const headers = { 'content-type': 'application/json; charset=iso-8859-1' };
			const body = options.encoding === 'text' ? bytes.toString() : bytes;
			return { statusCode: 400, headers, body };
		});
		expect((await host.testConnection()).message).toContain('"Zoë"');
	});

	it('has n8n close a connection that hangs, as its helper takes no signal', async () => {
		const host = await hostWith({}, { switches: { list: { force: 'hang' } } });
		const sent = jest.spyOn(host.network, 'request');
		const startedAt = host.time.now();
		expect((await host.testConnection()).message).toContain('did not respond in time');
		const waited = host.time.now() - startedAt;
		const times = sent.mock.calls.map(([{ timeout = Infinity }]) => timeout);
		expect(Math.max(...times)).toBeLessThanOrEqual(waited);
	});

	it('tries again if that may help, but not for long', async () => {
		expect((await tested({ token: { force: { status: 503 } } })).requests).toHaveLength(2);
		const passing = { token: { faults: ['reset' as const] }, list: { faults: [{ status: 503 }] } };
		expect(await tested(passing)).toMatchObject({ status: 'OK' });
	});

	it.each<DeepPartial<Switches['list']>>([
		{ force: { status: 200, body: { a: [{ id: 1 }], b: [{ id: 2 }] } } },
		{ envelope: { template: { odd: { place: '{records}' } } } },
		{ force: { status: 204, body: '' } },
	])('leaves it to the options of the node where the list is, or none: %j', async (lists) => {
		expect((await tested({ list: lists })).status).toBe('OK');
	});
});

it.each([
	['user', /^Check Tenant API URL and API Version in the credential\./],
	['company', /^Check Path Segment in the node\. If List Users fails too: Check Tenant API URL/],
])('404 to the list of a %s names the setting to look at', async (resource, remedy) => {
	const host = new MemoryHost();
	host.service.set({ list: { force: { status: 404 } } });
	const { error } = await list(host, { resource, pathSegment: 'companies' });
	expect(error?.description).toMatch(remedy);
});

it.each([
	[{ webhookSecret: 'fifteen-letters' }, ['Webhook Secret']],
	[{ webhookSecret: 'undefined' }, ['Webhook Secret']],
	[
		{ webhookSecret: 'x', previousWebhookSecret: 'y' },
		['Webhook Secret', 'Previous Webhook Secret'],
	],
	[{ webhookSecret: 'sixteen-letters.', previousWebhookSecret: 'ü'.repeat(8) }, []],
])('a short webhook secret fails the test of the credential: %j', async (secrets, labels) => {
	const host = await hostWith({ users: 3 });
	const urls = { authUrl: '', baseUrl: '', clientId: '', clientSecret: '' };
	for (const change of [secrets, { ...secrets, ...urls }]) {
		const { status, message } = await host.testConnection(host.credential(change));
		expect(status).toBe(labels.length === 0 ? 'OK' : 'Error');
		const named = /The (?:Previous )?Webhook Secret has fewer than 16 bytes/g;
		expect(message.match(named) ?? []).toEqual(
			labels.map((label) => `The ${label} has fewer than 16 bytes`),
		);
	}
});

describe('a credential for webhooks alone', () => {
	it.each([
		[{}, 'OK', 'The webhook secret is set.'],
		[{ webhookSecret: '' }, 'Error', 'The Authorization Server URL is empty.'],
		[{ clientId: 'client' }, 'Error', 'The Authorization Server URL is empty.'],
	])('needs no other value, so that its test passes: %j', async (set, status, message) => {
		const host = await hostWith({});
		const values = { authUrl: '', baseUrl: '', clientId: '', clientSecret: '' };
		const tested = await host.testConnection({
			...values,
			webhookSecret: 'sixteen-letters.',
			...set,
		});
		expect(tested.status).toBe(status);
		expect(tested.message).toContain(message);
		expect(tokenRequests(host)).toEqual([]);
	});
});

it.each<[ICredentialDataDecryptedObject, string]>([
	[{ authUrl: { a: 1 } }, 'Authorization Server URL'],
	[{ clientId: Infinity }, 'Client ID'],
	[{ scope: { a: 1 } }, 'Scope'],
	[{ audience: { a: 1 } }, 'Audience'],
	[{ answerPath: true }, 'Token Field'],
])('a value of another kind says where to set it: %j', async (change, label) => {
	const host = await hostWith({ users: 1 });
	host.credentials.put('one', host.credential(change));
	const { error } = await list(host);
	expect(JSON.stringify(error)).toContain(`${label} in the credential`);
});
