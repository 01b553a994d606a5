import { FILTER_SLACK, WIDE_BAND } from './changes';
import type { PollCursor } from './cursor';
import { readUpdate } from './fields';
import type { OpenedList } from './open';
import type { PollSettings } from './poll';
import { presentAt, type Quiet } from './quiet';
import type { ListSource } from './reading';
import { CLOCK_TOLERANCE, type ServiceTime } from './serviceTime';
import { earlierOf } from './versions';

/**
 * The cursor of a first poll, or of one at another tenant, with another client or read another way. There the trigger
 * goes on from the same time, reaching back so far that a difference between the clocks hides nothing.
 */
export function startCursor(
	{ service }: ListSource,
	{ startDate, overlap }: PollSettings,
	clock: ServiceTime,
	stored: PollCursor | undefined,
): PollCursor {
	const margin = { time: clock.reached - overlap - FILTER_SLACK, key: '' };
	if (stored === undefined) {
		const since = startDate === undefined ? margin : { time: startDate, key: '' };
		return { version: 1, since, service, told: [] };
	}
	const since = earlierOf(stored.since, margin);
	const { waitingFrom, remembered = '' } = stored.changes ?? {};
	const changes = { remembered, unproved: [], ...(waitingFrom !== undefined && { waitingFrom }) };
	return { version: 1, since, service, changes, told: [] };
}

/** What a poll only remembers that has just opened its list. */
export function quietAtStart(
	stored: PollCursor | undefined,
	{ startDate }: PollSettings,
	{ fields, records }: OpenedList,
	clock: ServiceTime,
	wasEmpty: boolean,
): Quiet | undefined {
	if (stored === undefined && startDate === undefined) {
		const times = records.map((record) => readUpdate(record, fields)?.earliest ?? -Infinity);
		return presentAt(clock, Math.max(0, ...times));
	}
	// If the list was empty at the last poll, each record there is now is new.
	if (wasEmpty) return undefined;
	return { kind: 'beforeDate', date: stored?.since.time ?? startDate ?? 0 };
}

/**
 * How far the clock that stamps records may be earlier than the service's `Date`. The time a record was created at is compared
 * as it is shown, so that its clock may be in another zone than it says. What was changed is asked for in a way that
 * finds it all the same.
 */
export function toleranceFor({ triggerOn }: PollSettings): number {
	return triggerOn === 'createdOrUpdated' ? CLOCK_TOLERANCE : WIDE_BAND;
}
