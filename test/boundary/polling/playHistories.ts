import fc from '../../properties';
import {
	appearing,
	crashing,
	datedOddly,
	filterBehind,
	type History,
	lagging,
	lookingBack,
	misreading,
	moving,
	movingAtFirst,
	renewing,
	settingClocks,
	settingServiceClock,
	stampingBack,
	unordered,
	usual,
} from './history';
import { judge } from './judge';
import { play } from './play';

/** What a trigger has to live through, and the part of the histories that is played with it. */
export const KINDS: ReadonlyArray<[string, fc.Arbitrary<History>, number]> = [
	['whatever usually happens', usual, 0.2],
	['if changes show late', appearing, 0.1],
	['if the list moves under every page', moving, 0.1],
	['if the process is killed before the place is stored', crashing, 0.15],
	['if clocks are set', settingClocks, 0.1],
	['if the clock that stamps changes is set back', stampingBack, 0.05],
	['if the service responds from a copy that lags behind', lagging, 0.15],
	['if the service comes to read updatedSince otherwise', misreading, 0.15],
	['if the service looks back some days only', lookingBack, 0.1],
	['if the clock of the filter is behind', filterBehind, 0.05],
	['if the clock of the service is set', settingServiceClock, 0.1],
	['if a field differs in each response, from the beginning or later', renewing, 0.1],
	['if the list moves while the first reading lasts', movingAtFirst, 0.1],
	['if pages come in no order', unordered, 0.05],
	['if some changes are dated ahead, or never', datedOddly, 0.1],
];

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
