import { readInstant } from '../values/instant';
import type { RefusalReason } from './refusals';

/**
 * Checks that a timestamp lies in the window around now, in both directions.
 *
 * @param timestamp as it was sent: a number that counts from 1970, or a time that names its zone
 * @param now milliseconds since 1970
 * @param tolerance seconds
 * @returns undefined if it does, else why not
 */
export function checkTimestamp(
	timestamp: string,
	now: number,
	tolerance: number,
): RefusalReason | undefined {
	if (timestamp === '') return 'partMissing';
	const instant = readInstant(timestamp);
	if (instant === undefined || instant.zone === 'none') return 'timestampUnreadable';
	// Whole seconds, as the Standard Webhooks libraries compare.
	const age = Math.floor(now / 1000) - Math.floor(instant.earliest / 1000);
	return Math.abs(age) > tolerance ? 'timestampOutside' : undefined;
}

/**
 * Finds the timestamp in a signature header that is a list: `t=1614265330,v1=…`, `ts=…;h1=…`,
 * `timestamp="…"`, or a first element that is nothing but a number. No service writes a fraction or
 * a date there; a fraction could be the beginning of a body.
 */
export function timestampInList(header: string): string | undefined {
	return namedTimestamp(header) ?? /^(\d{9,19})[\s,:;&|]/.exec(header)?.[1];
}

/** As {@link timestampInList}, but only with a name before it. */
export function namedTimestamp(header: string): string | undefined {
	return /(?:^|[\s,;&|])(?:t|ts|time|timestamp) ?[=:] ?"?(\d+)(?=[\s,:;&|"]|$)/i.exec(header)?.[1];
}
