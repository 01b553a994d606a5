import { DAY, HOUR, MINUTE, SECOND, WESTERNMOST } from '../values/instant';
import type { PollCursor, Reading } from './cursor';
import type { ServiceClock } from './pages';

/** As JSON can write it. */
export const NEVER = Number.MAX_SAFE_INTEGER;

/** More than this between two polls is neither latency nor drift: a clock was set. */
const CLOCK_WAS_SET = MINUTE;

/** So much of what is before the place is remembered: clocks are set back by two hours at most. */
const MARGIN = 2.25 * HOUR;

/** Whether nothing was found for a day: something may be wrong with the filter or a clock. */
export function findsNothing({ ahead = 0, provedAt }: PollCursor, now: number): boolean {
	return now + ahead - provedAt > DAY + MINUTE;
}

/** Since when changes are asked for: what may still show, and what its filter may cut. */
export function askedSince({ newest, place }: PollCursor, overlap: number, slack: number): number {
	const lead = newest === undefined ? 0 : newest.time - newest.date;
	// A clock that shows the time of a western zone is set back by an hour each year.
	const zoneSetBack = lead < -HOUR / 2 && lead >= -WESTERNMOST ? HOUR : 0;
	// Some filters accept whole seconds only.
	const since = place - overlap - slack - zoneSetBack;
	return Math.max(0, Math.floor(since / SECOND) * SECOND);
}

/**
 * Moves the place to where two clocks are: the service's, and the one that stamps changes, which
 * was at the newest time when that was met, and goes on since then. If they are set back, so is the
 * place.
 *
 * @param newest the newest time that two records showed
 * @param now our time
 * @param ended how the reading ended; undefined if the next poll goes on with it
 */
export function movePlace(
	before: PollCursor,
	{ isSaid, shown }: ServiceClock,
	{ startedAt, waitingFrom }: Pick<Reading, 'startedAt' | 'waitingFrom'>,
	rules: { newest: number; now: number; overlap: number; ended?: { isAtOnce: boolean } },
): PollCursor {
	const { ended, newest, now, overlap } = rules;
	const ahead = isSaid ? shown - now : undefined;
	const turned = (ahead ?? NaN) - (before.ahead ?? NaN);
	const isSteady = Math.abs(turned) <= CLOCK_WAS_SET;
	const known = before.newest && {
		...before.newest,
		...(!isSteady && { date: Math.max(before.newest.date, shown) }),
	};
	const found = newest > (known?.time ?? -Infinity) ? { time: newest, date: shown } : known;
	const provedAt = Math.min(before.provedAt, shown || Infinity);
	const moved = { ...before, ahead, provedAt, ...(found && { newest: found }) };
	// What changed since the last poll may be stamped that much earlier.
	if (turned < -CLOCK_WAS_SET && turned >= -DAY)
		return { ...moved, place: before.place + turned, reached: undefined };
	if (found === undefined || ended === undefined) return moved;
	const reached = Math.min(startedAt + Math.min(0, found.time - found.date), waitingFrom);
	// Between several requests records may move out of sight, but hardly so in two readings.
	const place = ended.isAtOnce ? reached : Math.min(before.reached ?? before.place, waitingFrom);
	// Nothing that is newer than all that was ever found is of before.
	const floor = Math.max(before.floor, Math.min(place - overlap - MARGIN, found.time + 1));
	return { ...moved, place, floor, reached: ended.isAtOnce ? undefined : reached };
}
