import type { INodeParameters } from 'n8n-workflow';
import { type ListTraits, shownOf } from '../../drawn/listTraits';
import { contentsOf } from '../../drawn/records';
import { MemoryHost, type Run } from '../../host/memoryHost';
import fc from '../../properties';
import type { JsonObject } from '../../reference-service';
import { withAutomaticPageSize } from '../automaticPageSize';
import { list } from '../listedHost';
import { contradictionIn } from './contradictions';
import { inTurn, type ListService, type Order, serve, shuffled, statedBy } from './listService';

/** What became of a list, worst last. Only the last two are faults of the node. */
export type Verdict =
	| 'whole, silent'
	| 'whole, warned'
	| 'not whole, warned'
	| 'error'
	/** Nothing in the responses says that there are other records. */
	| 'not whole, silent, undecidable'
	| 'not whole, silent'
	| 'doubled';

export interface ReadingOptions {
	pageSize: number;
	/** If Page Size is not set: the size that is tried after that of the first page. */
	largerPageSize?: number;
	concurrency: number;
	/** In which order responses arrive. */
	order: Order;
	/** Further parameters of the node. */
	parameters?: INodeParameters;
	/** Place of the record that it begins with. */
	from?: number;
}

const upTo = (max: number) => fc.integer({ min: 1, max });

export const readingOptions = fc.record({
	pageSize: upTo(15),
	concurrency: upTo(8),
	order: fc.option(fc.nat(1_000)).map((seed) => (seed === null ? inTurn : shuffled(seed))),
});

/** Page Size is not set in every third reading. */
export const automaticOptions: fc.Arbitrary<ReadingOptions> = fc
	.tuple(readingOptions, fc.option(upTo(60), { freq: 2 }))
	.map(([how, larger]) => (larger === null ? how : { ...how, largerPageSize: larger }));

/**
 * Lists the users of a service, and judges what came out by what the service did. The node is asked
 * for nothing.
 */
export async function judge(traits: ListTraits, readingOptions: ReadingOptions) {
	const { concurrency, largerPageSize, order, pageSize, parameters = {} } = readingOptions;
	const size = largerPageSize === undefined ? { pageSize } : {};
	const options = { ...size, concurrency, maxRetries: 0, ...(parameters.options as object) };
	const host = new MemoryHost();
	const service = await serve(traits, order, host);
	host.network.add(host.url, service);
	return await withAutomaticPageSize({ first: pageSize, max: largerPageSize }, async () => {
		const run = await list(host, { ...parameters, options });
		const verdict = verdictOf(traits, run, service, readingOptions);
		return { verdict, run, service, story: storyOf(service, run) };
	});
}

function verdictOf(
	traits: ListTraits,
	run: Run,
	service: ListService,
	how: ReadingOptions,
): Verdict {
	if (run.error !== undefined) return 'error';
	const received = contentsOf(recordsIn(run));
	const hasId = traits.kind === 'id' || traits.kind === 'onlyId';
	if (hasId && new Set(received).size < received.length) return 'doubled';
	const isWarned = run.hints.some(({ type }) => type === 'warning');
	const expected = contentsOf(shownOf(traits, how.from));
	// Of a list that is sorted anew no order is right.
	if (
		traits.sortedAnew === undefined
			? isSame(received, expected)
			: isSame(sorted(received), sorted(expected))
	)
		return isWarned ? 'whole, warned' : 'whole, silent';
	if (isWarned) return 'not whole, warned';
	const contradiction = contradictionIn(service.given, recordsIn(run), traits, how);
	return contradiction === undefined ? 'not whole, silent, undecidable' : 'not whole, silent';
}

/** What n8n passes on is what JSON can hold. */
export const recordsIn = ({ items }: Run) => items as JsonObject[];

const sorted = (texts: readonly string[]) => [...texts].sort();
const isSame = (some: readonly string[], others: readonly string[]) =>
	JSON.stringify(some) === JSON.stringify(others);

/** For whoever reads a fault: what got a response, and what came out. */
function storyOf(service: ListService, run: Run): string[] {
	const name = (record: JsonObject) => JSON.stringify(Object.values(record)[0]);
	const responses = service.given.map(({ page, pageSize, outcome, isMistake }) => {
		const { records, stated } = statedBy(outcome);
		const status = 'response' in outcome ? outcome.response.status : outcome.kind;
		const wrong = isMistake ? ' (wrong)' : '';
		return `${page}@${pageSize}: ${status}${wrong} [${records.map(name).join(' ')}] ${JSON.stringify(stated)}`;
	});
	const end = run.error?.message ?? run.hints[0]?.message ?? 'no hint';
	return [...responses, end, `came: [${recordsIn(run).map(name).join(' ')}]`];
}
