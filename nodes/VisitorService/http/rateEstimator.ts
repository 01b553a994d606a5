/*
 * Times in milliseconds, rates per millisecond. Whatever a service counts, between two throttlings
 * it accepts what it allows in that time, or less if it was idle: such a cycle shows a rate that is
 * allowed at least, and the rate at which it was throttled was too high. test/model measures what
 * each number is worth.
 */

/**
 * The periods for which services usually count: a named wait is rounded up, a chosen one a guess.
 */
const USUAL_PERIODS = [1_000, 2_000, 5_000, 10_000, 60_000];
const MIN_PERIOD = 50;

/** From so many responses before the first throttling on, they count as the quota of a period. */
const WHOLE_QUOTA = 10;
/** Responses by which a cycle exceeds the burst that a limit allows. */
const BEYOND_BURST = 6;
/**
 * A throttled request is an accident if this many times as many requests of the same moment were
 * accepted, and enough requests before it: accidents in quick succession are a limit.
 */
const ACCIDENT = 3;
const BETWEEN_ACCIDENTS = 50;

/** Growth of a rate that rests on few responses: it doubles in 350 ms. */
const GUESS_GROWTH = Math.LN2 / 350;
/** Until any other rate has grown almost threefold; for most of that time it hardly grows. */
const GROWS_IN = { quota: 40_000, later: 8_000 };
const STEEPNESS = 6;

/** Share of the accepted rate that is used, because responses do not all take the same time. */
const CAUTION = 0.975;
/** Shares of a throttled rate: used at most, and allowed at least. */
const BELOW_THROTTLED = 0.95;
const LEAST_ALLOWED = 0.75;
const MIN_RATE = 1 / 60_000;

/** Starts over which it is measured how fast requests were really sent. */
const RECENT_STARTS = 4;

/** Throttled requests, until the service accepts one again. */
interface ThrottledSpell {
	/** When the first and the last throttled request were sent. */
	firstSentAt: number;
	lastSentAt: number;
	/** The rate at which the first one was sent. */
	rate: number;
	/** Of those that were in flight with the first one. */
	throttledCount: number;
	acceptedDuring: number;
}

/** Estimates the rate a service allows from the cycles between throttlings. */
export class RateEstimator {
	private kind: 'none' | 'guess' | 'estimate' = 'none';

	/** At the beginning of a cycle. */
	private rate = Infinity;

	private growsIn = GROWS_IN.later;

	private cycleStartedAt?: number;

	private acceptedCount = 0;

	/** Requests that were accepted before the first throttling: a limit allows so many at once. */
	private burst = 0;

	private spell?: ThrottledSpell;

	/** When a request was last throttled. What was sent until then was in flight together. */
	private throttledAt = -Infinity;

	private accidents = 0;

	private recentStarts: number[] = [];

	/** Whether nothing was accepted since a request was throttled. */
	get isThrottled(): boolean {
		return this.spell !== undefined;
	}

	/** Whether the service has a limit, as far as this run has shown. */
	get hasLimit(): boolean {
		return this.isThrottled || this.kind !== 'none';
	}

	onSent(now: number): void {
		this.cycleStartedAt ??= now;
		this.recentStarts = [...this.recentStarts, now].slice(-RECENT_STARTS);
	}

	/** Milliseconds from a start now to the next one; 0 as long as no limit has shown. */
	intervalAt(now: number): number {
		const rate = this.rateAt(now);
		// A rate that grows meanwhile reaches its next request sooner.
		return this.kind === 'guess' ? Math.log(1 + GUESS_GROWTH / rate) / GUESS_GROWTH : 1 / rate;
	}

	/** @returns whether requests are accepted again, or a throttling turned out to be an accident */
	onAccepted(startedAt: number): 'as before' | 'again' | 'after an accident' {
		const { spell } = this;
		if (spell === undefined || startedAt <= this.throttledAt) {
			this.acceptedCount++;
			if (spell !== undefined && startedAt >= spell.firstSentAt) spell.acceptedDuring++;
			return 'as before';
		}
		const wasAccident = this.isIsolated(spell);
		if (wasAccident) this.accidents++;
		else this.updateRate(spell, startedAt - (this.cycleStartedAt ?? startedAt));
		this.spell = undefined;
		this.cycleStartedAt = startedAt;
		this.acceptedCount = 1;
		this.recentStarts = [];
		return wasAccident ? 'after an accident' : 'again';
	}

	/** A request was throttled, or a header says that the next one would be. */
	onThrottled(startedAt: number, now: number): void {
		if (startedAt <= this.throttledAt) {
			if (this.spell !== undefined) this.spell.throttledCount++;
			return;
		}
		const rate = Math.min(this.rateAt(startedAt), this.measuredRate());
		this.spell ??= {
			firstSentAt: startedAt,
			lastSentAt: startedAt,
			rate,
			throttledCount: 1,
			acceptedDuring: 0,
		};
		this.spell.lastSentAt = startedAt;
		this.throttledAt = now;
	}

	/** @param longest since the cycle began, until a request was accepted again */
	private updateRate(
		{ firstSentAt, lastSentAt, rate, throttledCount, acceptedDuring }: ThrottledSpell,
		longest: number,
	): void {
		const { cycleStartedAt = firstSentAt, burst, acceptedCount } = this;
		const isPossible = (usual: number) => usual > lastSentAt - cycleStartedAt && usual <= longest;
		const period = USUAL_PERIODS.find(isPossible) ?? Math.max(MIN_PERIOD, longest);
		const quota = acceptedCount / period;
		if (this.kind === 'none') {
			// Otherwise too many were in flight, and not too many sent.
			const isWhole =
				acceptedCount - acceptedDuring >= WHOLE_QUOTA && acceptedDuring <= throttledCount;
			this.kind = isWhole ? 'estimate' : 'guess';
			if (isWhole) this.growsIn = GROWS_IN.quota;
			this.burst = acceptedCount;
			this.rate = CAUTION * quota;
			return;
		}
		const isNear = this.kind === 'guess' || acceptedCount > burst + BEYOND_BURST;
		const lowest = Math.max(CAUTION * quota, isNear ? LEAST_ALLOWED * rate : 0);
		const highest = BELOW_THROTTLED * rate;
		this.rate = Math.min(highest, Math.sqrt(lowest * highest));
		if (this.kind === 'estimate') this.growsIn *= 2;
		this.kind = 'estimate';
	}

	private isIsolated({ throttledCount, acceptedDuring }: ThrottledSpell): boolean {
		if (this.kind !== 'none') return false;
		// Without an accepted request there is no rate to estimate.
		if (this.acceptedCount === 0) return true;
		return (
			acceptedDuring >= ACCIDENT * throttledCount &&
			this.acceptedCount >= BETWEEN_ACCIDENTS * this.accidents
		);
	}

	private rateAt(now: number): number {
		const time = Math.max(0, now - (this.cycleStartedAt ?? now));
		const growth = this.kind === 'guess' ? GUESS_GROWTH * time : (time / this.growsIn) ** STEEPNESS;
		return Math.max(MIN_RATE, this.rate * Math.exp(growth));
	}

	/** Few in flight may be slower than the rate. */
	private measuredRate(): number {
		const [first = 0, ...later] = this.recentStarts;
		const last = later.at(-1) ?? 0;
		return last > first ? later.length / (last - first) : Infinity;
	}
}
