import { crashing, lagging, misreading, settingClocks, slowFirstReading, usual } from './history';
import { judge } from './judge';
import { play } from './play';
import { playHistories } from './playHistories';

/** A sample, so that a broken trigger shows within seconds; test/model plays many more. */
const SAMPLE = 4;

describe('a polling trigger loses nothing, doubles nothing, makes nothing up and is not silent', () => {
	it('if the first reading takes several polls', async () => {
		const chronicle = await play(slowFirstReading);
		expect(chronicle.polls[0]?.isWhole).toBe(false);
		expect(judge(chronicle)).toEqual([]);
	});

	it('whatever usually happens', async () => {
		await playHistories(usual, 2 * SAMPLE);
	});

	it('if the process is killed between starting the workflow and storing the place', async () => {
		await playHistories(crashing, SAMPLE);
	});

	it('if clocks are set', async () => {
		await playHistories(settingClocks, SAMPLE);
	});

	it('if the service once answers from a copy of its list that lags behind', async () => {
		await playHistories(lagging, SAMPLE);
	});

	it('if the service comes to read updatedSince otherwise', async () => {
		await playHistories(misreading, SAMPLE);
	});
});
