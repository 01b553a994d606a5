import { judge } from './judge';
import { play } from './play';
import { KINDS, playHistories } from './playHistories';
import { SHRUNKEN, slowFirstReading } from './shrunken';

/** So that a broken trigger shows within seconds; test/model plays many more. */
const SAMPLE = 25;

describe('a polling trigger that loses, doubles and makes up nothing, and is not silent', () => {
	it('if the first reading takes several polls', async () => {
		const chronicle = await play(slowFirstReading);
		expect(chronicle.polls[0]?.isWhole).toBe(false);
		expect(judge(chronicle)).toEqual([]);
	}, 60_000);

	it.each(Object.entries(SHRUNKEN))('if %s', async (_, history) => {
		expect(judge(await play(history))).toEqual([]);
	});

	it.each(KINDS)(
		'%s',
		async (_, histories, share) => {
			await playHistories(histories, Math.ceil(SAMPLE * share));
		},
		60_000,
	);
});
