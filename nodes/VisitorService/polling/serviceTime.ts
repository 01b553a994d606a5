import { readHttpDate } from '../http/retryTimes';
import { DAY, EASTERNMOST, HOUR, MINUTE, WESTERNMOST } from '../values/instant';
import { MAX_ZONE_SHIFT } from './versions';

/** What is kept of the service's clock from one poll to the next. Milliseconds. */
export interface ClockMemory {
	/** How far its clock was ahead of ours. */
	difference: number;
	/** Our time of the last poll at which that was as before. */
	at: number;
	/** The service's time of that poll. */
	date: number;
	/** How far the time it stamps changes with is ahead of its `Date`, at least. */
	lead?: number;
	/** The newest update time that was shown. */
	newest?: number;
	/** The service's time when the poll ended, at the latest. */
	until: number;
	/** The service's time before its clock was set back, until that reaches it again. */
	setBackFrom?: number;
}

/**
 * How far two of the clocks involved may be apart: the service's, its database's, that of a server
 * before it.
 */
export const CLOCK_TOLERANCE = 2 * HOUR;

/** How far off update times may be: marked as UTC, they may be local ones all the same. */
export const MAX_BEHIND = WESTERNMOST + CLOCK_TOLERANCE;
const MAX_AHEAD = EASTERNMOST + CLOCK_TOLERANCE;

/** Without a `Date` our clock has to do, which may be wrong, but hardly by a year. */
const MAX_OWN_ERROR = 366 * DAY;

/** More than this between two polls is neither latency nor drift: a clock was set. */
const CLOCK_WAS_SET = MINUTE;

/**
 * The service's time during one poll. Ours says nothing about its changes: it only helps to notice
 * that a clock was set, and stands in if the service sends no `Date`.
 */
export class ServiceTime {
	/** No later than the moment the first answer shows. */
	private start?: number;

	/** No earlier than the moment the first answer shows, if the service says it. */
	private saidAt?: number;

	/** No earlier than the moment any answer shows. */
	private shownBy = -Infinity;

	private difference?: number;

	/** Set if the clock does not show again what it showed before it was set back. */
	private setBackFrom?: number;

	private at = 0;

	private knownLead?: number;

	/**
	 * How far update times are ahead of the clock of the answers that showed them in this poll,
	 * mistakes apart.
	 */
	shownLead = -Infinity;

	private newest: number;

	constructor(private readonly memory: ClockMemory | undefined) {
		this.newest = memory?.newest ?? -Infinity;
	}

	/**
	 * Notes one answer.
	 *
	 * @param sentAt our time, as `receivedAt`
	 */
	observe(headers: Readonly<Record<string, string>>, sentAt: number, receivedAt: number): void {
		const said = readHttpDate(headers.date);
		const date = said ?? receivedAt;
		const duration = Math.max(0, receivedAt - sentAt);
		// `Date` is cut to whole seconds (RFC 9110 section 5.6.7).
		const latest = date + duration + 1000;
		this.shownBy = Math.max(this.shownBy, latest);
		if (this.start !== undefined) return;
		this.start = date - duration;
		this.saidAt = said === undefined ? undefined : latest;
		this.difference = date - receivedAt;
		this.at = receivedAt;
		this.setBackFrom = this.findSetBack();
		const isKnown = this.setBackFrom !== undefined || !this.wasSet;
		this.knownLead = isKnown ? this.memory?.lead : undefined;
	}

	/** Notes an update time that was shown: the clock it is from has reached it by now. */
	noteUpdate(time: number): void {
		const ahead = time - this.shownBy;
		if (ahead <= (this.isSaid ? MAX_AHEAD : MAX_OWN_ERROR)) {
			this.shownLead = Math.max(this.shownLead, ahead);
		}
		// A time from the future is a mistake or that of another clock.
		if (time > this.shownBy + CLOCK_WAS_SET) return;
		this.newest = Math.max(this.newest, time);
		// It may have been stamped before the clock was set back, and would look as if it were ahead.
		if (this.setBackFrom !== undefined) return;
		this.knownLead = Math.max(this.knownLead ?? -Infinity, ahead);
	}

	/**
	 * Whether an update time is so far ahead that no clock shows it, in whatever zone: somebody wrote
	 * it by mistake.
	 */
	isMistake(time: number): boolean {
		return time - this.shownBy > (this.isSaid ? MAX_ZONE_SHIFT : MAX_OWN_ERROR);
	}

	/**
	 * A moment the clock that stamps changes had surely reached when the first answer was made.
	 * Without a `Date` only the changes themselves show how far it is, because our clock may be ahead
	 * by any time.
	 */
	get reached(): number {
		const isKnown = this.isSaid || this.newest === -Infinity;
		return isKnown ? this.reachedByOurs : Math.min(this.reachedByOurs, this.newest);
	}

	/** The same, without a `Date`, if our clock is ahead by no more than clocks may be apart. */
	get presumablyReached(): number {
		return Math.max(this.reached, this.reachedByOurs - CLOCK_TOLERANCE);
	}

