import { readInOrder } from '../../../../../nodes/VisitorService/listing/readInOrder';
import { AdaptivePace } from '../../../../../nodes/VisitorService/transport/adaptivePace';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/transport/httpMessage';
import { sendRequest } from '../../../../../nodes/VisitorService/transport/sendRequest';
import type { Limiter } from './simulatedLimiter';
import { VirtualClock } from './virtualClock';

export interface Setting {
	limiter: Limiter;
	retryAfter: 'seconds' | 'none';
	/** Milliseconds one request takes, drawn for each. */
	latency: () => number;
	pages?: number;
	concurrency?: number;
	maxRetries?: number;
	/** Answers 503 instead, by the number of the request. */
	overloaded?: (request: number) => boolean;
	random?: () => number;
}

export interface Outcome {
	/** Virtual seconds. */
	seconds: number;
	sent: number;
	refused: number;
	/** Statuses the pages ended with, where it was not 200. */
	failed: number[];
}

/** Reads so many pages through a rate limiter, in virtual time. */
export async function readThroughLimiter(
	setting: Setting,
	clock = new VirtualClock(),
): Promise<Outcome> {
	return await clock.run(startReading(setting, clock));
}

/** The same as a part of a larger simulation. */
export async function startReading(setting: Setting, clock: VirtualClock): Promise<Outcome> {
	const { limiter, retryAfter, latency, pages = 400, concurrency = 16, maxRetries = 5 } = setting;
	const startedAt = clock.now();
	const pace = new AdaptivePace(concurrency, clock);
	const random = setting.random ?? seeded(7);
	const outcome: Outcome = { seconds: 0, sent: 0, refused: 0, failed: [] };

	const transport = async (): Promise<HttpAnswer> => {
		const number = outcome.sent++;
		const time = latency();
		await clock.sleep(time / 2);
		const wait = limiter(clock.now());
		await clock.sleep(time / 2);
		if (setting.overloaded?.(number) === true) return { statusCode: 503, headers: {}, body: null };
		if (wait === 0) return { statusCode: 200, headers: {}, body: null };
		outcome.refused++;
		const seconds = String(Math.max(1, Math.ceil(wait / 1000)));
		return {
			statusCode: 429,
			headers: retryAfter === 'seconds' ? { 'retry-after': seconds } : {},
			body: null,
		};
	};
	const read = async (): Promise<number> => {
		const answer = await sendRequest(
			{ method: 'GET', url: 'https://tenant.example.test/users', timeout: 1000 },
			{
				transport,
				clock,
				random,
				maxRetries,
				mayRetry: (statusCode) => [429, 502, 503, 504].includes(statusCode),
				role: 'Tenant API URL',
				pace,
			},
		);
		return answer.statusCode;
	};

	await read();
	await readInOrder<number>(1, {
		concurrency,
		horizon: () => pages,
		ended: () => false,
		arrived: () => undefined,
		read,
		take: (page) => {
			if ('error' in page) throw page.error;
			if (page.page !== 200) outcome.failed.push(page.page);
		},
	});
	outcome.seconds = (clock.now() - startedAt) / 1000;
	return outcome;
}

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
