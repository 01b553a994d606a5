import { allowedIn, type ClosedCycle, isTelling } from './limitCycle';

/*
 * What rate to try after a refusal, as a table of rules. Times in milliseconds, rates per
 * millisecond. Whatever a service counts, between two refusals it lets through what it allows in
 * that time, or less if it had to idle: so a cycle shows a rate that is allowed at least
 * (`allowedIn`), and the rate at its refusal was too high. test/model measures what each rule and
 * each number is worth.
 */

/** Milliseconds in which a rate doubles that rests on fewer answers. */
const GUESS_DOUBLES_IN = 350;
/**
 * Milliseconds after which a rate has grown almost threefold. For most of that time it hardly
 * grows.
 */
const GROWS_IN = { sure: 40_000, unsure: 8_000 };
const STEEPNESS = 6;

/** Share of an estimate that is used, because answers do not all take the same time. */
const CAUTION = 0.985;
/** Share that is used at most of a rate at which a request was just refused. */
const BELOW_REFUSED = 0.95;
/** Share that is used of a rate that was only a little too high. */
const NEAR = 0.905;
/** Answers in a cycle that show nothing about the rate. */
const FEW = 4;
/** Two estimates that differ by less agree. */
const AGREEMENT = 0.1;
const MIN_RATE = 1 / 60_000;

export type Estimate =
	| { rule: 'no limit was met'; kind: 'none' }
	/** It rests on a few answers, and is tried out fast. */
	| { rule: 'a few answers'; kind: 'guess'; rate: number }
	| {
			rule:
				| 'the first cycle is a whole quota'
				| 'two cycles agree'
				| 'a sure rate was a little too high'
				| 'a bucket fits'
				| 'the cycle shows nothing'
				| 'between allowed and refused';
			kind: 'sure' | 'unsure';
			/** At the beginning of a cycle. */
			rate: number;
			/** Milliseconds in which a higher rate is tried. */
			growsIn: number;
	  };

export const NO_LIMIT: Estimate = { rule: 'no limit was met', kind: 'none' };

/** What was known before a cycle ended. */
export interface Earlier {
	kind: Estimate['kind'];
	/** The rate at which the refused request was sent. */
	refusedRate: number;
	/** What the cycle before allowed. */
	allowed: number;
	/**
	 * The rate at which a bucket refills that would have done the same with all requests; 0 if none
	 * is known.
	 */
	refill: number;
	/** Requests let through before the first refusal. */
	burst: number;
	/** How often a sure or unsure rate ended in a refusal. */
	inVain: Readonly<Record<'sure' | 'unsure', number>>;
}

export function estimateOf(cycle: ClosedCycle, earlier: Earlier): Estimate {
	const { letThrough } = cycle;
	const { refusedRate, refill, inVain } = earlier;
	const sure = { kind: 'sure', growsIn: GROWS_IN.sure * 2 ** inVain.sure } as const;
	const unsure = { kind: 'unsure', growsIn: GROWS_IN.unsure * 2 ** inVain.unsure } as const;

	if (earlier.kind === 'none') {
		const rate = CAUTION * allowedIn(cycle, letThrough);
		return isTelling(cycle)
			? { rule: 'the first cycle is a whole quota', ...sure, rate }
			: { rule: 'a few answers', kind: 'guess', rate };
	}

	const allowed = allowedIn(cycle, earlier.burst);
	if (refill > allowed) return { rule: 'a bucket fits', ...sure, rate: CAUTION * refill };
	const below = (rate: number) =>
		Math.min(Math.max(CAUTION * allowed, rate), BELOW_REFUSED * refusedRate);
	const isFew = letThrough < FEW;
	if (!isFew && Math.abs(allowed - earlier.allowed) <= AGREEMENT * allowed) {
		return { rule: 'two cycles agree', ...sure, rate: below(0) };
	}
	// More than a quota was let through at that rate.
	if (earlier.kind === 'sure' && letThrough > earlier.burst) {
		return { rule: 'a sure rate was a little too high', ...sure, rate: below(NEAR * refusedRate) };
	}
	const between = (lowest: number) => below(Math.sqrt(lowest * BELOW_REFUSED * refusedRate));
	// Few answers show no bound, and a guess grew too fast to show one.
	if (isFew || earlier.kind === 'guess') {
		return { rule: 'the cycle shows nothing', ...unsure, rate: between(NEAR ** 2 * refusedRate) };
	}
	return { rule: 'between allowed and refused', ...unsure, rate: between(allowed) };
}

/** @param time since the beginning of the cycle */
export function rateAfter(time: number, estimate: Estimate): number {
	switch (estimate.kind) {
		case 'none':
			return Infinity;
		case 'guess':
			return estimate.rate * 2 ** (time / GUESS_DOUBLES_IN);
		default:
			return estimate.rate * Math.exp((time / estimate.growsIn) ** STEEPNESS);
	}
}

/** Milliseconds from a start at that time to the next one; 0 as long as no limit was met. */
export function intervalAfter(time: number, estimate: Estimate): number {
	if (estimate.kind === 'none') return 0;
	const rate = Math.max(MIN_RATE, rateAfter(time, estimate));
	if (estimate.kind !== 'guess') return 1 / rate;
	// A rate that grows meanwhile reaches its next request sooner.
	const growth = Math.LN2 / GUESS_DOUBLES_IN;
	return Math.log(1 + growth / rate) / growth;
}
