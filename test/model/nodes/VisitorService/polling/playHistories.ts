import fc from '../../../../properties';
import { type History, Run } from '../../../../unit/nodes/VisitorService/polling/history';

/** In all files. */
const HISTORIES = Number(process.env.POLLING_HISTORIES ?? 20_000);

/**
 * Plays a share of all histories: in each nothing is lost, and nothing is emitted more often than
 * its reason allows.
 */
export async function playHistories(
	histories: fc.Arbitrary<History>,
	share: number,
): Promise<void> {
	const count = Math.ceil(HISTORIES * share);
	let polls = 0;
	let emitted = 0;
	let telling = 0;
	await fc.assert(
		fc.asyncProperty(histories, async (history) => {
			const run = new Run(history);
			await run.play();
			polls += run.trigger.polls;
			emitted += run.trigger.emitted.length;
			if (run.trigger.emitted.length > 0) telling++;
			expect(run.tooOften).toEqual([]);
		}),
		{ numRuns: count },
	);
	// Histories in which nothing happens would prove nothing.
	expect(polls).toBeGreaterThan(7 * count);
	expect(emitted).toBeGreaterThan(count);
	expect(telling).toBeGreaterThan(count / 2);
	console.info(
		`${count} histories, ${polls} polls, ${emitted} items in ${telling} of them: 0 lost`,
	);
}
