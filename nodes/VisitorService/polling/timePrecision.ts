import { DAY, HOUR, MINUTE, SECOND } from '../values/instant';

/** How far off a time without a zone can be, or one that a filter compares by whole days. */
export const MAX_ZONE_SPREAD_MS = 26 * HOUR;

/** How exactly times are written. */
export interface Precision {
	/**
	 * What all times are cut to, if that is an hour or a day; else 0: each shows it (`precisionMs`).
	 */
	unitMs: number;
	/** Whether every time names its zone. */
	hasZone: boolean;
}

/** As long as no time has shown, the worst that one may be. */
const UNKNOWN: Precision = { unitMs: DAY, hasZone: false };

/** The precision of the times, plus the zone spread if they name no zone. */
export function spreadMs({ unitMs, hasZone }: Precision = UNKNOWN): number {
	return unitMs + (hasZone ? 0 : MAX_ZONE_SPREAD_MS);
}

/**
 * How long a record may change without getting another time. Zeros may be what was cut off, so a
 * time at a full minute may be that of any second of it.
 */
export function precisionMs(timeAt: number): number {
	if (timeAt % SECOND !== 0) return 0;
	return timeAt % MINUTE === 0 ? MINUTE : SECOND;
}

/** The latest moment that a time can mean. */
export function latestAt(timeAt: number, uncertaintyMs = 0): number {
	return timeAt + Math.max(precisionMs(timeAt), uncertaintyMs);
}
