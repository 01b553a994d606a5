import { readTime } from '../response/updateTimes';
import { HOUR, MINUTE, SECOND } from '../values/instant';
import type { JsonObject } from '../values/json';

/** How far off a time without a zone can be, or one that a filter compares by whole days. */
export const MAX_ZONE_SPREAD_MS = 26 * HOUR;

/** How exactly times are written. */
export interface Precision {
	/** What they are cut to, if that is an hour or a day; 0 for what a time shows itself. */
	unitMs: number;
	/** Whether each says its zone. */
	hasZone: boolean;
}

/** By how much times leave open when they are. */
export function spreadMs({ unitMs, hasZone }: Precision = { unitMs: 0, hasZone: true }): number {
	return unitMs + (hasZone ? 0 : MAX_ZONE_SPREAD_MS);
}

/** The earliest moment that it can mean, in milliseconds since 1970. */
export function readEarliestMs(record: JsonObject, path: string): number | undefined {
	return readTime(record, path)?.earliestMs;
}

/**
 * How long a record may change without getting another time. Zeros may be what was cut off, so a
 * time at a full minute may be that of any second of it.
 */
export function precisionMs(timeAt: number): number {
	if (timeAt % SECOND !== 0) return 0;
	return timeAt % MINUTE === 0 ? MINUTE : SECOND;
}

/** The latest moment a time may stand for: that of the last change that is written the same. */
export function latestMs(timeAt: number, spread = 0): number {
	return timeAt + Math.max(precisionMs(timeAt), spread);
}
