import fc from '../properties';
import type { RateLimitSwitches } from '../reference-service/switches';
import { hostWith, list, listRequests } from './listedHost';

const SECOND = 1000;
const RATE = 20;
const PAGES = 250;

interface Setting {
	rateLimit?: Partial<RateLimitSwitches>;
	/** Milliseconds one request takes. */
	latency?: () => number;
	pages?: number;
	concurrency?: number;
	/** Responds with 503 instead, by the number of the request. */
	overloaded?: number;
	/** Milliseconds by which every timer rings late. */
	late?: number;
}

/** Reads so many pages of a list, in virtual time. */
async function readPages({ latency = () => 50, late = 0, pages = PAGES, ...setting }: Setting) {
	const host = await hostWith({ users: pages }, { latency: () => latency() / 2 });
	const startTimer = host.time.startTimer.bind(host.time);
	let shortest = 0;
	host.time.startTimer = (milliseconds, ring) => {
		shortest = Math.min(shortest, milliseconds);
		return startTimer(milliseconds + late, ring);
	};
	const rateLimit = { requestsPerSecond: 0, ...setting.rateLimit };
	const faults = Array<'none'>(setting.overloaded ?? 0).fill('none');
	host.service.set({
		list: {
			rateLimit,
			faults: setting.overloaded === undefined ? [] : [...faults, { status: 503 }],
		},
	});
	const startedAt = host.time.now();
	const run = await list(host, {
		options: { pageSize: 1, untilStable: false, concurrency: setting.concurrency ?? 16 },
	});
	if (run.error !== undefined) throw run.error;
	expect(run.items).toHaveLength(pages);
	// Node.js warns of a negative time.
	expect(shortest).toBe(0);
	const requests = listRequests(host);
	const throttled = requests.filter(({ status }) => status === (rateLimit.status ?? 429)).length;
	const seconds = (host.time.now() - startedAt) / SECOND;
	return {
		seconds,
		used: pages / (seconds * (rateLimit.requestsPerSecond || 1)),
		throttled: throttled / requests.length,
	};
}

describe(`${PAGES} pages of a service that allows ${RATE} requests a second`, () => {
	it.each(
		(['bucket', 'window', 'sliding'] as const).flatMap((algorithm) =>
			(['seconds', 'date', 'none'] as const).map((retryAfter) => ({ algorithm, retryAfter })),
		),
	)('$algorithm, Retry-After: $retryAfter', async ({ algorithm, retryAfter }) => {
		const read = await readPages({
			rateLimit: { requestsPerSecond: RATE, algorithm, retryAfter },
			latency: () => 20,
		});
		expect(read.used).toBeGreaterThanOrEqual(retryAfter === 'none' ? 0.5 : 0.85);
		// Else the service did not limit them.
		expect(read.used).toBeLessThanOrEqual(1.1);
		expect(read.throttled).toBeLessThanOrEqual(0.06);
	});

	it('a limit of 100 is used although timers ring late', async () => {
		const rateLimit = { requestsPerSecond: 100, algorithm: 'sliding' } as const;
		const read = await readPages({ rateLimit, late: 3, latency: () => 20, pages: 400 });
		// 0.76 if each time were counted from the one before.
		expect(read.used).toBeGreaterThanOrEqual(0.85);
	});

	it.each([1, 5])('a bucket with bursts of %d', async (burst) => {
		for (const retryAfter of ['seconds', 'none'] as const) {
			const rateLimit = { requestsPerSecond: RATE, burst, retryAfter };
			const read = await readPages({ rateLimit });
			expect(read.used).toBeGreaterThanOrEqual(0.6);
			expect(read.throttled).toBeLessThanOrEqual(0.06);
		}
	});

	it.each([
		...(['ratelimit', 'ratelimit-structured'] as const),
		...(['x-ratelimit', 'x-ratelimit-seconds', 'x-rate-limit'] as const),
	])('%s announces the limit of a window', async (headers) => {
		const rateLimit = { requestsPerSecond: RATE, algorithm: 'window', headers } as const;
		const read = await readPages({ rateLimit });
		expect(read.throttled).toBeLessThanOrEqual(0.06);
		// The end of a window in whole seconds since 1970 may be a second later than it is.
		expect(read.used).toBeGreaterThanOrEqual(0.45);
		const oneByOne = { latency: () => 20, pages: 2 * RATE, concurrency: 1 };
		expect((await readPages({ rateLimit, ...oneByOne })).throttled).toBe(0);
		const unannounced = { ...rateLimit, headers: 'none' } as const;
		expect((await readPages({ rateLimit: unannounced, ...oneByOne })).throttled).toBeGreaterThan(0);
	});

	it('a quota of a minute', async () => {
		for (const retryAfter of ['seconds', 'none'] as const) {
			const rateLimit = { requestsPerSecond: 2, burst: 120, algorithm: 'window' } as const;
			const read = await readPages({ rateLimit: { ...rateLimit, retryAfter } });
			expect(read.used).toBeGreaterThanOrEqual(0.85);
			// All that were in flight at the end of each of the first two minutes.
			expect(read.throttled).toBeLessThanOrEqual(0.13);
		}
	});

	it('a limit of requests in flight', async () => {
		const rateLimit = { concurrent: 4, retryAfter: 'none' } as const;
		const read = await readPages({ rateLimit, latency: () => 100, concurrency: 8 });
		expect(read.throttled).toBeLessThanOrEqual(0.02);
	});
});

it('no page is given up at any limit, and few are rejected', async () => {
	const limits = fc.record({
		requestsPerSecond: fc.integer({ min: 1, max: 20 }),
		burst: fc.constantFrom(null, 1, 10, 60),
		algorithm: fc.constantFrom('bucket', 'window', 'sliding'),
		concurrent: fc.constantFrom(0, 0, 1, 3),
		status: fc.constantFrom(429, 503),
		retryAfter: fc.constantFrom('seconds', 'date', 'none'),
		headers: fc.constantFrom('none', 'ratelimit', 'x-ratelimit', 'x-rate-limit'),
	});
	const latencies = fc.constantFrom(5, 50, 200);
	const property = fc.asyncProperty(limits, latencies, async (rateLimit, milliseconds) => {
		const latency = () => milliseconds;
		const { throttled } = await readPages({ rateLimit, latency, pages: 100, concurrency: 8 });
		expect(throttled).toBeLessThanOrEqual(0.3);
	});
	await fc.assert(property, { numRuns: 8 });
});

describe('a service without a limit', () => {
	it.each([
		[8, 1.06],
		[16, 1.1],
		[32, 1.3],
		[50, 1.6],
	])('has %d requests in flight within a few latencies', async (concurrency, most) => {
		for (const milliseconds of [100, 300]) {
			const latency = () => milliseconds;
			const { seconds } = await readPages({ latency, pages: 101, concurrency });
			// The token, the first page alone, and the others together.
			const least = 2 + Math.ceil(100 / concurrency);
			const exchange = 1;
			expect(seconds * SECOND).toBeLessThanOrEqual(
				milliseconds * (exchange + most * (least - exchange)),
			);
		}
	});

	it.each([0, 10, 200])('loses little time by one 503, at request %d', async (overloaded) => {
		const { seconds } = await readPages({ latency: () => 100, overloaded });
		// The pause, and two moments in which those that wait for it are not sent.
		expect(seconds).toBeLessThanOrEqual(3.6);
	});
});
