import type { RateLimitSwitches } from './switches';

export interface Admission {
	admitted: boolean;
	/** Milliseconds until a request would be admitted; 0 when this one was. */
	waitMs: number;
	/** Requests that would be admitted right now. */
	remaining: number;
}

/** Counts requests against the limit of the switches. Times are milliseconds of a steady clock. */
export class RateLimiter {
	private available: number | null = null;
	private countedAt = 0;

	admit(limit: RateLimitSwitches, now: number): Admission {
		if (limit.requestsPerSecond <= 0) return { admitted: true, waitMs: 0, remaining: Infinity };
		this.available = this.refilled(limit, now);
		if (this.available >= 1) {
			this.available--;
			return { admitted: true, waitMs: 0, remaining: Math.floor(this.available) };
		}
		const waitMs =
			limit.algorithm === 'bucket'
				? ((1 - this.available) / limit.requestsPerSecond) * 1_000
				: this.countedAt + windowMs(limit) - now;
		return { admitted: false, waitMs, remaining: 0 };
	}

	/** Forgets what was used. */
	reset(): void {
		this.available = null;
	}

	private refilled(limit: RateLimitSwitches, now: number): number {
		const passed = now - this.countedAt;
		if (this.available === null) {
			this.countedAt = now;
			return burstOf(limit);
		}
		if (limit.algorithm === 'bucket') {
			this.countedAt = now;
			return Math.min(burstOf(limit), this.available + (passed / 1_000) * limit.requestsPerSecond);
		}
		if (passed < windowMs(limit)) return this.available;
		this.countedAt = now - (passed % windowMs(limit));
		return burstOf(limit);
	}
}

function burstOf({ burst, requestsPerSecond }: RateLimitSwitches): number {
	return burst ?? Math.max(1, Math.floor(requestsPerSecond));
}

function windowMs(limit: RateLimitSwitches): number {
	return (burstOf(limit) / limit.requestsPerSecond) * 1_000;
}

/**
 * `Retry-After` for a wait, or undefined for none. `now` is the service's clock in milliseconds
 * since 1970.
 */
export function retryAfter(
	style: RateLimitSwitches['retryAfter'],
	waitMs: number,
	now: number,
): string | undefined {
	switch (style) {
		case 'none':
			return undefined;
		case 'garbage':
			return 'soon, perhaps';
		case 'seconds':
			return String(Math.max(1, Math.ceil(waitMs / 1_000)));
		case 'date':
			// An HTTP date has whole seconds, so the next one after the wait.
			return new Date(Math.ceil((now + waitMs) / 1_000) * 1_000).toUTCString();
		default:
			return typeof style === 'number' ? String(style) : style.text;
	}
}

/** The headers that announce the limit. `now` is the service's clock in milliseconds since 1970. */
export function rateLimitHeaders(
	limit: RateLimitSwitches,
	{ remaining, waitMs }: Admission,
	now: number,
): Record<string, string> {
	if (limit.headers === 'none' || limit.requestsPerSecond <= 0) return {};
	const seconds = Math.ceil(waitMs / 1_000);
	return limit.headers === 'x-ratelimit'
		? {
				'x-ratelimit-limit': String(burstOf(limit)),
				'x-ratelimit-remaining': String(remaining),
				'x-ratelimit-reset': String(Math.floor(now / 1_000) + seconds),
			}
		: {
				'ratelimit-limit': String(burstOf(limit)),
				'ratelimit-remaining': String(remaining),
				'ratelimit-reset': String(seconds),
			};
}
