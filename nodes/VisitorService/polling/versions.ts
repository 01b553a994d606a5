import { isUnsetTime } from '../answer/updateTimes';
import { HOUR, MINUTE, readInstant, SECOND } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';

/** What a poll starts the workflow for. */
export type TriggerOn = 'createdOrUpdated' | 'created' | 'updated' | 'removed' | 'startsToMatch';

/** Whether only what is there counts, or what matches, and no time. */
export function isOfPresence(triggerOn: TriggerOn): boolean {
	return triggerOn === 'removed' || triggerOn === 'startsToMatch';
}

/** A time as the trigger reckons with it. */
export interface Moment {
	/** The earliest moment that can be meant, milliseconds since 1970. */
	time: number;
	/**
	 * How long a record may change without getting another time, in milliseconds; 0 if a fraction of
	 * a second is written.
	 */
	tick: number;
}

/**
 * How far off a time may be that is shown in a zone it is not marked with, or compared by a filter
 * that knows days only.
 */
export const ANY_ZONE = 26 * HOUR;

/** @returns undefined if there is no time at a dot path, or none that can be read */
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

/** The text of a version of a record, which holds its time; empty without one. */
export function versionText(made: Moment | undefined): string {
	return made?.time.toString(36) ?? '';
}

/**
 * The text of one state: its version, and a digest of what the record holds, as long as that may
 * change without a new version.
 */
export function stateText(version: string, content: string): string {
	return content === '' ? version : `${version}.${content}`;
}

export function versionOf(state: string): string {
	return state.split('.', 1)[0] ?? '';
}

/** Whether a state that was seen is this one. */
export function isState(seen: string, state: string): boolean {
	return seen === state || seen === versionOf(state);
}

/** @returns NaN for a version without time */
export function timeOf(version: string): number {
	return Number.parseInt(version, 36);
}

/** The latest moment a version may be of: that of the last change that is written the same. */
export function endOf(version: string, unit = 0): number {
	const time = timeOf(version);
	return time + Math.max(tickOf(time), unit);
}
