import { WESTERNMOST } from '../values/instant';
import { MAX_BEHIND, type ServiceTime } from './serviceTime';
import { QUARTER } from './timeUnit';
import type { Version } from './versions';

/** What is remembered without being returned, because it was there before the trigger began. */
export type Baseline =
	/** Of a first reading: everything that was there when its first answer was made. */
	| {
			kind: 'firstReading';
			/** The newest change that answer showed; 0 in a later poll. */
			newestShown: number;
			/** When it was made, by its `Date` or else by our clock. */
			startedAt: number;
			/** How far the update times met so far are ahead of that clock, at least. */
			lead: number;
			/** Whatever was changed before this moment was there before the trigger began. */
			surelyBefore: number;
	  }
	/** Of the reading after it: what could not be told apart yet. */
	| { kind: 'afterFirstReading'; before: number; surelyBefore: number }
	/** Of a trigger that begins with a date. */
	| { kind: 'startDate'; date: number };

/** @param newestShown the newest change the first answer showed */
export function firstReadingAt(clock: ServiceTime, newestShown: number): Baseline {
	const { startedAt } = clock;
	// Without a Date our clock stands in, which may be ahead by any time.
	const surelyBefore = clock.isSaid ? startedAt - MAX_BEHIND : 0;
	return { kind: 'firstReading', newestShown, startedAt, lead: -startedAt, surelyBefore };
}

/** Whether a version was there before the trigger began, whatever else the reading shows. */
export function isFromBefore({ earliest, time }: Version, baseline: Baseline | undefined): boolean {
	switch (baseline?.kind) {
		case undefined:
		case 'firstReading':
			// What a first reading shows is settled when it ends.
			return false;
		case 'startDate':
			return time < baseline.date;
		case 'afterFirstReading':
			return earliest < baseline.before || time < baseline.surelyBefore;
	}
}

/**
 * What a poll has learnt of the beginning. The clock that stamps changes had reached the time of
 * each change when the answer was made that showed it; so the more is read, the closer the
 * beginning is known. Until the whole list was read, nothing that may have been there before is
 * returned.
 */
export function settleBaseline(
	baseline: Baseline | undefined,
	clock: ServiceTime,
	reading: { isUnfinished: boolean; isContinued: boolean; requests: number },
): { isPresent: (version: Version) => boolean; next?: Baseline } {
	const { isContinued, isUnfinished, requests } = reading;
	if (baseline?.kind !== 'firstReading') {
		return { isPresent: () => false, ...(isUnfinished && { next: baseline }) };
	}
	if (!isUnfinished && !isContinued && requests === 1) return { isPresent: () => true };
	const { newestShown, startedAt, surelyBefore } = baseline;
	// Times are compared with the clock of the beginning, and after a clock was set there is none
	// like it.
	const lead = clock.wasSet ? baseline.lead : Math.max(baseline.lead, clock.shownLead);
	const known = isUnfinished || isContinued ? lead : withinOnePoll(lead, clock);
	const before = Math.max(startedAt + known, newestShown + 1);
	const settled: Baseline = { kind: 'afterFirstReading', before, surelyBefore };
	// A user dated 9999 would else be returned, or hide what changes until the reading ends.
	const isPresent = (version: Version) =>
		isFromBefore(version, settled) || clock.isMistake(version.earliest);
	if (isUnfinished && clock.wasSet) return { isPresent, next: settled };
	// In the next poll even a change of the same minute may be a new one.
	if (isUnfinished) return { isPresent, next: { ...baseline, newestShown: 0, lead } };
	return { isPresent, ...(isContinued && { next: settled }) };
}

/**
 * Within the seconds of one poll the clock is believed, whatever zone it shows: else the newest
 * change of all would always be returned.
 */
function withinOnePoll(lead: number, { readFor }: ServiceTime): number {
	const shift = Math.floor(-lead / QUARTER) * QUARTER;
	const isZone = shift > 0 && shift <= WESTERNMOST && -lead - shift <= readFor;
	return isZone ? -shift : Math.max(0, lead);
}
