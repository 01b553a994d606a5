import { readSimulated } from './readSimulated';
import { numbered, plainList, type SimulatedList } from './simulatedService';

const list = (count: number, changes: Partial<SimulatedList> = {}): SimulatedList => ({
	...plainList,
	records: numbered(count),
	...changes,
});

describe('listRecords', () => {
	it.each([
		[0, 1],
		[1, 1],
		[99, 1],
		[100, 1],
		[101, 2],
		[250, 3],
		[300, 3],
	])('reads %d records in %d pages where the service counts pages', async (count, pages) => {
		const { listing, asked } = await readSimulated(list(count, { metadata: ['totalPages'] }), {
			pageSize: 100,
		});
		expect(listing.records).toEqual(numbered(count));
		expect(asked).toEqual(Array.from({ length: pages }, (_, page) => ({ page, pageSize: 100 })));
		expect(listing.report).toMatchObject({ sweeps: [count], duplicates: 0, capReached: false });
	});

	it.each([
		[0, 1],
		[99, 1],
		[100, 2],
		[250, 3],
		[300, 4],
	])('reads %d records in %d requests where the service names a total', async (count, requests) => {
		const { listing, asked } = await readSimulated(list(count, { metadata: ['total'] }), {
			pageSize: 100,
		});
		expect(listing.records).toEqual(numbered(count));
		expect(asked).toHaveLength(requests);
	});

	it.each([
		[0, 1],
		[100, 2],
		[250, 4],
		[300, 4],
	])(
		'reads %d records one after the other in %d requests where the end is not known',
		async (count, requests) => {
			const { listing, asked } = await readSimulated(list(count), {
				pageSize: 100,
				concurrency: 1,
			});
			expect(listing.records).toEqual(numbered(count));
			expect(asked).toHaveLength(requests);
		},
	);

	it('asks for the first page alone, then for as many at a time as allowed', async () => {
		const { listing, mostInFlight, duration } = await readSimulated(
			list(2_000, { metadata: ['totalPages'] }),
			{
				pageSize: 100,
				concurrency: 19,
				latencies: [100],
			},
		);
		expect(listing.records).toHaveLength(2_000);
		expect(mostInFlight).toBeGreaterThan(8);
		// 1, then 5, then 10, then the other 4 of 20 pages: four answers one after the other, their starts a little apart.
		expect(duration).toBeGreaterThan(400);
		expect(duration).toBeLessThan(420);
	});

	it('keeps the order of the pages, whatever order they come in', async () => {
		const { listing } = await readSimulated(list(1_000), {
			pageSize: 10,
			concurrency: 16,
			latencies: [90, 10, 70, 30, 50],
		});
		expect(listing.records).toEqual(numbered(1_000));
	});

	it('reads 250,000 records', async () => {
		const { listing } = await readSimulated(list(250_000, { metadata: ['total'] }), {
			pageSize: 5_000,
		});
		expect(listing.records).toHaveLength(250_000);
		expect(listing.records.at(-1)).toEqual({ id: 'user-249999' });
	});

	it.each([
		[5, 1],
		[10, 1],
		[15, 2],
		[30, 3],
		[100, 4],
	])('reads no more than a limit of %d takes: %d pages', async (limit, pages) => {
		const { listing, asked } = await readSimulated(list(40, { metadata: ['totalPages'] }), {
			limit,
			concurrency: 8,
		});
		expect(listing.records).toEqual(numbered(Math.min(limit, 40)));
		expect(asked).toHaveLength(pages);
		expect(listing.report.capReached).toBe(false);
	});

	it('begins at a later page, also behind the end', async () => {
		const options = { firstPage: 2, limit: 15 };
		expect((await readSimulated(list(100), options)).listing.records).toEqual(numbered(15, 20));
		const { listing, asked } = await readSimulated(list(15), options);
		expect(listing.records).toEqual([]);
		expect(asked).toHaveLength(1);
	});

	it.each(['notFound', 'badRequest'] as const)(
		'takes a refused page to begin at (%s) for one behind the end, unless the list reaches so far',
		async (beyondEnd) => {
			const options = { firstPage: 9, limit: 15, mayBeginBehindEnd: true };
			const { listing, asked } = await readSimulated(
				list(15, { beyondEnd, metadata: ['total'] }),
				options,
			);
			expect(listing.records).toEqual([]);
			expect(asked.map(({ page }) => page)).toEqual([9, 0]);
			const lagging = list(15, { beyondEnd, metadata: ['total'], totalLag: 100 });
			await expect(readSimulated(lagging, options)).rejects.toThrow();
			await expect(
				readSimulated(list(15, { beyondEnd }), { ...options, mayBeginBehindEnd: false }),
			).rejects.toThrow();
		},
	);

	it('stops at the cap and says so', async () => {
		const { listing, asked } = await readSimulated(list(100), { maxPages: 3 });
		expect(listing.records).toEqual(numbered(30));
		expect(asked).toHaveLength(3);
		expect(listing.report.capReached).toBe(true);
	});

	it('keeps only what it is told to, and tells records apart by all', async () => {
		const records = numbered(30).map(({ id }) => ({ id, name: 'User', note: 'x' }));
		const { listing } = await readSimulated(
			{ ...plainList, records },
			{ keepAs: ({ name }) => ({ name }) },
		);
		expect(listing.records).toHaveLength(30);
		expect(listing.records[0]).toEqual({ name: 'User' });
	});

	it('says what it detected', async () => {
		const { listing } = await readSimulated(
			list(30, {
				sizing: { kind: 'clamped', maximum: 4 },
				envelope: (records) => ({ result: { list: records, total: 31 } }),
			}),
		);
		expect(listing.report).toMatchObject({
			itemsPath: 'result.list',
			idField: 'id',
			pageSizeThatCame: 4,
			total: 31,
			pages: 8,
		});
	});

	it('counts a record that moved to a later page while the list was read', async () => {
		const moving = list(30);
		const { listing } = await readSimulated(moving, {
			concurrency: 1,
			beforePage: (page) => {
				if (page === 1) moving.records.unshift({ id: 'new' });
			},
		});
		expect(listing.records).toEqual(numbered(30));
		expect(listing.report.duplicates).toBe(1);
	});

	it('reads again until nothing new comes, and keeps the first order', async () => {
		const moving = list(40);
		const { listing } = await readSimulated(moving, {
			concurrency: 1,
			untilStable: true,
			beforePage: (page) => {
				if (page === 2 && moving.records.length === 40) moving.records.splice(0, 3);
			},
		});
		// Without the second sweep, records 20 to 22 would be missing.
		const ids = listing.records.map(({ id }) => id);
		expect(ids.slice(20, 23)).toEqual(['user-23', 'user-24', 'user-25']);
		expect(ids.slice(-3)).toEqual(['user-20', 'user-21', 'user-22']);
		expect(ids).toHaveLength(40);
		expect(listing.report.sweeps).toEqual([37, 3, 0]);
	});

	it('reads three times at most', async () => {
		const moving = list(30);
		let asked = 0;
		const { listing } = await readSimulated(moving, {
			concurrency: 1,
			untilStable: true,
			beforePage: () => {
				moving.records.push({ id: `new-${asked++}` });
			},
		});
		expect(listing.report.sweeps).toHaveLength(3);
		expect(listing.report.sweeps.at(-1)).toBeGreaterThan(0);
	});

	it('reads a list at rest twice to see that it is', async () => {
		const { listing, asked } = await readSimulated(list(30, { metadata: ['totalPages'] }), {
			untilStable: true,
		});
		expect(listing.report.sweeps).toEqual([30, 0]);
		expect(asked).toHaveLength(6);
	});

	it('ends a further sweep where the service repeats the last page for ever', async () => {
		const { listing } = await readSimulated(list(25, { beyondEnd: 'lastPage' }), {
			untilStable: true,
		});
		expect(listing.records).toEqual(numbered(25));
		expect(listing.report).toMatchObject({ sweeps: [25, 0], duplicates: 0 });
	});

	it('reads once where records have no id', async () => {
		const records = Array.from({ length: 25 }, (_, place) => ({ name: `User ${place}` }));
		const { listing } = await readSimulated({ ...plainList, records }, { untilStable: true });
		expect(listing.records).toEqual(records);
		expect(listing.report.sweeps).toEqual([25]);
	});

	it.each([
		['with ids', numbered(50)],
		['without ids', Array.from({ length: 50 }, (_, place) => ({ name: `User ${place}` }))],
	])('says that the service ignores `page`, %s', async (_, records) => {
		for (const concurrency of [1, 5]) {
			await expect(
				readSimulated({ ...plainList, records, pageIgnored: true }, { concurrency }),
			).rejects.toThrow('it ignores the parameter "page"');
		}
	});

	it('reads what one page holds of such a service, with a cap of one page', async () => {
		const { listing } = await readSimulated(list(50, { pageIgnored: true }), { maxPages: 1 });
		expect(listing.records).toEqual(numbered(10));
	});

	it('fails with the first page that fails, and asks for nothing more', async () => {
		const asked: number[] = [];
		const reading = readSimulated(list(1_000, { metadata: ['total'] }), {
			concurrency: 4,
			maxRetries: 0,
			faults: [undefined, undefined, 502],
			beforePage: (page) => asked.push(page),
			latencies: [10],
		});
		await expect(reading).rejects.toThrow('status 502');
		expect(Math.max(...asked)).toBeLessThan(10);
	});

	it('does not mind that a page behind the end fails', async () => {
		const { listing } = await readSimulated(list(15), {
			concurrency: 4,
			maxRetries: 0,
			faults: [undefined, undefined, undefined, 504],
		});
		expect(listing.records).toEqual(numbered(15));
	});

	it('does not wait for retries of pages behind the end', async () => {
		const { listing, duration } = await readSimulated(list(35, { metadata: ['hasMore'] }), {
			concurrency: 8,
			latencies: [10],
			faults: [undefined, undefined, undefined, undefined, 'reset', 'reset', 'reset', 'reset'],
		});
		expect(listing.records).toEqual(numbered(35));
		// A retry would wait a quarter of a second.
		expect(duration).toBeLessThan(30);
	});
});
