import { readDecimal } from '../values/scalar';
import { parseDelayMs, serverNow } from './backoff';

/** The rate limit for the next requests, as a response states it. */
export interface RateLimitInfo {
	/** Requests that are accepted until the reset. */
	remaining: number;
	resetInMs: number;
}

const NAMES = ['ratelimit', 'x-ratelimit', 'x-rate-limit'].map((prefix) => ({
	limit: `${prefix}-limit`,
	remaining: `${prefix}-remaining`,
	reset: `${prefix}-reset`,
}));

/**
 * Reads `RateLimit` (draft-ietf-httpapi-ratelimit-headers, from 08 on and as it was before),
 * `RateLimit-Remaining` (up to 07) and what others write instead. With several limits the tightest
 * one counts.
 */
export function parseRateLimit(
	headers: Readonly<Record<string, string>>,
	now: number,
): RateLimitInfo | undefined {
	const limits = [
		...(headers.ratelimit === undefined ? [] : readStructured(headers.ratelimit)),
		...NAMES.map(({ remaining, reset }) => [headers[remaining], headers[reset]] as const),
	].flatMap(([remaining, reset]) => {
		const left = firstNumber(remaining);
		if (left === undefined) return [];
		const resetInMs = parseDelayMs(reset, serverNow(headers, now));
		return resetInMs === undefined ? [] : [{ remaining: left, resetInMs }];
	});
	return limits.reduce<RateLimitInfo | undefined>(
		(tightest, limit) =>
			tightest === undefined || limit.remaining < tightest.remaining ? limit : tightest,
		undefined,
	);
}

/** How many requests a limit allows in all, if a header says so. */
export function parseQuota(headers: Readonly<Record<string, string>>): number | undefined {
	const { ratelimit, 'ratelimit-policy': policy } = headers;
	const named = NAMES.map(({ limit }) => headers[limit]);
	const quotas = [policy, ratelimit].map((text = '') => /\b(?:q|limit)=(\d+)/.exec(text)?.[1]);
	return [...named, ...quotas].map(firstNumber).find((size) => size !== undefined);
}

/**
 * `"default";r=50;t=30, "daily";r=900;t=4000`, or the older `limit=100, remaining=50, reset=30`.
 */
function readStructured(text: string): Array<readonly [string | undefined, string | undefined]> {
	const items = /\bremaining=/.test(text) ? [text] : text.split(',');
	return items.map((item) => [
		/\b(?:r|remaining)=(\d+)/.exec(item)?.[1],
		/\b(?:t|reset)=(\d+)/.exec(item)?.[1],
	]);
}

/** The 5 of `5`, of `5;w=60`, and of `5, 5;w=60`. */
function firstNumber(text: string | undefined): number | undefined {
	const number = readDecimal(text?.split(/[,;]/)[0]);
	return number !== undefined && number >= 0 ? number : undefined;
}
