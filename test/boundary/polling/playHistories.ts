import fc from '../../properties';
import type { History } from './history';
import { judge } from './judge';
import { play } from './play';

/** Plays so many histories, each of which has to be without a fault. A failing one is shrunken. */
export async function playHistories(
	histories: fc.Arbitrary<History>,
	numRuns: number,
): Promise<void> {
	let items = 0;
	await fc.assert(
		fc.asyncProperty(histories, async (history) => {
			const chronicle = await play(history);
			items += chronicle.polls.reduce((sum, poll) => sum + poll.items.length, 0);
			expect(judge(chronicle)).toEqual([]);
		}),
		{ numRuns },
	);
	// Histories in which nothing comes out would prove nothing.
	expect(items).toBeGreaterThanOrEqual(numRuns);
}
