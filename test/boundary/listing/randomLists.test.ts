import { anyList, honestList, listWithOneMistake } from '../../drawn/drawnLists';
import { HONEST, type ListTraits } from '../../drawn/listTraits';
import fc from '../../properties';
import { automaticOptions, judge, type ReadingOptions, type Verdict } from './judge';
import { inTurn } from './listService';

/** `LIST_RUNS=6000 LIST_TABLE=1` compares one reader with another, from the same seed. */
const { LIST_RUNS = '60', LIST_TABLE } = process.env;
const RUNS = Number(LIST_RUNS);
/** Milliseconds for one test. */
const LIMIT = 60_000 + RUNS * 1_000;

/** How often each verdict fell, and how many requests it took. */
class Table {
	requests = 0;
	private readonly counts = new Map<Verdict, number>();

	count(verdict: Verdict, requests: number): void {
		this.counts.set(verdict, this.of(verdict) + 1);
		this.requests += requests;
	}

	of(verdict: Verdict): number {
		return this.counts.get(verdict) ?? 0;
	}

	print(name: string): void {
		if (LIST_TABLE === undefined) return;
		const lines = [...this.counts].map(([verdict, count]) => `${verdict}: ${count}`);
		process.stdout.write(`${[name, ...lines.sort(), `requests: ${this.requests}`].join('\n  ')}\n`);
	}
}

/** What may become of a list, and more than which share of them has to be whole and silent. */
type Judged = [name: string, lists: fc.Arbitrary<ListTraits>, accepted: Verdict[], share: number];

const WHOLE: Verdict[] = ['whole, silent', 'whole, warned'];
const ANNOUNCED: Verdict[] = ['not whole, warned', 'error'];
const UNDECIDABLE: Verdict = 'not whole, silent, undecidable';

/**
 * Shrunken from a node that ended with page 1 because that called itself the last, which was
 * computed for the size asked for. The page had come in the default size.
 */
const METADATA: Array<ListTraits['metadata']> = [
	['last'],
	['totalPages', 'last'],
	['hasMore', 'last'],
];

it.each(METADATA.map((metadata) => ({ metadata })))(
	'a list comes whole if it has a default size, hides a record, and states $metadata',
	async ({ metadata }) => {
		const traits: ListTraits = {
			...HONEST,
			...{ count: 15, hidden: [0], metadata, countsByRequestedSize: true },
			sizing: { maxPageSize: 3, defaultPageSize: 3, beyondMaximum: 'useDefault' },
		};
		const { story, verdict } = await judge(traits, { pageSize: 14, concurrency: 1, order: inTurn });
		expect([verdict.slice(0, 5), ...story]).toEqual(['whole', ...story]);
	},
);

const cutOnce = (page: number): ListTraits['mistakes'] => [{ page, fault: 'shortPage', times: 1 }];

/** Shrunken from nodes that took no notice of what one of the pages had shown. */
it.each<[string, Partial<ListTraits>, Partial<ReadingOptions>]>([
	[
		'page 1 shows more in one size than in the other',
		{
			...{ count: 3, hidden: [1], end: { pageBeyondEnd: 'lastPage' } },
			sizing: { maxPageSize: 1, beyondMaximum: 'clampKeepingOffsetOfRequestedSize' },
		},
		{ pageSize: 2 },
	],
	[
		'page 0 is cut, and page 1 repeats its first record, because it is in another order',
		{ count: 4, sortedAnew: { after: 1, order: [2, 0, 1] }, mistakes: cutOnce(0) },
		{ pageSize: 3 },
	],
	[
		'page 0 shows more than page 1, which is the first',
		{
			...{ count: 5, firstPageNumber: 1, mistakes: cutOnce(1) },
			sizing: { pageSizeIgnored: true, defaultPageSize: 10 },
		},
		{ pageSize: 2 },
	],
	[
		'a page in a size that was given up shows more than one that is cut',
		{
			...{
				count: 8,
				hidden: [0],
				metadata: ['totalPages'],
				mistakes: [{ page: 2, fault: 'shortPage', times: 2 }],
			},
			sizing: { maxPageSize: 3, defaultPageSize: 3, beyondMaximum: 'useDefault' },
		},
		{ pageSize: 10, concurrency: 4 },
	],
	[
		'a page in a size that was given up shows what no later one does, without an ID',
		{
			...{ kind: 'uncertainId', count: 5, hidden: [2, 3] },
			sizing: { maxPageSize: 3, defaultPageSize: 1, beyondMaximum: 'useDefault' },
		},
		{ pageSize: 3 },
	],
	[
		'a page in a size that was given up counts more pages of its size',
		{
			...{ count: 8, hidden: [0], metadata: ['hasMore', 'totalPages'], mistakes: cutOnce(2) },
			sizing: { maxPageSize: 3, defaultPageSize: 1, beyondMaximum: 'useDefault' },
		},
		{ pageSize: 3 },
	],
	[
		'the ID proves to be none after larger pages failed',
		{
			...{ kind: 'lateId', count: 32, metadata: ['totalPages'], sizing: { maxPageSize: 11 } },
			mistakes: [{ page: 1, fault: { status: 404 }, times: 1 }],
		},
		{ pageSize: 9, largerPageSize: 30 },
	],
])('a list is not cut in silence if %s', async (_, traits, how) => {
	const options = { pageSize: 2, concurrency: 1, order: inTurn, ...how };
	const { story, verdict } = await judge({ ...HONEST, ...traits }, options);
	expect([verdict, ...story]).toEqual(['not whole, warned', ...story]);
});

it.each<Judged>([
	[
		'of a service that makes any mistakes at once',
		anyList,
		[...WHOLE, ...ANNOUNCED, UNDECIDABLE],
		0.4,
	],
	// Whatever its sizes, its end and its numbering are.
	['of an honest service', honestList, [...WHOLE, UNDECIDABLE], 0.94],
	[
		'with one wrong response, of which its total tells',
		listWithOneMistake,
		[...WHOLE, ...ANNOUNCED],
		0,
	],
])(
	'a list comes whole, or a warning or an error says that it may not be: %s',
	async (name, lists, accepted, share) => {
		const table = new Table();
		const property = fc.asyncProperty(lists, automaticOptions, async (traits, how) => {
			const { service, story, verdict } = await judge(traits, how);
			table.count(verdict, service.given.length);
			expect(service.mostWaiting).toBeLessThanOrEqual(how.concurrency);
			if (!accepted.includes(verdict)) throw new Error([verdict, ...story].join('\n'));
		});
		await fc.assert(property, { numRuns: RUNS });
		table.print(name);
		expect(table.of('whole, silent') / RUNS).toBeGreaterThan(share);
	},
	LIMIT,
);
