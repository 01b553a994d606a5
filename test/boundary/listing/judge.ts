import type { INodeParameters } from 'n8n-workflow';
import { type ListTraits, shownOf } from '../../drawn/listTraits';
import { contentsOf } from '../../drawn/records';
import type { Run } from '../../host/memoryHost';
import fc from '../../properties';
import type { JsonObject } from '../../reference-service';
import { withAutomaticPageSize } from '../automaticPageSize';
import { isLikeHonest } from './honestTwins';
import {
	inTurn,
	type ListService,
	type Order,
	RepeatedService,
	serve,
	shuffled,
	statedBy,
} from './listService';
import { listUsers } from './listUsers';

/** What became of a list, worst last. Only the last two are faults of the node. */
export type Verdict =
	| 'whole, silent'
	| 'whole, warned'
	| 'not whole, warned'
	| 'error'
	/** A service that has no other records would have responded to the same. */
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

export interface Judgement {
	verdict: Verdict;
	run: Run;
	service: ListService;
	/** For whoever reads a fault: what got a response, and what came out. */
	story: string[];
}

/**
 * Lists the users of a service, and judges what came out by what the service did. The node is asked
 * for nothing.
 */
export async function judge(
	traits: ListTraits,
	readingOptions: ReadingOptions,
): Promise<Judgement> {
	const { concurrency, from, largerPageSize, order, pageSize, parameters = {} } = readingOptions;
	const size = largerPageSize === undefined ? { pageSize } : {};
	const options = { ...size, concurrency, maxRetries: 0, ...(parameters.options as object) };
	const set: INodeParameters = { ...parameters, options };
	const work = async () => {
		const { run, service } = await listUsers((host) => serve(traits, order, host), set);
		const verdict = await verdictOf(traits, run, service, set, from);
		return { verdict, run, service, story: storyOf(service, run) };
	};
	if (largerPageSize === undefined) return await work();
	return await withAutomaticPageSize({ first: pageSize, max: largerPageSize }, work);
}

async function verdictOf(
	traits: ListTraits,
	run: Run,
	service: ListService,
	set: INodeParameters,
	from = 0,
): Promise<Verdict> {
	if (run.error !== undefined) return 'error';
	const received = contentsOf(recordsIn(run));
	const hasId = traits.kind === 'id' || traits.kind === 'onlyId';
	if (hasId && new Set(received).size < received.length) return 'doubled';
	const isWarned = run.hints.some(({ type }) => type === 'warning');
	const expected = contentsOf(shownOf(traits, from));
	// Of a list that is sorted anew no order is right.
	if (
		traits.sortedAnew === undefined
			? isSame(received, expected)
			: isSame(sorted(received), sorted(expected))
	)
		return isWarned ? 'whole, warned' : 'whole, silent';
	if (isWarned) return 'not whole, warned';
	const given = await neededResponses(run, service, set);
	return (await isLikeHonest(traits, recordsIn(run), given, from))
		? 'not whole, silent, undecidable'
		: 'not whole, silent';
}

/**
 * The responses without which the same would not have come out. What a client had asked for in
 * advance, and what came when it knew enough, is not among them.
 */
async function neededResponses(
	run: Run,
	service: ListService,
	set: INodeParameters,
): Promise<ListService['given']> {
	const { run: again, service: repeated } = await listUsers(
		(host) => Promise.resolve(new RepeatedService(service.given, host)),
		set,
	);
	const isSameRun = isSame(contentsOf(recordsIn(again)), contentsOf(recordsIn(run)));
	const received = repeated.given.map(({ page, pageSize, outcome }) => ({
		page,
		pageSize,
		outcome,
		isMistake: service.given.some((one) => one.outcome === outcome && one.isMistake),
	}));
	return isSameRun && !repeated.hadNewRequest ? received : service.given;
}

/** What n8n passes on is what JSON can hold. */
export const recordsIn = ({ items }: Run) => items as JsonObject[];

const sorted = (texts: readonly string[]) => [...texts].sort();
const isSame = (some: readonly string[], others: readonly string[]) =>
	JSON.stringify(some) === JSON.stringify(others);

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
