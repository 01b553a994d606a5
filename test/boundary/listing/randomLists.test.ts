import { anyList, honestList, listWithOneMistake } from '../../drawn/drawnLists';
import type { ListTraits } from '../../drawn/listTraits';
import fc from '../../properties';
import { asking, judge, type Verdict } from './judge';

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

async function judgeAll(
	name: string,
	lists: fc.Arbitrary<ListTraits>,
	accepted: readonly Verdict[],
): Promise<Table> {
	const table = new Table();
	await fc.assert(
		fc.asyncProperty(lists, asking, async (traits, how) => {
			const { service, story, verdict } = await judge(traits, how);
			table.count(verdict, service.given.length);
			expect(service.mostWaiting).toBeLessThanOrEqual(how.concurrency);
			if (!accepted.includes(verdict)) throw new Error([verdict, ...story].join('\n'));
		}),
		{ numRuns: RUNS },
	);
	table.print(name);
	return table;
}

describe('a list of a service that makes any mistakes at once', () => {
	it(
		'comes whole, or a warning or an error says that it may not be',
		async () => {
			const table = await judgeAll('any mistakes', anyList, [
				'whole, silent',
				'whole, warned',
				'not whole, warned',
				'error',
				'not whole, silent, undecidable',
			]);
			expect(table.of('whole, silent') / RUNS).toBeGreaterThan(0.4);
		},
		LIMIT,
	);
});

describe('a list of an honest service', () => {
	it(
		'comes whole and mostly without a warning, whatever its sizes, its end and its numbering are',
		async () => {
			const table = await judgeAll('honest', honestList, [
				'whole, silent',
				'whole, warned',
				'not whole, silent, undecidable',
			]);
			expect(table.of('whole, silent') / RUNS).toBeGreaterThan(0.94);
		},
		LIMIT,
	);

	it(
		'comes whole although one answer is wrong, if its total tells',
		async () => {
			await judgeAll('one mistake', listWithOneMistake, [
				'whole, silent',
				'whole, warned',
				'not whole, warned',
				'error',
			]);
		},
		LIMIT,
	);
});
