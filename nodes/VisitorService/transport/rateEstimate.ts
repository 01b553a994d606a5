/** Answers before the first refusal from which on their number says something about the rate. */
const TELLING_BURST = 10;
/** Milliseconds in which a rate doubles: one that rests on fewer answers, and one on a wait nobody named. */
const GUESS_DOUBLES_IN = 350;
const PROBE_DOUBLES_IN = 5_000;
/** A measured rate has grown by 1 % after a fifth of this time, and by 170 % after all of it. Milliseconds. */
const PLATEAU = 50_000;

/** What is used of a rate that was just refused, or is only just allowed. */
const CAUTION = 0.96;
const AFTER_GUESS = 0.9;
const AFTER_SHARP_REFUSAL = 0.85;
/** Answers since the last refusal below which a refusal was immediate: the limiter allows no bursts. */
const IMMEDIATE = 4;
/** Starts over which it is measured how fast requests were really sent: few in flight may be slower than the rate. */
const SHORT_RUN = 4;
/** Milliseconds after which a rate counts as much as what was let through on average. */
const HALF_CREDIBLE = 250;
const SLOWEST = 1 / 60_000;

/**
 * What rate a service allows, learned from what it lets through and what it refuses (429, RFC 6585 §4). Times in
 * milliseconds, rates per millisecond.
 *
 * The first estimate is what went through before the first refusal, over the time until requests were allowed
 * again. Each later refusal gives two bounds: what went through since the one before, its pause included, is
 * allowed; the rate at the refusal is too much. A pause gives a token bucket time to refill, so the first bound
 * is near; in a fixed or sliding window it is lost, so the second one is. How long the rate was let through
 * tells which. Between refusals the rate stays on a plateau for a while, because a refusal mostly costs a
 * second, and then grows faster and faster, because the limit may be gone.
 */
export class RateEstimate {
	private kind: 'none' | 'guess' | 'probe' | 'measured' = 'none';

	private rate = Infinity;

	/** From when on the rate grows: the end of the last pause. */
	private since = 0;

	private firstStart?: number;

	/** Answers to requests sent before the first refusal, and when it was over. */
	private burst = 0;

	private burstEnd = 0;

	private waitIsWhole = false;

	private refusals = 0;

	private refusedAt = -Infinity;

	/** Answers to requests sent after the last refusal, and when those of the last second came. */
	private accepted = 0;

	private acceptedAt: number[] = [];

	/** The last few starts since the pause. */
	private starts: number[] = [];

	started(now: number): void {
		this.firstStart ??= now;
		if (this.kind === 'none') return;
		this.starts.push(now);
		if (this.starts.length > SHORT_RUN) this.starts.shift();
	}

	/** Milliseconds from a start now to the next one; 0 as long as no limit was met. */
	intervalAt(now: number): number {
		const rate = Math.max(SLOWEST, this.rateAt(now));
		const doublesIn = this.kind === 'guess' ? GUESS_DOUBLES_IN : PROBE_DOUBLES_IN;
		if (this.kind !== 'guess' && this.kind !== 'probe') return 1 / rate;
		// A rate that grows meanwhile reaches its next request sooner.
		const growth = Math.LN2 / doublesIn;
		return Math.log(1 + growth / rate) / growth;
	}

	/** A request was answered, and not by a refusal. */
	letThrough(startedAt: number, now: number): void {
		if (startedAt > this.refusedAt) {
			this.accepted++;
			if (this.kind !== 'none') this.noteTime(now);
		}
		if (this.refusals > 1 || (this.refusals === 1 && this.accepted > 0)) return;
		this.burst++;
		if (this.refusals === 1) this.rate = this.rateOfBurst();
	}

	/**
	 * A request was refused.
	 *
	 * @param resumesAt when requests are sent again
	 * @param isWhole whether the service named the wait, rounded up to whole seconds
	 * @returns whether this was the first refusal of its kind: those under way together are refused together
	 */
	refused(startedAt: number, now: number, resumesAt: number, isWhole: boolean): boolean {
		const wasUnderWay = startedAt <= this.refusedAt;
		if (wasUnderWay || (this.refusals > 0 && this.accepted === 0)) {
			this.extendPause(resumesAt, wasUnderWay);
			return false;
		}
		if (this.refusals++ === 0) this.estimate(resumesAt, isWhole);
		else this.correct(now);
		this.refusedAt = now;
		this.accepted = 0;
		this.starts = [];
		this.since = resumesAt;
		return true;
	}

	private rateAt(now: number): number {
		const time = Math.max(0, now - this.since);
		switch (this.kind) {
			case 'none':
				return Infinity;
			case 'guess':
				return this.rate * 2 ** (time / GUESS_DOUBLES_IN);
			case 'probe':
				return this.rate * 2 ** (time / PROBE_DOUBLES_IN);
			case 'measured':
				return this.rate * Math.exp((time / PLATEAU) ** 3);
		}
	}

	private estimate(resumesAt: number, isWhole: boolean): void {
		this.waitIsWhole = isWhole;
		this.burstEnd = resumesAt;
		this.rate = this.rateOfBurst();
		if (this.burst < TELLING_BURST) this.kind = 'guess';
		else this.kind = isWhole ? 'measured' : 'probe';
	}

	/** Rounded up, a wait ends up to a second late; limits are mostly so many in so many whole seconds. */
	private rateOfBurst(): number {
		const span = this.burstEnd - (this.firstStart ?? 0);
		const whole = Math.max(1000, Math.floor(span / 1000) * 1000);
		return (CAUTION * Math.max(1, this.burst)) / (this.waitIsWhole ? whole : Math.max(50, span));
	}

	private extendPause(resumesAt: number, wasUnderWay: boolean): void {
		this.since = Math.max(this.since, resumesAt);
		const burstLasts = this.refusals === 1 && this.accepted === 0;
		if (!burstLasts || (this.waitIsWhole && wasUnderWay)) return;
		this.burstEnd = this.since;
		this.rate = this.rateOfBurst();
	}

	private correct(now: number): void {
		const refused = Math.min(this.rateAt(now), this.rateSent());
		const allowed = this.accepted / (now - this.refusedAt);
		const time = Math.max(0, now - this.since);
		let rate: number;
		if (this.accepted < IMMEDIATE) {
			rate = Math.max(allowed, AFTER_SHARP_REFUSAL * refused);
		} else if (this.kind === 'guess') {
			rate = AFTER_GUESS * refused;
		} else {
			// Over the last second a limit may have let through less than was sent.
			const lastSecond = this.countLastSecond(now);
			const tells = time >= 1000 && lastSecond >= TELLING_BURST / 2;
			const tooMuch = tells ? Math.min(refused, lastSecond / 1000) : refused;
			const credible = time / (time + HALF_CREDIBLE);
			const between = allowed ** (1 - credible) * (CAUTION * tooMuch) ** credible;
			rate = Math.max(between, refused / 2);
		}
		this.rate = Math.min(rate, CAUTION * refused);
		this.kind = 'measured';
	}

	private rateSent(): number {
		const [first = 0] = this.starts;
		const last = this.starts.at(-1) ?? 0;
		return last > first ? (this.starts.length - 1) / (last - first) : Infinity;
	}

	private noteTime(now: number): void {
		this.acceptedAt.push(now);
		if (this.acceptedAt.length > 2_000) this.forgetBefore(now - 1000);
	}

	private countLastSecond(now: number): number {
		this.forgetBefore(now - 1000);
		return this.acceptedAt.length;
	}

	private forgetBefore(time: number): void {
		this.acceptedAt = this.acceptedAt.filter((at) => at > time);
	}
}
