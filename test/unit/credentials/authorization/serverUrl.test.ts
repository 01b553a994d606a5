import { isLoopback, readServerUrl } from '../../../../credentials/authorization/serverUrl';
import { thrownFailure } from '../thrownFailure';

const field = 'Tenant API URL';
const read = (input: string, allowInsecureHttp = false) =>
	readServerUrl(input, field, allowInsecureHttp);

describe('readServerUrl', () => {
	// URL.canParse of Node.js 20.20 says no after some thousand calls, once V8 has compiled it.
	it('reads letters beyond ASCII as often as it is asked', () => {
		const urls = Array.from({ length: 20_000 }, () => read('https://münchen.example'));
		expect(new Set(urls)).toEqual(new Set(['https://xn--mnchen-3ya.example']));
	});

	it.each([
		['https://service.example.com', 'https://service.example.com'],
		['https://service.example.com/', 'https://service.example.com'],
		['https://service.example.com///', 'https://service.example.com'],
		['HTTPS://Service.Example.COM', 'https://service.example.com'],
		['https://service.example.com:443', 'https://service.example.com'],
		['https://service.example.com:8443/', 'https://service.example.com:8443'],
		['https://service.example.com/tenants/a//', 'https://service.example.com/tenants/a'],
		[
			'https://service.example.com/Tenant A'.replace(' ', '%20'),
			'https://service.example.com/Tenant%20A',
		],
		['https://münchen.example', 'https://xn--mnchen-3ya.example'],
		['https://[2001:db8::1]:8443', 'https://[2001:db8::1]:8443'],
		['http://localhost:5678', 'http://localhost:5678'],
		['http://tenant.localhost', 'http://tenant.localhost'],
		['http://127.0.0.1:8080/x/', 'http://127.0.0.1:8080/x'],
		['http://127.1', 'http://127.0.0.1'],
		['http://[::1]:3000', 'http://[::1]:3000'],
		// What a provider's paper shows: the documented URLs, whole.
		['https://auth.example.com/auth/app-oauth', 'https://auth.example.com'],
		['POST https://auth.example.com/auth/app-oauth', 'https://auth.example.com'],
		['https://auth.example.com/auth/app-oauth/', 'https://auth.example.com'],
		['https://gateway.example.com/visitors/auth/app-oauth', 'https://gateway.example.com/visitors'],
		['https://a.example.com/api/external', 'https://a.example.com'],
		['https://a.example.com/api/external/', 'https://a.example.com'],
		['https://a.example.com/api/external/v2', 'https://a.example.com'],
		['https://a.example.com/api/external/v2/users', 'https://a.example.com'],
		['https://a.example.com/api/external/v2.1/users/7/', 'https://a.example.com'],
		[
			'https://a.example.com/api/external/v2/users?page=0&pageSize=100#top',
			'https://a.example.com',
		],
		['https://gateway.example.com/b//api/external/v2/visits', 'https://gateway.example.com/b'],
		// Paths that only look like the documented ones.
		['https://a.example.com/auth/app-oauth2', 'https://a.example.com/auth/app-oauth2'],
		['https://a.example.com/auth', 'https://a.example.com/auth'],
		['https://auth/app-oauth', 'https://auth/app-oauth'],
		['https://a.example.com/api/externals/v2', 'https://a.example.com/api/externals/v2'],
		['https://a.example.com/api/external/north', 'https://a.example.com/api/external/north'],
	])('reads %j as %s', (input, expected) => {
		expect(read(input)).toBe(expected);
	});

	it.each([
		['', 'is empty'],
		['42', 'does not begin with https://'],
		['service.example.com', 'does not begin with https://'],
		['localhost:3000', 'does not begin with https://'],
		['//service.example.com', 'does not begin with https://'],
		['https:service.example.com', 'does not begin with https://'],
		['https://', 'is not a valid URL'],
		['https://service.example.com:99999', 'is not a valid URL'],
		['https://[::1', 'is not a valid URL'],
		['https://service .example.com', 'is not a valid URL'],
		['https://service.example.com/a b', 'is not a valid URL'],
		['https://service.example.com/a\tb', 'is not a valid URL'],
		['ftp://service.example.com', 'does not begin with https://'],
		['file:///etc/hosts', 'does not begin with https://'],
		['https://user@service.example.com', 'has a user name or password in it'],
		['https://user:word@service.example.com', 'has a user name or password in it'],
		['https://:word@service.example.com', 'has a user name or password in it'],
		['https://service.example.com?x=1', 'has a query or a fragment'],
		['https://service.example.com/?', 'has a query or a fragment'],
		['https://service.example.com/#', 'has a query or a fragment'],
		['https://service.example.com/#/login', 'has a query or a fragment'],
		['http://service.example.com', 'is plain http'],
		['http://192.168.0.1', 'is plain http'],
		['http://localhost.example.com', 'is plain http'],
		['http://127.0.0.1.example.com', 'is plain http'],
		['http://[::ffff:127.0.0.1]', 'is plain http'],
		['http://0.0.0.0', 'is plain http'],
	])('refuses %j: it %s', async (input, what) => {
		const failure = await thrownFailure(() => read(input));
		expect(failure.message).toContain(`The ${field} ${what}`);
		expect(failure.message).toMatch(/^[^.]*(\.[^. ][^.]*)*\.$/);
		expect(failure.remedy).toContain(field);
		expect(failure.kind).toBe('configuration');
	});

	it('never repeats what was typed, because it may hold a password', async () => {
		const { message, description } = await thrownFailure(() =>
			read('https://user:hunter2@service.example.com'),
		);
		expect(`${message} ${description}`).not.toMatch(/hunter2|user:/);
	});

	it('accepts plain http for any host where the credential says so', () => {
		expect(read('http://service.example.com/', true)).toBe('http://service.example.com');
		expect(() => read('ftp://service.example.com', true)).toThrow('does not begin with https://');
	});
});

describe('isLoopback', () => {
	it.each([
		['localhost', true],
		['a.localhost', true],
		['127.255.0.9', true],
		['[::1]', true],
		['notlocalhost', false],
		['localhost.example', false],
		['128.0.0.1', false],
		['127.0.0.1.nip.example', false],
		['[::2]', false],
	])('tells whether %s is a loopback host: %s', (hostname, expected) => {
		expect(isLoopback(hostname)).toBe(expected);
	});
});
