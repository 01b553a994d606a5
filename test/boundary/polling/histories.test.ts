import {
	appearing,
	crashing,
	createdOutOfSight,
	createdWhilePublishing,
	cutPagesWhileSlow,
	lagging,
	misreading,
	moving,
	neverUpdatedOutOfSight,
	pageOfCopyTwice,
	pagesLikeTheFirst,
	renewedWhileFailing,
	settingClocks,
	slowFirstReading,
	stampingBack,
	usual,
} from './history';
import { judge } from './judge';
import { play } from './play';
import { playHistories } from './playHistories';

describe('a polling trigger that loses, doubles and makes up nothing, and is not silent', () => {
	it('if the first reading takes several polls', async () => {
		const chronicle = await play(slowFirstReading);
		expect(chronicle.polls[0]?.isWhole).toBe(false);
		expect(judge(chronicle)).toEqual([]);
	}, 60_000);

	it.each([
		['a page of a copy that lags behind comes twice in one reading', pageOfCopyTwice],
		['pages are cut, and there was time for the first one only', cutPagesWhileSlow],
		['there is no time to see a user who was never updated', neverUpdatedOutOfSight],
		['the list moves so that each page is the first one again', pagesLikeTheFirst],
		['a field differs in each answer, and an answer is missing', renewedWhileFailing],
		['the service did not find a user who is updated now', createdOutOfSight],
		['a user is created while the workflow is published', createdWhilePublishing],
	])('if %s', async (_, history) => {
		expect(judge(await play(history))).toEqual([]);
	});

	// A sample, so that a broken trigger shows within seconds; test/model plays many more.
	it.each([
		['whatever usually happens', usual, 5],
		['if changes show late', appearing, 3],
		['if the list moves under every page', moving, 3],
		['if the process is killed before the place is stored', crashing, 3],
		['if clocks are set', settingClocks, 3],
		['if the clock that stamps changes is set back', stampingBack, 3],
		['if the service answers from a copy that lags behind', lagging, 3],
		['if the service comes to read updatedSince otherwise', misreading, 3],
	])(
		'%s',
		async (_, histories, count) => {
			await playHistories(histories, count);
		},
		60_000,
	);
});
