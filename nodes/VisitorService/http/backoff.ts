import { MINUTE, readInstant, SECOND } from '../values/instant';
import { readDecimal } from '../values/scalar';
import type { HttpResponse } from './message';

/** Too Many Requests (RFC 6585 §4). */
export const TOO_MANY_REQUESTS = 429;

/** Service Unavailable (RFC 9110 §15.6.4), with which many proxies limit the rate. */
export const SERVICE_UNAVAILABLE = 503;

/** Accepted, but not completed (RFC 9110 §15.3.3): the response holds no result yet. */
export const ACCEPTED = 202;

/** The same request may work later: the service needs time, or a proxy did not reach it. */
const RETRYABLE_STATUSES = [ACCEPTED, TOO_MANY_REQUESTS, 502, SERVICE_UNAVAILABLE, 504];

/** The longest wait the service may ask for. Whether to wait longer is for the user to decide. */
const MAX_RETRY_AFTER_MS = MINUTE;

const BACKOFF_BASE_MS = 500;
const BACKOFF_CAP_MS = 20_000;

/**
 * With the default of five retries, pauses add up to more than a minute, as many quotas are per
 * minute.
 */
const THROTTLE_BASE_MS = 500;
const THROTTLE_GROWTH = 3;
const THROTTLE_CAP_MS = 40_500;

/**
 * Reads `Retry-After` (RFC 9110 §10.2.3): a number of seconds or an HTTP date, or what services
 * write instead.
 *
 * @returns milliseconds to wait, or undefined if the header is missing or unreadable
 */
export function parseRetryAfterMs(
	headers: Readonly<Record<string, string>>,
	now: number,
): number | undefined {
	return parseDelayMs(headers['retry-after'], serverNow(headers, now));
}

/** Whether the same request may work later. */
export function isRetryableStatus(statusCode: number): boolean {
	return RETRYABLE_STATUSES.includes(statusCode);
}

/** Whether the service limits the rate, or has an error that may be over later. */
export function isThrottledOrServerError(statusCode: number): boolean {
	return statusCode === TOO_MANY_REQUESTS || statusCode >= 500;
}

/**
 * Whether the service limits the rate with the status 403 and `Retry-After`, as GitHub does for its
 * "secondary rate limits".
 */
export function isSecondaryRateLimit(
	{ statusCode, headers }: Pick<HttpResponse, 'statusCode' | 'headers'>,
	now: number,
): boolean {
	return statusCode === 403 && (parseRetryAfterMs(headers, now) ?? 0) > 0;
}

/**
 * Reads how long to wait: seconds from now, or a point in time. A header that was sent twice is a
 * list, of which the first element counts.
 *
 * @returns milliseconds, or undefined if the text is missing or unreadable
 */
export function parseDelayMs(text: string | undefined, now: number): number | undefined {
	if (text === undefined) return undefined;
	const [first = '', second = ''] = text.split(/[,;]/);
	// An HTTP date has a comma of its own.
	for (const written of [text, first, `${first},${second}`]) {
		const at = readInstant(written, 'utc');
		if (at !== undefined) return Math.max(0, at.earliestAt - now);
	}
	const seconds = readDecimal(first);
	// RFC 9110 allows whole seconds only, but some services send fractions.
	return seconds === undefined || seconds < 0 ? undefined : Math.ceil(seconds * SECOND);
}

/**
 * The time of the service's clock. Its `Date` header has whole seconds; within that second, our
 * clock counts.
 */
export function serverNow(headers: Readonly<Record<string, string>>, now: number): number {
	const date = readHttpDate(headers.date);
	return date === undefined ? now : Math.min(Math.max(now, date), date + 999);
}

/**
 * Rounds down, because a wait until an HTTP date, which has whole seconds, may be a second longer.
 */
export function exceedsMaxRetryAfter(waitMs: number): boolean {
	return Math.floor(waitMs / SECOND) * SECOND > MAX_RETRY_AFTER_MS;
}

/**
 * Milliseconds since 1970 of an HTTP date; the oldest of its forms names no zone and means UTC (RFC
 * 9110 §5.6.7).
 */
export function readHttpDate(text: string | undefined): number | undefined {
	return readInstant(text, 'utc')?.earliestAt;
}

/** What decides how long to wait before a retry. */
interface RetryInput {
	/** Retries so far. */
	retryCount: number;
	/** From `Retry-After`; 0 without it. */
	retryAfterMs?: number;
	/** Pauses since a success, if a limiter makes all requests wait; undefined without one. */
	consecutivePauses?: number;
}

/** @param random a number in [0, 1) for the jitter */
export function retryDelayMs(
	{ retryCount, retryAfterMs = 0, consecutivePauses }: RetryInput,
	random: () => number,
): number {
	const backoffMs =
		consecutivePauses === undefined
			? fullJitterMs(retryCount, random())
			: throttleBackoffMs(consecutivePauses, random());
	// A wait of zero would leave the service no time to recover.
	if (retryAfterMs === 0) return backoffMs;
	// Listings with the same Retry-After would otherwise send together and be throttled again.
	const isShared = consecutivePauses !== undefined && retryCount > 1;
	return retryAfterMs + (isShared ? fullJitterMs(retryCount, random()) : 0);
}

/** Full-jitter backoff: a random time up to a bound that doubles with each attempt. */
function fullJitterMs(attempt: number, random: number): number {
	return Math.round(random * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** attempt));
}

/** How long a listing pauses if the service throttles it without Retry-After. */
function throttleBackoffMs(consecutivePauses: number, random: number): number {
	const base = Math.min(THROTTLE_CAP_MS, THROTTLE_BASE_MS * THROTTLE_GROWTH ** consecutivePauses);
	// So that listings that were throttled together do not send together again.
	return Math.round(base * (1 + random / 2));
}
