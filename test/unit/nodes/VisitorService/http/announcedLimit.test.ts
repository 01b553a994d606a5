import {
	isLimitHeader,
	readAnnouncedLimit,
	readLimitSize,
} from '../../../../../nodes/VisitorService/http/announcedLimit';

const now = Date.UTC(2026, 0, 31, 12);
const inAMinute = now / 1_000 + 60;

describe('readAnnouncedLimit', () => {
	it.each([
		['the draft from 08 on', { ratelimit: '"default";r=5;t=30' }],
		['the draft before 08, in one header', { ratelimit: 'limit=100, remaining=5, reset=30' }],
		['the draft up to 07', { 'ratelimit-remaining': '5', 'ratelimit-reset': '30' }],
		['seconds from now', { 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': '30' }],
		['another spelling', { 'x-rate-limit-remaining': '5', 'x-rate-limit-reset': '30' }],
	])('reads an announced limit from %s', (_, headers) => {
		expect(readAnnouncedLimit(headers, now)).toEqual({ remaining: 5, resetsIn: 30_000 });
	});

	it.each([
		['seconds since 1970', String(inAMinute)],
		['milliseconds since 1970', String(inAMinute * 1_000)],
		['text with a zone', '2026-01-31T13:01:00+01:00'],
		['the form of an HTTP date', 'Sat, 31 Jan 2026 12:01:00 GMT'],
		['a header that was sent twice', `${inAMinute}, ${inAMinute}`],
	])('reads a reset that is a point in time, in %s', (_, reset) => {
		const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
		expect(readAnnouncedLimit(headers, now)).toEqual({ remaining: 0, resetsIn: 60_000 });
	});

	it('reads a reset since 1970 by the clock of the service', () => {
		const headers = {
			date: 'Sat, 31 Jan 2026 12:00:50 GMT',
			'x-ratelimit-remaining': '0',
			'x-ratelimit-reset': String(inAMinute),
		};
		expect(readAnnouncedLimit(headers, now)).toEqual({ remaining: 0, resetsIn: 10_000 });
	});

	it('takes the tightest of several limits', () => {
		const headers = { ratelimit: '"day";r=900;t=4000, "second";r=3;t=1' };
		expect(readAnnouncedLimit(headers, now)).toEqual({ remaining: 3, resetsIn: 1_000 });
	});

	it.each([
		[{}],
		[{ 'x-ratelimit-limit': '100' }],
		[{ 'x-ratelimit-remaining': '5' }],
		[{ 'x-ratelimit-remaining': 'some', 'x-ratelimit-reset': 'soon' }],
		[{ 'x-ratelimit-remaining': '5', 'x-ratelimit-reset': 'soon' }],
		[{ ratelimit: '"default";r=5' }],
		[{ 'ratelimit-policy': '"default";q=100;w=60' }],
	])('reads nothing from %p', (headers) => {
		expect(readAnnouncedLimit(headers as Record<string, string>, now)).toBeUndefined();
	});
});

describe('the size of an announced limit', () => {
	it.each([
		['X-RateLimit-Limit', { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '99' }],
		['X-Rate-Limit-Limit', { 'x-rate-limit-limit': '100' }],
		['RateLimit-Limit with windows', { 'ratelimit-limit': '100, 10;w=1, 1000;w=3600' }],
		['RateLimit-Policy', { 'ratelimit-policy': '"burst";q=100;w=60,"daily";q=1000;w=86400' }],
		['RateLimit of an earlier draft', { ratelimit: 'limit=100, remaining=49, reset=5' }],
	])('reads the size of a limit from %s', (_, headers) => {
		expect(readLimitSize(headers as Record<string, string>)).toBe(100);
	});

	it.each([[{}], [{ 'x-ratelimit-remaining': '3' }], [{ ratelimit: '"default";r=5;t=30' }]])(
		'reads no size of a limit from %p',
		(headers) => {
			expect(readLimitSize(headers as Record<string, string>)).toBeUndefined();
		},
	);

	it.each([
		['ratelimit', true],
		['ratelimit-policy', true],
		['x-rate-limit-reset', true],
		['x-ratelimit-used', true],
		['retry-after', false],
		['x-generated-ratelimit', false],
	])('knows by its name whether a header speaks of a limit: %s', (name, speaks) => {
		expect(isLimitHeader(name)).toBe(speaks);
	});
});
