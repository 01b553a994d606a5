import { parseQuota } from '../../../../../nodes/VisitorService/http/rateLimitHeaders';

describe('the size of an announced limit', () => {
	it.each([
		['X-RateLimit-Limit', { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '99' }],
		['X-Rate-Limit-Limit', { 'x-rate-limit-limit': '100' }],
		['RateLimit-Limit with windows', { 'ratelimit-limit': '100, 10;w=1, 1000;w=3600' }],
		['RateLimit-Policy', { 'ratelimit-policy': '"burst";q=100;w=60,"daily";q=1000;w=86400' }],
		['RateLimit of an earlier draft', { ratelimit: 'limit=100, remaining=49, reset=5' }],
	])('reads the size of a limit from %s', (_, headers) => {
		expect(parseQuota(headers as Record<string, string>)).toBe(100);
	});

	it.each([[{}], [{ 'x-ratelimit-remaining': '3' }], [{ ratelimit: '"default";r=5;t=30' }]])(
		'reads no size of a limit from %p',
		(headers) => {
			expect(parseQuota(headers as Record<string, string>)).toBeUndefined();
		},
	);
});
