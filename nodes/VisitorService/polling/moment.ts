import { isUnsetTime } from '../answer/updateTimes';
import { HOUR, MINUTE, readInstant, SECOND } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';

/** A time as the trigger reckons with it. */
export interface Moment {
	/** The earliest moment that can be meant, milliseconds since 1970. */
	time: number;
	/**
	 * How long a record may change without getting another time, in milliseconds; 0 if a fraction of
	 * a second other than zero is written.
	 */
	tick: number;
}

/**
 * How far off a time may be that is shown in a zone it is not marked with, or compared by a filter
 * that knows days only.
 */
export const ANY_ZONE = 26 * HOUR;

/** @returns undefined if the dot path leads to no time that can be read */
export function readMoment(record: JsonObject, path: string): Moment | undefined {
	const written = readDotPath(record, path);
	const instant = isUnsetTime(written) ? undefined : readInstant(written);
	if (instant === undefined) return undefined;
	const { earliest: time, precision } = instant;
	return { time, tick: precision === 'finer' ? 0 : tickOf(time) };
}

/** Zeros may be what was cut off, so a time at a full minute may be that of any second of it. */
function tickOf(time: number): number {
	if (time % SECOND !== 0) return 0;
	return time % MINUTE === 0 ? MINUTE : SECOND;
}

/** The latest moment a time may stand for: that of the last change that is written the same. */
export function endOf(time: number, unit = 0): number {
	return time + Math.max(tickOf(time), unit);
}
