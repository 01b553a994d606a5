import { listInParts, listOfLaterPages, plainList, steadyList } from '../../drawn/drawnLists';
import { HONEST, type ListTraits, shownOf } from '../../drawn/listTraits';
import { contentsOf } from '../../drawn/records';
import fc from '../../properties';
import { judge, readingOptions, recordsIn } from './judge';
import { inTurn, shuffled } from './listService';

const RUNS = Number(process.env.LIST_RUNS ?? 60) / 2;
/** Milliseconds for one test. */
const LIMIT = 60_000 + RUNS * 3_000;

/** Requests after the end that find out that it is the end. */
const SPARE = 3;

/** A test that this holds for whatever is drawn. */
function holds<Drawn>(title: string, property: fc.IAsyncProperty<Drawn>, numRuns = RUNS): void {
	it(title, async () => await fc.assert(property, { numRuns }), LIMIT);
}

const count = fc.integer({ min: 1, max: 90 });
const later = fc.integer({ min: 1, max: 3 });

describe('a list of a service that pages as asked', () => {
	holds(
		'takes no more requests than the pages, those in flight, and a few that confirm the end',
		fc.asyncProperty(plainList, readingOptions, async (traits, how) => {
			const { service, story, verdict } = await judge(traits, how);
			const needed = Math.max(1, Math.ceil(traits.count / how.pageSize));
			expect([verdict, ...story]).toEqual(['whole, silent', ...story]);
			// What is rejected after the end may be the token's fault: all in flight are asked twice.
			const inFlight = 2 * how.concurrency;
			expect(service.given.length).toBeLessThanOrEqual(needed + inFlight + SPARE);
			expect(service.mostWaiting).toBeLessThanOrEqual(how.concurrency);
		}),
	);

	holds(
		'takes one request at most after a page that says that it is the last, or is short, one after the other',
		fc.asyncProperty(plainList, readingOptions, fc.boolean(), async (traits, how, isStated) => {
			const { count } = traits;
			const { pageSize } = how;
			fc.pre(isStated || (count > pageSize && count % pageSize > 0));
			// Another response than an empty page is asked for again. Page 1 is asked for if page 0 is
			// empty, full, or as long as a maximum may be: a flag alone does not show the end.
			const requested = {
				...traits,
				metadata: isStated ? ['last' as const] : [],
				end: isStated && pageSize % count > 0 ? traits.end : {},
			};
			const { service } = await judge(requested, { ...how, concurrency: 1 });
			const needed = Math.max(1, Math.ceil(count / pageSize));
			expect(service.given.length).toBeLessThanOrEqual(needed + 1);
		}),
	);

	holds(
		'ends at Limit with the first records, and says nothing',
		fc.asyncProperty(plainList, readingOptions, count, async (traits, how, limit) => {
			const parameters = { returnAll: false, limit };
			const { run } = await judge(traits, { ...how, parameters });
			expect(recordsIn(run)).toEqual(shownOf(traits).slice(0, limit));
			expect(run.hints).toMatchObject([{ type: 'info' }]);
		}),
	);

	holds(
		'ends at Max Pages with a warning if there is more',
		fc.asyncProperty(plainList, readingOptions, count, async (traits, how, pages) => {
			const options = { maxPages: pages };
			const { run } = await judge(traits, { ...how, parameters: { options } });
			const shown = shownOf(traits);
			expect(recordsIn(run)).toEqual(shown.slice(0, pages * how.pageSize));
			if (recordsIn(run).length < shown.length)
				expect(run.hints).toMatchObject([{ type: 'warning' }]);
		}),
	);

	it.each([{ untilStable: true }, { removeDuplicates: false }, { fields: 'id' }])(
		'comes whole and without a warning with %j',
		async (options) => {
			const property = fc.asyncProperty(plainList, readingOptions, async (traits, how) => {
				const { run } = await judge(traits, { ...how, parameters: { options } });
				const shown = shownOf(traits).map(({ id, name }) =>
					'fields' in options ? { id } : { id, name },
				);
				expect(recordsIn(run)).toEqual(shown);
				expect(run.hints).toMatchObject([{ type: 'info' }]);
			});
			await fc.assert(property, { numRuns: RUNS / 2 });
		},
		LIMIT,
	);
});

