import { MINUTE, readInstant } from '../../values/instant';

export type TimestampRefusal =
	| 'timestampMissing'
	| 'timestampUnreadable'
	| 'timestampTooOld'
	| 'timestampTooNew';

/**
 * Checks that a timestamp lies in the window around now, in both directions.
 *
 * @param timestamp as it was sent; one without a zone is in UTC
 * @param now milliseconds since 1970
 * @param tolerance seconds
 * @returns undefined if it does, else why not
 */
export function checkTimestamp(
	timestamp: string,
	now: number,
	tolerance: number,
): TimestampRefusal | undefined {
	if (timestamp === '') return 'timestampMissing';
	const instant = readInstant(timestamp, 'UTC');
	if (instant === undefined || instant.precision === 'day') return 'timestampUnreadable';
	const last = instant.precision === 'minute' ? instant.earliest + MINUTE - 1 : instant.latest;
	// Whole seconds, as the Standard Webhooks libraries compare.
	const seconds = Math.floor(now / 1000);
	if (seconds - Math.floor(last / 1000) > tolerance) return 'timestampTooOld';
	if (Math.floor(instant.earliest / 1000) - seconds > tolerance) return 'timestampTooNew';
	return undefined;
}

/**
 * Finds the timestamp in a signature header that is a list: `t=1614265330,v1=…`, `ts=…;h1=…`,
 * `timestamp="…"`, or a first element that is nothing but a number.
 *
 * @returns the time as it is written there, because that is what is signed
 */
export function timestampInList(header: string): string | undefined {
	return namedTimestamp(header) ?? /^(\d{9,19})[\s,:;&|]/.exec(header)?.[1];
}

/** As {@link timestampInList}, but only with a name before it. */
export function namedTimestamp(header: string): string | undefined {
	return /(?:^|[\s,;&|])(?:t|ts|time|timestamp) ?[=:] ?"?([^\s,;&|"]+)/i.exec(header)?.[1];
}
