import { PublishedInterface, type ReceivedRequest } from '../contract/publishedInterface';
import { RequestWatch } from '../contract/requestWatch';
import { VisitorService } from '../reference-service/service';

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const bearer = { authorization: 'Bearer some-token' };
const credentials = { grant_type: 'client_credentials', client_id: 'a', client_secret: 'b' };

function get(url: string, headers: ReceivedRequest['headers'] = bearer): ReceivedRequest {
	return { method: 'GET', url, headers };
}

function exchange(body: unknown, headers: ReceivedRequest['headers'] = form): ReceivedRequest {
	return { method: 'POST', url: '/auth/app-oauth', headers, body };
}

const published: ReceivedRequest[] = [
	exchange(credentials),
	exchange(credentials, { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }),
	get('/api/external/v2/users'),
	get('/api/external/v2/users?page=0&pageSize=100'),
	get('/api/external/v2/users?sort=lastName%2Cdesc'),
	get('/api/external/v2/users?updatedSince=1769846400000'),
	get('/api/external/v2/companies?page=3&pageSize=10&sort=name'),
];

const outside: Array<[what: string, request: ReceivedRequest]> = [
	['another path', get('/api/external/v2/users/user-000001')],
	['another version', get('/api/external/v3/users')],
	['no version', get('/api/external/users')],
	['another method', { ...get('/api/external/v2/users'), method: 'DELETE' }],
	['no token', get('/api/external/v2/users', {})],
	['another scheme', get('/api/external/v2/users', { authorization: 'Basic YTpi' })],
	['a parameter that is not published', get('/api/external/v2/users?limit=5')],
	['a repeated parameter', get('/api/external/v2/users?page=1&page=2')],
	['a page that is no number', get('/api/external/v2/users?page=one')],
	['a page that is a fraction', get('/api/external/v2/users?page=1.5')],
	['an empty page size', get('/api/external/v2/users?pageSize=')],
	['an empty time', get('/api/external/v2/users?updatedSince=')],
	['updatedSince for another list', get('/api/external/v2/visits?updatedSince=2026-01-31')],
	['a token request without a secret', exchange({ ...credentials, client_secret: undefined })],
	['another grant', exchange({ ...credentials, grant_type: 'password' })],
	['a field more', exchange({ ...credentials, username: 'reader' })],
	['a repeated field', exchange({ ...credentials, client_id: ['a', 'b'] })],
	['JSON instead of a form', exchange(credentials, { 'content-type': 'application/json' })],
	['a token request by GET', get('/auth/app-oauth')],
];

describe('the documented interface', () => {
	const judge = new PublishedInterface();

	it.each(published)('allows the request $method $url', (request) => {
		expect(judge.violation(request)).toBeUndefined();
	});

	it.each(outside)('finds %s outside of it', (_what, request) => {
		expect(judge.violation(request)).toEqual(expect.any(String));
	});
});

it('the watch finds each request outside the interface once, and shows no secret', async () => {
	const watch = new RequestWatch();
	watch.start();
	const service = new VisitorService();
	const send = async (request: Parameters<VisitorService['respond']>[0]) => {
		const recorded = service.begin(request);
		await service.respond(request, recorded);
		service.ended(recorded);
	};
	const headers = { authorization: `Bearer ${service.issueToken()}` };
	const list = { method: 'GET', headers, body: '' };
	await send({ ...list, url: '/api/external/v2/users?page=0' });
	expect(watch.violations()).toEqual([]);
	await send({ ...list, url: '/api/external/v2/users?limit=1' });
	await send({ ...list, url: '/api/external/v2/users?limit=1' });
	const fields = new URLSearchParams({ ...credentials, client_secret: 'canary', more: '1' });
	await send({ method: 'POST', url: '/auth/app-oauth', headers: form, body: fields.toString() });
	const violations = watch.violations();
	expect(violations).toHaveLength(2);
	expect(violations[0]).toContain('GET /api/external/v2/users');
	expect(violations[1]).toContain('POST /auth/app-oauth');
	expect(violations[1]).not.toContain('canary');
	watch.stop();
	await send({ ...list, url: '/api/external/v2/users?limit=2' });
	expect(watch.violations()).toEqual([]);
});
