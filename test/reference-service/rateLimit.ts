import type { HeaderStyle, RateLimitSwitches } from './switches';

/** What a limiter says to one request. Times in milliseconds. */
export interface Verdict {
	admitted: boolean;
	/** Until a request would be admitted; 0 if this one was. */
	wait: number;
	/** Requests that may come at once, or within one window. */
	limit: number;
	/** Requests that would be admitted right now. */
	remaining: number;
	/** Until the quota is whole again. */
	reset: number;
}

type Limiter = (now: number) => Verdict;

/** Refills steadily, `rate` tokens a second, up to `limit`. */
function tokenBucket(rate: number, limit: number): Limiter {
	let tokens = limit;
	let countedAt = 0;
	return (now) => {
		tokens = Math.min(limit, tokens + ((now - countedAt) / 1000) * rate);
		countedAt = now;
		// Computed in fractions, a token that is due now may still lack a billionth.
		const admitted = tokens >= 1 - 1e-9;
		if (admitted) tokens--;
		return {
			admitted,
			wait: admitted ? 0 : ((1 - tokens) / rate) * 1000,
			limit,
			remaining: Math.max(0, Math.floor(tokens + 1e-9)),
			reset: ((limit - tokens) / rate) * 1000,
		};
	};
}

/** Allows so many in every window; windows follow one another, from the first request on. */
function fixedWindow(limit: number, window: number): Limiter {
	let origin: number | undefined;
	let current = -Infinity;
	let used = 0;
	return (now) => {
		origin ??= now;
		const index = Math.floor((now - origin) / window);
		if (index !== current) {
			current = index;
			used = 0;
		}
		const admitted = used < limit;
		if (admitted) used++;
		const reset = origin + (index + 1) * window - now;
		return { admitted, wait: admitted ? 0 : reset, limit, remaining: limit - used, reset };
	};
}

/** Allows so many within any span as long as the window. */
function slidingWindow(limit: number, window: number): Limiter {
	const starts: number[] = [];
	return (now) => {
		while ((starts[0] ?? Infinity) <= now - window) starts.shift();
		const admitted = starts.length < limit;
		if (admitted) starts.push(now);
		return {
			admitted,
			wait: admitted ? 0 : (starts[0] ?? now) + window - now,
			limit,
			remaining: limit - starts.length,
			reset: (starts.at(-1) ?? now) + window - now,
		};
	};
}

const unlimited: Limiter = () => ({
	...{ admitted: true, wait: 0, limit: Infinity, remaining: Infinity, reset: 0 },
});

function limiterOf({ requestsPerSecond, burst, algorithm }: RateLimitSwitches): Limiter {
	if (requestsPerSecond <= 0) return unlimited;
	const atOnce = burst ?? Math.max(1, Math.floor(requestsPerSecond));
	const window = (atOnce / requestsPerSecond) * 1_000;
	switch (algorithm) {
		case 'bucket':
			return tokenBucket(requestsPerSecond, Math.max(1, atOnce));
		case 'window':
			return fixedWindow(atOnce, window);
		case 'sliding':
			return slidingWindow(atOnce, window);
	}
}

/** Counts requests against the limit of the switches. Times are milliseconds of a steady clock. */
export class RateLimiter {
	private limiter: Limiter | undefined;

	/** @param limit stays the same until `reset` */
	admit(limit: RateLimitSwitches, now: number): Verdict {
		this.limiter ??= limiterOf(limit);
		return this.limiter(now);
	}

	/** Forgets what was used, and the limit. */
	reset(): void {
		this.limiter = undefined;
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
	if (style === 'none') return undefined;
	// An HTTP date has whole seconds, so the next one after the wait.
	if (style === 'date') return new Date(Math.ceil((now + wait) / 1000) * 1000).toUTCString();
	return String(Math.max(1, Math.ceil(wait / 1000)));
}

/** Prefix of three headers, and whether the reset is in seconds since 1970. */
const THREE_HEADERS: Partial<Record<HeaderStyle, [prefix: string, sinceEpoch: boolean]>> = {
	ratelimit: ['ratelimit-', false],
	'x-ratelimit': ['x-ratelimit-', true],
	'x-ratelimit-seconds': ['x-ratelimit-', false],
	'x-rate-limit': ['x-rate-limit-', true],
};

/** The headers that announce the limit. `now` is the service's clock in milliseconds since 1970. */
export function rateLimitHeaders(
	{ headers, requestsPerSecond }: RateLimitSwitches,
	{ limit, remaining, reset }: Verdict,
	now: number,
): Record<string, string> {
	if (requestsPerSecond <= 0) return {};
	const seconds = Math.ceil(reset / 1000);
	if (headers === 'ratelimit-structured') {
		return {
			'ratelimit-policy': `"default";q=${limit};w=${Math.max(1, seconds)}`,
			ratelimit: `"default";r=${remaining};t=${seconds}`,
		};
	}
	const [prefix, sinceEpoch] = THREE_HEADERS[headers] ?? [];
	if (prefix === undefined) return {};
	return {
		[`${prefix}limit`]: String(limit),
		[`${prefix}remaining`]: String(remaining),
		[`${prefix}reset`]: String(sinceEpoch === true ? Math.ceil((now + reset) / 1000) : seconds),
	};
}
