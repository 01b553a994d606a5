/** A wait the service may ask for; a longer one is the user's decision, not ours. Milliseconds. */
export const LONGEST_RETRY_AFTER = 60_000;

const BACKOFF_BASE = 500;
const BACKOFF_CAP = 20_000;

/**
 * Reads `Retry-After` (RFC 9110 §10.2.3): a number of seconds or an HTTP date.
 *
 * @returns milliseconds to wait, or undefined where the header is missing or unreadable
 */
export function readRetryAfter(
	headers: Readonly<Record<string, string>>,
	now: number,
): number | undefined {
	const text = headers['retry-after']?.trim() ?? '';
	// RFC 9110 has whole seconds only; some services send fractions, which mean the same.
	if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
	// Every HTTP date form starts with a day name. `Date.parse` alone also reads "5 apples" as a date.
	if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(text)) return undefined;
	// The oldest form (RFC 9110 §5.6.7, asctime) names no zone, which Date.parse takes for the local one.
	const at = Date.parse(/(gmt|utc)$/i.test(text) ? text : `${text} GMT`);
	if (Number.isNaN(at)) return undefined;
	// The date is the service's time; its `Date` header says how far its clock is from ours.
	const serviceNow = Date.parse(headers.date ?? '');
	return Math.max(0, at - (Number.isNaN(serviceNow) ? now : serviceNow));
}

/**
 * Full-jitter back-off: a random time up to a bound that doubles with each attempt.
 *
 * @param attempt 0 for the first repetition
 * @param random a number in [0, 1)
 * @returns milliseconds
 */
export function fullJitter(attempt: number, random: number): number {
	return Math.round(random * Math.min(BACKOFF_CAP, BACKOFF_BASE * 2 ** attempt));
}
