import { explainAnswer } from '../../../../../nodes/VisitorService/tenant/apiRequest';

const NOW = Date.UTC(2026, 0, 1);
const url = 'https://tenant.example.test/api/external/v2/users?page=1';
const explain = (statusCode: number, body: unknown = null, headers = {}) =>
	explainAnswer({ statusCode, headers, body }, url, () => ['secret'], NOW);

describe('explainAnswer', () => {
	it.each([200, 201, 204, 206, 299])('finds nothing wrong with %d', (status) => {
		expect(explain(status)).toBeUndefined();
	});

	it.each([
		[400, 'badRequest', /parameters/],
		[401, 'authorization', /access token/],
		[403, 'permission', /is not allowed to read \/api\/external\/v2\/users/],
		[404, 'notFound', /nothing at \/api\/external\/v2\/users/],
		[413, 'badRequest', /parameters/],
		[422, 'badRequest', /parameters/],
		[202, 'service', /failed to answer/],
		[429, 'rateLimit', /limits the rate/],
		[302, 'configuration', /redirects/],
		[500, 'service', /failed to answer/],
		[503, 'service', /failed to answer/],
		[418, 'badRequest', /parameters/],
		[0, 'service', /failed to answer/],
	])('says of %d one sentence that names it, and one what to do', (status, kind, what) => {
		const failure = explain(status);
		expect(failure?.message).toMatch(what);
		expect(failure?.message).toMatch(new RegExp(`\\(status ${status}\\)\\.$`));
		expect(failure?.remedy).toMatch(/^[A-Z][^]*[.]$/);
		expect(failure).toMatchObject({ kind, statusCode: status });
	});

	it('names the setting that helps against pages that are too large', () => {
		expect(explain(413)?.remedy).toContain('Page Size');
	});

	it('takes 403 that asks to wait for a limit of the rate', () => {
		const failure = explain(403, null, { 'retry-after': '60' });
		expect(failure).toMatchObject({ kind: 'rateLimit', statusCode: 403, retryAfter: 60_000 });
		expect(failure?.message).toMatch(/limits the rate/);
		expect(explain(403, null, { 'retry-after': '0' })?.kind).toBe('permission');
	});

	it('quotes the service, but no secret', () => {
		expect(explain(400, { message: 'bad sort' })?.description).toMatch(
			/ The service said: "bad sort"\.$/,
		);
		expect(explain(400, { message: 'bad secret' })?.serverText).toBeUndefined();
	});

	it('keeps the wait the service asks for', () => {
		expect(explain(429, null, { 'retry-after': '30' })?.retryAfter).toBe(30_000);
	});
});
