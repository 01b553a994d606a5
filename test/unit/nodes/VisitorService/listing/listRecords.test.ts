import { sized } from '../../../../simulation/sizing';
import { readSimulated } from './readSimulated';
import { hidden, listOf, numbered } from './simulatedList';

describe('listRecords', () => {
	it.each([
		[0, 1],
		[1, 1],
		[99, 1],
		// After a full page the count may lag behind, or be that of the pages so far.
		[100, 2],
		[101, 2],
		[250, 3],
		[300, 4],
	])('reads %d records in %d requests if the service counts pages', async (count, requests) => {
		const { listing, asked } = await readSimulated(listOf(count, { metadata: ['totalPages'] }), {
			pageSize: 100,
		});
		expect(listing.records).toEqual(numbered(count));
		expect(asked).toEqual(Array.from({ length: requests }, (_, page) => ({ page, pageSize: 100 })));
		expect(listing.report).toMatchObject({ sweeps: [count], duplicates: 0 });
	});

	it.each([
		[0, 1],
		// A total that is the number of records on its own page may be that of the page.
		[99, 2],
		[100, 2],
		[250, 3],
		[300, 4],
	])(
		'reads %d records in %d requests if the service says a total only',
		async (count, requests) => {
			const { listing, asked } = await readSimulated(listOf(count, { metadata: ['total'] }), {
				pageSize: 100,
			});
			expect(listing.records).toEqual(numbered(count));
			expect(asked).toHaveLength(requests);
		},
	);

	it.each([
		// Page 0 may be empty because the service counts from 1.
		[0, 2],
		[30, 2],
		[250, 4],
		// After a full page an empty one is the end if it stays so, and the next two are empty, too.
		[100, 5],
		[300, 7],
	])(
		'reads %d records one after the other in %d requests if the service says nothing of its end',
		async (count, requests) => {
			const { listing, asked } = await readSimulated(listOf(count), {
				pageSize: 100,
				concurrency: 1,
			});
			expect(listing.records).toEqual(numbered(count));
			expect(asked).toHaveLength(requests);
		},
	);

	it('asks for the first page alone, then for as many at a time as allowed', async () => {
		const { listing, mostInFlight, duration } = await readSimulated(
			listOf(2_000, { metadata: ['totalPages', 'last'] }),
			{
				pageSize: 100,
				concurrency: 19,
				latencies: [100],
			},
		);
		expect(listing.records).toHaveLength(2_000);
		expect(mostInFlight).toBeGreaterThan(8);
		// 1, then 9, then the other 10 of 20 pages: three answers one after the other, their starts 4
		// ms apart.
		expect(duration).toBe(3 * 100 + 9 * 4);
	});

	it('keeps the order of the pages, whatever order they come in', async () => {
		const { listing } = await readSimulated(listOf(1_000), {
			pageSize: 10,
			concurrency: 16,
			latencies: [90, 10, 70, 30, 50],
		});
		expect(listing.records).toEqual(numbered(1_000));
	});

	it.each([
		[5, 1],
		[10, 1],
		[15, 2],
		[30, 3],
		[100, 4],
	])('reads no more than a limit of %d takes: %d pages', async (limit, pages) => {
		const list = listOf(40, { metadata: ['totalPages', 'last'] });
		const { listing, asked } = await readSimulated(list, {
			limit,
			concurrency: 8,
		});
		expect(listing.records).toEqual(numbered(Math.min(limit, 40)));
		expect(asked).toHaveLength(pages);
		expect(listing.report.endedBy).not.toBe('maxPages');
	});

	it('begins at a later page, even after the end', async () => {
		const options = { firstPage: 2, limit: 15 };
		expect((await readSimulated(listOf(100), options)).listing.records).toEqual(numbered(15, 20));
		const { listing, asked } = await readSimulated(listOf(15), options);
		expect(listing.records).toEqual([]);
		// The first page shows whether pages are longer than asked for.
		expect(asked.map(({ page }) => page)).toEqual([2, 0]);
	});

	it.each([404, 400])(
		'takes a refused page to begin at (%d) for one after the end, unless the list is that long',
		async (status) => {
			const refusing = { pageBeyondEnd: 'error', badParameter: { status } } as const;
			const options = { firstPage: 9, limit: 15 };
			const { listing, asked } = await readSimulated(
				listOf(15, { ...refusing, metadata: ['total'] }),
				options,
			);
			expect(listing.records).toEqual([]);
			expect(asked.map(({ page }) => page)).toEqual([9, 0]);
			const lagging = listOf(15, { ...refusing, metadata: ['total'], totalLag: 100 });
			await expect(readSimulated(lagging, options)).rejects.toThrow();
			await expect(
				readSimulated(listOf(15, refusing), { ...options, isContinued: true }),
			).rejects.toThrow();
		},
	);

	it.each([99, 100, 101])(
		'joins Page 0, 1, 2 of %d records without an ID, whatever the last ones have in common with others',
		async (count) => {
			const users = Array.from({ length: count }, (_, n) => ({ name: `User ${n}`, floor: n % 4 }));
			const records: unknown[] = [];
			for (let firstPage = 0; firstPage < 16; firstPage++) {
				const how = { firstPage, limit: 7, pageSize: 7 };
				records.push(...(await readSimulated(listOf(users), how)).listing.records);
			}
			expect(records).toEqual(users);
		},
	);

	it('asks for no page before a later one if the page after it shows that it is not the last', async () => {
		const { asked } = await readSimulated(listOf(60), { firstPage: 2, pageSize: 20, limit: 20 });
		// An empty page after a full one may have come by mistake.
		expect(asked.map(({ page }) => page)).toEqual([2, 3, 1]);
		const inside = { firstPage: 1, pageSize: 20, limit: 40, concurrency: 1 };
		const reading = await readSimulated(listOf(60), inside);
		expect(reading.listing.records).toEqual(numbered(40, 20));
		expect(reading.asked.map(({ page }) => page)).toEqual([1, 2]);
	});

	it('does not take a list of one short page for a service with short pages', async () => {
		const { listing } = await readSimulated(listOf(60), { pageSize: 100 });
		expect(listing.report.pageSizeThatCame).toBeUndefined();
	});

	it('says that a growing list without an ID may hold a record twice', async () => {
		for (const [record, report] of [
			[(n: number) => ({ name: `User ${n}` }), { duplicates: 0, cameAgain: 1 }],
			[(n: number) => ({ id: n }), { duplicates: 1 }],
		] as const) {
			const list = listOf(
				Array.from({ length: 30 }, (_, n) => record(n)),
				{ metadata: ['total'] },
			);
			const { listing } = await readSimulated(list, {
				concurrency: 1,
				beforePage: (page) => {
					if (page === 2) list.records.unshift(record(99));
				},
			});
			expect(listing.report).toMatchObject(report);
		}
	});

	it('says that a short page without an ID holds nothing but records of earlier pages', async () => {
		for (const [values, cameAgain] of [
			[[1, 2, 3, 1, 2], 2],
			[[1, 2, 3, 4, 5], 0],
		] as const) {
			const list = listOf(values.map((floor) => ({ floor })));
			const { listing } = await readSimulated(list, { pageSize: 3 });
			expect(listing.records).toHaveLength(values.length);
			expect(listing.report.cameAgain).toBe(cameAgain);
		}
	});

	it.each([
		['1, 1', 1, [1, 1]],
		['1, 2, 1, 2', 2, [1, 2, 1, 2]],
		['1, 2, 3, 4, 3, 4', 2, [1, 2, 3, 4, 3, 4]],
		['1, 1, 2, 2, 1, 1', 2, [1, 1, 2, 2, 1, 1]],
	])('doubts equal pages of records without an ID: %s', async (_, pageSize, values) => {
		const list = listOf(values.map((n) => ({ n })));
		for (const concurrency of [1, 5]) {
			const { report } = (await readSimulated(list, { pageSize, concurrency })).listing;
			expect(report.isOnlyPage || report.equalPages.length > 0).toBe(true);
		}
	});

	it.each([
		[20, [1, 6, 7, 8, 9], 10],
		[30, [2, 3, 5, 6, 12, 14, 19], 10],
		[45, [1, 2, 10, 11, 12, 15, 16, 17, 18, 19], 20],
	])(
		'reads a list of %d records whole if those at %j are left out, in pages of %d',
		async (count, places, pageSize) => {
			const left = hidden(...places);
			for (const concurrency of [1, 5]) {
				const { listing } = await readSimulated(listOf(count, left), { pageSize, concurrency });
				expect(listing.records).toEqual(
					numbered(count).filter((_, place) => !places.includes(place)),
				);
			}
		},
	);

	it.each([
		// A flag that never said that there is more may be stuck.
		[1, 2],
		[2, 2],
		[7, 7],
	])(
		'reads %d records in pages of one with %d requests if the last page says so',
		async (count, requests) => {
			const { asked } = await readSimulated(listOf(count, { metadata: ['last'] }), {
				pageSize: 1,
				concurrency: 1,
			});
			expect(asked).toHaveLength(requests);
		},
	);

	it('stops at the cap and says so', async () => {
		const { listing, asked } = await readSimulated(listOf(100), { maxPages: 3 });
		expect(listing.records).toEqual(numbered(30));
		expect(asked).toHaveLength(3);
		expect(listing.report.endedBy).toBe('maxPages');
	});

	it('keeps only what it is told to, and tells records apart by all', async () => {
		const records = numbered(30).map(({ id }) => ({ id, name: 'User', note: 'x' }));
		const { listing } = await readSimulated(listOf(records), { keepAs: ({ name }) => ({ name }) });
		expect(listing.records).toHaveLength(30);
		expect(listing.records[0]).toEqual({ name: 'User' });
	});

	it('says what it detected', async () => {
		const { listing } = await readSimulated(
			listOf(30, {
				...sized({ kind: 'clamped', maximum: 4 }),
				envelope: ({ records }) => ({ result: { list: records, total: 31 } }),
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
		const moving = listOf(30);
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
		const moving = listOf(40);
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
		const moving = listOf(30);
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

	it('reads a list once, even with Until Stable, if a limit was reached', async () => {
		const { listing } = await readSimulated(listOf(40), { untilStable: true, limit: 25 });
		expect(listing.report.sweeps).toEqual([25]);
	});

	it('reads a list at rest twice to see that it is', async () => {
		const list = listOf(30, { metadata: ['totalPages', 'last'] });
		const { listing, asked } = await readSimulated(list, {
			untilStable: true,
		});
		expect(listing.report.sweeps).toEqual([30, 0]);
		expect(asked).toHaveLength(6);
	});

	it('ends a further sweep if the service repeats the last page forever', async () => {
		const { listing } = await readSimulated(listOf(25, { pageBeyondEnd: 'lastPage' }), {
			untilStable: true,
		});
		expect(listing.records).toEqual(numbered(25));
		expect(listing.report).toMatchObject({ sweeps: [25, 0], duplicates: 0 });
	});

	it('reads once if records have no id', async () => {
		const records = Array.from({ length: 25 }, (_, place) => ({ name: `User ${place}` }));
		const { listing } = await readSimulated(listOf(records), { untilStable: true });
		expect(listing.records).toEqual(records);
		expect(listing.report.sweeps).toEqual([25]);
	});

	it.each([
		['with ids', numbered(50)],
		['without ids', Array.from({ length: 50 }, (_, place) => ({ name: `User ${place}` }))],
	])('says that the service ignores `page`, %s', async (_, records) => {
		for (const concurrency of [1, 5]) {
			await expect(
				readSimulated(listOf(records, { pageIgnored: true }), { concurrency }),
			).rejects.toMatchObject({
				kind: 'pageIgnored',
				message: expect.stringContaining('it ignores the parameter "page"') as string,
			});
		}
	});

	it('reads what one page holds of such a service, with a cap of one page', async () => {
		const { listing } = await readSimulated(listOf(50, { pageIgnored: true }), { maxPages: 1 });
		expect(listing.records).toEqual(numbered(10));
	});

	it('fails with the first page that fails, and asks for nothing more', async () => {
		const asked: number[] = [];
		const reading = readSimulated(listOf(1_000, { metadata: ['total'] }), {
			concurrency: 4,
			maxRetries: 0,
			faults: [undefined, undefined, 502],
			beforePage: (page) => asked.push(page),
			latencies: [10],
		});
		await expect(reading).rejects.toThrow('status 502');
		expect(Math.max(...asked)).toBeLessThan(10);
	});

	it('does not mind that a page after the end fails', async () => {
		const { listing } = await readSimulated(listOf(15), {
			concurrency: 4,
			maxRetries: 0,
			faults: [undefined, undefined, undefined, 504],
		});
		expect(listing.records).toEqual(numbered(15));
	});

	it('does not wait for retries of pages after the end', async () => {
		const { listing, duration } = await readSimulated(listOf(35, { metadata: ['hasMore'] }), {
			concurrency: 8,
			latencies: [10],
			faults: [undefined, undefined, undefined, undefined, 'reset', 'reset', 'reset', 'reset'],
		});
		expect(listing.records).toEqual(numbered(35));
		// A retry would wait a quarter of a second.
		expect(duration).toBeLessThan(30);
	});
});

it('does not take "page" for ignored if page 0 is empty, and the last page comes again at any size', async () => {
	const { listing } = await readSimulated(
		listOf(3, {
			defaultPageSize: 10,
			firstPageNumber: 1,
			pageBeforeFirst: 'empty',
			pageBeyondEnd: 'lastPage',
			pageSizeIgnored: true,
			metadata: [],
		}),
		{ pageSize: 10 },
	);
	expect(listing.records).toEqual(numbered(3));
});
