import './ssrfProtection';

import { type AddressInfo, createServer } from 'node:net';
import type { DeepPartial, Switches } from '../reference-service';
import { credentialFor, Process, seenBy, tenants } from './tenants';

const start = tenants();

async function setUp(switches: DeepPartial<Switches> = {}) {
	const service = await start({ switches });
	await service.seed('users', 3);
	return {
		service,
		test: async (change = {}) => await new Process().test(credentialFor(service, change)),
	};
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

beforeEach(() => {
	const { random } = Math;
	jest.spyOn(Math, 'random').mockImplementation(() => random() / 1000);
});

afterEach(() => {
	jest.restoreAllMocks();
});

describe('a test of the credential', () => {
	it('makes a fresh exchange and one cheap list call', async () => {
		const { service, test } = await setUp();
		expect(await test()).toEqual({
			status: 'OK',
			message: 'Connection successful: a token was issued and users can be read.',
		});
		expect(service.requests.map(({ url, form }) => [url, Object.keys(form ?? {})])).toEqual([
			['/auth/app-oauth', ['grant_type', 'client_id', 'client_secret']],
			['/api/external/v2/users?page=0&pageSize=1', []],
		]);
		await test({ accessToken: 'stored', tokenState: 'valid' });
		expect(seenBy(service)).toEqual({ exchanges: 2, lists: { 200: 2 } });
	});

	it('shares its token with the workflows of the process, whose own token the service may have revoked', async () => {
		const service = await start({ switches: { token: { revokePrevious: true } } });
		await service.seed('users', 3);
		const process = new Process();
		const used = process.store.add(credentialFor(service), 'one');
		expect((await process.list(used)).error).toBeUndefined();
		expect(await process.test(process.store.peek('one'))).toMatchObject({ status: 'OK' });
		expect((await process.list(used)).error).toBeUndefined();
		expect(seenBy(service)).toEqual({ exchanges: 2, lists: { 200: 3, 401: 1 } });
	});

	it.each<[string, DeepPartial<Switches>, object, string]>([
		[
			'a wrong secret',
			{},
			{ clientSecret: 'other' },
			'does not accept the client ID and secret (invalid_client), status 401. Check Client ID',
		],
		[
			'no tenant URL',
			{},
			{ baseUrl: 'tenant' },
			'The Tenant API URL does not begin with https://.',
		],
		[
			'plain http',
			{},
			{ baseUrl: 'http://tenant.example.com' },
			'The Tenant API URL is plain http',
		],
		[
			'another version',
			{},
			{ apiVersion: 'v9' },
			'The service has nothing at /api/external/v9/users (status 404). Check Tenant API URL and API Version in the credential',
		],
		[
			'no permission',
			{ authorization: { permission: 'none' } },
			{},
			'This client ID is not allowed to read /api/external/v2/users (status 403).',
		],
		['no token', { token: { answer: 'noToken' } }, {}, 'holds no access token. Set Token Field'],
		[
			'a redirect',
			{ token: { redirectTo: 'http://127.0.0.1:9/' } },
			{},
			'redirects the token request',
		],
		[
			'a redirect of the tenant',
			{ list: { redirectTo: 'http://127.0.0.1:9' } },
			{},
			'is not followed (status 307). Set Tenant API URL',
		],
		[
			'an outage',
			{ outage: { status: 503 } },
			{},
			'failed to answer the token request, status 503.',
		],
	])('says what is wrong: %s', async (_, switches, change, text) => {
		const { service, test } = await setUp(switches);
		const { status, message } = await test(change);
		expect(status).toBe('Error');
		expect(message).toContain(text);
		expect(message).toMatch(/^(The|This) .*\. [A-Z].*\.$/);
		expect(message).not.toContain(service.clientSecret);
	});

	it('tells a wrong authorization URL from a wrong tenant URL', async () => {
		const { service, test } = await setUp();
		const wrong = `${service.url}/wrong`;
		expect((await test({ authUrl: wrong })).message).toBe(
			'The authorization server has no token endpoint at /auth/app-oauth, status 404. Check Authorization Server URL in the credential.',
		);
		expect((await test({ baseUrl: wrong })).message).toContain(
			'The service has nothing at /wrong/api/external/v2/users (status 404). Check Tenant API URL',
		);
	});

	it.each([
		['authUrl', 'Authorization Server URL'],
		['baseUrl', 'Tenant API URL'],
	])('says that nothing listens at the %s', async (field, label) => {
		const { test } = await setUp();
		const host = `127.0.0.1:${await closedPort()}`;
		expect((await test({ [field]: `http://${host}` })).message).toBe(
			`${host} refused the connection. Check host and port of the ${label} in the credential, and that the service is running.`,
		);
	});

	it.each([
		['a private address', 'http://127.0.0.2:9', '127.0.0.2:9'],
		['a blocked name', 'https://blocked.example', 'blocked.example'],
	])("says that n8n's SSRF protection blocks %s", async (_, address, host) => {
		const { test } = await setUp();
		for (const [field, label] of [
			['authUrl', 'Authorization Server URL'],
			['baseUrl', 'Tenant API URL'],
		] as const) {
			expect(await test({ [field]: address })).toEqual({
				status: 'Error',
				message: `n8n's SSRF protection does not allow requests to ${host}. If the ${label} is right, ask the administrator of n8n to add the host to the allowed ones.`,
			});
		}
	});

	it('says that a host does not exist', async () => {
		const { test } = await setUp();
		const { message } = await test({ authUrl: 'https://no-such-host.invalid' });
		expect(message).toBe(
			'The host no-such-host.invalid was not found. Check the spelling of the Authorization Server URL in the credential.',
		);
	});

	it('keeps to Allowed Domains', async () => {
		const { service, test } = await setUp();
		const restricted = { allowedHttpRequestDomains: 'domains', allowedDomains: '*.example.com' };
		expect((await test(restricted)).message).toContain(
			'The credential does not allow requests to 127.0.0.1. Add 127.0.0.1 to Allowed Domains',
		);
		expect(service.requests).toEqual([]);
		expect(await test({ ...restricted, allowedDomains: '127.0.0.1' })).toMatchObject({
			status: 'OK',
		});
	});

	it('tries again if that may help, but not for long', async () => {
		const { service, test } = await setUp({ token: { force: { status: 503 } } });
		await test();
		expect(seenBy(service).exchanges).toBe(2);
		service.set({
			token: { force: 'none', faults: ['reset'] },
			list: { faults: [{ status: 503 }] },
		});
		expect(await test()).toMatchObject({ status: 'OK' });
	});

	it('a test of the credential is content with any list, or none: where it stands is for the node to say', async () => {
		const { test } = await setUp({
			list: { envelope: { template: { odd: { place: '{records}' } } } },
		});
		expect(await test()).toMatchObject({ status: 'OK' });
		const { test: empty } = await setUp({
			list: { emptyAs: 'noContent', force: { status: 204, body: '' } },
		});
		expect(await empty()).toMatchObject({ status: 'OK' });
	});
});
