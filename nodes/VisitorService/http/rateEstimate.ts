import { BucketFit } from './bucketFit';
import { allowedIn, type ClosedCycle, type Cycle, type Pause } from './limitCycle';
import {
	type Earlier,
	type Estimate,
	estimateOf,
	intervalAfter,
	NO_LIMIT,
	rateAfter,
} from './rateRules';

/**
 * A refusal is an accident if this many times as many requests of the same moment were let through.
 */
const ACCIDENT = 3;
/**
 * Requests that have to be let through for each accident so far: refusals in quick succession are a
 * limit.
 */
const BETWEEN_ACCIDENTS = 50;
/** Starts over which it is measured how fast requests were really sent. */
const RECENT_STARTS = 4;

/**
 * Learns the rate a service allows from the cycles between its refusals. Times in milliseconds,
 * rates per millisecond.
 */
export class RateEstimate {
	private estimate: Estimate = NO_LIMIT;

	private current?: Cycle;

	private last?: { cycle: ClosedCycle; earlier: Earlier };

	private readonly bucket = new BucketFit();

	private accidents = 0;

	private recentStarts: number[] = [];

	get isSure(): boolean {
		return this.estimate.kind === 'sure';
	}

	started(now: number): void {
		this.current ??= { begins: now, letThrough: 0 };
		this.recentStarts.push(now);
		if (this.recentStarts.length > RECENT_STARTS) this.recentStarts.shift();
	}

	/** Milliseconds from a start now to the next one; 0 as long as no limit was met. */
	intervalAt(now: number): number {
		return intervalAfter(this.inCycle(now), this.estimate);
	}

	/**
	 * A request was answered, and not by a refusal.
	 *
	 * @returns whether that shows that the refusal before was an accident, and not a limit
	 */
	letThrough(startedAt: number): boolean {
		const { current, last } = this;
		this.bucket.answered(startedAt, false);
		if (last !== undefined && startedAt <= last.cycle.heardAt) {
			last.cycle.letThrough++;
			if (startedAt >= last.cycle.refusedFrom) last.cycle.passed++;
			if (this.isAccident(last)) {
				this.forget(last.cycle);
				return true;
			}
			this.estimate = estimateOf(last.cycle, last.earlier);
		} else if (current !== undefined && current.letThrough++ === 0) {
			// What was sent alone after the pause says nothing of how fast requests are sent.
			this.recentStarts = [];
			if (last === undefined || last.cycle.isNamed) return false;
			current.begins = startedAt;
			last.cycle.reopensBy = startedAt;
			this.estimate = estimateOf(last.cycle, last.earlier);
		}
		return false;
	}

	/** A request was refused, or the service announced that the next one would be. */
	refused(startedAt: number, now: number, pause: Pause): void {
		const { last, current } = this;
		this.bucket.answered(startedAt, true);
		const isWithLast = last !== undefined && startedAt <= last.cycle.heardAt;
		const isStillClosed = last !== undefined && current?.letThrough === 0;
		const closed = isWithLast || isStillClosed ? last : this.close(startedAt, now);
		const { cycle } = closed;
		const isFirst = closed.earlier.kind === 'none';
		const earlier = { ...closed.earlier, refill: isFirst ? 0 : this.bucket.rate() };
		if (isWithLast) cycle.refused++;
		else cycle.heardAt = now;
		// Once others were let through, the next period is refused.
		if (!isWithLast || cycle.passed === 0) {
			if (pause.isNamed || startedAt > cycle.reopensAfter) cycle.reopensAfter = startedAt;
			cycle.reopensBy = Math.max(cycle.reopensBy, startedAt + pause.wait);
		}
		cycle.isNamed = pause.isNamed;
		this.last = { cycle, earlier };
		this.current = { begins: Math.max(current?.begins ?? 0, now + pause.wait), letThrough: 0 };
		this.recentStarts = [];
		this.estimate = estimateOf(cycle, earlier);
	}

	private close(startedAt: number, now: number): { cycle: ClosedCycle; earlier: Earlier } {
		const { estimate, current = { begins: startedAt, letThrough: 0 } } = this;
		const cycle = {
			...current,
			refusedFrom: startedAt,
			heardAt: now,
			refused: 1,
			passed: 0,
			reopensAfter: startedAt,
			reopensBy: startedAt,
			isNamed: false,
		};
		const sentAt = rateAfter(this.inCycle(startedAt), estimate);
		const earlier: Earlier = {
			kind: estimate.kind,
			refusedRate: Math.min(sentAt, this.rateSent()),
			...this.earlierCycles(),
			refill: 0,
		};
		return { cycle, earlier };
	}

	private earlierCycles(): Pick<Earlier, 'allowed' | 'burst' | 'inVain'> {
		const {
			last,
			estimate: { kind },
		} = this;
		if (last === undefined) return { allowed: 0, burst: 0, inVain: { sure: 0, unsure: 0 } };
		const { cycle, earlier } = last;
		const burst = earlier.kind === 'none' ? cycle.letThrough : earlier.burst;
		const inVain = { ...earlier.inVain };
		if (kind === 'sure' || kind === 'unsure') inVain[kind]++;
		return { allowed: allowedIn(cycle, burst), burst, inVain };
	}

	private isAccident({ cycle, earlier }: { cycle: ClosedCycle; earlier: Earlier }): boolean {
		return (
			earlier.kind === 'none' &&
			cycle.letThrough >= BETWEEN_ACCIDENTS * this.accidents &&
			cycle.passed >= ACCIDENT * cycle.refused
		);
	}

	/** It was no limit: everything is as before. */
	private forget({ begins, letThrough }: Cycle): void {
		this.current = { begins, letThrough };
		this.last = undefined;
		this.bucket.forget();
		this.accidents++;
		this.estimate = NO_LIMIT;
	}

	/** Milliseconds since the current cycle began. */
	private inCycle(now: number): number {
		return Math.max(0, now - (this.current?.begins ?? now));
	}

	/** Few in flight may be slower than the rate. */
	private rateSent(): number {
		const [first = 0] = this.recentStarts;
		const last = this.recentStarts.at(-1) ?? 0;
		return last > first ? (this.recentStarts.length - 1) / (last - first) : Infinity;
	}
}
