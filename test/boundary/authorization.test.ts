import {
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	UserError,
} from 'n8n-workflow';

import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { MemoryHost } from '../host/memoryHost';
import { PublishedWorkflow } from '../host/publishedWorkflow';
import fc from '../properties';
import type { Fault } from '../reference-service';

const TOKEN = 'synthetic-token-0001';
const SECRET = 'synthetic-secret-0001';
const OTHER = 'https://other.example.com';

interface TokenResponse {
	statusCode?: number;
	headers?: Record<string, string>;
	body?: unknown;
}

/** What the credential makes of a response to its token request: what it stores, or an error. */
async function exchange({ body, ...response }: TokenResponse = {}, change: object = {}) {
	const host = new MemoryHost();
	const sent: IHttpRequestOptions[] = [];
	const text = typeof body === 'string' ? body : JSON.stringify(body ?? { access_token: TOKEN });
	const httpRequest = async (options: IHttpRequestOptions) => {
		sent.push(options);
		const whole = { statusCode: 200, headers: {}, ...response, body: Buffer.from(text) };
		return await Promise.resolve(whole);
	};
	const fields = host.credential({ clientSecret: SECRET, ...change });
	const renew = async () =>
		await new VisitorServiceApi().preAuthentication.call({ helpers: { httpRequest } }, fields);
	const startedAt = host.time.now();
	const { stored, error } = await outcomeOf(async () => await host.during(renew));
	return { host, fields, stored, error, sent, waited: host.time.now() - startedAt };
}

async function outcomeOf<T>(work: () => Promise<T>) {
	try {
		return { stored: await work() };
	} catch (error) {
		if (!(error instanceof UserError)) throw error;
		return { error: { message: error.message, remedy: error.description ?? '' } };
	}
}

/** What a user reads. */
async function rejection(response: TokenResponse, change = {}) {
	const { error } = await exchange(response, change);
	if (error === undefined) throw new Error('A token was stored.');
	return error;
}

const tokenIn = async (body: unknown, change = {}) =>
	(await exchange({ body }, change)).stored?.accessToken;

