/*
 * What a limit lets through between two refusals. Times in milliseconds, rates per millisecond.
 */

/** Answers before the first refusal from which on their number says something about the rate. */
const MIN_TELLING_ANSWERS = 10;

/** The periods for which services usually count. Milliseconds. */
const USUAL_PERIODS = [1_000, 2_000, 5_000, 10_000, 60_000];

/** When requests are let through again. */
export interface Pause {
	/** Milliseconds from the answer that said so, or the wait that was chosen here. */
	wait: number;
	/** Whether the service named it, rounded up to whole seconds. */
	isNamed: boolean;
}

/**
 * From the first request that is let through to the first one that is let through after a refusal.
 */
export interface Cycle {
	begins: number;
	letThrough: number;
}

/** A cycle that ended in a refusal. */
export interface ClosedCycle extends Cycle {
	/** When the first refused request was sent. */
	refusedFrom: number;
	/** When the refusal was heard of. What was sent until then was under way together. */
	heardAt: number;
	/**
	 * Of those that were under way with the first refused request: how many were refused, and how
	 * many let through.
	 */
	refused: number;
	passed: number;
	/**
	 * Between which times of sending the service allows requests again, and whether it named the
	 * time.
	 */
	reopensAfter: number;
	reopensBy: number;
	isNamed: boolean;
}

/**
 * The highest rate of which a cycle shows that it is allowed.
 *
 * @param burst requests let through before the first refusal: a limit that allows bursts allows so
 *   many
 */
export function allowedIn(cycle: ClosedCycle, burst: number): number {
	const { begins, letThrough, passed, refusedFrom } = cycle;
	// What was let through after a refusal belongs to the next period.
	const quota = Math.max(1, letThrough - passed) / periodOf(cycle);
	// A bucket that was full after the pause let a burst through first.
	const steady = refusedFrom > begins ? (letThrough - burst) / (refusedFrom - begins) : 0;
	return Math.max(quota, steady);
}

/** Whether the first cycle shows the limit of a period, and not only that there is one. */
export function isTelling(cycle: ClosedCycle): boolean {
	const { letThrough, passed, isNamed, begins, reopensBy } = cycle;
	const isShort = !isNamed && reopensBy - begins < 1_000;
	return letThrough >= MIN_TELLING_ANSWERS && passed <= 1 && !isShort;
}

/** How long the quota of a cycle was for. Milliseconds. */
function periodOf({ begins, reopensAfter, reopensBy, isNamed }: ClosedCycle): number {
	const longest = reopensBy - begins;
	// Rounded up, a wait ends up to a second late.
	if (isNamed) return Math.max(1_000, Math.floor(longest / 1_000) * 1_000);
	const shortest = reopensAfter - begins;
	const usual = USUAL_PERIODS.find((period) => period > shortest && period <= longest);
	return usual ?? Math.max(50, longest);
}
