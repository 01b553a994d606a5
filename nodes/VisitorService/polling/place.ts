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
	return now + ahead - provedAt >= DAY;
}

/**
 * Since when changes are asked for: what may still show, and what its filter may cut.
 *
 * @param isDoubtful whether what was found last has to come again
 */
export function askedSince(
	{ newest, place }: PollCursor,
	{ isDoubtful, overlap, slack }: { isDoubtful: boolean; overlap: number; slack: number },
): number {
	const last = (isDoubtful && newest?.time) || Infinity;
	const lead = newest === undefined ? 0 : newest.time - newest.date;
	// A clock that shows the time of a western zone is set back by an hour each year.
	const zoneSetBack = lead < -HOUR / 2 && lead >= -WESTERNMOST ? HOUR : 0;
	// Some filters accept whole seconds only.
	const since = Math.min(place, last) - overlap - slack - zoneSetBack;
	return Math.max(0, Math.floor(since / SECOND) * SECOND);
}

/**
 * Moves the place to where two clocks are: the service's, and the one that stamps changes, which
 * was at the newest time when that was met, and goes on since then. If they are set back, so is the
 * place.
 *
 * @param newest the newest time that two records showed
 * @param readings how many further ones have to prove it; undefined if this one has not ended
 * @param now our time
 */
export function movePlace(
	before: PollCursor,
	{ isSaid, shown }: ServiceClock,
	{ startedAt, waitingFrom }: Pick<Reading, 'startedAt' | 'waitingFrom'>,
	rules: { newest: number; now: number; overlap: number; readings: number | undefined },
): PollCursor {
	const { newest, now, overlap, readings } = rules;
	const ahead = isSaid ? shown - now : undefined;
	const turned = (ahead ?? NaN) - (before.ahead ?? NaN);
	const isSteady = Math.abs(turned) <= CLOCK_WAS_SET;
	const known = before.newest && {
		...before.newest,
		...(!isSteady && { date: Math.max(before.newest.date, shown) }),
	};
	const found = newest > (known?.time ?? -Infinity) ? { time: newest, date: shown } : known;
	const provedAt = Math.min(before.provedAt, shown);
	const moved = { ...before, ahead, provedAt, ...(found && { newest: found }) };
	// What changed since the last poll may be stamped that much earlier.
	if (turned < -CLOCK_WAS_SET && turned >= -DAY)
		return { ...moved, place: before.place + turned, unproved: [] };
	if (found === undefined || readings === undefined) return moved;
	const reached = startedAt + Math.min(0, found.time - found.date);
	const all = [...before.unproved, reached].map((time) => Math.min(time, waitingFrom));
	const place = all.at(-1 - readings) ?? before.place;
	// Nothing that is newer than all that was ever found is of before.
	const floor = Math.min(place - overlap - MARGIN, found.time + 1);
	const unproved = readings === 0 ? [] : all.slice(-readings);
	return { ...moved, place, unproved, floor: Math.max(before.floor, floor) };
}
