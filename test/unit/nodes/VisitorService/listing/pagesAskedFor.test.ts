import { sized } from '../../../../simulation/sizing';
import { readSimulated } from './readSimulated';
import { listOf, numbered, type SimulatedList } from './simulatedList';

const pages = (asked: ReadonlyArray<{ page: number }>) => [
	...new Set(asked.map(({ page }) => page)),
];

describe('The pages that a listing asks for', () => {
	it.each([1, 4, 16])(
		'the pages asked for end at the cap with %d in flight',
		async (concurrency) => {
			const { asked } = await readSimulated(listOf(1_000, { metadata: ['totalPages'] }), {
				concurrency,
				maxPages: 6,
				latencies: [90, 10, 50],
			});
			expect(pages(asked)).toEqual([0, 1, 2, 3, 4, 5]);
		},
	);

	it.each([1, 4, 16])(
		'the pages asked for end when the limit is reached with %d in flight',
		async (concurrency) => {
			const { asked, listing } = await readSimulated(listOf(1_000, { metadata: ['totalPages'] }), {
				concurrency,
				limit: 55,
				latencies: [90, 10, 50],
			});
			expect(pages(asked)).toEqual([0, 1, 2, 3, 4, 5]);
			expect(listing.records).toEqual(numbered(55));
		},
	);

	it.each([1, 4, 16])(
		'the pages asked for end when a limit is reached in smaller pages than were asked for, with %d in flight',
		async (concurrency) => {
			const list = listOf(1_000, {
				...sized({ kind: 'clamped', maximum: 4 }),
				metadata: ['total'],
			});
			const { asked, listing } = await readSimulated(list, { concurrency, limit: 18 });
			expect(Math.max(...pages(asked))).toBe(4);
			expect(listing.records).toEqual(numbered(18));
		},
	);

	it.each([
		['repeats page 1', { pageBeforeFirst: 'first', metadata: 'none' }],
		['repeats page 1 and counts pages', { pageBeforeFirst: 'first', metadata: ['totalPages'] }],
		// Without a total or a page count, an empty page 0 is an empty list.
		['is empty but counts pages', { pageBeforeFirst: 'empty', metadata: ['totalPages'] }],
		['is empty but has a total', { pageBeforeFirst: 'empty', metadata: ['total'] }],
	] as Array<[string, SimulatedList['habits']]>)(
		'the pages asked for hold the whole list if they are numbered from 1 and page 0 %s',
		async (_, habits) => {
			for (const concurrency of [1, 5]) {
				const list = listOf(45, { firstPageNumber: 1, ...habits });
				const { listing } = await readSimulated(list, { concurrency });
				expect(listing.records).toEqual(numbered(45));
				expect(listing.report.duplicates).toBe(0);
			}
		},
	);

	it('the pages asked for hold as many records as the limit if they are numbered from 1', async () => {
		const list = listOf(200, { firstPageNumber: 1, metadata: ['totalPages'] });
		const { listing } = await readSimulated(list, { concurrency: 8, limit: 35 });
		expect(listing.records).toEqual(numbered(35));
	});

	it('asks at full concurrency at once if there is a total', async () => {
		const list = listOf(200, { metadata: ['total'] });
		const { duration, mostInFlight } = await readSimulated(list, {
			concurrency: 10,
			latencies: [100],
		});
		expect(mostInFlight).toBe(10);
		expect(duration).toBe(400);
	});

	it('asks at full concurrency soon if nothing says how long the list is', async () => {
		const { duration, mostInFlight } = await readSimulated(listOf(1_000), {
			concurrency: 10,
			latencies: [100],
		});
		expect(mostInFlight).toBe(10);
		expect(duration).toBeLessThanOrEqual(1_500);
	});
});
