import type { Fault, ListSwitches, RandomFaults, WrongPage } from './switches';

/** Takes the next fault of a schedule off it. */
export function takeFault(schedule: Fault[]): Fault {
	return schedule.shift() ?? 'none';
}

/** Chooses the fault of each list request. */
export class ListFaults {
	private random: { for: RandomFaults; next: () => number } | null = null;

	/** @param page the page number as asked for; missing counts as the first */
	next(switches: ListSwitches, page: number): Fault | WrongPage {
		if (switches.force !== 'none') return switches.force;
		const scheduled = takeFault(switches.faults);
		if (scheduled !== 'none') return scheduled;
		const ofPage = takePageFault(switches, page);
		if (ofPage !== 'none') return ofPage;
		return this.atRandom(switches.randomFaults);
	}

	private atRandom(faults: RandomFaults | null): Fault {
		if (faults === null) return 'none';
		if (this.random?.for !== faults)
			this.random = { for: faults, next: randomNumbers(faults.seed) };
		const { next } = this.random;
		if (next() >= faults.share) return 'none';
		return faults.faults[Math.floor(next() * faults.faults.length)] ?? 'none';
	}
}

function takePageFault({ pageFaults }: ListSwitches, page: number): Fault | WrongPage {
	const index = pageFaults.findIndex((entry) => entry.page === page);
	const entry = pageFaults[index];
	if (entry === undefined) return 'none';
	const times = entry.times ?? 1;
	if (times === 1) pageFaults.splice(index, 1);
	else if (times > 1) entry.times = times - 1;
	return entry.fault;
}

/**
 * Numbers from 0 to 1, the same for the same seed (a 32-bit linear congruential generator, high
 * bits only).
 */
function randomNumbers(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return (state >>> 8) / 2 ** 24;
	};
}

const WRONG_PAGES: readonly unknown[] = ['shortPage', 'emptyPage', 'earlierPage'];

export const isWrongPage = (fault: Fault | WrongPage): fault is WrongPage =>
	WRONG_PAGES.includes(fault);
