import type { Execution } from '../n8n/execution';
import { chainedWorkflow, type NewNode } from '../n8n/workflow';
import { exchangeBareToken, listBare } from './bareClient';
import { type BenchN8n, median, type Subject, withN8n } from './bench';
import { httpRequestChain, READ_NODE, visitorServiceChain } from './listingWorkflows';
import type { ServiceProcess } from './startServiceProcess';

export interface ListingCase {
	name: string;
	users: number;
	latency: number;
	/** Undefined = the node's defaults. */
	pageSize?: number;
	concurrency?: number;
	/** What the ratios have to reach; the bare client is not compared where there is no target. */
	atLeastFaster: number;
	atMostOfBare?: number;
}

const CASES: ListingCase[] = [
	{
		name: '10,000 users, 100 a page, 100 ms, concurrency 8',
		users: 10_000,
		latency: 100,
		pageSize: 100,
		concurrency: 8,
		atLeastFaster: 7.3,
		atMostOfBare: 1.1,
	},
	{ name: 'the same, default options', users: 10_000, latency: 100, atLeastFaster: 4 },
	{
		name: 'the same, 20 ms, concurrency 8',
		users: 10_000,
		latency: 20,
		pageSize: 100,
		concurrency: 8,
		atLeastFaster: 6.5,
		atMostOfBare: 1.35,
	},
	{
		name: 'the same, no latency, concurrency 1',
		users: 10_000,
		latency: 0,
		pageSize: 100,
		concurrency: 1,
		atLeastFaster: 2.5,
	},
	{
		name: '100,000 users, 1,000 a page, 20 ms, concurrency 4',
		users: 100_000,
		latency: 20,
		pageSize: 1_000,
		concurrency: 4,
		atLeastFaster: 3.2,
		atMostOfBare: 1.25,
	},
];

const ROUNDS = 5;

/**
 * Reads the same list in several ways in turn, and prints medians and their ratios.
 *
 * @param parts only cases whose name has one of these texts; none = all cases
 */
export async function measureListings(subject: Subject, parts: readonly string[]): Promise<void> {
	console.log(`Listing, median of ${ROUNDS} rounds, in turn (ms)\n`);
	console.log(
		'| case | this node | HTTP Request node | bare undici | times faster | of bare | targets |',
	);
	console.log('|---|---|---|---|---|---|---|');
	await withN8n(subject, async (bench) => {
		for (const listing of casesWith(parts)) {
			console.log(await measureCase(listing, bench, subject.service));
		}
	});
	console.log('');
}

function casesWith(parts: readonly string[]): ListingCase[] {
	return CASES.filter(
		({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
	);
}

/** This node, and the HTTP Request node. */
export function readersOf(
	listing: ListingCase,
	bench: BenchN8n,
	{ url }: ServiceProcess,
): Array<() => Promise<number>> {
	const { users, pageSize = 100 } = listing;
	return [
		async () => await readWith(bench, listing),
		async () =>
			await run(bench, httpRequestChain(bench.oAuth2, url, pageSize), (execution) =>
				expectCount(countItems(execution), Math.ceil(users / pageSize)),
			),
	];
}

async function measureCase(
	listing: ListingCase,
	bench: BenchN8n,
	service: ServiceProcess,
): Promise<string> {
	const { users, pageSize = 100, concurrency } = listing;
	await prepareList(listing, service);
	const token = await exchangeBareToken(service.url, await service.control.service());
	const readers = [
		...readersOf(listing, bench, service),
		async () =>
			await listBare({ url: service.url, token, users, pageSize, concurrency: concurrency ?? 5 }),
	];
	const [own = NaN, other = NaN, bare = NaN] = await measureInTurn(readers, ROUNDS);
	const faster = other / own;
	const ofBare = own / bare;
	const reached =
		faster >= listing.atLeastFaster &&
		(listing.atMostOfBare === undefined || ofBare <= listing.atMostOfBare);
	const targets = [
		`≥ ${listing.atLeastFaster}×`,
		...(listing.atMostOfBare === undefined ? [] : [`≤ ${listing.atMostOfBare}×`]),
	].join(', ');
	const cells = [
		listing.name,
		...[own, other, bare].map((value) => value.toFixed(0)),
		`${faster.toFixed(2)}×`,
		`${ofBare.toFixed(2)}×`,
		`${targets}: ${reached ? 'reached' : 'missed'}`,
	];
	return `| ${cells.join(' | ')} |`;
}

export async function prepareList(
	{ users, latency }: ListingCase,
	{ control }: ServiceProcess,
): Promise<void> {
	await control.seed('users', users);
	await control.set({ list: { latencyMs: latency } });
}

/**
 * @returns the median time of each reader. The first round warms up all of them, each further one
 *   begins with another
 */
export async function measureInTurn(
	readers: ReadonlyArray<() => Promise<number>>,
	rounds: number,
): Promise<number[]> {
	const times: number[][] = readers.map(() => []);
	for (let round = 0; round <= rounds; round++) {
		for (const index of readers.keys()) {
			const which = (round + index) % readers.length;
			const time = (await readers[which]?.()) ?? NaN;
			if (round > 0) times[which]?.push(time);
		}
	}
	return times.map(median);
}

async function readWith(
	bench: BenchN8n,
	{ users, pageSize, concurrency }: ListingCase,
): Promise<number> {
	const options = {
		...(pageSize !== undefined && { pageSize }),
		...(concurrency !== undefined && { concurrency }),
	};
	return await run(bench, visitorServiceChain(bench.visitorService, options), (execution) =>
		expectCount(countItems(execution), users),
	);
}

/** @returns how long the node ran, in milliseconds, as n8n recorded it */
async function run(
	{ client }: BenchN8n,
	chain: NewNode[],
	check: (execution: Execution) => void,
): Promise<number> {
	const workflow = await client.createWorkflow(chainedWorkflow('Bench', chain));
	const execution = await client.runWorkflow(workflow, 'Start', 600_000);
	if (execution.error !== null) throw new Error(execution.error.message);
	check(execution);
	const time = execution.nodes[READ_NODE]?.[0]?.executionTime;
	if (time === undefined) throw new Error('The execution says no time.');
	await client.deleteWorkflow(workflow.id);
	return time;
}

function countItems(execution: Execution): number {
	return execution.nodes[READ_NODE]?.[0]?.outputs[0]?.length ?? 0;
}

function expectCount(count: number, expected: number): void {
	if (count !== expected) throw new Error(`${count} items came instead of ${expected}.`);
}
