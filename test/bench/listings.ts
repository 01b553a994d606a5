import { exchangeBareToken, listBare } from './bareClient';
import { type BenchN8n, median, printHead, printRow, type Subject, timeOf, withN8n } from './bench';
import { httpRequestChain, visitorServiceChain } from './listingWorkflows';
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

/**
 * Reads the same list in several ways in turn, and prints medians and their ratios.
 *
 * @param parts only cases whose name has one of these texts; none = all cases
 */
export async function measureListings(subject: Subject, parts: readonly string[]): Promise<void> {
	console.log(`Listing, median of ${ROUNDS} rounds, in turn (ms)\n`);
	printHead(
		...['case', 'this node', 'HTTP Request node', 'bare undici'],
		...['times faster', 'of bare', 'targets'],
	);
	const cases = CASES.filter(
		({ name }) => parts.length === 0 || parts.some((part) => name.includes(part)),
	);
	await withN8n(subject, async (bench) => {
		for (const listing of cases) printRow(await measureCase(listing, bench, subject.service));
	});
	console.log('');
}

/** Makes the list. @returns how to read it by this node, the HTTP Request node and undici */
export async function readersOf(
	{ users, latency, pageSize, concurrency }: Omit<ListingCase, 'name' | 'atLeastFaster'>,
	bench: BenchN8n,
	{ url, control }: ServiceProcess,
	bare = { pageSize: pageSize ?? 100, concurrency: concurrency ?? 5 },
): Promise<Array<() => Promise<number>>> {
	await control.seed('users', users);
	await control.set({ list: { latencyMs: latency } });
	const token = await exchangeBareToken(url, await control.service());
	const options = {
		...(pageSize !== undefined && { pageSize }),
		...(concurrency !== undefined && { concurrency }),
	};
	const own = visitorServiceChain(bench.visitorService, options);
	const size = pageSize ?? 100;
	const other = httpRequestChain(bench.oAuth2, url, size);
	return [
		async () => await timeOf(bench, own, users),
		async () => await timeOf(bench, other, Math.ceil(users / size)),
		async () => await listBare({ url, token, users, ...bare }),
	];
}

async function measureCase(
	listing: ListingCase,
	bench: BenchN8n,
	service: ServiceProcess,
): Promise<string[]> {
	const readers = await readersOf(listing, bench, service);
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
	return [
		listing.name,
		...[own, other, bare].map((value) => value.toFixed(0)),
		`${faster.toFixed(2)}×`,
		`${ofBare.toFixed(2)}×`,
		`${targets}: ${reached ? 'reached' : 'missed'}`,
	];
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
