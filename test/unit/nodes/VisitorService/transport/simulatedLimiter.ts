/** Says when a request that comes now would be let through: 0 = it is let through, else milliseconds to wait. */
export type Limiter = (now: number) => number;

/** Refills steadily, `rate` tokens a second, up to `burst`. */
export function tokenBucket(rate: number, burst: number): Limiter {
	let tokens = burst;
	let countedAt = 0;
	return (now) => {
		tokens = Math.min(burst, tokens + ((now - countedAt) / 1000) * rate);
		countedAt = now;
		// Computed in fractions, a token that is due now may still lack a billionth.
		if (tokens < 1 - 1e-9) return ((1 - tokens) / rate) * 1000;
		tokens--;
		return 0;
	};
}

/** Allows so many in every window; windows follow one another. */
export function fixedWindow(allowed: number, window: number, offset = 0): Limiter {
	let current = -1;
	let used = 0;
	return (now) => {
		const index = Math.floor((now + offset) / window);
		if (index !== current) {
			current = index;
			used = 0;
		}
		if (used < allowed) {
			used++;
			return 0;
		}
		return (index + 1) * window - offset - now;
	};
}

/** Allows so many within any span as long as the window. */
export function slidingWindow(allowed: number, window: number): Limiter {
	const starts: number[] = [];
	return (now) => {
		while ((starts[0] ?? Infinity) <= now - window) starts.shift();
		if (starts.length < allowed) {
			starts.push(now);
			return 0;
		}
		return (starts[0] ?? now) + window - now;
	};
}

export const unlimited: Limiter = () => 0;
