import { type RecordId, spelledAlike } from '../answer/identity';
import { isUnsetTime } from '../answer/updateTimes';
import { shortDigest } from '../values/digest';
import {
	DAY,
	digitsBeyondMilliseconds,
	HOUR,
	type Instant,
	MINUTE,
	readInstant,
	SECOND,
} from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';

/** What a poll starts the workflow for. */
export type TriggerOn = 'createdOrUpdated' | 'created' | 'updated' | 'removed';

/** A place in the order of all versions: by time, and by key if times are equal. */
export interface Position {
	/** Milliseconds since 1970, service time. */
	time: number;
	key: string;
}

/** A time as the trigger reckons with it. Milliseconds. */
export interface Moment {
	earliest: number;
	/**
	 * The latest moment that can be meant: also that of the last change that would be written the
	 * same.
	 */
	latest: number;
	/**
	 * How long a record may change without getting another time; 0 if a fraction of a second is
	 * written.
	 */
	tick: number;
	/**
	 * What tells states of a record apart: the moment, however its zone is written; what the service
	 * wrote, if that names no moment, or counts in finer units than milliseconds.
	 */
	state: unknown;
}

/** One state of one record. */
export interface Version extends Position {
	earliest: number;
	tick: number;
	record: JsonObject;
	/** Whether it was found for a change that the time of the record does not show. */
	isUndated?: boolean;
}

/** 72 bits: among the 50,000 remembered no other version is taken for a known one. */
const KEY_LENGTH = 12;

/**
 * How far off a time may be that is shown in a zone it is not marked with, or compared by a filter
 * that knows days only.
 */
export const MAX_ZONE_SHIFT = 26 * HOUR;

export function comparePositions(one: Position, other: Position): number {
	if (one.time !== other.time) return one.time - other.time;
	return one.key === other.key ? 0 : one.key < other.key ? -1 : 1;
}

export function earlierOf(one: Position, other: Position | undefined): Position {
	return other === undefined || comparePositions(one, other) <= 0 ? one : other;
}

export function laterOf(one: Position, other: Position): Position {
	return comparePositions(one, other) >= 0 ? one : other;
}

/**
 * The time at a dot path.
 *
 * @param unit what all times of the list are cut to
 * @returns undefined if there is none, or none that can be read
 */
export function readMoment(record: JsonObject, path: string, unit = 0): Moment | undefined {
	const written = readDotPath(record, path);
	if (isUnsetTime(written)) return undefined;
	const instant = readInstant(written);
	if (instant === undefined) return undefined;
	const { earliest, latest, precision } = instant;
	const tick = Math.max(tickOf(instant), unit);
	// Of a day, `latest` is its end already.
	const cut = precision === 'day' ? 0 : tick;
	return { earliest, latest: latest + cut, tick, state: stateOf(written, instant) };
}

/** The same moment is the same state in whatever zone it is written. */
function stateOf(written: unknown, { earliest, precision, zone }: Instant): unknown {
	if (zone === 'none') return written;
	if (precision !== 'finer') return earliest;
	const digits = digitsBeyondMilliseconds(written);
	return digits === '' ? written : [earliest, digits];
}

/** Zeros may be what was cut off, so a time at a full minute may be that of any second of it. */
function tickOf({ earliest, precision }: Instant): number {
	if (precision === 'day' || (precision !== 'finer' && earliest % DAY === 0)) return DAY;
	if (precision === 'minute') return MINUTE;
	if (precision !== 'second') return 0;
	return earliest % MINUTE === 0 ? MINUTE : SECOND;
}

/**
 * Whether a record can show no other state of the same time any more: its tick is over for longer
 * than the overlap. One that was met in an earlier poll was written before that.
 *
 * @param reached the service's time
 */
export function isTickOver(
	{ tick, latest }: Pick<Moment, 'tick' | 'latest'>,
	{ reached, overlap, sinceLastPoll }: { reached: number; overlap: number; sinceLastPoll: number },
	wasMetBefore: boolean,
): boolean {
	if (tick === 0 || reached - overlap >= latest) return true;
	return wasMetBefore && sinceLastPoll >= tick + overlap;
}

/**
 * @param state what tells the versions of one record apart, such as that of a moment; empty if
 *   there is only one
 */
export function versionKey(id: RecordId, state: unknown): string {
	const text = JSON.stringify([spelledAlike(id), state]);
	return shortDigest(text, KEY_LENGTH);
}
