import { VirtualClock } from '../../../../simulation/clock';
import {
	fixedWindow,
	type HeaderStyle,
	inFlight,
	type Limiter,
	type RetryAfterStyle,
	slidingWindow,
	tokenBucket,
	unlimited,
} from '../../../../simulation/limiter';
import { seeded } from '../../../../simulation/seeded';
import { type Outcome, readThroughLimiter, type Setting, startReading } from './readThroughLimiter';

const RATE = 20;

const steady = (milliseconds: number) => () => milliseconds;
/** Latencies around `milliseconds`, as far away as that share of it. */
const varied = (milliseconds: number, seed: number, share: number) => {
	const random = seeded(seed);
	return () => milliseconds * (1 - share + 2 * share * random());
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
		['a fixed window', () => fixedWindow(RATE, 1_000, 0)],
		['a fixed window that began earlier', () => fixedWindow(RATE, 1_000, -377)],
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

	it.each(limiters)('%s, latencies from 0 to 100 ms: 80 % used', async (_, limiter) => {
		const outcome = await read({ limiter: limiter(), latency: varied(50, 3, 1) });
		expect(shares(outcome).used).toBeGreaterThanOrEqual(0.8);
		expect(shares(outcome).refused).toBeLessThanOrEqual(0.05);
	});

	// The first refusal tells nothing of the rate, and each further one costs a twentieth of the
	// whole time.
	it.each(latencies.flatMap((latency) => [1, 2, 5].map((burst) => ({ latency, burst }))))(
		'a bucket with bursts of $burst, $latency ms: 70 % used, 4.5 % refused',
		async ({ latency, burst }) => {
			for (const retryAfter of ['seconds', 'none'] as const) {
				const outcome = await read({
					limiter: tokenBucket(RATE, burst),
					latency: steady(latency),
					retryAfter,
				});
				expect(shares(outcome).used).toBeGreaterThanOrEqual(0.7);
				expect(shares(outcome).refused).toBeLessThanOrEqual(0.045);
				expect(outcome.failed).toEqual([]);
			}
		},
	);

	it('a slow answer and a window of a second: 75 % used', async () => {
		for (const retryAfter of ['seconds', 'none'] as const) {
			const outcome = await read({
				limiter: slidingWindow(10, 1_000),
				latency: steady(400),
				retryAfter,
				concurrency: 8,
			});
			expect(400 / (outcome.seconds * 10)).toBeGreaterThanOrEqual(0.75);
			expect(shares(outcome).refused).toBeLessThanOrEqual(0.05);
		}
	});

	it.each(limiters)('%s, a longer listing: 92 % used, 1.5 % refused', async (_, limiter) => {
		const outcome = await read({ limiter: limiter(), pages: 2_000 });
		expect(shares(outcome, 2_000).used).toBeGreaterThanOrEqual(0.92);
		expect(shares(outcome, 2_000).refused).toBeLessThanOrEqual(0.015);
	});

	it('takes a limit of requests in flight for a limit, although most of each moment are let through', async () => {
		const outcome = await read({
			limiter: inFlight(4),
			latency: steady(100),
			retryAfter: 'none',
			concurrency: 8,
		});
		expect(shares(outcome).refused).toBeLessThanOrEqual(0.02);
	});

	it('goes faster again when the limit is lifted', async () => {
		const clock = new VirtualClock();
		const limited = tokenBucket(RATE, RATE);
		const outcome = await readThroughLimiter(
			{
				limiter: { admit: (now) => (now < 20_000 ? limited : unlimited).admit(now) },
				retryAfter: 'seconds',
				latency: steady(50),
				pages: 5_000,
			},
			clock,
		);
		// At the limit it would take 250 seconds.
		expect(outcome.seconds).toBeLessThan(110);
	});

	// Without bursts the listings refuse each other at random, and a page may be refused more often
	// than it is tried.
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
					const latency = varied(30, seed, 1);
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
	it('reads at full speed from a service without a limit', async () => {
		const { seconds, sent } = await read({ limiter: unlimited, latency: steady(100) });
		expect(sent).toBe(400);
		// 25 times 100 ms with all 16 in flight, and three times more to get there.
		expect(seconds).toBeLessThanOrEqual(2.8);
	});

	it.each([0, 1, 10, 100, 300])('loses little time by one 503, at request %d', async (at) => {
		const { seconds, failed } = await read({
			limiter: unlimited,
			latency: steady(100),
			overloaded: (request) => request === at,
		});
		expect(failed).toEqual([]);
		// The pause, and two moments in which those that wait for it are not sent.
		expect(seconds).toBeLessThanOrEqual(3.5);
	});
});

