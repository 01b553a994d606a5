import {
	type Outcome,
	readThroughLimiter,
	type Setting,
	seeded,
	startReading,
} from './readThroughLimiter';
import {
	fixedWindow,
	type Limiter,
	slidingWindow,
	tokenBucket,
	unlimited,
} from './simulatedLimiter';
import { VirtualClock } from './virtualClock';

const RATE = 20;

const steady = (milliseconds: number) => () => milliseconds;
const varied = (milliseconds: number, seed = 3) => {
	const random = seeded(seed);
	return () => random() * milliseconds;
};

/** Share of the allowed rate that was used, and of the answers that were refusals. */
const shares = ({ seconds, sent, refused }: Outcome, pages = 400) => ({
	used: pages / (seconds * RATE),
	refused: refused / sent,
});

const read = async (setting: Partial<Setting> & Pick<Setting, 'limiter'>) =>
	await readThroughLimiter({ retryAfter: 'seconds', latency: steady(50), ...setting });

describe('400 pages through a service that allows 20 requests a second', () => {
	const limiters: Array<[string, () => Limiter]> = [
		['a token bucket', () => tokenBucket(RATE, RATE)],
		['a fixed window', () => fixedWindow(RATE, 1_000)],
		['a fixed window that began earlier', () => fixedWindow(RATE, 1_000, 377)],
		['a sliding window', () => slidingWindow(RATE, 1_000)],
	];
	const latencies = [0, 20, 50, 100];
	const cases = limiters.flatMap(([name, limiter]) =>
		latencies.map((latency) => ({ name, limiter, latency })),
	);

	it.each(cases)(
		'$name, $latency ms, Retry-After: 90 % used, 5 % refused',
		async ({ limiter, latency }) => {
			const outcome = await read({ limiter: limiter(), latency: steady(latency) });
			expect(shares(outcome).used).toBeGreaterThanOrEqual(0.9);
			expect(shares(outcome).refused).toBeLessThanOrEqual(0.05);
			expect(outcome.failed).toEqual([]);
		},
	);

	it.each(cases)(
		'$name, $latency ms, no Retry-After: 88 % used, 5.5 % refused',
		async ({ limiter, latency }) => {
			const outcome = await read({
				limiter: limiter(),
				latency: steady(latency),
				retryAfter: 'none',
			});
			expect(shares(outcome).used).toBeGreaterThanOrEqual(0.88);
			expect(shares(outcome).refused).toBeLessThanOrEqual(0.055);
			expect(outcome.failed).toEqual([]);
		},
	);

	it.each(limiters)('%s, latencies from 0 to 100 ms: 85 % used', async (_, limiter) => {
		const outcome = await read({ limiter: limiter(), latency: varied(100) });
		expect(shares(outcome).used).toBeGreaterThanOrEqual(0.85);
		expect(shares(outcome).refused).toBeLessThanOrEqual(0.05);
	});

	// The first refusal tells nothing of the rate, and each further one costs a twentieth of the whole time.
	it.each(latencies)(
		'a bucket without any burst, %d ms: 70 % used, 3 % refused',
		async (latency) => {
			for (const retryAfter of ['seconds', 'none'] as const) {
				const outcome = await read({
					limiter: tokenBucket(RATE, 1),
					latency: steady(latency),
					retryAfter,
				});
				expect(shares(outcome).used).toBeGreaterThanOrEqual(0.7);
				expect(shares(outcome).refused).toBeLessThanOrEqual(0.03);
				expect(outcome.failed).toEqual([]);
			}
		},
	);

	it.each(limiters)('%s, a longer listing: 92 % used, 1.5 % refused', async (_, limiter) => {
		const outcome = await read({ limiter: limiter(), pages: 2_000 });
		expect(shares(outcome, 2_000).used).toBeGreaterThanOrEqual(0.92);
		expect(shares(outcome, 2_000).refused).toBeLessThanOrEqual(0.015);
	});

	it('goes faster again where the limit is lifted', async () => {
		const clock = new VirtualClock();
		const limited = tokenBucket(RATE, RATE);
		const outcome = await readThroughLimiter(
			{
				limiter: (now) => (now < 20_000 ? limited(now) : 0),
				retryAfter: 'seconds',
				latency: steady(50),
				pages: 5_000,
			},
			clock,
		);
		// At the limit it would take 250 seconds.
		expect(outcome.seconds).toBeLessThan(110);
	});

	// Without bursts the listings refuse each other at random, and a page may be refused more often than it is tried.
	it.each([
		[RATE, 0],
		[1, 0.01],
	])('four listings at once, bursts of %d: a share of %d fails at most', async (burst, share) => {
		const outcomes = [];
		for (let round = 0; round < 30; round++) {
			for (const retryAfter of ['seconds', 'none'] as const) {
				const clock = new VirtualClock();
				const limiter = tokenBucket(RATE, burst);
				const four = [1, 2, 3, 4].map(async (number) => {
					const seed = 10 * round + number;
					const latency = varied(60, seed);
					const random = seeded(seed);
					return await startReading({ limiter, retryAfter, latency, pages: 100, random }, clock);
				});
				outcomes.push(...(await clock.run(Promise.all(four))));
			}
		}
		const failed = outcomes.filter((outcome) => outcome.failed.length > 0);
		expect(failed.length).toBeLessThanOrEqual(share * outcomes.length);
	});
});

describe('a service without a limit', () => {
	it('is read at full speed', async () => {
		const { seconds, sent } = await read({ limiter: unlimited, latency: steady(100) });
		expect(sent).toBe(400);
		// 25 times 100 ms with all 16 in flight, and three times more to get there.
		expect(seconds).toBeLessThanOrEqual(2.8);
	});

	it.each([10, 100, 300])('loses little time by one 503, at request %d', async (at) => {
		const { seconds, failed } = await read({
			limiter: unlimited,
			latency: steady(100),
			overloaded: (request) => request === at,
		});
		expect(failed).toEqual([]);
		expect(seconds).toBeLessThanOrEqual(3.4);
	});
});
