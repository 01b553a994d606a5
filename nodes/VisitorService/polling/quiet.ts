import { CLOCK_TOLERANCE, type ServiceTime } from './serviceTime';
import type { Version } from './versions';

/** What is remembered without being returned, because it was there before the trigger began. */
export type Quiet =
	/** Of a first reading: everything that was there when its first answer was made. */
	| {
			kind: 'present';
			/** The newest change that answer showed; 0 in a later poll. */
			shown: number;
			/** When it was made, by its `Date` or else by our clock. */
			startedAt: number;
			/** How far the update times met so far are ahead of that clock, at least. */
			lead: number;
			/** What was changed before this moment is of before in any case. */
			surely: number;
	  }
	/** Of the reading after it: what could not be told apart yet. */
	| { kind: 'undecided'; before: number; surely: number }
	/** Of a trigger that begins with a date. */
	| { kind: 'beforeDate'; date: number };

/** @param shown the newest change the first answer showed */
export function presentAt(clock: ServiceTime, shown: number): Quiet {
	const { startedAt } = clock;
	// Without a Date our clock stands in, which may be ahead by any time.
	const surely = clock.isSaid ? startedAt - CLOCK_TOLERANCE : 0;
	return { kind: 'present', shown, startedAt, lead: -startedAt, surely };
}

/** Whether a version is of before, whatever else the reading shows. */
export function isQuiet({ earliest, time }: Version, quiet: Quiet | undefined): boolean {
	switch (quiet?.kind) {
		case undefined:
			return false;
		case 'beforeDate':
			return time < quiet.date;
		case 'undecided':
			return earliest < quiet.before || time < quiet.surely;
		case 'present':
			return earliest <= quiet.shown;
	}
}

/**
 * What a poll has learnt of the beginning. The clock that stamps changes had reached the time of each change when the
 * answer was made that showed it; so the more is read, the closer the beginning is known. Until the whole list was
 * read, nothing that may be of before is returned.
 */
export function settleQuiet(
	quiet: Quiet | undefined,
	clock: ServiceTime,
	reading: { isOpen: boolean; isContinued: boolean; requests: number },
): { isPresent: (version: Version) => boolean; next?: Quiet } {
	const { isContinued, isOpen, requests } = reading;
	if (quiet?.kind !== 'present') {
		return { isPresent: () => false, ...(isOpen && { next: quiet }) };
	}
	if (!isOpen && !isContinued && requests === 1) return { isPresent: () => true };
	const { shown, startedAt, surely } = quiet;
	// Times are compared with the clock of the beginning, and after a clock was set there is none like it.
	const lead = clock.wasSet ? quiet.lead : Math.max(quiet.lead, clock.lead);
	// Within the seconds of one poll the clock is believed: else the newest change of all would always be returned.
	const known = isOpen || isContinued ? lead : Math.max(0, lead);
	const before = Math.max(startedAt + known, shown + 1);
	const settled: Quiet = { kind: 'undecided', before, surely };
	const isPresent = (version: Version) => isQuiet(version, settled);
	if (isOpen && clock.wasSet) return { isPresent, next: settled };
	// In the next poll even a change of the same minute may be a new one.
	if (isOpen) return { isPresent, next: { ...quiet, shown: 0, lead } };
	return { isPresent, ...(isContinued && { next: settled }) };
}