describe('drawn limits', () => {
	const DRAWN = 400;
	type Kind = 'bucket' | 'fixed' | 'sliding' | 'per minute' | 'no burst' | 'in flight';
	const KINDS: Kind[] = ['bucket', 'fixed', 'sliding', 'per minute', 'no burst', 'in flight'];
	const HEADERS: HeaderStyle[] = [
		'ratelimit',
		'ratelimit-structured',
		'x-ratelimit',
		'x-ratelimit-seconds',
		'x-rate-limit',
	];

	function draw(number: number) {
		const random = seeded(20_261_122 + number);
		const pick = <T>(...choices: T[]) => choices[Math.floor(random() * choices.length)] as T;
		const kind = pick(...KINDS);
		const latency = pick(5, 20, 50, 100, 200);
		const concurrency = pick(5, 8, 16);
		const retryAfter = pick<RetryAfterStyle>('seconds', 'date', 'none', 'none');
		const headers = kind !== 'in flight' && random() < 0.4 ? pick(...HEADERS) : 'none';
		const status = pick(429, 503);
		let rate = Math.round(5 + 15 * random());
		const start = -Math.floor(random() * 60_000);
		const seconds = pick(1, 2, 5, 10);
		const limiterOf = (): Limiter => {
			switch (kind) {
				case 'bucket':
					return tokenBucket(rate, rate * pick(1, 5));
				case 'fixed':
					return fixedWindow(rate * seconds, seconds * 1_000, start);
				case 'sliding':
					return slidingWindow(rate * seconds, seconds * 1_000);
				case 'per minute': {
					const quota = pick(60, 100, 300);
					rate = quota / 60;
					return pick(fixedWindow(quota, 60_000, start), slidingWindow(quota, 60_000));
				}
				case 'no burst':
					return tokenBucket(rate, 1);
				case 'in flight': {
					const most = pick(1, 2, 3, 5);
					rate = most / (latency / 1_000);
					return inFlight(most);
				}
			}
		};
		const limiter = limiterOf();
		const pages = Math.max(400, Math.round(20 * rate));
		const setting: Setting = {
			limiter,
			retryAfter,
			headers,
			status,
			latency: varied(latency, number, 0.3),
			pages,
			concurrency,
			random: seeded(number),
		};
		const names = retryAfter !== 'none' && kind !== 'in flight';
		return { kind, names, headers, status, rate, pages, setting };
	}

	/**
	 * Medians: what is used at least and refused at most, if the service names the wait and if it
	 * does not.
	 */
	const REACHED: Record<Kind, Record<'named' | 'unnamed', [used: number, refused: number]>> = {
		bucket: { named: [0.95, 0.03], unnamed: [0.95, 0.03] },
		fixed: { named: [0.9, 0.03], unnamed: [0.9, 0.03] },
		sliding: { named: [0.9, 0.03], unnamed: [0.83, 0.03] },
		'per minute': { named: [0.95, 0.03], unnamed: [0.9, 0.04] },
		'no burst': { named: [0.7, 0.03], unnamed: [0.7, 0.03] },
		'in flight': { named: [0.8, 0.02], unnamed: [0.8, 0.02] },
	};

	it('uses drawn limits and keeps to them, and gives up no page with the default options', async () => {
		const outcomes = [];
		for (let number = 0; number < DRAWN; number++) {
			const drawn = draw(number);
			const outcome = await readThroughLimiter(drawn.setting, new VirtualClock(1.76e12 + number));
			const used = drawn.pages / (outcome.seconds * drawn.rate);
			outcomes.push({ ...drawn, used, refused: outcome.refused / outcome.sent, outcome });
		}
		const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;
		for (const kind of KINDS) {
			for (const wait of ['named', 'unnamed'] as const) {
				if (kind === 'in flight' && wait === 'named') continue;
				const some = outcomes.filter(
					(drawn) => drawn.kind === kind && drawn.names === (wait === 'named'),
				);
				expect(some.length).toBeGreaterThanOrEqual(20);
				const [used, refused] = REACHED[kind][wait];
				expect(median(some.map((drawn) => drawn.used))).toBeGreaterThanOrEqual(used);
				expect(median(some.map((drawn) => drawn.refused))).toBeLessThanOrEqual(refused);
			}
		}
		for (const status of [429, 503]) {
			const some = outcomes.filter((drawn) => drawn.status === status);
			expect(some.length).toBeGreaterThanOrEqual(100);
		}
		expect(outcomes.filter(({ headers }) => headers !== 'none').length).toBeGreaterThanOrEqual(80);
		expect(outcomes.flatMap(({ outcome }) => outcome.failed)).toEqual([]);
	});
});
