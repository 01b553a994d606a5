export type TimestampRefusal =
	| 'timestampMissing'
	| 'timestampUnreadable'
	| 'timestampTooOld'
	| 'timestampTooNew';

/** As seconds this is the year 5138, as milliseconds March 1973: no timestamp of today is mistaken. */
const FIRST_MILLISECONDS = 1e11;

const ISO_8601 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})$/i;

/**
 * Checks that a timestamp lies in the window around now, in both directions.
 *
 * @param timestamp Unix time in seconds or milliseconds, or ISO 8601 with a zone, as it was sent
 * @param now milliseconds
 * @param tolerance seconds
 * @returns undefined where it does, else why not
 */
export function checkTimestamp(
	timestamp: string,
	now: number,
	tolerance: number,
): TimestampRefusal | undefined {
	if (timestamp === '') return 'timestampMissing';
	const seconds = toSeconds(timestamp);
	if (seconds === undefined) return 'timestampUnreadable';
	// Whole seconds, as the Standard Webhooks libraries compare.
	const age = Math.floor(now / 1000) - seconds;
	if (age > tolerance) return 'timestampTooOld';
	return age < -tolerance ? 'timestampTooNew' : undefined;
}

function toSeconds(timestamp: string): number | undefined {
	if (/^\d{1,16}(?:\.\d{1,9})?$/.test(timestamp)) {
		const value = Number(timestamp);
		return Math.floor(value >= FIRST_MILLISECONDS ? value / 1000 : value);
	}
	if (!ISO_8601.test(timestamp)) return undefined;
	const milliseconds = Date.parse(timestamp);
	return Number.isNaN(milliseconds) ? undefined : Math.floor(milliseconds / 1000);
}
