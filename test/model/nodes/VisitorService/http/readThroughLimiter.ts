import { AdaptivePace } from '../../../../../nodes/VisitorService/http/adaptivePace';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/http/message';
import { sendRequest } from '../../../../../nodes/VisitorService/http/sendRequest';
import { VirtualClock } from '../../../../simulation/clock';
import {
	type HeaderStyle,
	type Limiter,
	limitHeaders,
	type RetryAfterStyle,
	retryAfter as retryAfterOf,
} from '../../../../simulation/limiter';
import { seeded } from '../../../../simulation/seeded';

export interface Setting {
	limiter: Limiter;
	retryAfter: RetryAfterStyle;
	/** Default: none. */
	headers?: HeaderStyle;
	/** Status of a refusal. Default: 429. */
	status?: number;
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
		const now = clock.now();
		const verdict = limiter.admit(now);
		await clock.sleep(time / 2);
		if (verdict.admitted) limiter.released?.();
		const headers = limitHeaders(setting.headers ?? 'none', verdict, now);
		headers.date = new Date(now).toUTCString();
		if (setting.overloaded?.(number) === true) return { statusCode: 503, headers, body: null };
		if (verdict.admitted) return { statusCode: 200, headers, body: null };
		outcome.refused++;
		const wait = retryAfterOf(retryAfter, verdict.wait, now);
		if (wait !== undefined) headers['retry-after'] = wait;
		return { statusCode: setting.status ?? 429, headers, body: null };
	};
	const read = async (): Promise<number> => {
		const answer = await sendRequest(
			{ method: 'GET', url: 'https://tenant.example.test/users', timeout: 1000 },
			{
				transport,
				clock,
				random,
				maxRetries,
				role: 'Tenant API URL',
				pace,
			},
		);
		return answer.statusCode;
	};

	let next = 0;
	const readOn = async (): Promise<void> => {
		while (next < pages) {
			next++;
			const status = await read();
			if (status !== 200) outcome.failed.push(status);
		}
	};
	await Promise.all(Array.from({ length: concurrency }, readOn));
	outcome.seconds = (clock.now() - startedAt) / 1000;
	return outcome;
}
