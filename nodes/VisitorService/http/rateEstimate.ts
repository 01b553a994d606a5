import {
	allowedIn,
	type Certainty,
	type ClosedCycle,
	type Cycle,
	isTelling,
	type Pause,
	periodOf,
} from './limitCycle';

/** Milliseconds in which a rate doubles that rests on fewer answers. */
const GUESS_DOUBLES_IN = 350;
/** Milliseconds after which a rate has grown almost threefold. For most of that time it hardly grows. */
const SURE_FOR = 40_000;
const UNSURE_FOR = 5000;
const STEEPNESS = 6;

/** Share of an estimate that is used, because answers do not all take the same time. */
const CAUTION = 0.985;
/** Share that is used at most of a rate at which a request was just refused. */
const BELOW_REFUSED = 0.95;
/** Share that is used of a rate that was only a little too high. */
const NEAR = 0.905;
/** Answers in a cycle that show nothing about the rate. */
const FEW = 4;
/** How much more a rate falls with each refusal in vain, as a power of NEAR: in equal steps it would fall for too long. */
const FALLS_FASTER = 1.5;
/** Two estimates that differ by less agree. */
const AGREEMENT = 0.1;
/** A refusal is an accident if so many times more requests of the same moment were let through. */
const ACCIDENT = 3;
/** Requests that are let through from the beginning for each accident. */
const BETWEEN_ACCIDENTS = 50;
const SLOWEST = 1 / 60_000;
/** Starts over which it is measured how fast requests were really sent. */
const RECENT_STARTS = 4;

/**
 * What rate a service allows, learned from what it lets through and what it refuses. Times in milliseconds, rates per
 * millisecond.
 *
 * Whatever a service counts, between two refusals it lets through what it allows in that time, or less if it had to
 * idle. So each way of counting yields a rate that is allowed at least (`allowedIn`), the highest of them is nearest to
 * the truth, and the rate at the refusal was too high. If two cycles agree, that is the limit; if not, the
 * next rate lies between the two bounds.
 */
export class RateEstimate {
	private rate = Infinity;

	private certainty: Certainty = 'none';

	private current?: Cycle;

	private last?: ClosedCycle;

	/** Requests let through before the first refusal: a limit that allows bursts allows so many. */
	private burst = 0;

	private refusals = 0;

	private accidents = 0;

	/** Milliseconds the rate is kept before a higher one is tried, and how often that was in vain. */
	private plateau = SURE_FOR;

	private readonly inVain = { sure: 0, unsure: 0 };

	private recentStarts: number[] = [];

	get isSure(): boolean {
		return this.certainty === 'sure';
	}

	started(now: number): void {
		this.current ??= { begins: now, letThrough: 0 };
		this.recentStarts.push(now);
		if (this.recentStarts.length > RECENT_STARTS) this.recentStarts.shift();
	}

	/** Milliseconds from a start now to the next one; 0 as long as no limit was met. */
	intervalAt(now: number): number {
		if (this.certainty === 'none') return 0;
		const rate = Math.max(SLOWEST, this.rateAt(now));
		if (this.certainty !== 'guess') return 1 / rate;
		// A rate that grows meanwhile reaches its next request sooner.
		const growth = Math.LN2 / GUESS_DOUBLES_IN;
		return Math.log(1 + growth / rate) / growth;
	}

	/**
	 * A request was answered, and not by a refusal.
	 *
	 * @returns whether that shows that the refusal before was an accident, and not a limit
	 */
	letThrough(startedAt: number): boolean {
		const { current, last } = this;
		if (last !== undefined && startedAt <= last.heardAt) {
			last.letThrough++;
			if (startedAt >= last.refusedFrom) last.passed++;
			if (this.mayBeAccident(last) && last.passed >= ACCIDENT * last.refused) {
				this.forget(last);
				return true;
			}
			this.estimate(last);
		} else if (current !== undefined && current.letThrough++ === 0 && last?.isNamed === false) {
			current.begins = startedAt;
			last.reopensBy = startedAt;
			this.estimate(last);
		}
		return false;
	}

	/** A request was refused, or the service announced that the next one would be. */
	refused(startedAt: number, now: number, pause: Pause): void {
		const { last } = this;
		const isWithLast = last !== undefined && startedAt <= last.heardAt;
		const isStillClosed = last !== undefined && this.current?.letThrough === 0;
		if (isWithLast || isStillClosed) {
			if (isWithLast) last.refused++;
			else last.heardAt = now;
			this.reopen(last, startedAt, now, pause);
			this.estimate(last);
		} else {
			this.close(this.current ?? { begins: startedAt, letThrough: 0 }, startedAt, now, pause);
		}
	}

