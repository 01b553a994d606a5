import fc from '../../../../properties';
import { asking, honestEnd, metadata, recordsOf, shownOf } from './drawnLists';
import { honestList, type ListHabits } from './drawnService';
import { readDrawn } from './readDrawn';

const RUNS = Number(process.env.LIST_RUNS ?? 20_000) / 20;
/** Requests after the end that find out that it is the end. */
const SPARE = 3;

describe('a list of a service that pages as asked', () => {
	it('asks for no more than the pages, those in flight, and a few that confirm the end', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(90), metadata, honestEnd, asking, async (count, said, end, how) => {
				const records = recordsOf('id', count);
				const habits: ListHabits = { ...honestList, records, metadata: said, end };
				const found = await readDrawn(habits, how);
				const { pageSize, concurrency } = how;
				const needed = Math.max(1, Math.ceil(count / pageSize));
				expect(found.records).toEqual(records);
				expect(found.requests).toBeLessThanOrEqual(needed + concurrency + SPARE);
				expect(found.maxInFlight).toBeLessThanOrEqual(concurrency);
			}),
			{ numRuns: RUNS },
		);
	});

	it('asks for nothing after a page that says that it is the last, one page after the other', async () => {
		await fc.assert(
			fc.asyncProperty(fc.integer({ min: 1, max: 90 }), asking, async (count, how) => {
				const habits: ListHabits = {
					...honestList,
					records: recordsOf('id', count),
					metadata: ['last'],
				};
				const found = await readDrawn(habits, { ...how, concurrency: 1 });
				// Of a single full page only the next one shows whether the flag is stuck.
				const more = count === how.pageSize ? 1 : 0;
				expect(found.requests).toBe(Math.ceil(count / how.pageSize) + more);
			}),
			{ numRuns: RUNS },
		);
	});
});

describe('a list of which pages are filtered after they were cut', () => {
	it('a list comes whole if the records have an ID, the first page is full, and no page is left empty', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat(90),
				fc.array(fc.nat(90)),
				honestEnd,
				asking,
				async (count, places, end, how) => {
					const { pageSize } = how;
					// The first record of each page stays.
					const hidden = new Set(
						places.filter((place) => place >= pageSize && place % pageSize !== 0),
					);
					const habits: ListHabits = {
						...honestList,
						records: recordsOf('id', count),
						hidden,
						end,
					};
					expect((await readDrawn(habits, how)).records).toEqual(shownOf(habits));
				},
			),
			{ numRuns: RUNS },
		);
	});

	it('a list comes whole if the first page is short, and the next one has records', async () => {
		await fc.assert(
			fc.asyncProperty(fc.nat(60), fc.array(fc.nat(60)), asking, async (more, places, how) => {
				const pageSize = how.pageSize + 1;
				const hidden = new Set(places.filter((place) => place % pageSize !== 0));
				const records = recordsOf('id', pageSize + 1 + more);
				const habits: ListHabits = { ...honestList, records, hidden };
				const found = await readDrawn(habits, { ...how, pageSize });
				// More than half of a page came: then only a gap as long as that hides the rest.
				const first = shownOf({ ...habits, records: records.slice(0, pageSize) }).length;
				const gap = shownOf(habits).filter(({ id }) => {
					const place = Number(String(id).replace('user-', ''));
					return place >= first && place < 2 * first;
				});
				fc.pre(2 * first <= pageSize || gap.length > 0);
				expect(found.records).toEqual(shownOf(habits));
			}),
			{ numRuns: RUNS },
		);
	});
});
