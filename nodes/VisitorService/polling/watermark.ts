import { DAY, HOUR, MAX_WEST_OFFSET_MS, MINUTE, SECOND } from '../values/instant';
import type { PollCursor, Reading } from './cursor';
import type { ServiceClock } from './polledList';
import { MAX_ZONE_SPREAD_MS } from './timePrecision';

/** Infinity, in a form that JSON can write. */
export const NOTHING_PENDING_AT = Number.MAX_SAFE_INTEGER;

/** More than this between two polls is neither latency nor drift: a clock was set. */
const CLOCK_JUMP_MS = 2 * MINUTE;

/** Versions this long before the watermark are kept. Clocks are set back by two hours at most. */
const REMEMBERED_MARGIN_MS = 2.25 * HOUR;

/** Whether the filter found nothing for a day: it may be misread, or a clock may be wrong. */
export function isFilterSilent(
	{ clockOffsetMs = 0, filterVerifiedAt }: PollCursor,
	nowAt: number,
): boolean {
	return nowAt + clockOffsetMs - filterVerifiedAt > DAY + MINUTE;
}

/** Since when to request changes, so that late ones are found and the filter cuts none off. */
export function queryFrom(
	{ newest, watermarkAt }: PollCursor,
	overlapMs: number,
	lookbackMs: number,
): number {
	const leadMs = newest === undefined ? 0 : leadOf(newest);
	// A clock with the local time of a western zone is set back by an hour each year.
	const zoneSetBackMs = leadMs < -HOUR / 2 && leadMs >= -MAX_WEST_OFFSET_MS ? HOUR : 0;
	// Some filters accept whole seconds only.
	const sinceAt = watermarkAt - overlapMs - lookbackMs - zoneSetBackMs;
	return Math.max(0, Math.floor(sinceAt / SECOND) * SECOND);
}

interface ReadingEnd {
	isSingleRequest: boolean;
	/** Whether nothing shows that it missed a record, or the first reading did. */
	isSure: boolean;
}

interface ReadingOutcome {
	/** The newest time that two records show. */
	newestAt: number;
	/** The time of our clock. */
	nowAt: number;
	overlapMs: number;
	/** Undefined if the next poll resumes the reading. */
	ended?: ReadingEnd;
}

/**
 * Advances the watermark by two clocks: the service's, and the one that stamps changes, which
 * showed the newest time when that was read. If a clock is set back, so is the watermark.
 */
export function advanceWatermark(
	before: PollCursor,
	{ latestAt, offsetMs: clockOffsetMs }: ServiceClock,
	{ startedAt, pendingAt }: Pick<Reading, 'startedAt' | 'pendingAt'>,
	{ ended, newestAt, nowAt, overlapMs }: ReadingOutcome,
): PollCursor {
	const clockShiftMs = (clockOffsetMs ?? NaN) - (before.clockOffsetMs ?? NaN);
	const newest = newestOf(before, newestAt, latestAt, clockShiftMs);
	const filterVerifiedAt = Math.min(before.filterVerifiedAt, latestAt || Infinity);
	const baselineAt = ended ? baselineAfter({ ...before, newest }, ended) : before.baselineAt;
	// Changes of before may still appear, with earlier times than the clock shows now.
	const isSetForward = clockShiftMs > CLOCK_JUMP_MS;
	const heldUntilAt = isSetForward ? nowAt + overlapMs : before.heldUntilAt;
	const next = { ...before, baselineAt, clockOffsetMs, filterVerifiedAt, heldUntilAt, newest };
	// Changes since the last poll may be stamped that much earlier.
	if (clockShiftMs < -CLOCK_JUMP_MS && clockShiftMs >= -DAY)
		return {
			...next,
			watermarkAt: before.watermarkAt + clockShiftMs,
			pendingWatermarkAt: undefined,
		};
	if (ended === undefined || nowAt < (heldUntilAt ?? 0)) return next;
	// A larger difference is not one of zones: the change was read late.
	const leadMs = Math.max(leadOf(newest), -MAX_ZONE_SPREAD_MS);
	const reachedAt = Math.min(startedAt + Math.min(0, leadMs), pendingAt);
	// Between requests, records may move to pages already read, but hardly in two readings.
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

/** Up to which time unknown records belong to the baseline, after a reading. */
function baselineAfter(
	{ baselineAt, isBaseline, newest }: PollCursor,
	{ isSingleRequest, isSure }: ReadingEnd,
): PollCursor['baselineAt'] {
	if (!isBaseline) return isSure ? undefined : baselineAt;
	return isSingleRequest ? undefined : newest?.stampedAt;
}

/** How far the clock that stamps changes is ahead of the service's, by the newest change. */
function leadOf(newest: PollCursor['newest']): number {
	return newest === undefined ? -Infinity : newest.stampedAt - newest.seenAt;
}

function newestOf(
	{ newest }: PollCursor,
	newestAt: number,
	latestAt: number,
	clockShiftMs: number,
): PollCursor['newest'] {
	// Changes read just after the clock was set back were stamped before that.
	const setBackMs = Math.max(0, -clockShiftMs || 0);
	if (newestAt > (newest?.stampedAt ?? -Infinity))
		return { stampedAt: newestAt, seenAt: latestAt + setBackMs };
	const isClockSteady = Math.abs(clockShiftMs) <= CLOCK_JUMP_MS;
	return newest && !isClockSteady
		? { ...newest, seenAt: Math.max(newest.seenAt, latestAt) }
		: newest;
}
