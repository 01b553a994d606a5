import type { HttpAnswer, HttpRequest } from '../../../../../nodes/VisitorService/http/message';
import { withinOrigin } from '../../../../../nodes/VisitorService/http/redirects';

const request: HttpRequest = {
	method: 'GET',
	url: 'https://tenant.example.test/api/users',
	headers: { Accept: 'application/json' },
	query: { page: 0 },
	timeout: 1_000,
};

/** Follows redirects to these locations, one after the other, then gets 200. */
async function follow(locations: string[], statusCode = 302) {
	const sent: HttpRequest[] = [];
	const answer = await withinOrigin(async (current): Promise<HttpAnswer> => {
		sent.push(current);
		const location = locations[sent.length - 1];
		const headers: Record<string, string> = {};
		if (location !== undefined && location !== '') headers.location = location;
		return await Promise.resolve(
			location === undefined
				? { statusCode: 200, headers, body: 'data' }
				: { statusCode, headers, body: 'moved' },
		);
	})(request);
	return { answer, urls: sent.map(({ url }) => url), sent };
}

describe('withinOrigin', () => {
	it.each([301, 302, 303, 307, 308])('follows %d within the origin', async (status) => {
		const { answer, sent } = await follow(['/api/people?page=0'], status);
		expect(answer.body).toBe('data');
		expect(sent[1]).toEqual({
			...request,
			url: 'https://tenant.example.test/api/people?page=0',
			query: undefined,
		});
	});

	it('keeps the query if a redirect has lost it, and sends the one that a redirect has', async () => {
		const { sent } = await follow(['/1', '/2?page=0&lang=en', '/3']);
		expect(sent.map(({ url, query }) => [new URL(url).pathname, query])).toEqual([
			['/api/users', { page: 0 }],
			['/1', { page: 0 }],
			['/2', undefined],
			['/3', { page: 0 }],
		]);
	});

	it.each([
		['relative', 'people?page=0', 'https://tenant.example.test/api/people?page=0'],
		['absolute', 'https://tenant.example.test/x', 'https://tenant.example.test/x'],
		['with the default port', 'https://tenant.example.test:443/x', 'https://tenant.example.test/x'],
		['in other letters', 'HTTPS://Tenant.Example.Test/x', 'https://tenant.example.test/x'],
	])('resolves a location %s', async (_, location, url) => {
		expect((await follow([location])).urls[1]).toBe(url);
	});

	it.each([
		['another host', 'https://elsewhere.example.test/api/users'],
		['a host beneath', 'https://a.tenant.example.test/api/users'],
		['another scheme', 'http://tenant.example.test/api/users'],
		['another port', 'https://tenant.example.test:8443/api/users'],
		['another host without a scheme', '//elsewhere.example.test/'],
		['no address', 'https://'],
		['no http', 'javascript:alert(1)'],
		['nowhere', ''],
	])('sends no token to %s: the redirect is the answer', async (_, location) => {
		const { answer, urls } = await follow([location]);
		expect(urls).toEqual([request.url]);
		expect(answer.statusCode).toBe(302);
	});

	it('ends after three redirects', async () => {
		const { answer, urls } = await follow(['/1', '/2', '/3', '/4', '/5']);
		expect(urls).toHaveLength(4);
		expect(answer.statusCode).toBe(302);
	});

	it('does not leave on the second redirect either', async () => {
		const { urls } = await follow(['/1', 'https://elsewhere.example.test/']);
		expect(urls).toEqual([request.url, 'https://tenant.example.test/1']);
	});
});