describe('the response of the authorization server', () => {
	it.each<[unknown]>([
		[{ access_token: TOKEN, token_type: 'Bearer', expires_in: 3600 }],
		[{ 'access-token': TOKEN }],
		[{ ACCESS_TOKEN: TOKEN }],
		[{ AuthToken: TOKEN }],
		[{ token: TOKEN, token_type: 'BEARER' }],
		[{ jwt: TOKEN }],
		[{ data: { accessToken: TOKEN } }],
		[{ token: { access_token: TOKEN } }],
		[[{ access_token: TOKEN }]],
		[{ access_token: `Bearer ${TOKEN}` }],
		[{ access_token: ` ${TOKEN}\n` }],
		...[null, '', 'BearerToken', 'Bearer ', 'bearer_token', 'JWT', 'access_token'].map(
			(token_type): [unknown] => [{ access_token: TOKEN, token_type }],
		),
		[{ access_token: TOKEN, token_type: '\n'.repeat(100_000) }],
		[{ token_type: 'MAC', data: { access_token: TOKEN, token_type: 'Bearer' } }],
		[{ session: { id_token: 'other' }, oauth: { access_token: TOKEN } }],
		[{ user: { token: 'other' }, auth: { access_token: TOKEN } }],
		[{ refresh: { token: 'other' }, access: { token: TOKEN } }],
		[{ jwt: 'other', access_token: TOKEN }],
		[{ session: { access_token: 'other' }, token: TOKEN }],
		[{ access_token: TOKEN, request: { token: 'other' } }],
		...[null, '', false, 0, {}, [], 'none', 'No errors', { code: 0, message: null }].map(
			(error): [unknown] => [{ access_token: TOKEN, error }],
		),
		[{ access_token: TOKEN, error: { code: 200, message: 'OK' } }],
		[{ data: { token: TOKEN }, error: { count: 0 } }],
		[{ access_token: TOKEN, error: { code: 7 } }],
	])('holds the token: %j', async (body) => {
		expect(await tokenIn(body)).toBe(TOKEN);
	});

	it.each([TOKEN, 'sixteen-letters.', 'a0.b~c+d/e_f-g=='])(
		'may be the token, as a JSON string of 16 characters or more: %s',
		async (token) => {
			expect(await tokenIn(token)).toBeUndefined();
			expect(await tokenIn(JSON.stringify(token))).toBe(token);
			expect(await tokenIn([token])).toBeUndefined();
		},
	);

	it.each([
		['data.value', { data: { value: TOKEN }, access_token: 'other' }],
		[' secrets.0.value ', { secrets: [{ value: TOKEN }] }],
		['a.b', { 'a.b': TOKEN }],
		['secret.key', { error: { code: 7 }, secret: { key: TOKEN } }],
		[0, [TOKEN]],
	])('holds the token at the Token Field %s', async (answerPath, body) => {
		expect(await tokenIn(body, { answerPath })).toBe(TOKEN);
		expect((await rejection({ body }, { answerPath: 'x' })).message).toMatch(
			/ at the dot path in Token Field\.$|rejected the request/,
		);
	});

	it.each([
		[3600, 3_582_000],
		['3600', 3_582_000],
		[86_400, 86_370_000],
		// A second at least, as far as the token is not over by then.
		[300, 298_500],
		[100, 99_000],
		[4, 3000],
		[1, 1000],
		[0.5, 1000],
		[0, 0],
		[-1, 0],
		['soon', 0],
		[null, 0],
		// As milliseconds would be.
		[36_000_000, 0],
	])('with expires_in %j lets the token be renewed after %d ms', async (expires_in, time) => {
		for (const body of [
			{ access_token: TOKEN, expires_in },
			{ data: { access_token: TOKEN }, expires_in },
		]) {
			const { stored, host } = await exchange({ body });
			expect(stored).toMatchObject({
				issuedAt: host.time.now(),
				renewAt: time === 0 ? 0 : host.time.now() + time,
			});
		}
	});

	it.each<[unknown, string]>([
		...['<!doctype html>Sign in', '{"access_token":"synth', 'Unauthorized', TOKEN].map(
			(text): [string, string] => [text, 'responded with text instead of JSON'],
		),
		...[
			'"Unauthorized"',
			'"fifteen-letters"',
			'"sixteen letters."',
			'"You are not allowed to sign in."',
		].map((text): [string, string] => [text, 'responded with a JSON text that is not a token']),
		...[
			'',
			'null',
			42,
			true,
			[],
			{},
			{ a: { b: { access_token: TOKEN } } },
			{ id_token: TOKEN },
		].map((body): [unknown, string] => [body, 'holds no access token.']),
		...[null, '', 42, [TOKEN]].map((access_token): [unknown, string] => [
			{ access_token },
			'holds no access token.',
		]),
		...['two words', 'line\nbreak', 'tökén', 'Bearer ', '=', '={{ 1 }}', 'Bearer ={{ 1 }}'].map(
			(access_token): [unknown, string] => [{ access_token }, 'cannot be sent'],
		),
		...['MAC', 'N_A', 'DPoP'].flatMap(
			(type): Array<[unknown, string]> => [
				[{ access_token: TOKEN, token_type: type }, 'not of the type Bearer'],
				[{ 'Token-Type': type, data: { access_token: TOKEN } }, 'not of the type Bearer'],
			],
		),
		...['something_else', 'constructor', { code: 7 }, true, 1, { token: 'x', code: 7 }].map(
			(error): [unknown, string] => [{ error }, 'rejected the request instead of issuing a token'],
		),
		[{ access_token: '', error: { code: 7 } }, 'rejected the request instead of issuing a token'],
	])('is rejected: %j %s', async (body, what) => {
		const { message, remedy } = await rejection({ body });
		expect(message).toContain(what);
		expect(remedy).toMatch(/^(Set Token Field|Check (the Auth|Client ID)|Ask your service)/);
	});

	it.each([
		[{ session: 'x', expires_in: 5 }, 'session, expires_in'],
		[{ login: { session: 'x' }, 'a@b.test': 1 }, 'login.session'],
		[{ [SECRET]: 1, [`x${SECRET}x`]: 2, secret: 3, other: 4 }, 'other'],
	])('has the fields of %j named, but for what may be of the secret', async (body, seen) => {
		expect((await rejection({ body })).remedy).toBe(
			`Set Token Field in the credential to the dot path of the access token. Fields seen: ${seen}.`,
		);
	});

	it('is not shown if it echoes the request', async () => {
		const form = `grant_type=client_credentials&client_secret=${SECRET}`;
		const echoes = [
			{ request: { client_secret: SECRET } },
			{ [form]: '' },
			{ [Buffer.from('synthetic').toString('hex')]: '' },
			form,
			{ access_token: `${SECRET} ${SECRET}` },
			{ [SECRET]: { access_token: 'two words' } },
			{ token_type: SECRET, access_token: TOKEN },
			{ error: SECRET, error_description: SECRET },
		];
		for (const body of echoes)
			for (const statusCode of [200, 400])
				expect(JSON.stringify(await rejection({ statusCode, body }))).not.toMatch(
					/synthetic|73796e/,
				);
	});

	it('leads to a token that can be sent, or to an error, whatever comes', async () => {
		const property = fc.asyncProperty(
			fc.jsonValue({ maxDepth: 4 }),
			fc.string(),
			async (body, answerPath) => {
				const { stored, error } = await exchange({ body: JSON.stringify(body) }, { answerPath });
				if (error === undefined)
					expect(stored?.accessToken).toMatch(/^[\x21-\x3c\x3e-\x7e][\x21-\x7e]*$/);
			},
		);
		await fc.assert(property, { numRuns: 50 });
	});

	// RFC 6749 §5.2, in the order of the RFC.
	it.each([
		['invalid_request', 'cannot read the token request', 'Authorization Server URL'],
		['invalid_client', 'does not accept the client ID and secret', 'Client Secret'],
		['invalid_grant', 'does not accept the grant', 'is active'],
		['unauthorized_client', 'does not allow this client ID the grant', 'client_credentials'],
		['unsupported_grant_type', 'does not support client_credentials', 'Authorization Server URL'],
		['invalid_scope', 'does not know the scope of this client ID', 'scope'],
	])('says what %s means, whatever the status', async (code, what, remedy) => {
		for (const statusCode of [400, 401, 403, 200]) {
			const shown = await rejection({ statusCode, body: { error: code } });
			expect(shown.message).toBe(
				`The authorization server ${what} (${code}), status ${statusCode}.`,
			);
			expect(shown.remedy).toContain(remedy);
		}
	});

	it.each([
		[307, 'redirects the token request', 'final URL', 1],
		[400, 'rejected the token request', 'Client ID', 1],
		[401, 'does not accept the client ID and secret', 'Client Secret', 1],
		[403, 'does not allow this client ID to get a token', 'service provider', 1],
		[404, 'has no token endpoint at /auth/app-oauth', 'Authorization Server URL', 1],
		[405, 'has no token endpoint at /auth/app-oauth', 'Authorization Server URL', 1],
		[408, 'failed to process the token request', 'side of the service', 1],
		[410, 'has no token endpoint at /auth/app-oauth', 'Authorization Server URL', 1],
		[415, 'does not read form fields', 'Authorization Server URL', 1],
		[418, 'rejected the token request', 'Authorization Server URL', 1],
		[425, 'failed to process the token request', 'side of the service', 1],
		[429, 'limits the rate of token requests', 'later', 4],
		[500, 'failed to process the token request', 'side of the service', 4],
		[503, 'failed to process the token request', 'side of the service', 4],
	])('with status %d means: %s', async (statusCode, what, remedy, attempts) => {
		const { error, sent } = await exchange({ statusCode, body: `<html>${SECRET}</html>` });
		expect(error?.message).toContain(`The authorization server ${what}`);
		expect(error?.message).toContain(`status ${statusCode}.`);
		expect(error?.remedy).toContain(remedy);
		expect(JSON.stringify(error)).not.toContain(SECRET);
		expect(sent).toHaveLength(attempts);
	});

	it.each([
		[' x', 'a space at its start'],
		['x ', 'a space at its end'],
		['x\n', 'a line break at its end'],
		['x\u200b', 'a zero-width space at its end'],
	])('to the secret %j: it may be pasted', async (clientSecret, what) => {
		const hint = new RegExp(` The Client Secret has ${what}\\.$`);
		const body = { error: 'invalid_client' };
		expect((await rejection({ statusCode: 401, body }, { clientSecret })).remedy).toMatch(hint);
		expect((await rejection({ statusCode: 404, body: {} }, { clientSecret })).remedy).not.toMatch(
			hint,
		);
		expect((await rejection({ statusCode: 401, body })).remedy).not.toMatch(hint);
	});
});

