import { readFile } from 'node:fs/promises';
import { chainedWorkflow, type NewNode } from '../n8n/workflow';
import { type BenchN8n, median, printHead, printRow, type Subject, withN8n } from './bench';
import { httpRequestChain, visitorServiceChain } from './listingWorkflows';

const SIZES = [1_000, 10_000, 100_000, 1_000_000];
const PAGE_SIZE = 1_000;
const ROUNDS = 3;

/**
 * Peak memory of a fresh n8n process for one listing, by both nodes; nothing of the execution is
 * stored. The HTTP Request node leaves one item a page, which is less to hold than one a user.
 */
export async function measureMemory(subject: Subject): Promise<void> {
	const { service } = subject;
	console.log(
		`Memory and time of one listing in a fresh n8n, 1,000 users a page, no latency, median of ${ROUNDS} rounds, alternating\n`,
	);
	printHead(
		...['users', 'this node MB', 'HTTP Request node MB', 'ratio'],
		...['this node s', 'HTTP Request node s'],
	);
	await service.control.resetSwitches();
	for (const users of SIZES) {
		await service.control.seed('users', users);
		const measure = async (chain: (bench: BenchN8n) => NewNode[]) =>
			await withN8n(subject, async (bench) => await runOnce(bench, chain(bench)));
		const ownRuns: Measured[] = [];
		const otherRuns: Measured[] = [];
		for (let round = 0; round < ROUNDS; round++) {
			ownRuns.push(
				await measure(({ visitorService }) =>
					visitorServiceChain(visitorService, { pageSize: PAGE_SIZE }),
				),
			);
			otherRuns.push(
				await measure(({ oAuth2 }) => httpRequestChain(oAuth2, service.url, PAGE_SIZE)),
			);
		}
		const own = medianOf(ownRuns);
		const other = medianOf(otherRuns);
		printRow([
			users.toLocaleString('en'),
			own.memory,
			other.memory,
			`${(own.memory / other.memory).toFixed(2)}×`,
			own.seconds.toFixed(1),
			other.seconds.toFixed(1),
		]);
	}
	console.log('');
}

interface Measured {
	/** MB, at the peak. */
	memory: number;
	seconds: number;
}

function medianOf(runs: readonly Measured[]): Measured {
	return {
		memory: median(runs.map(({ memory }) => memory)),
		seconds: median(runs.map(({ seconds }) => seconds)),
	};
}

async function runOnce({ n8n, client }: BenchN8n, chain: NewNode[]): Promise<Measured> {
	const workflow = await client.createWorkflow(
		chainedWorkflow('Memory', chain, {
			saveManualExecutions: false,
			saveDataSuccessExecution: 'none',
			saveDataErrorExecution: 'all',
		}),
	);
	const startedAt = performance.now();
	await client.runUnsavedWorkflow(workflow, 'Start', 600_000);
	const seconds = (performance.now() - startedAt) / 1000;
	const { processId } = n8n;
	if (processId === undefined) throw new Error('n8n has ended.');
	return { memory: await peakMemory(processId), seconds };
}

/** The most memory a process ever held, in MB (Linux: VmHWM). */
async function peakMemory(processId: number): Promise<number> {
	const status = await readFile(`/proc/${processId}/status`, 'utf8');
	const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1];
	if (kilobytes === undefined) throw new Error('This system does not tell the peak memory.');
	return Math.round(Number(kilobytes) / 1024);
}
