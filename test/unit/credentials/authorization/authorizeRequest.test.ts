import type { IHttpRequestOptions } from 'n8n-workflow';

import {
	authorizeRequest,
	StaleTokenError,
} from '../../../../credentials/authorization/authorizeRequest';
import { storeToken } from '../../../../credentials/authorization/storage';
import { thrownFailure } from '../thrownFailure';

const RENEW_AT = 60_000;
const client = {
	authUrl: 'https://auth.example.com',
	baseUrl: 'https://tenant.example.com/base',
	clientId: 'client',
	clientSecret: 'secret',
};
const fields = {
	...client,
	...storeToken({ accessToken: 'synthetic-token', issuedAt: 1, renewAt: RENEW_AT }, client, 1),
};
const url = 'https://tenant.example.com/api/external/v2/users';
const authorize = (options: object, credential: object = fields, now = RENEW_AT - 1) =>
	authorizeRequest(credential as typeof fields, options as IHttpRequestOptions, now);

describe('authorizeRequest', () => {
	it('adds the token and keeps everything else', () => {
		const options = {
			url,
			method: 'GET' as const,
			headers: { Accept: 'text/plain' },
			qs: { page: 0 },
		};
		expect(authorize(options)).toMatchObject({
			...options,
			headers: { Accept: 'text/plain', Authorization: 'Bearer synthetic-token' },
		});
		expect(options.headers).toEqual({ Accept: 'text/plain' });
	});

	it('replaces an Authorization header, however it is written', () => {
		const { headers } = authorize({
			url,
			headers: { authorization: 'Basic eA==', AUTHORIZATION: 'x' },
		});
		expect(headers).toEqual({ Authorization: 'Bearer synthetic-token' });
	});

	it('follows no redirect, in the words of both request helpers', () => {
		expect(authorize({ url, followRedirect: true, followAllRedirects: true })).toMatchObject({
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
		});
	});

	it.each([
		[{ url }],
		[{ uri: url }],
		[{ uri: new URL(url) }],
		[{ url, uri: url }],
		[{ url: 'HTTPS://Tenant.Example.com:443/other/path' }],
		[{ url: '/users', baseURL: 'https://tenant.example.com' }],
		[{ url: 'users', baseURL: 'https://tenant.example.com/api/' }],
		[{ url, baseURL: '' }],
		[{ url, baseURL: 'https://other.example.com' }],
	])('goes along with %j', (options) => {
		expect(authorize(options).headers).toEqual({ Authorization: 'Bearer synthetic-token' });
	});

	it.each([
		[{ url: 'https://other.example.com/' }],
		[{ uri: 'https://other.example.com/' }],
		[{ url: 'https://sub.tenant.example.com/' }],
		[{ url: 'https://example.com/' }],
		[{ url: 'http://tenant.example.com/' }],
		[{ url: 'https://tenant.example.com:8443/' }],
		[{ url: 'https://tenant.example.com@other.example.com/' }],
		[{ url: 'https://tenant.example.com.other.example/' }],
		[{ url: 'https://tenant.example.com\\@other.example.com/'.replace('\\', '%5c') }],
		[{ url: '//other.example.com/', baseURL: 'https://tenant.example.com' }],
		[{ url: '\\\\other.example.com\\', baseURL: 'https://tenant.example.com' }],
		[{ url: '/users', baseURL: 'https://other.example.com' }],
		[{ url, uri: 'https://other.example.com/' }],
		[{ url: 'https://other.example.com/', uri: url }],
		[{ url: '/users' }],
		[{ url: '' }],
		[{ url: 42 }],
		[{ url: 'file:///etc/hosts' }],
		[{}],
	])('sends the token nowhere else: %j', async (options) => {
		const failure = await thrownFailure(() => authorize(options));
		expect(failure.message).toBe(
			'The request goes to another host than the Tenant API URL of the credential.',
		);
		expect(failure.description).not.toContain('synthetic-token');
	});

	it.each([
		['there is none', { ...client, accessToken: '' }],
		['it is of another client', { ...fields, clientId: 'other' }],
		['it is of another tenant', { ...fields, authUrl: 'https://other.example.com' }],
	])('asks n8n for a token where %s', (_, credential) => {
		let thrown: unknown;
		try {
			authorize({ url }, credential);
		} catch (error) {
			thrown = error;
		}
		expect(thrown).toBeInstanceOf(StaleTokenError);
		expect(thrown).toMatchObject({ response: { status: 401 } });
	});

	it('asks n8n for a token when the time of the one at hand is over', () => {
		expect(() => authorize({ url }, fields, RENEW_AT)).toThrow(StaleTokenError);
	});

	it('sends a token that has just been stored, so that n8n does not ask for one for ever', () => {
		const fleeting = { accessToken: 'synthetic-token', issuedAt: 1, renewAt: 2 };
		const credential = { ...client, ...storeToken(fleeting, client, 10_000) };
		expect(authorize({ url }, credential, 10_001).headers).toEqual({
			Authorization: 'Bearer synthetic-token',
		});
	});

	it('looks at the address before it asks for a token', async () => {
		const failure = await thrownFailure(() =>
			authorize({ url: 'https://other.example.com' }, client),
		);
		expect(failure.kind).toBe('blocked');
	});
});
