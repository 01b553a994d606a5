import {
	fixedWindow,
	type Limiter,
	limitHeaders,
	retryAfter as retryAfterOf,
	slidingWindow,
	tokenBucket,
	unlimited,
	type Verdict,
} from '../simulation/limiter';
import type { RateLimitSwitches } from './switches';

/** Counts requests against the limit of the switches. Times are milliseconds of a steady clock. */
export class RateLimiter {
	private limiter: Limiter | undefined;

	/** @param limit stays the same until `reset` */
	admit(limit: RateLimitSwitches, now: number): Verdict {
		this.limiter ??= limiterOf(limit);
		return this.limiter.admit(now);
	}

	/** Forgets what was used, and the limit. */
	reset(): void {
		this.limiter = undefined;
	}
}

function limiterOf({ requestsPerSecond, burst, algorithm }: RateLimitSwitches): Limiter {
	if (requestsPerSecond <= 0) return unlimited;
	const atOnce = burst ?? Math.max(1, Math.floor(requestsPerSecond));
	const window = (atOnce / requestsPerSecond) * 1_000;
	switch (algorithm) {
		case 'bucket':
			return tokenBucket(requestsPerSecond, atOnce);
		case 'window':
			return fixedWindow(atOnce, window);
		case 'sliding':
			return slidingWindow(atOnce, window);
	}
}

/**
 * `Retry-After` for a wait in milliseconds, or undefined for none. `now` is the service's clock in
 * milliseconds since 1970.
 */
export function retryAfter(
	style: RateLimitSwitches['retryAfter'],
	wait: number,
	now: number,
): string | undefined {
	if (typeof style === 'number') return String(style);
	if (typeof style === 'object') return style.text;
	return style === 'garbage' ? 'soon, perhaps' : retryAfterOf(style, wait, now);
}

/** The headers that announce the limit. `now` is the service's clock in milliseconds since 1970. */
export function rateLimitHeaders(
	{ headers, requestsPerSecond }: RateLimitSwitches,
	verdict: Verdict,
	now: number,
): Record<string, string> {
	if (requestsPerSecond <= 0) return {};
	return limitHeaders(headers, verdict, now);
}
