/*
 * Rates are per millisecond. However a service counts, between two throttlings it accepts as much
 * as it allows in that time, or less if few requests were sent. So such a cycle shows a rate that
 * is allowed, and the rate at which it ended was too high. test/model measures the effect of each
 * number.
 */

/**
 * The periods of usual quotas. A measured period is rounded up to one of these, because a wait that
 * the service named is rounded, and one that we chose is a guess.
 */
const USUAL_PERIODS_MS = [1_000, 2_000, 5_000, 10_000, 60_000];
const MIN_PERIOD_MS = 50;

/** From this many responses before the first throttling on, these are the quota of a period. */
const WHOLE_QUOTA = 10;
/** By how many responses a cycle has to exceed the first burst to show the rate. */
const BEYOND_BURST = 6;
/**
 * Throttling is an accident if at the same moment this many times as many requests were accepted,
 * and enough requests before it. Accidents in quick succession are a limit.
 */
const ACCIDENT = 3;
const BETWEEN_ACCIDENTS = 50;

/** Growth of a guessed rate, which rests on few responses: it doubles in 350 ms. */
const GUESS_GROWTH = Math.LN2 / 350;
/** Time in which an estimated rate grows by the factor e; in its first half, by less than 2 %. */
const GROWTH_MS = { quota: 40_000, later: 8_000 };
const STEEPNESS = 6;

/** Share of the accepted rate that is used, because responses do not all take the same time. */
const CAUTION = 0.975;
/** Shares of a throttled rate: used at most, and allowed at least. */
const BELOW_THROTTLED = 0.95;
const LEAST_ALLOWED = 0.75;
const MIN_RATE = 1 / 60_000;

/** How many of the last requests show the rate at which requests are really sent. */
const RECENT_STARTS = 4;

/** A row of throttled requests, until the service accepts one again. */
interface ThrottledSpell {
	/** When the first and the last throttled request were sent. */
	firstSentAt: number;
	lastSentAt: number;
	/** The rate at which the first one was sent. */
	rate: number;
	/** Of the requests in flight with the first one. */
	throttledCount: number;
	acceptedDuring: number;
}

/** Estimates the rate a service allows from the cycles between throttlings. */
export class RateEstimator {
	private kind: 'none' | 'guess' | 'estimate' = 'none';

	/** The rate at the beginning of a cycle. */
	private rate = Infinity;

	private growthMs = GROWTH_MS.later;

	private cycleStartedAt?: number;

	private acceptedCount = 0;

	/** Requests accepted before the first throttling: the limit allows that many at once. */
	private burst = 0;

	private spell?: ThrottledSpell;

	/** When a request was last throttled. Requests sent before that were in flight together. */
	private throttledAt = -Infinity;

	private accidents = 0;

	private recentStarts: number[] = [];

	/** Whether no request was accepted since one was throttled. */
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

	/** Time from a request sent now to the next one; 0 as long as no limit has shown. */
	intervalMsAt(now: number): number {
		const rate = this.rateAt(now);
		// The rate grows meanwhile, so the next request is due sooner.
		return this.kind === 'guess' ? Math.log(1 + GUESS_GROWTH / rate) / GUESS_GROWTH : 1 / rate;
	}

	/** @returns whether requests are accepted again, and whether their throttling was an accident */
	onAccepted(startedAt: number): 'unchanged' | 'resumed' | 'resumedAfterAccident' {
		const { spell } = this;
		if (spell === undefined || startedAt <= this.throttledAt) {
			this.acceptedCount++;
			if (spell !== undefined && startedAt >= spell.firstSentAt) spell.acceptedDuring++;
			return 'unchanged';
		}
		const wasAccident = this.isIsolated(spell);
		if (wasAccident) this.accidents++;
		else this.updateRate(spell, startedAt - (this.cycleStartedAt ?? startedAt));
		this.spell = undefined;
		this.cycleStartedAt = startedAt;
		this.acceptedCount = 1;
		this.recentStarts = [];
		return wasAccident ? 'resumedAfterAccident' : 'resumed';
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

	/** @param longestMs from the begin of the cycle until a request was accepted again */
	private updateRate(
		{ firstSentAt, lastSentAt, rate, throttledCount, acceptedDuring }: ThrottledSpell,
		longestMs: number,
	): void {
		const { cycleStartedAt = firstSentAt, burst, acceptedCount } = this;
		const isPossible = (usual: number) => usual > lastSentAt - cycleStartedAt && usual <= longestMs;
		const periodMs = USUAL_PERIODS_MS.find(isPossible) ?? Math.max(MIN_PERIOD_MS, longestMs);
		const quota = acceptedCount / periodMs;
		if (this.kind === 'none') {
			// Otherwise a limit on requests in flight was hit, not a quota.
			const isWhole =
				acceptedCount - acceptedDuring >= WHOLE_QUOTA && acceptedDuring <= throttledCount;
			this.kind = isWhole ? 'estimate' : 'guess';
			if (isWhole) this.growthMs = GROWTH_MS.quota;
			this.burst = acceptedCount;
			this.rate = CAUTION * quota;
			return;
		}
		const isNear = this.kind === 'guess' || acceptedCount > burst + BEYOND_BURST;
		const lowest = Math.max(CAUTION * quota, isNear ? LEAST_ALLOWED * rate : 0);
		const highest = BELOW_THROTTLED * rate;
		this.rate = Math.min(highest, Math.sqrt(lowest * highest));
		if (this.kind === 'estimate') this.growthMs *= 2;
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
		const growth =
			this.kind === 'guess' ? GUESS_GROWTH * time : (time / this.growthMs) ** STEEPNESS;
		return Math.max(MIN_RATE, this.rate * Math.exp(growth));
	}

	/** The rate at which requests were sent, which few in flight may keep below the estimate. */
	private measuredRate(): number {
		const [first = 0, ...later] = this.recentStarts;
		const last = later.at(-1) ?? 0;
		return last > first ? later.length / (last - first) : Infinity;
	}
}