	private close(cycle: Cycle, startedAt: number, now: number, pause: Pause): void {
		const { last, certainty, rate } = this;
		const isLimited = certainty === 'sure' || certainty === 'unsure';
		const closed: ClosedCycle = {
			...cycle,
			refusedFrom: startedAt,
			refusedRate: Math.min(
				this.rateAt(startedAt),
				isLimited || certainty === 'guess' ? this.rateSent() : Infinity,
			),
			heardAt: now,
			refused: 1,
			passed: 0,
			reopensAfter: startedAt,
			reopensBy: startedAt,
			isNamed: false,
			certainty,
			earlierRefusedFrom: last?.refusedFrom ?? -Infinity,
			earlierAllowed: last === undefined ? 0 : allowedIn(last, this.burst),
			provenRate: isLimited && startedAt - cycle.begins > this.plateau / 3 ? rate : 0,
		};
		if (isLimited) this.inVain[certainty]++;
		this.refusals++;
		this.last = closed;
		this.reopen(closed, startedAt, now, pause);
		this.estimate(closed);
	}

	private reopen(
		cycle: ClosedCycle,
		startedAt: number,
		now: number,
		{ wait, isNamed }: Pause,
	): void {
		if (isNamed || startedAt > cycle.reopensAfter) cycle.reopensAfter = startedAt;
		cycle.reopensBy = Math.max(cycle.reopensBy, startedAt + wait);
		cycle.isNamed = isNamed;
		this.current = {
			begins: Math.max(this.current?.begins ?? 0, now + wait),
			letThrough: 0,
		};
		this.recentStarts = [];
	}

	/** One after the other, they are a limit to the requests in flight. */
	private mayBeAccident({ letThrough }: ClosedCycle): boolean {
		return this.refusals === 1 && letThrough >= BETWEEN_ACCIDENTS * this.accidents;
	}

	/** It was no limit: everything is as before. */
	private forget({ begins, letThrough }: ClosedCycle): void {
		this.current = { begins, letThrough };
		this.last = undefined;
		this.refusals = 0;
		this.accidents++;
		this.rate = Infinity;
		this.certainty = 'none';
	}

	private estimate(cycle: ClosedCycle): void {
		const allowed = allowedIn(cycle, this.burst);
		if (this.refusals === 1) {
			this.burst = cycle.letThrough;
			this.certainty = isTelling(cycle) ? 'sure' : 'guess';
			this.rate = CAUTION * allowed;
		} else {
			this.correct(cycle, allowed);
		}
		if (this.certainty === 'guess' || this.certainty === 'none') return;
		const lasts = this.certainty === 'sure' ? Math.max(SURE_FOR, 4 * periodOf(cycle)) : UNSURE_FOR;
		this.plateau = lasts * 2 ** this.inVain[this.certainty];
	}

	private correct(cycle: ClosedCycle, allowed: number): void {
		const { letThrough, refusedRate, earlierAllowed, provenRate, certainty } = cycle;
		const wasSure = certainty === 'sure';
		const isFew = letThrough < FEW;
		const agrees = !isFew && Math.abs(allowed - earlierAllowed) <= AGREEMENT * allowed;
		// More than a quota was let through at a rate that was sure: it is a little too high at most.
		const isNear = wasSure && letThrough > this.burst;
		let between = 0;
		if (!agrees && isNear) between = NEAR * refusedRate;
		else if (!agrees) {
			// Few answers show no bound, and a guess grew too fast to show one.
			const showsNothing = certainty === 'guess' || isFew;
			const step = NEAR ** (2 + FALLS_FASTER * this.inVain.unsure);
			const lowest = showsNothing ? step * refusedRate : Math.max(allowed, provenRate);
			between = Math.sqrt(lowest * BELOW_REFUSED * refusedRate);
		}
		const rate = Math.max(CAUTION * allowed, provenRate, between);
		this.rate = Math.min(rate, BELOW_REFUSED * refusedRate);
		this.certainty = agrees || isNear || (wasSure && provenRate > 0) ? 'sure' : 'unsure';
	}

	private rateAt(now: number): number {
		const time = Math.max(0, now - (this.current?.begins ?? now));
		if (this.certainty === 'guess') return this.rate * 2 ** (time / GUESS_DOUBLES_IN);
		return this.rate * Math.exp((time / this.plateau) ** STEEPNESS);
	}

	/** Few in flight may be slower than the rate. */
	private rateSent(): number {
		const [first = 0] = this.recentStarts;
		const last = this.recentStarts.at(-1) ?? 0;
		return last > first ? (this.recentStarts.length - 1) / (last - first) : Infinity;
	}
}
