import { isUnsetTime } from '../response/updateTimes';
import { HOUR, type Instant, MINUTE, readInstant, SECOND } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';

/**
 * How far off a time may be that is shown in a zone it is not marked with, or compared by a filter
 * that knows days only.
 */
export const MAX_ZONE_SPREAD_MS = 26 * HOUR;

/** The time at a dot path; undefined if it leads to none that can be read. */
export function readTime(record: JsonObject, path: string): Instant | undefined {
	const written = readDotPath(record, path);
	return isUnsetTime(written) ? undefined : readInstant(written);
}

/** The earliest moment that it can mean, in milliseconds since 1970. */
export function readEarliestMs(record: JsonObject, path: string): number | undefined {
	return readTime(record, path)?.earliestMs;
}

/**
 * How long a record may change without getting another time. Zeros may be what was cut off, so a
 * time at a full minute may be that of any second of it.
 */
export function precisionMs(time: number): number {
	if (time % SECOND !== 0) return 0;
	return time % MINUTE === 0 ? MINUTE : SECOND;
}

/** The latest moment a time may stand for: that of the last change that is written the same. */
export function latestMs(time: number, unit = 0): number {
	return time + Math.max(precisionMs(time), unit);
}