holds(
	'a list whose pages are filtered after they were cut comes whole if the first page is full, and none is empty',
	fc.asyncProperty(plainList, fc.array(fc.nat(90)), readingOptions, async (traits, drawn, how) => {
		// The first record of each page stays.
		const hidden = drawn.filter((index) => index >= how.pageSize && index % how.pageSize > 0);
		const filtered = { ...traits, hidden, metadata: [] };
		const { run } = await judge(filtered, how);
		expect(recordsIn(run)).toEqual(shownOf(filtered));
	}),
);

holds(
	'a list whose responses depend on the question alone is the same at every concurrency, in whatever order responses arrive',
	fc.asyncProperty(steadyList, readingOptions, readingOptions, async (traits, one, other) => {
		const read = async (how: typeof one) => {
			const { run, story } = await judge(traits, { ...how, pageSize: one.pageSize });
			const { message = '', type } = run.hints[0] ?? {};
			// What more pages in flight have shown after the end is told, if the list has it not.
			const hint = message.includes('Pages that do not join') ? 'any' : type;
			return { items: run.items, hint, error: run.error?.message, story };
		};
		const { story, ...first } = await read(one);
		const second = await read(other);
		const isAny = [first, second].some(({ hint }) => hint === 'any');
		if (isAny) first.hint = second.hint = 'any';
		expect({ ...second, story }).toEqual({ ...first, story });
	}),
);

holds(
	'a list read in parts by Page comes whole, each record once, or a warning or an error says that it may not',
	fc.asyncProperty(listInParts, readingOptions, async (traits, how) => {
		const found: string[] = [];
		const parts = Math.ceil(traits.count / how.pageSize) + 2;
		for (let part = 0; part < parts; part++) {
			const page = traits.firstPageNumber + part;
			const parameters = { returnAll: false, limit: how.pageSize, page };
			const { run } = await judge(traits, { ...how, parameters });
			if (run.error !== undefined || run.hints[0]?.type === 'warning') return;
			found.push(...contentsOf(recordsIn(run)));
		}
		expect(found).toEqual(contentsOf(shownOf(traits)));
	}),
	RUNS / 2,
);

holds(
	'a list read from a later page on comes whole, or a warning or an error says that it may not be',
	fc.asyncProperty(listOfLaterPages, readingOptions, later, async (traits, how, page) => {
		const from = (page - traits.firstPageNumber) * how.pageSize;
		const parameters = { returnAll: false, limit: 1_000, page };
		const { story, verdict } = await judge(traits, { ...how, from, parameters });
		expect([verdict, ...story]).not.toEqual(['not whole, silent', ...story]);
		expect([verdict, ...story]).not.toEqual(['doubled', ...story]);
	}),
);

it('a list read from a later page on is silent if the service begins again after its end', async () => {
	const end: ListTraits['end'] = { pageBeyondEnd: 'startsOver' };
	const traits: ListTraits = { ...HONEST, count: 40, metadata: ['last'], end };
	const parameters = { returnAll: false, limit: 1_000, page: 1 };
	const how = { pageSize: 10, concurrency: 4, order: shuffled(1), from: 10, parameters };
	const { story, verdict } = await judge(traits, how);
	expect([verdict, ...story]).toEqual(['whole, silent', ...story]);
});

/** Shrunken from nodes that took total and page count for reached a page too early. */
it.each([
	{ page: 1, count: 2 },
	{ page: 2, count: 3 },
])(
	'a list of $count that is counted from 1 comes whole from Page $page on',
	async ({ page, count }) => {
		const traits: ListTraits = {
			...HONEST,
			...{ count, firstPageNumber: 1, metadata: ['total', 'totalPages'] },
		};
		const parameters = { returnAll: false, limit: 1_000, page };
		const how = { pageSize: 1, concurrency: 1, order: inTurn, from: page - 1, parameters };
		const { story, verdict } = await judge(traits, how);
		expect([verdict, ...story]).toEqual(['whole, silent', ...story]);
	},
);
