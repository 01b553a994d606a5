import fc from '../../../../properties';
import {
	crashingHistory,
	crowdedHistory,
	type History,
	history,
	movingHistory,
	Run,
} from './history';
import { repeated } from './simulatedTrigger';

const HISTORIES = Number(process.env.POLLING_HISTORIES ?? 10_000);

describe('whatever happens to a tenant and its trigger', () => {
	it('loses nothing and doubles nothing', async () => {
		await play(history, HISTORIES);
	}, 600_000);

	it('loses nothing and doubles nothing where the list moves under every page', async () => {
		await play(movingHistory, HISTORIES / 5);
	}, 600_000);

	it('loses nothing where the process is killed between giving and saving, and doubles what it gave at most', async () => {
		await play(crashingHistory, HISTORIES / 5);
	}, 600_000);

	it('loses nothing where more changes than the cursor has room for', async () => {
		await play(crowdedHistory, HISTORIES / 5);
	}, 600_000);
});

async function play(histories: fc.Arbitrary<History>, count: number): Promise<void> {
	let polls = 0;
	let versions = 0;
	let again = 0;
	await fc.assert(
		fc.asyncProperty(histories, async (history) => {
			const run = new Run(history);
			await run.play();
			const { emitted } = run.trigger;
			const doubled = repeated(emitted);
			polls += run.trigger.polls;
			versions += emitted.length;
			again += doubled.length;
			expect(doubled.filter((change) => !run.mayRepeat(change))).toEqual([]);
		}),
		{ numRuns: count },
	);
	console.info(
		`${count} histories, ${polls} polls, ${versions} versions came out: 0 lost, ${again} of them again`,
	);
}
