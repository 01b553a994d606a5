import { DAY, HOUR, MINUTE, SECOND, WESTERNMOST } from '../values/instant';
import type { ServiceClock } from './pages';
import { ANY_ZONE } from './versions';

/** How far the trigger has come, in milliseconds since 1970 by the clock that stamps changes. */
export interface Place {
	/** Whatever changed before was found, changes apart that show late. */
	place: number;
	/** Where the place may move to after each of the last complete readings, once they are proved. */
	unproved: number[];
	/** A version that ends before, and is not remembered, is one of before. */
	floor: number;
	/**
	 * The newest time that two records reached, as one may be wrong; and what the service's clock
	 * showed then, which tells how far the two clocks are apart.
	 */
	newest?: { time: number; date: number };
	/** What the service's clock showed at the last poll, and when its filter last found something. */
	date: number;
	provedAt: number;
}

/** As JSON can write it. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** What a reading tells of how far the list is known. */
export interface ReadingProof {
	/** The service's time when it began. */
	startedAt: number;
	/** The newest time that two records showed. */
	newest: number;
	/** The earliest time of what waits for the next poll, or `NEVER`. */
	waitingFrom: number;
	/** Whether one request read the list to its end, or several; undefined if it was not. */
	proof?: 'sure' | 'later';
}

/** After so many further readings movements cannot have hidden a version each time. */
const MAX_PROVING_READINGS = 2;

/** More than this between two polls is neither latency nor drift: a clock was set. */
const CLOCK_WAS_SET = MINUTE;

/** So much of what is before the place is remembered: clocks are set back by two hours at most. */
const MARGIN = 2.25 * HOUR;

/** @param start milliseconds; undefined = from now on, however far the clocks are apart */
export function startPlace({ shown, start: now }: ServiceClock, start = now - ANY_ZONE): Place {
	return { place: start, unproved: [], floor: start, date: shown, provedAt: shown };
}

/**
 * If nothing was found for a day, something may be wrong with the filter or a clock: what was found
 * last has to come again.
 *
 * @param passed milliseconds since the last poll by our clock, at least
 */
export function placeAtPoll(before: Place, passed: number): Place {
	const { date, newest, place, provedAt } = before;
	if (date + passed - provedAt < DAY || newest === undefined) return before;
	return { ...before, place: Math.min(place, newest.time) };
}

/** Since when changes are asked for: what may still show, and what its filter may cut. */
export function askedSince(
	{ place, newest }: Place,
	{ overlap, slack }: { overlap: number; slack: number },
): number {
	const lead = newest === undefined ? 0 : newest.time - newest.date;
	// A clock that shows the time of a western zone is set back by an hour each year.
	const zoneSetBack = lead < -HOUR / 2 && lead >= -WESTERNMOST ? HOUR : 0;
	// Some filters accept whole seconds only.
	const since = place - overlap - slack - zoneSetBack;
	return Math.max(0, Math.floor(since / SECOND) * SECOND);
}

/**
 * Where the place is after a poll. It moves to where two clocks are: the service's, and the one
 * that stamps changes, which was at the newest time when that was met, and goes on since then.
 *
 * @param passed milliseconds since the last poll by our clock, at least
 */
export function movePlace(
	before: Place,
	{ isSaid, shown }: ServiceClock,
	{ newest, proof, startedAt, waitingFrom }: ReadingProof,
	{ passed, overlap }: { passed: number; overlap: number },
): Place {
	const setBack = isSaid ? before.date + passed - shown : 0;
	const kept = { ...before, date: shown, provedAt: Math.min(before.provedAt, shown) };
	// What changes now may be stamped earlier than what was found.
	if (setBack > CLOCK_WAS_SET && setBack <= DAY)
		return { ...kept, place: before.place - setBack, unproved: [] };
	const isSteady = isSaid && Math.abs(setBack) <= CLOCK_WAS_SET;
	const known = before.newest && (isSteady ? before.newest : { ...before.newest, date: shown });
	const found = newest > (known?.time ?? -Infinity) ? { time: newest, date: shown } : known;
	const moved = { ...kept, ...(found && { newest: found }) };
	if (found === undefined || proof === undefined) return moved;
	const reached = startedAt + Math.min(0, found.time - found.date);
	// Between several requests, records may move out of sight.
	const readings = proof === 'sure' ? 0 : MAX_PROVING_READINGS;
	const all = [...before.unproved, reached].map((time) => Math.min(time, waitingFrom));
	const unproved = readings === 0 ? [] : all.slice(-readings);
	const place = Math.max(before.place, ...all.slice(0, all.length - unproved.length));
	// Nothing that is newer than all that was ever found is of before.
	const floor = Math.min(place - overlap - MARGIN, found.time + 1);
	return { ...moved, place, unproved, floor: Math.max(before.floor, floor) };
}