describe('the token request', () => {
	it('is a form with three fields, for a response within 30 seconds', async () => {
		const { sent, fields } = await exchange({}, { clientId: ' client\n', clientSecret: ' s e\n' });
		expect(sent).toEqual([
			expect.objectContaining({
				method: 'POST',
				url: `${fields.authUrl as string}/auth/app-oauth`,
				headers: {
					Accept: 'application/json',
					'Content-Type': 'application/x-www-form-urlencoded',
				},
				body: 'grant_type=client_credentials&client_id=client&client_secret=+s+e%0A',
				timeout: 30_000,
				disableFollowRedirect: true,
			}),
		]);
	});

	it.each(['&=+%', 'äöü€\u{1f511}', '%2B%25', 'a&client_secret=b', "~!*()'.-_", '"\\\u0000\ufeff'])(
		'says the secret %j so that the server reads the same, in ASCII',
		async (clientSecret) => {
			const { sent } = await exchange({}, { clientSecret });
			const body = sent[0]?.body as string;
			expect(body).toMatch(/^[\x21-\x7e]*$/);
			expect(new URLSearchParams(body).getAll('client_secret')).toEqual([clientSecret]);
		},
	);
});

describe('the fields of the credential', () => {
	it.each([
		['clientId', 'Client ID'],
		['clientSecret', 'Client Secret'],
		['authUrl', 'Authorization Server URL'],
		['baseUrl', 'Tenant API URL'],
	])('need %s', async (name, label) => {
		for (const value of ['', '  ', undefined, null]) {
			const { message, remedy } = await rejection({}, { [name]: value });
			expect(message).toBe(`The ${label} is empty.`);
			expect(remedy).toContain(label);
		}
		for (const value of [{ a: 1 }, ['a', 'b']])
			expect((await rejection({}, { [name]: value })).message).toBe(`${label} must be text.`);
	});

	it('may be numbers, if an expression returns them', async () => {
		const { sent } = await exchange({}, { clientId: 47, clientSecret: 11 });
		expect(sent[0]?.body).toContain('client_id=47&client_secret=11');
	});

	/** Where requests of the connection test go for a URL in both fields. */
	async function urlsOf(url: unknown, change = {}) {
		const host = new MemoryHost();
		await host.service.seed('users', 3);
		const urls: string[] = [];
		jest.spyOn(host.network, 'request').mockImplementation(async (options) => {
			urls.push(options.uri);
			const body = Buffer.from(JSON.stringify({ access_token: TOKEN, data: [] }));
			return await Promise.resolve({ statusCode: 200, headers: {}, body });
		});
		const { message } = await host.testConnection(
			host.credential({ authUrl: url as string, baseUrl: url as string, ...change }),
		);
		return { urls, message };
	}

	it.each([
		['https://service.example.com///', 'https://service.example.com'],
		['HTTPS://Service.Example.COM:443', 'https://service.example.com'],
		[' https://service.example.com/tenants/a// ', 'https://service.example.com/tenants/a'],
		['https://service.example.com/Tenant%20A', 'https://service.example.com/Tenant%20A'],
		['https://münchen.example', 'https://xn--mnchen-3ya.example'],
		['https://[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
		['http://localhost:5678', 'http://localhost:5678'],
		['http://tenant.localhost', 'http://tenant.localhost'],
		['http://127.1:8080/x/', 'http://127.0.0.1:8080/x'],
		['http://[::1]:3000', 'http://[::1]:3000'],
		// What a provider's paper shows: the documented URLs, whole.
		['POST https://auth.example.com/auth/app-oauth', 'https://auth.example.com'],
		['https://gateway.example.com/b/auth/app-oauth/', 'https://gateway.example.com/b'],
		['https://a.example.com/api/external/', 'https://a.example.com'],
		['https://a.example.com/api/external/v2.1/users/7/', 'https://a.example.com'],
		['get https://a.example.com/api/external/v2/users?page=0#top', 'https://a.example.com'],
		['https://gateway.example.com/b//api/external/v2/visits', 'https://gateway.example.com/b'],
		// Paths that only look like the documented ones.
		['https://a.example.com/auth/app-oauth2', 'https://a.example.com/auth/app-oauth2'],
		['https://auth/app-oauth', 'https://auth/app-oauth'],
		['https://a.example.com/api/externals/v2', 'https://a.example.com/api/externals/v2'],
		['https://a.example.com/api/external/north', 'https://a.example.com/api/external/north'],
	])('may hold the URL %j: %s', async (url, base) => {
		const { urls } = await urlsOf(url);
		expect(urls).toEqual([`${base}/auth/app-oauth`, `${base}/api/external/v2/users`]);
	});

	it.each([
		['42', 'does not begin with https://'],
		['service.example.com', 'does not begin with https://'],
		['//service.example.com', 'does not begin with https://'],
		['ftp://service.example.com', 'does not begin with https://'],
		['https://', 'is not a valid URL'],
		['https://service.example.com:99999', 'is not a valid URL'],
		['https://service .example.com', 'is not a valid URL'],
		['https://service.example.com/a\tb', 'is not a valid URL'],
		['https://user@service.example.com', 'has a user name or password in it'],
		['https://:hunter2@service.example.com', 'has a user name or password in it'],
		['https://service.example.com/?', 'has a query or a fragment'],
		['https://service.example.com/#/login', 'has a query or a fragment'],
		['http://service.example.com', 'is plain http'],
		['http://128.0.0.1', 'is plain http'],
		['http://notlocalhost', 'is plain http'],
		['http://localhost.example.com', 'is plain http'],
		['http://127.0.0.1.example.com', 'is plain http'],
		['http://[::2]', 'is plain http'],
	])('may not hold the URL %j, which %s', async (url, what) => {
		const { urls, message } = await urlsOf(url);
		expect(urls).toEqual([]);
		expect(message).toContain(`The Authorization Server URL ${what}`);
		expect(message).not.toContain('hunter2');
		const ofTenant = await urlsOf(url, { authUrl: 'https://auth.example.com' });
		expect(ofTenant.message).toContain(`The Tenant API URL ${what}`);
	});

	it.each([undefined, false, '', 'false', 'True ', 'true', true])(
		'allow plain http only by Allow Unencrypted HTTP: %j',
		async (allowInsecureHttp) => {
			const { urls } = await urlsOf('http://a.example.com', { allowInsecureHttp });
			expect(urls).toHaveLength(/true/i.test(String(allowInsecureHttp)) ? 2 : 0);
			const { message } = await urlsOf('http://a.example.com', { allowInsecureHttp: {} });
			expect(message).toContain('Allow Unencrypted HTTP must be true or false.');
		},
	);

	it.each<[unknown, string | undefined]>([
		['', 'v2'],
		[' v3 ', 'v3'],
		['2026-11', '2026-11'],
		['v2.1', 'v2.1'],
		[2, '2'],
		...['v2/users', '/v2', '..', '.', 'v2?x', 'v 2', 'v2#', '%2e%2e', 'v2\\x'].map(
			(text): [unknown, undefined] => [text, undefined],
		),
	])('hold the API Version %j, which leads to %s', async (apiVersion, segment) => {
		const { urls, message } = await urlsOf('https://a.example.com', { apiVersion });
		if (segment === undefined)
			expect(message).toContain('The API Version is not a single path segment.');
		else expect(urls[1]).toBe(`https://a.example.com/api/external/${segment}/users`);
	});

	const servers = { authUrl: 'https://auth.example.com', baseUrl: 'https://tenant.example.com' };
	const restricted = (allowedDomains: unknown, allowedHttpRequestDomains = 'domains') => ({
		...servers,
		allowedHttpRequestDomains,
		allowedDomains,
	});

	it.each([
		['*.example.com'],
		[['auth.example.com', ' Tenant.example.com.']],
		[' TENANT.example.com., Auth.Example.Com'],
	])('may hold the Allowed Domains %j, whatever the port', async (allowed) => {
		const withPort = { ...restricted(allowed), authUrl: `${servers.authUrl}:8443` };
		expect((await urlsOf('', restricted(allowed))).urls).toHaveLength(2);
		expect((await urlsOf('', withPort)).urls).toHaveLength(2);
	});

	it.each(
		['example.com', 'ample.com', '*.auth.example.com', '*.', '*', 'https://auth.example.com']
			.concat(['auth.example.com:443', ',other.example', '', ' ', ' , '])
			.map((allowed): [unknown] => [allowed]),
	)('keep to the Allowed Domains %j', async (allowed) => {
		const { urls, message } = await urlsOf('', restricted(allowed));
		expect(urls).toEqual([]);
		expect(message).toBe(
			'The credential does not allow requests to auth.example.com. Add auth.example.com to Allowed Domains in the credential, or correct the Authorization Server URL.',
		);
		const tenant = await urlsOf('', restricted('auth.example.com'));
		expect(tenant.message).toMatch(/ tenant\.example\.com\. .* correct the Tenant API URL\.$/);
		expect((await urlsOf('', restricted(allowed, 'none'))).urls).toHaveLength(2);
		expect((await urlsOf('', restricted(allowed, 'all'))).urls).toHaveLength(2);
	});
});

const IS_INVALID = { cause: 'credential-invalid' };
const IS_WRONGLY_SET = { cause: 'configuration-invalid' };

it.each<[Fault, ICredentialDataDecryptedObject, object | undefined]>([
	[{ status: 200, body: 'Sign in' }, {}, undefined],
	[{ status: 200, body: '' }, {}, undefined],
	[{ status: 200, body: null }, {}, undefined],
	[{ status: 200, body: {} }, {}, IS_INVALID],
	[{ status: 200, body: { token: 'two words' } }, {}, IS_INVALID],
	[{ status: 200, body: { token: 'x', token_type: 'MAC' } }, {}, IS_INVALID],
	[{ status: 401, body: {} }, {}, IS_INVALID],
	[{ status: 403, body: {} }, {}, undefined],
	[{ status: 404, body: {} }, {}, undefined],
	[{ status: 415, body: {} }, {}, IS_WRONGLY_SET],
	[{ status: 307, body: {} }, {}, IS_WRONGLY_SET],
	[{ status: 429, retryAfter: 9 }, {}, { cause: 'rate-limited', retryAfterMs: 9000 }],
	[{ status: 500, retryAfter: 2 }, {}, { cause: 'temporarily-unavailable', retryAfterMs: 2000 }],
	['reset', {}, { cause: 'temporarily-unavailable' }],
	['none', { authUrl: 'x' }, IS_WRONGLY_SET],
	['none', { clientId: '' }, IS_WRONGLY_SET],
	['none', { scope: {} }, IS_WRONGLY_SET],
	['none', { apiVersion: '..' }, IS_WRONGLY_SET],
	['none', { allowedHttpRequestDomains: 'domains', allowedDomains: 'x' }, undefined],
])('a poll without a token tells n8n why: %j, %j', async (force, change, failure) => {
	const host = new MemoryHost({ switches: { token: { force } } });
	host.credentials.put('one', host.credential(change));
	const published = new PublishedWorkflow(host, [{ node: 'polling' }]).publish();
	const error = await published.catch((thrown: unknown) => thrown as { failure?: object });
	expect(error).toBeInstanceOf(Error);
	expect((error as { failure?: object }).failure).toEqual(failure);
});

describe('a request that gets the token', () => {
	const baseUrl = 'https://tenant.example.com/base';
	const url = 'https://tenant.example.com/api/external/v2/users';

	/** What the credential makes of a request some time after it got a token. */
	async function authorized(options: object, change: object = {}, after = 0) {
		const body = { access_token: TOKEN, expires_in: 60 };
		const { host, stored, fields } = await exchange({ body }, { baseUrl });
		host.time.pass(after);
		const api = new VisitorServiceApi();
		const credential = { ...fields, ...stored, ...change };
		return await host.during(
			async () => await api.authenticate(credential, options as IHttpRequestOptions),
		);
	}

	it('keeps all else, but for another Authorization and redirects', async () => {
		const kept = { url, method: 'GET', qs: { page: 0 } };
		const headers = { Accept: 'text/plain', authorization: 'Basic eA==', AUTHORIZATION: 'x' };
		const options = { ...kept, headers, followRedirect: true, followAllRedirects: true };
		expect(await authorized(options)).toEqual({
			...kept,
			headers: { Accept: 'text/plain', Authorization: `Bearer ${TOKEN}` },
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	it.each([
		[{ uri: url }],
		[{ uri: new URL(url) }],
		[{ url, uri: url }],
		[{ url: 'HTTPS://Tenant.Example.com:443/other/path' }],
		[{ url: '/users', baseURL: 'https://tenant.example.com' }],
		[{ url: 'users', baseURL: 'https://tenant.example.com/api/' }],
		[{ url, baseURL: '' }],
		[{ url, uri: null, baseURL: OTHER }],
	])('goes to the tenant: %j', async (options) => {
		expect((await authorized(options)).headers).toEqual({ Authorization: `Bearer ${TOKEN}` });
	});

	it.each([
		[{ url: OTHER }],
		[{ uri: OTHER }],
		[{ url: 'https://sub.tenant.example.com/' }],
		[{ url: 'https://example.com/' }],
		[{ url: 'http://tenant.example.com/' }],
		[{ url: 'https://tenant.example.com:8443/' }],
		[{ url: 'https://tenant.example.com@other.example.com/' }],
		[{ url: 'https://tenant.example.com.other.example/' }],
		[{ url: '//other.example.com/', baseURL: 'https://tenant.example.com' }],
		[{ url: '\\\\other.example.com\\', baseURL: 'https://tenant.example.com' }],
		[{ url: '/users', baseURL: OTHER }],
		[{ url, uri: OTHER }],
		[{ url: OTHER, uri: url }],
		[{ url: '/users' }],
		[{ url: '' }],
		[{ url: 42 }],
		[{}],
	])('goes nowhere else: %j', async (options) => {
		for (const change of [{}, { accessToken: '' }])
			await expect(authorized(options, change)).rejects.toThrow(
				'The request goes to another host than the Tenant API URL of the credential.',
			);
	});

	it.each([
		['there is none', { accessToken: '' }, 0],
		['it is of another client', { clientId: 'other' }, 0],
		['it is of another server', { authUrl: OTHER }, 0],
		['its time is over', {}, 59_000],
	])('asks n8n for a token if %s', async (_, change, after) => {
		await expect(authorized({ url }, change, after)).rejects.toMatchObject({
			message: 'The credential holds no valid access token.',
			description: 'Run the workflow again: the next request gets a new token.',
			response: { status: 401 },
		});
	});

	it.each([
		['whose time is not over', {}, 58_999],
		['whose lifetime is not known', { renewAt: 0 }, 1e12],
		['of which n8n has lost its times', { renewAt: undefined, issuedAt: undefined }, 0],
	])('gets a token %s', async (_, change, after) => {
		expect((await authorized({ url }, change, after)).headers).toBeDefined();
	});
});
