/*
 * Times in milliseconds, rates per millisecond. Whatever a service counts, between two refusals it
 * lets through what it allows in that time, or less if it had to idle: such a cycle shows a rate
 * that is allowed at least, and the rate at its refusal was too high. test/model measures what each
 * number is worth.
 */

/**
 * The periods for which services usually count: a named wait is rounded up, a chosen one a guess.
 */
const USUAL_PERIODS = [1_000, 2_000, 5_000, 10_000, 60_000];
const MIN_PERIOD = 50;

/** Answers before the first refusal from which on they are taken for the quota of a period. */
const WHOLE_QUOTA = 10;
/** Answers after which a cycle let through more than the burst that a limit allows. */
const BEYOND_BURST = 6;
/**
 * A refusal is an accident if this many times as many requests of the same moment were let through,
 * and enough requests before it: refusals in quick succession are a limit.
 */
const ACCIDENT = 3;
const BETWEEN_ACCIDENTS = 50;

/** Growth of a rate that rests on few answers: it doubles in 350 ms. */
const GUESS_GROWTH = Math.LN2 / 350;
/** Until any other rate has grown almost threefold; for most of that time it hardly grows. */
const GROWS_IN = { quota: 40_000, later: 8_000 };
const STEEPNESS = 6;

/** Share of what was let through that is used, because answers do not all take the same time. */
const CAUTION = 0.975;
/** Shares of a refused rate: used at most, and allowed at least. */
const BELOW_REFUSED = 0.95;
const LEAST_ALLOWED = 0.75;
const MIN_RATE = 1 / 60_000;

/** Starts over which it is measured how fast requests were really sent. */
const RECENT_STARTS = 4;

/** What the service refused, until it lets something through again. */
interface RefusedSpell {
	/** When the first and the last refused request were sent. */
	from: number;
	last: number;
	/** The rate at which the first one was sent. */
	rate: number;
	/** Of those that were under way with the first one. */
	refused: number;
	passed: number;
}

/** Learns the rate a service allows from the cycles between its refusals. */
export class RateEstimate {
	private kind: 'none' | 'guess' | 'estimate' = 'none';

	/** At the beginning of a cycle. */
	private rate = Infinity;

	private growsIn = GROWS_IN.later;

	private begins?: number;

	private letThrough = 0;

	/** Requests that were let through before the first refusal: a limit allows so many at once. */
	private burst = 0;

	private refusal?: RefusedSpell;

	/** When a refusal was last heard of. What was sent until then was under way together. */
	private refusedAt = -Infinity;

	private accidents = 0;

	private recentStarts: number[] = [];

	/** Whether nothing was let through since a refusal. */
	get isClosed(): boolean {
		return this.refusal !== undefined;
	}

	/** Whether a limit was met. */
	get isLimited(): boolean {
		return this.isClosed || this.kind !== 'none';
	}

	started(now: number): void {
		this.begins ??= now;
		this.recentStarts = [...this.recentStarts, now].slice(-RECENT_STARTS);
	}

	/** Milliseconds from a start now to the next one; 0 as long as no limit was met. */
	intervalAt(now: number): number {
		const rate = this.rateAt(now);
		// A rate that grows meanwhile reaches its next request sooner.
		return this.kind === 'guess' ? Math.log(1 + GUESS_GROWTH / rate) / GUESS_GROWTH : 1 / rate;
	}

	/** @returns whether requests are let through again, or a refusal turned out to be an accident */
	accepted(startedAt: number): 'as before' | 'again' | 'after an accident' {
		const { refusal } = this;
		if (refusal === undefined || startedAt <= this.refusedAt) {
			this.letThrough++;
			if (refusal !== undefined && startedAt >= refusal.from) refusal.passed++;
			return 'as before';
		}
		const wasAccident = this.isAccident(refusal);
		if (wasAccident) this.accidents++;
		else this.learn(refusal, startedAt - (this.begins ?? startedAt));
		this.refusal = undefined;
		this.begins = startedAt;
		this.letThrough = 1;
		this.recentStarts = [];
		return wasAccident ? 'after an accident' : 'again';
	}

	/** A request was refused, or the service announced that the next one would be. */
	refused(startedAt: number, now: number): void {
		if (startedAt <= this.refusedAt) {
			if (this.refusal !== undefined) this.refusal.refused++;
			return;
		}
		const rate = Math.min(this.rateAt(startedAt), this.rateSent());
		this.refusal ??= { from: startedAt, last: startedAt, rate, refused: 1, passed: 0 };
		this.refusal.last = startedAt;
		this.refusedAt = now;
	}

	/** @param longest since the cycle began, until a request was let through again */
	private learn({ from, last, rate, refused, passed }: RefusedSpell, longest: number): void {
		const { begins = from, burst, letThrough } = this;
		const isPossible = (usual: number) => usual > last - begins && usual <= longest;
		const period = USUAL_PERIODS.find(isPossible) ?? Math.max(MIN_PERIOD, longest);
		const quota = letThrough / period;
		if (this.kind === 'none') {
			// Otherwise too many were in flight, and not too many sent.
			const isWhole = letThrough - passed >= WHOLE_QUOTA && passed <= refused;
			this.kind = isWhole ? 'estimate' : 'guess';
			if (isWhole) this.growsIn = GROWS_IN.quota;
			this.burst = letThrough;
			this.rate = CAUTION * quota;
			return;
		}
		const isNear = this.kind === 'guess' || letThrough > burst + BEYOND_BURST;
		const lowest = Math.max(CAUTION * quota, isNear ? LEAST_ALLOWED * rate : 0);
		const highest = BELOW_REFUSED * rate;
		this.rate = Math.min(highest, Math.sqrt(lowest * highest));
		if (this.kind === 'estimate') this.growsIn *= 2;
		this.kind = 'estimate';
	}

	private isAccident({ refused, passed }: RefusedSpell): boolean {
		if (this.kind !== 'none') return false;
		// A rate cannot be told from requests of which none was let through.
		if (this.letThrough === 0) return true;
		return passed >= ACCIDENT * refused && this.letThrough >= BETWEEN_ACCIDENTS * this.accidents;
	}

	private rateAt(now: number): number {
		const time = Math.max(0, now - (this.begins ?? now));
		const growth = this.kind === 'guess' ? GUESS_GROWTH * time : (time / this.growsIn) ** STEEPNESS;
		return Math.max(MIN_RATE, this.rate * Math.exp(growth));
	}

	/** Few in flight may be slower than the rate. */
	private rateSent(): number {
		const [first = 0, ...later] = this.recentStarts;
		const last = later.at(-1) ?? 0;
		return last > first ? later.length / (last - first) : Infinity;
	}
}