	/**
	 * The same if our clock is right. As long as no change shows the clock that stamps changes, it
	 * may be in any zone, whatever it says.
	 */
	get reachedByOurs(): number {
		return this.within(MAX_ZONE_SHIFT);
	}

	/** The same if our clock is right, and that clock shows UTC or the time of its zone. */
	get likelyReached(): number {
		return this.within(MAX_BEHIND);
	}

	/** The latest moment the clock that stamps changes may have shown so far, mistakes apart. */
	get mayHaveReached(): number {
		return Math.max(this.startedAt, this.shownBy + this.shownLead + 1);
	}

	/**
	 * By how much that clock may be behind what it showed before: one that shows the time of a zone
	 * is set back by an hour each year. No zone is less than half an hour behind UTC, or more than
	 * twelve hours.
	 */
	get zoneSetBack(): number {
		const lead = this.knownLead ?? -Infinity;
		return lead >= -WESTERNMOST && lead < -HOUR / 2 ? HOUR : 0;
	}

	/**
	 * Forgets how far that clock was before this poll, because it was set back.
	 *
	 * @returns by how much, as far as clocks may be apart
	 */
	learnAnew(): number {
		const { knownLead = Infinity, shownLead } = this;
		this.knownLead = shownLead;
		return Math.max(0, Math.min(CLOCK_TOLERANCE, knownLead - shownLead));
	}

	/**
	 * When the first answer was made, a second early rather than late: by its `Date`, or else by our
	 * clock.
	 */
	get startedAt(): number {
		return this.start ?? 0;
	}

	/**
	 * The service's time before it has answered.
	 *
	 * @param now ours
	 */
	expectedAt(now: number): number {
		return now + (this.memory?.difference ?? 0);
	}

	/** Whether the service says its time. */
	get isSaid(): boolean {
		return this.saidAt !== undefined;
	}

	/**
	 * Milliseconds that surely passed since the last poll ended. A clock of ours that was set alone
	 * shows nothing of it.
	 */
	get sinceLastPoll(): number {
		const { memory, start = 0 } = this;
		return memory === undefined || !this.isSaid || this.wasSet ? 0 : start - memory.until;
	}

	/** Whether the service's clock or ours was set since the last poll. */
	get wasSet(): boolean {
		return this.drift > CLOCK_WAS_SET;
	}

	/**
	 * Whether the clocks stand to each other as at the last poll. If not, nothing is concluded from
	 * them.
	 */
	get steady(): boolean {
		return this.drift <= CLOCK_TOLERANCE;
	}

	/**
	 * Notices that the service's clock was set back so far that what changed since the last poll may
	 * be dated before a time already reached. It is sure only if the clock says less than it did
	 * then: else ours may have been set ahead.
	 *
	 * @returns a moment, on the clock as it is now, before everything that changed since the last
	 *   poll
	 */
	setBackBefore(time: number): number | undefined {
		const { memory, saidAt = Infinity, difference = 0 } = this;
		if (memory === undefined || !this.steady) return undefined;
		const { at, date, lead = 0 } = memory;
		if (saidAt >= date || date < time) return undefined;
		// Both clocks may be those of one machine.
		const lastPoll = Math.min(at, this.at) + difference + behind(lead, MAX_ZONE_SHIFT);
		return lastPoll - CLOCK_TOLERANCE;
	}

	/** @returns what was kept before, if the service did not answer */
	toMemory(): ClockMemory | undefined {
		if (this.start === undefined) return this.memory;
		const { difference = 0, knownLead: lead, newest } = this;
		const { at, date } = this.lastSteady();
		const { setBackFrom } = this;
		return {
			...(setBackFrom !== undefined && { setBackFrom }),
			difference,
			at,
			date,
			until: this.shownBy,
			...(lead !== undefined && { lead }),
			...(newest !== -Infinity && { newest }),
		};
	}

	private findSetBack(): number | undefined {
		const { memory, saidAt = Infinity } = this;
		const shown = Math.max(memory?.date ?? -Infinity, memory?.setBackFrom ?? -Infinity);
		// A clock that was wrong by more proves nothing about update times.
		return saidAt < shown && shown - saidAt <= DAY ? shown : undefined;
	}

	private within(tolerance: number): number {
		return this.startedAt + behind(this.knownLead ?? -Infinity, tolerance);
	}

	private lastSteady(): Pick<ClockMemory, 'at' | 'date'> {
		if (!this.steady && this.memory !== undefined) return this.memory;
		return { at: this.at, date: this.at + (this.difference ?? 0) };
	}

	private get drift(): number {
		const { difference, memory } = this;
		if (difference === undefined || memory === undefined) return 0;
		return Math.abs(difference - memory.difference);
	}
}

/** A lead of update times, as far as they are behind by it: 0 at most, and so much at least. */
function behind(lead: number, tolerance: number): number {
	return Math.max(-tolerance, Math.min(0, lead));
}
