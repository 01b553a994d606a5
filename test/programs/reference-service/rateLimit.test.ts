import { defaultSwitches, type RateLimitSwitches } from '../../reference-service';
import { RateLimiter, retryAfter } from '../../reference-service/rateLimit';
import { referenceServices } from './services';

const start = referenceServices();

const limit = (changes: Partial<RateLimitSwitches>): RateLimitSwitches => ({
	...defaultSwitches().list.rateLimit,
	burst: 1,
	...changes,
});

function admitted(limiter: RateLimiter, limits: RateLimitSwitches, times: number[]): number[] {
	return times.filter((time) => limiter.admit(limits, time).admitted);
}

describe('RateLimiter', () => {
	it('admits everything without a limit', () => {
		expect(admitted(new RateLimiter(), limit({}), [0, 0, 0])).toEqual([0, 0, 0]);
	});

	it('refills a bucket steadily, up to the burst', () => {
		const limits = limit({ requestsPerSecond: 10, burst: 2 });
		const times = [1000, 1000, 1000, 1099, 1100, 1150, 1200, 9000, 9000, 9000];
		expect(admitted(new RateLimiter(), limits, times)).toEqual([
			1000, 1000, 1100, 1200, 9000, 9000,
		]);
	});

	it('allows at once what a second allows, unless told otherwise', () => {
		const limits = limit({ requestsPerSecond: 3, burst: null });
		expect(admitted(new RateLimiter(), limits, [0, 0, 0, 0, 200, 400])).toEqual([0, 0, 0, 400]);
	});

	it('returns how long to wait', () => {
		const limiter = new RateLimiter();
		const limits = limit({ requestsPerSecond: 4 });
		expect(limiter.admit(limits, 0)).toMatchObject({ admitted: true, wait: 0, remaining: 0 });
		expect(limiter.admit(limits, 50)).toMatchObject({ admitted: false, wait: 200, remaining: 0 });
	});

	it('admits the burst once in each window', () => {
		const limits = limit({ requestsPerSecond: 2, burst: 4, algorithm: 'window' });
		const limiter = new RateLimiter();
		const times = [0, 1, 2, 3, 4, 1999, 2000, 2001, 2002, 2003, 2004, 4000];
		expect(admitted(limiter, limits, times)).toEqual([0, 1, 2, 3, 2000, 2001, 2002, 2003, 4000]);
	});

	it('starts afresh after a reset', () => {
		const limiter = new RateLimiter();
		const limits = limit({ requestsPerSecond: 1 });
		expect(admitted(limiter, limits, [0, 0])).toEqual([0]);
		limiter.reset();
		expect(admitted(limiter, limits, [0, 0])).toEqual([0]);
	});
});

describe('Retry-After', () => {
	const now = Date.UTC(2026, 0, 1, 0, 0, 0, 300);
	it.each([
		['seconds', 100, '1'],
		['seconds', 1_001, '2'],
		['date', 100, 'Thu, 01 Jan 2026 00:00:01 GMT'],
		['date', 1_000, 'Thu, 01 Jan 2026 00:00:02 GMT'],
		['none', 100, undefined],
		['garbage', 100, 'soon, perhaps'],
		[120, 100, '120'],
		[0.5, 100, '0.5'],
		[{ text: '-1' }, 100, '-1'],
	] as const)('writes %p for a wait of %d ms as %p', (style, wait, expected) => {
		expect(retryAfter(style, wait, now)).toBe(expected);
	});
});

describe('a limited service', () => {
	it('answers 429 with Retry-After and headers', async () => {
		const { list } = await start({
			switches: {
				list: {
					rateLimit: { requestsPerSecond: 0.001, burst: 2, headers: 'x-ratelimit', retryAfter: 9 },
				},
			},
		});
		const answers = [await list(), await list(), await list()];
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
		expect(answers.map(({ headers }) => headers['x-ratelimit-remaining'])).toEqual(['1', '0', '0']);
		expect(answers[2]).toMatchObject({
			headers: { 'retry-after': '9', 'x-ratelimit-limit': '2' },
			json: { error: 'too_many_requests' },
		});
		expect(Number(answers[2]?.headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1000);
	});

	it('answers with the status, body and headers that the switches ask for', async () => {
		const { list } = await start({
			switches: {
				list: {
					rateLimit: { requestsPerSecond: 0.001, status: 503, headers: 'ratelimit', body: 'empty' },
				},
			},
		});
		await list();
		expect(await list()).toMatchObject({
			status: 503,
			text: '',
			headers: {
				'ratelimit-limit': '1',
				'ratelimit-remaining': '0',
				// The whole 1000 seconds, less what the two calls took.
				'retry-after': expect.stringMatching(/^(1000|99\d)$/) as unknown,
			},
		});
	});

	it('counts only calls with a good token', async () => {
		const { list } = await start({
			switches: { list: { rateLimit: { requestsPerSecond: 0.001 } } },
		});
		expect((await list('users', { authorization: 'Bearer x' })).status).toBe(401);
		expect((await list()).status).toBe(200);
	});

	it('refuses a request while as many as `concurrent` are in work', async () => {
		const { list, service, token } = await start({
			switches: { list: { rateLimit: { concurrent: 2 } } },
		});
		const authorization = `Bearer ${await token()}`;
		for (let call = 0; call < 3; call++) {
			expect((await list('users', { authorization })).status).toBe(200);
		}
		service.set({ list: { latencyMs: 3_600_000 } });
		const calls = [1, 2].map(() => list('users', { authorization }));
		const ended = Promise.allSettled(calls);
		while (service.requests.length < 6) await new Promise(setImmediate);
		expect((await list('users', { authorization })).status).toBe(429);
		await service.stop();
		await ended;
	});

	it('admits requests again after the limit is set anew', async () => {
		const { list, service } = await start({
			switches: { list: { rateLimit: { requestsPerSecond: 0.001 } } },
		});
		await list();
		expect((await list()).status).toBe(429);
		service.set({ list: { rateLimit: { burst: 1 } } });
		expect((await list()).status).toBe(200);
		service.resetSwitches();
		expect([(await list()).status, (await list()).status]).toEqual([200, 429]);
	});
});
