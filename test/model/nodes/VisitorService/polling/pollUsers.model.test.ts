import fc from '../../../../properties';
import {
	choosyHistory,
	crashingHistory,
	crowdedHistory,
	type History,
	history,
	movingHistory,
	Run,
} from '../../../../unit/nodes/VisitorService/polling/history';

/** In all. */
const HISTORIES = Number(process.env.POLLING_HISTORIES ?? 20_000);

describe('whatever happens to a tenant and its trigger', () => {
	it('loses nothing and doubles nothing', async () => {
		await play(history, 0.4);
	}, 600_000);

	it('loses nothing and doubles nothing of one kind of change, or of a list that is compared', async () => {
		await play(choosyHistory, 0.3);
	}, 600_000);

	it('loses nothing and doubles nothing if the list moves under every page', async () => {
		await play(movingHistory, 0.1);
	}, 600_000);

	it('loses nothing if the process is killed between emitting and saving, and repeats only what it emitted then', async () => {
		await play(crashingHistory, 0.1);
	}, 600_000);

	it('loses nothing of more changes than the cursor has room for, and emits none more than twice', async () => {
		await play(crowdedHistory, 0.1);
	}, 600_000);
});

async function play(histories: fc.Arbitrary<History>, share: number): Promise<void> {
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
