import type { Execution } from '../n8n/execution';
import type { N8nInstallation } from '../n8n/prepareN8n';
import { chainedWorkflow, type NewNode } from '../n8n/workflow';
import { exchangeBareToken, listBare } from './bareClient';
import { type BenchN8n, median, withN8n } from './bench';
import { httpRequestChain, READ_NODE, visitorServiceChain } from './listingWorkflows';
import type { ServiceProcess } from './startServiceProcess';

interface ListingCase {
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

/** What is measured. */
export interface MeasuredPackages {
	/** Path of the packed package. */
	tarball: string;
	/** Path of another one that is read with in turn, in an n8n of its own. */
	earlier?: string;
}

/**
 * Reads the same list in several ways in turn, and prints medians and their ratios.
 *
 * @param parts only cases whose name has one of these texts; none = all cases
 */
export async function measureListings(
	installation: N8nInstallation,
	{ tarball, earlier }: MeasuredPackages,
	service: ServiceProcess,
	parts: readonly string[],
): Promise<void> {
	console.log(`Listing, median of ${ROUNDS} rounds, in turn (ms)\n`);
	const titles = [
		...['case', 'this node', 'HTTP Request node', 'bare undici', 'times faster', 'of bare'],
		...['targets', ...(earlier === undefined ? [] : ['earlier package', 'of earlier'])],
	];
	console.log(`| ${titles.join(' | ')} |`);
	console.log(`|${'---|'.repeat(titles.length)}`);
	const cases = CASES.filter(
		({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
	);
	await withN8n(installation, tarball, service, async (bench) => {
		const measureCases = async (earlierBench?: BenchN8n) => {
			for (const listing of cases) {
				console.log(await measureCase(listing, { bench, earlierBench }, service));
			}
		};
		if (earlier === undefined) await measureCases();
		else await withN8n(installation, earlier, service, measureCases);
	});
	console.log('');
}

async function measureCase(
	listing: ListingCase,
	{ bench, earlierBench }: { bench: BenchN8n; earlierBench?: BenchN8n },
	service: ServiceProcess,
): Promise<string> {
	const { users, latency, pageSize = 100, concurrency } = listing;
	await service.control.seed('users', users);
	await service.control.set({ list: { latencyMs: latency }, recording: 'counts' });
	const token = await exchangeBareToken(service.url, await service.control.service());
	const options = {
		...(listing.pageSize !== undefined && { pageSize }),
		...(concurrency !== undefined && { concurrency }),
	};
	const readWith = async (chosen: BenchN8n) =>
		await run(chosen, visitorServiceChain(chosen.visitorService, options), (execution) =>
			expectCount(countItems(execution), users),
		);
	const readers = [
		async () => await readWith(bench),
		async () =>
			await run(bench, httpRequestChain(bench.oAuth2, service.url, pageSize), (execution) =>
				expectCount(countItems(execution), Math.ceil(users / pageSize)),
			),
		async () =>
			await listBare({ url: service.url, token, users, pageSize, concurrency: concurrency ?? 5 }),
		...(earlierBench === undefined ? [] : [async () => await readWith(earlierBench)]),
	];
	const times: number[][] = readers.map(() => []);
	// The first round warms up all of them, and is not counted. Each round begins with another one.
	for (let round = 0; round <= ROUNDS; round++) {
		for (const place of readers.keys()) {
			const which = (round + place) % readers.length;
			const time = (await readers[which]?.()) ?? NaN;
			if (round > 0) times[which]?.push(time);
		}
	}
	const [own = NaN, other = NaN, bare = NaN, earlier] = times.map(median);
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
		...(earlier === undefined ? [] : [earlier.toFixed(0), `${(own / earlier).toFixed(2)}×`]),
	];
	return `| ${cells.join(' | ')} |`;
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
