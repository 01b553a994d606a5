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

export interface Limiter {
	admit(now: number): Verdict;
	/** A request that was admitted has been answered. */
	released?(): void;
}

/** Refills steadily, `rate` tokens a second, up to `burst`. */
export function tokenBucket(rate: number, burst: number): Limiter {
	const limit = Math.max(1, burst);
	let tokens = limit;
	let countedAt = 0;
	return {
		admit: (now) => {
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
		},
	};
}

/**
 * Allows so many in every window; windows follow one another.
 *
 * @param start when the first window begins; undefined = with the first request
 */
export function fixedWindow(limit: number, window: number, start?: number): Limiter {
	let origin = start;
	let current = -Infinity;
	let used = 0;
	return {
		admit: (now) => {
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
		},
	};
}

/** Allows so many within any span as long as the window. */
export function slidingWindow(limit: number, window: number): Limiter {
	const starts: number[] = [];
	return {
		admit: (now) => {
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
		},
	};
}

/** Allows so many in work at the same time. How long that lasts it does not know. */
export function inFlight(limit: number): Limiter {
	let working = 0;
	return {
		admit: () => {
			const admitted = working < limit;
			if (admitted) working++;
			return { admitted, wait: admitted ? 0 : 1, limit, remaining: limit - working, reset: 0 };
		},
		released: () => {
			working--;
		},
	};
}

export const unlimited: Limiter = {
	admit: () => ({ admitted: true, wait: 0, limit: Infinity, remaining: Infinity, reset: 0 }),
};

/** How services write `Retry-After`: whole seconds, an HTTP date, or not at all. */
export type RetryAfterStyle = 'seconds' | 'date' | 'none';

/** @param now milliseconds since 1970 by the clock of the service */
export function retryAfter(style: RetryAfterStyle, wait: number, now: number): string | undefined {
	if (style === 'none') return undefined;
	// An HTTP date has whole seconds, so the next one after the wait.
	if (style === 'date') return new Date(Math.ceil((now + wait) / 1000) * 1000).toUTCString();
	return String(Math.max(1, Math.ceil(wait / 1000)));
}

/**
 * How services announce their limit, on every answer.
 *
 * `ratelimit`: draft-ietf-httpapi-ratelimit-headers up to 07, three headers ·
 * `ratelimit-structured`: from 08 on, one structured field · `x-ratelimit`: reset as epoch seconds
 * (GitHub) · `x-ratelimit-seconds`: reset as seconds from now · `x-rate-limit`: the spelling of
 * Twitter and Okta.
 */
export type HeaderStyle =
	| 'none'
	| 'ratelimit'
	| 'ratelimit-structured'
	| 'x-ratelimit'
	| 'x-ratelimit-seconds'
	| 'x-rate-limit';

/** @param now milliseconds since 1970 by the clock of the service */
export function limitHeaders(
	style: HeaderStyle,
	{ limit, remaining, reset }: Pick<Verdict, 'limit' | 'remaining' | 'reset'>,
	now: number,
): Record<string, string> {
	const seconds = Math.ceil(reset / 1000);
	const epoch = Math.ceil((now + reset) / 1000);
	const named = (prefix: string, at: number) => ({
		[`${prefix}limit`]: String(limit),
		[`${prefix}remaining`]: String(remaining),
		[`${prefix}reset`]: String(at),
	});
	switch (style) {
		case 'none':
			return {};
		case 'ratelimit':
			return named('ratelimit-', seconds);
		case 'ratelimit-structured':
			return {
				'ratelimit-policy': `"default";q=${limit};w=${Math.max(1, seconds)}`,
				ratelimit: `"default";r=${remaining};t=${seconds}`,
			};
		case 'x-ratelimit':
			return named('x-ratelimit-', epoch);
		case 'x-ratelimit-seconds':
			return named('x-ratelimit-', seconds);
		case 'x-rate-limit':
			return named('x-rate-limit-', epoch);
	}
}
