/*
 * What a limit lets through between two refusals. Times in milliseconds, rates per millisecond.
 */

/** Answers before the first refusal from which on their number says something about the rate. */
const TELLING = 10;

/** The periods for which services usually count. Milliseconds. */
const USUAL_PERIODS = [1_000, 2_000, 5_000, 10_000, 60_000];

/** When requests are let through again. */
export interface Pause {
	/** Milliseconds from the answer that said so, or the wait that was chosen here. */
	wait: number;
	/** Whether the service named it, rounded up to whole seconds. */
	isNamed: boolean;
}

/** A guess rests on a few answers. An estimate is sure once two cycles agree, and of a whole burst from the beginning. */
export type Certainty = 'none' | 'guess' | 'unsure' | 'sure';

/** From the first request that is let through to the first one that is let through after a refusal. */
export interface Cycle {
	begins: number;
	letThrough: number;
}

export interface ClosedCycle extends Cycle {
	/** When the first refused request was sent, and how fast they were sent then. */
	refusedFrom: number;
	refusedRate: number;
	/** When the refusal was heard of. What was sent until then was under way together. */
	heardAt: number;
	refused: number;
	passed: number;
	/** Between which times of sending the service allows requests again. */
	reopensAfter: number;
	reopensBy: number;
	isNamed: boolean;
	/** The cycle before: when it ended, what it allowed, and its rate if that held for long. */
	earlierRefusedFrom: number;
	earlierAllowed: number;
	provenRate: number;
	/** How sure the rate at the refusal was. */
	certainty: Certainty;
}

/**
 * The highest rate of which a cycle shows that it is allowed.
 *
 * @param burst requests let through before the first refusal: a limit that allows bursts allows so many
 */
export function allowedIn(cycle: ClosedCycle, burst: number): number {
	const { begins, letThrough, refusedFrom, earlierRefusedFrom } = cycle;
	const count = Math.max(1, letThrough);
	const quota = count / periodOf(cycle);
	// A bucket is empty at each refusal.
	const refilled = count / (refusedFrom - earlierRefusedFrom);
	// One that was full after the pause let a burst through first.
	const steady = refusedFrom > begins ? (letThrough - burst) / (refusedFrom - begins) : 0;
	return Math.max(quota, refilled, steady);
}

/** Whether the first cycle shows the limit of a period, and not only that there is one. */
export function isTelling({
	letThrough,
	passed,
	isNamed,
	begins,
	reopensBy,
}: ClosedCycle): boolean {
	const isShort = !isNamed && reopensBy - begins < 1_000;
	return letThrough >= TELLING && passed <= 1 && !isShort;
}

/** How long the quota of a cycle was for. Milliseconds. */
export function periodOf({ begins, reopensAfter, reopensBy, isNamed }: ClosedCycle): number {
	const longest = reopensBy - begins;
	// Rounded up, a wait ends up to a second late.
	if (isNamed) return Math.max(1_000, Math.floor(longest / 1_000) * 1_000);
	const shortest = reopensAfter - begins;
	const usual = USUAL_PERIODS.find((period) => period > shortest && period <= longest);
	return usual ?? Math.max(50, longest);
}
