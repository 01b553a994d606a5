import { DAY, HOUR, MAX_WEST_OFFSET_MS, MINUTE, SECOND } from '../values/instant';
import type { PollCursor, Reading } from './cursor';
import type { ServiceClock } from './polledList';
import { MAX_ZONE_SPREAD_MS } from './timePrecision';

/** As JSON can write it. */
export const NOTHING_PENDING_AT = Number.MAX_SAFE_INTEGER;

/** More than this between two polls is neither latency nor drift: a clock was set. */
const CLOCK_JUMP_MS = MINUTE;

/** So far before the watermark versions are kept: clocks are set back by two hours at most. */
const REMEMBERED_MARGIN_MS = 2.25 * HOUR;

/** Whether nothing was found for a day: something may be wrong with the filter or a clock. */
export function isFilterSilent(
	{ clockOffsetMs = 0, filterVerifiedAt }: PollCursor,
	nowAt: number,
): boolean {
	return nowAt + clockOffsetMs - filterVerifiedAt > DAY + MINUTE;
}

/** Since when changes are requested, so that late ones show, and the filter cuts none off. */
export function queryFrom(
	{ newest, watermarkAt }: PollCursor,
	overlapMs: number,
	lookbackMs: number,
): number {
	const leadMs = newest === undefined ? 0 : leadOf(newest);
	// A clock that shows the time of a western zone is set back by an hour each year.
	const zoneSetBackMs = leadMs < -HOUR / 2 && leadMs >= -MAX_WEST_OFFSET_MS ? HOUR : 0;
	// Some filters accept whole seconds only.
	const sinceAt = watermarkAt - overlapMs - lookbackMs - zoneSetBackMs;
	return Math.max(0, Math.floor(sinceAt / SECOND) * SECOND);
}

/**
 * Advances the watermark by two clocks: the service's, and the one that stamps changes, which was
 * at the newest time when that was read, and goes on since then. If they are set back, so is it.
 *
 * @param newestAt the newest time that two records show
 * @param nowAt our time
 * @param ended how the reading ended; undefined if the next poll goes on with it
 */
export function advanceWatermark(
	before: PollCursor,
	{ isReported, latestAt }: ServiceClock,
	{ startedAt, pendingAt }: Pick<Reading, 'startedAt' | 'pendingAt'>,
	rules: {
		newestAt: number;
		nowAt: number;
		overlapMs: number;
		ended?: { isSingleRequest: boolean };
	},
): PollCursor {
	const { ended, newestAt, nowAt, overlapMs } = rules;
	const clockOffsetMs = isReported ? latestAt - nowAt : undefined;
	const clockShiftMs = (clockOffsetMs ?? NaN) - (before.clockOffsetMs ?? NaN);
	const newest = newestOf(before, newestAt, latestAt, clockShiftMs);
	const filterVerifiedAt = Math.min(before.filterVerifiedAt, latestAt || Infinity);
	const next = { ...before, clockOffsetMs, filterVerifiedAt, ...(newest && { newest }) };
	// What changed since the last poll may be stamped that much earlier.
	if (clockShiftMs < -CLOCK_JUMP_MS && clockShiftMs >= -DAY)
		return {
			...next,
			watermarkAt: before.watermarkAt + clockShiftMs,
			pendingWatermarkAt: undefined,
		};
	if (ended === undefined) return next;
	// What is older was read late: no zone is so far away.
	const leadMs = Math.max(leadOf(newest), -MAX_ZONE_SPREAD_MS);
	const reachedAt = Math.min(startedAt + Math.min(0, leadMs), pendingAt);
	// Between several requests records may move out of sight, but hardly so in two readings.
	const watermarkAt = ended.isSingleRequest
		? reachedAt
		: Math.min(before.pendingWatermarkAt ?? before.watermarkAt, pendingAt);
	// A version newer than everything read so far never predates the baseline.
	const coveredAt = newest === undefined ? -Infinity : newest.stampedAt + 1;
	const marginAt = watermarkAt - overlapMs - REMEMBERED_MARGIN_MS;
	const floorAt = Math.max(before.floorAt, Math.min(marginAt, coveredAt));
	const pendingWatermarkAt = ended.isSingleRequest ? undefined : reachedAt;
	return { ...next, watermarkAt, floorAt, pendingWatermarkAt };
}

/** How far the clock that stamps changes is ahead, as far as a change has shown it. */
function leadOf(newest: PollCursor['newest']): number {
	return newest === undefined ? -Infinity : newest.stampedAt - newest.seenAt;
}

function newestOf(
	{ newest }: PollCursor,
	newestAt: number,
	latestAt: number,
	clockShiftMs: number,
): PollCursor['newest'] {
	// What is read as the clock is set back was stamped before that.
	const setBackMs = Math.max(0, -clockShiftMs || 0);
	if (newestAt > (newest?.stampedAt ?? -Infinity))
		return { stampedAt: newestAt, seenAt: latestAt + setBackMs };
	const isClockSteady = Math.abs(clockShiftMs) <= CLOCK_JUMP_MS;
	return newest && !isClockSteady
		? { ...newest, seenAt: Math.max(newest.seenAt, latestAt) }
		: newest;
}
