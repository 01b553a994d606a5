import {
	createdDaysAhead,
	createdOutOfSight,
	createdWhilePublishing,
	cutAlikeByChance,
	cutPagesWhileSlow,
	filterBehindCreations,
	filterBehindWithinDay,
	firstDatedNever,
	firstTimesOfDays,
	foundByYear9999,
	misreadWithoutDate,
	missedWithinMinute,
	movedBetweenFirstPolls,
	movedWhileLooking,
	neverUpdatedInCopy,
	neverUpdatedOutOfSight,
	pageOfCopyTwice,
	pagesLikeTheFirst,
	renewedWhileFailing,
	roundByChance,
	slowFirstReading,
	stampedAhead,
	updatedDaysBefore,
	updatedInUnknownZone,
	waitingBehind,
} from './history';
import { judge } from './judge';
import { play } from './play';
import { KINDS, playHistories } from './playHistories';

/** So that a broken trigger shows within seconds; test/model plays many more. */
const SAMPLE = 25;

describe('a polling trigger that loses, doubles and makes up nothing, and is not silent', () => {
	it('if the first reading takes several polls', async () => {
		const chronicle = await play(slowFirstReading);
		expect(chronicle.polls[0]?.isWhole).toBe(false);
		expect(judge(chronicle)).toEqual([]);
	}, 60_000);

	it.each([
		['a page of a copy that lags behind comes twice in one reading', pageOfCopyTwice],
		['a copy that lags behind shows a task before its first update', neverUpdatedInCopy],
		['pages are cut, and there was time for the first one only', cutPagesWhileSlow],
		['there is no time to see a user who was never updated', neverUpdatedOutOfSight],
		['the list moves so that each page is the first one again', pagesLikeTheFirst],
		['a field differs in each response, and a response is missing', renewedWhileFailing],
		['the service did not find a user who is updated now', createdOutOfSight],
		['times are cut to hours, and all are of the same hour', cutAlikeByChance],
		['times have no zone, and one user was updated', updatedInUnknownZone],
		['changes are stamped ahead of a service that rejects later times', stampedAhead],
		['a user is created while the workflow is published', createdWhilePublishing],
		['the clock of the filter is behind, and no user was updated', filterBehindCreations],
		['the same, by less than a day, and times are days', filterBehindWithinDay],
		['times are round by chance when the filter is looked at again', roundByChance],
		['the service misreads the filter later, and sends no date', misreadWithoutDate],
		[
			'users change pages while the first reading waits for its second poll',
			movedBetweenFirstPolls,
		],
		['the first reading misses a user of the minute in which it ends', missedWithinMinute],
		['the first user is dated in the year 9999', firstDatedNever],
		['the first company shows no time, and later ones show days', firstTimesOfDays],
		['the creation of a user is dated days ahead of its update', createdDaysAhead],
		['the same if only updates are told', updatedDaysBefore],
		['a user moves to the next page of a look at the list', movedWhileLooking],
		['changes wait, and two clocks are behind the one that stamps them', waitingBehind],
		[
			'a user of the year 9999 is found, and others who were never updated are not',
			foundByYear9999,
		],
	])('if %s', async (_, history) => {
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
