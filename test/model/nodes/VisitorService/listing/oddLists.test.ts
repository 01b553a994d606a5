import fc from '../../../../properties';
import { anyList, type DrawnList, laterReading, listInParts, shownOf } from './drawnLists';
import { contentsOf, isLikeHonest } from './honestTwins';
import { readDrawn } from './readDrawn';

const RUNS = Number(process.env.LIST_RUNS ?? 20_000);

/** How often each oddity is drawn, and each outcome comes, at the least. */
const LEAST: ReadonlyArray<[share: number, names: string]> = [
	[0.1, 'records id, records onlyId, records name, records floor, records groupId'],
	[0.1, 'records lateId, records doubtfulId, hidden, numbering from 1, signed photos'],
	[0.05, 'size clamped, size clampedKeepingOffset, size default, size ignored, size raised'],
	[0.05, 'size changing, end lastPage, end wrap, no metadata, counts for the size asked for'],
	[0.05, 'flags that only say full'],
	[0.02, 'page ignored, total page, total off, total falling, answer shortPage'],
	[0.04, 'sorted anew'],
	[0.005, 'answer null, answer emptyObject, answer noContent, answer empty, answer earlierPage'],
	[0.005, 'answer errorWith200, answer 404, answer 400'],
	[0.3, 'silent whole'],
	[0.1, 'told whole'],
	[0.04, 'told, failed'],
];

/** Everything that is wrong with a service, by name. */
function oddities({ kind, habits }: DrawnList): string[] {
	const { mistake, sizing, total, metadata } = habits;
	const saysTotal = metadata.includes('total') || metadata.includes('totalPages');
	const found: Record<string, boolean> = {
		[`answer ${mistake?.kind}`]: mistake !== undefined && mistake.page * 3 < habits.records.length,
		[`size ${sizing.kind}`]: sizing.kind !== 'honoured',
		[`total ${total.kind}`]: saysTotal && total.kind !== 'list',
		[`end ${habits.end}`]: habits.end === 'lastPage' || habits.end === 'wrap',
		[`records ${kind}`]: true,
		hidden: habits.hidden.size > 0,
		'counts for the size asked for': habits.countsByAskedSize && metadata.length > 0,
		'flags that only say full': habits.flagsByFullness && metadata.includes('last'),
		'numbering from 1': habits.firstNumber === 1,
		'page ignored': habits.pageIgnored,
		'signed photos': habits.signsPhotos,
		'sorted anew': habits.sortedAnew !== undefined,
		'no metadata': metadata.length === 0,
	};
	return Object.keys(found).filter((name) => found[name]);
}

describe('a list of a service that makes any mistakes at once', () => {
	it('comes whole, or a warning or an error says that it may not be', async () => {
		const counts = new Map<string, number>();
		const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
		await fc.assert(
			fc.asyncProperty(anyList, async (drawn) => {
				const outcome = await readDrawn(drawn.habits, drawn.asking);
				const inOrder = contentsOf(shownOf(drawn.habits));
				const read = contentsOf(outcome.records);
				// Of a list that is sorted anew no order is right.
				const isMoving = drawn.habits.sortedAnew !== undefined;
				const [expected, found] = isMoving ? [inOrder.sort(), read.sort()] : [inOrder, read];
				const isWhole = JSON.stringify(found) === JSON.stringify(expected);
				for (const name of oddities(drawn)) count(name);
				count(isWhole && outcome.kind !== 'failed' ? `${outcome.kind} whole` : outcome.kind);

				if (drawn.kind === 'id' || drawn.kind === 'onlyId') {
					expect(new Set(found).size).toBe(found.length);
				}
				if (isWhole || outcome.kind !== 'silent') return;
				count('like an honest one');
				if (isLikeHonest(drawn.habits, outcome)) return;
				const { answers } = outcome.service;
				const told = answers.map(
					({ page, pageSize, records }) => `${page}@${pageSize}: ${records.length}`,
				);
				expect([outcome.message, told, found]).toEqual([outcome.message, told, expected]);
			}),
			{ numRuns: RUNS },
		);
		const share = (name: string) => (counts.get(name) ?? 0) / RUNS;
		for (const [least, names] of LEAST) {
			for (const name of names.split(', ')) {
				expect([name, share(name) >= least, share(name)]).toEqual([name, true, share(name)]);
			}
		}
		expect(share('like an honest one')).toBeLessThan(0.03);
	});

	it('comes whole in parts, each record once, or a warning or an error says that it may not', async () => {
		const runs = RUNS / 20;
		let whole = 0;
		await fc.assert(
			fc.asyncProperty(listInParts, async ({ habits, asking }) => {
				const { firstNumber, records } = habits;
				const { pageSize } = asking;
				const found: string[] = [];
				const parts = Math.ceil(records.length / pageSize) + 2;
				for (let part = 0; part < parts; part++) {
					const how = { ...asking, firstPage: firstNumber + part, limit: pageSize };
					const outcome = await readDrawn(habits, how);
					if (outcome.kind !== 'silent') return;
					found.push(...contentsOf(outcome.records));
				}
				whole++;
				expect(found).toEqual(contentsOf(records));
			}),
			{ numRuns: runs },
		);
		expect(whole / runs).toBeGreaterThan(0.3);
	});

	it('comes whole from a later page on, or a warning or an error says that it may not be', async () => {
		const runs = RUNS / 4;
		const counts = { whole: 0, told: 0, 'like an honest one': 0 };
		await fc.assert(
			fc.asyncProperty(laterReading, async ({ habits, asking, from }) => {
				const outcome = await readDrawn(habits, asking);
				const expected = contentsOf(shownOf(habits, from));
				const found = contentsOf(outcome.records);
				if (outcome.kind !== 'silent') {
					counts.told++;
				} else if (JSON.stringify(found) === JSON.stringify(expected)) {
					counts.whole++;
				} else if (isLikeHonest(habits, outcome, from)) {
					counts['like an honest one']++;
				} else {
					const told = outcome.service.answers.map(
						({ page, pageSize, records }) => `${page}@${pageSize}: ${records.length}`,
					);
					expect([outcome.message, told, found]).toEqual([outcome.message, told, expected]);
				}
			}),
			{ numRuns: runs },
		);
		expect(counts.whole / runs).toBeGreaterThan(0.15);
		expect(counts.told / runs).toBeLessThan(0.8);
		expect(counts['like an honest one'] / runs).toBeLessThan(0.02);
	});
});
