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
}

/** How far two of the clocks involved may be apart: the service's, its database's, that of a server before it. */
export const CLOCK_TOLERANCE = 2 * 3_600_000;

/** More than this between two polls is no latency and no drift: a clock was set. */
const CLOCK_WAS_SET = 60_000;

/**
 * The service's time during one poll. Ours says nothing about its changes, so it serves only to notice that a
 * clock was set, and where the service sends no `Date`.
 */
export class ServiceTime {
	/** The newest update time that was shown. */
	newest = -Infinity;

	/** No later than the moment the first answer shows. */
	private start?: number;

	/** No earlier than the moment the first answer shows, where the service says it. */
	private saidAt?: number;

	/** No earlier than the moment any answer shows. */
	private shownBy = -Infinity;

	private difference?: number;

	private at = 0;

	private lead?: number;

	constructor(private readonly memory: ClockMemory | undefined) {}

	/**
	 * Notes one answer.
	 *
	 * @param sentAt our time, as `receivedAt`
	 */
	observe(headers: Readonly<Record<string, string>>, sentAt: number, receivedAt: number): void {
		const said = Date.parse(headers.date ?? '');
		const date = Number.isNaN(said) ? receivedAt : said;
		const duration = Math.max(0, receivedAt - sentAt);
		// `Date` is cut to whole seconds (RFC 9110 section 5.6.7).
		const latest = date + duration + 1000;
		this.shownBy = Math.max(this.shownBy, latest);
		if (this.start !== undefined) return;
		this.start = date - duration;
		this.saidAt = Number.isNaN(said) ? undefined : latest;
		this.difference = date - receivedAt;
		this.at = receivedAt;
		this.lead = this.drift > CLOCK_WAS_SET ? undefined : this.memory?.lead;
	}

	/** Notes an update time that was shown: the clock it is from has reached it by now. */
	noteUpdate(time: number): void {
		// A time from the future is a mistake or that of another clock.
		if (time > this.shownBy + CLOCK_WAS_SET) return;
		this.newest = Math.max(this.newest, time);
		this.lead = Math.max(this.lead ?? -Infinity, time - this.shownBy);
	}

	/** A moment the clock that stamps changes had surely reached when the first answer was made. */
	get reached(): number {
		const lead = Math.max(-CLOCK_TOLERANCE, Math.min(0, this.lead ?? -Infinity));
		return (this.start ?? 0) + lead;
	}

	/** Whether the clocks stand to each other as at the last poll. Where not, nothing is concluded from them. */
	get steady(): boolean {
		return this.drift <= CLOCK_TOLERANCE;
	}

	/**
	 * Where the service's clock was set back behind a time already reached.
	 *
	 * @returns a moment, on the clock as it is now, before everything that changed since the last poll
	 */
	setBackBehind(time: number): number | undefined {
		const { memory, saidAt, difference = 0 } = this;
		if (memory === undefined || saidAt === undefined || !this.steady) return undefined;
		if (saidAt >= time || memory.date < time) return undefined;
		return Math.min(memory.at, this.at) + difference - CLOCK_TOLERANCE;
	}

	toMemory(): ClockMemory {
		const { difference = 0, lead } = this;
		const { at, date } = this.lastSteady();
		return { difference, at, date, ...(lead !== undefined && { lead }) };
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
