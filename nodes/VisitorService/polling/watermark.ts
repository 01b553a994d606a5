import { DAY, HOUR, MAX_WEST_OFFSET_MS, MINUTE, SECOND } from '../values/instant';
import type { PollCursor, Reading } from './cursor';
import type { ServiceClock } from './polledList';

/** As JSON can write it. */
export const NOTHING_PENDING_AT = Number.MAX_SAFE_INTEGER;

/** More than this between two polls is neither latency nor drift: a clock was set. */
const CLOCK_JUMP_MS = MINUTE;

/** So much of what is before the place is remembered: clocks are set back by two hours at most. */
const REMEMBERED_MARGIN_MS = 2.25 * HOUR;

/** Whether nothing was found for a day: something may be wrong with the filter or a clock. */
export function isFilterSilent({ ahead = 0, provedAt }: PollCursor, now: number): boolean {
	return now + ahead - provedAt > DAY + MINUTE;
}

/** Since when changes are asked for: what may still show, and what its filter may cut. */
export function queryFrom({ newest, place }: PollCursor, overlap: number, slack: number): number {
	const lead = newest === undefined ? 0 : newest.time - newest.date;
	// A clock that shows the time of a western zone is set back by an hour each year.
	const zoneSetBack = lead < -HOUR / 2 && lead >= -MAX_WEST_OFFSET_MS ? HOUR : 0;
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
export function advanceWatermark(
	before: PollCursor,
	{ isReported, latestAt }: ServiceClock,
	{ startedAt, waitingFrom }: Pick<Reading, 'startedAt' | 'waitingFrom'>,
	rules: { newest: number; now: number; overlap: number; ended?: { isSinglePage: boolean } },
): PollCursor {
	const { ended, newest, now, overlap } = rules;
	const ahead = isReported ? latestAt - now : undefined;
	const clockShiftMs = (ahead ?? NaN) - (before.ahead ?? NaN);
	const isClockSteady = Math.abs(clockShiftMs) <= CLOCK_JUMP_MS;
	const previousNewest = before.newest && {
		...before.newest,
		...(!isClockSteady && { date: Math.max(before.newest.date, latestAt) }),
	};
	const newestSeen =
		newest > (previousNewest?.time ?? -Infinity)
			? { time: newest, date: latestAt }
			: previousNewest;
	const provedAt = Math.min(before.provedAt, latestAt || Infinity);
	const next = { ...before, ahead, provedAt, ...(newestSeen && { newest: newestSeen }) };
	// What changed since the last poll may be stamped that much earlier.
	if (clockShiftMs < -CLOCK_JUMP_MS && clockShiftMs >= -DAY)
		return { ...next, place: before.place + clockShiftMs, reached: undefined };
	if (newestSeen === undefined || ended === undefined) return next;
	const reached = Math.min(startedAt + Math.min(0, newestSeen.time - newestSeen.date), waitingFrom);
	// Between several requests records may move out of sight, but hardly so in two readings.
	const place = ended.isSinglePage
		? reached
		: Math.min(before.reached ?? before.place, waitingFrom);
	// Nothing that is newer than all that was ever found is of before.
	const floor = Math.max(
		before.floor,
		Math.min(place - overlap - REMEMBERED_MARGIN_MS, newestSeen.time + 1),
	);
	return { ...next, place, floor, reached: ended.isSinglePage ? undefined : reached };
}
