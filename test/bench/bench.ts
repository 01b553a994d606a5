import { type N8nClient, signIn, visitorServiceCredential } from '../n8n/n8nClient';
import type { N8nInstallation } from '../n8n/prepareN8n';
import { type RunningN8n, startN8n } from '../n8n/startN8n';
import { type CredentialReference, chainedWorkflow, type NewNode } from '../n8n/workflow';
import { READ_NODE } from './listingWorkflows';
import type { ServiceProcess } from './startServiceProcess';

export interface BenchN8n {
	n8n: RunningN8n;
	client: N8nClient;
	visitorService: CredentialReference;
	oAuth2: CredentialReference;
}

/** What is measured. */
export interface Subject {
	installation: N8nInstallation;
	/** Path of the packed package. */
	tarball: string;
	service: ServiceProcess;
}

/** Runs `measure` with a fresh n8n that has the package and both credentials. */
export async function withN8n<Result>(
	{ installation, tarball, service }: Subject,
	measure: (bench: BenchN8n) => Promise<Result>,
	environment: Record<string, string> = {},
): Promise<Result> {
	const n8n = await startN8n({
		installation,
		tarball,
		environment: { NODE_OPTIONS: '--max-old-space-size=8192', ...environment },
	});
	try {
		const client = await signIn(n8n.url);
		const { clientId, clientSecret } = await service.control.service();
		const content = visitorServiceCredential({ url: service.url, clientId, clientSecret });
		const visitorService = await client.createCredential(content);
		const oAuth2 = await client.createCredential({
			name: 'OAuth2',
			type: 'oAuth2Api',
			data: {
				grantType: 'clientCredentials',
				accessTokenUrl: `${service.url}/auth/app-oauth`,
				clientId,
				clientSecret,
				scope: '',
				authentication: 'body',
			},
		});
		const result = await measure({ n8n, client, visitorService, oAuth2 });
		await client.close();
		return result;
	} finally {
		await n8n.stop();
	}
}

/**
 * Runs a workflow that has to give so many items.
 *
 * @returns how long its node ran, in milliseconds, as n8n recorded it
 */
export async function timeOf(
	{ client }: BenchN8n,
	chain: NewNode[],
	items: number,
): Promise<number> {
	const workflow = await client.createWorkflow(chainedWorkflow('Bench', chain));
	const execution = await client.runWorkflow(workflow, 'Start', 600_000);
	if (execution.error !== null) throw new Error(execution.error.message);
	const run = execution.nodes[READ_NODE]?.[0];
	if (run === undefined) throw new Error('The execution says no time.');
	const count = run.outputs[0]?.length ?? 0;
	if (count !== items) throw new Error(`${count} items came instead of ${items}.`);
	await client.deleteWorkflow(workflow.id);
	return run.executionTime;
}

/** The head of a table for a document. */
export function printHead(...titles: string[]): void {
	printRow(titles);
	console.log(`|${'---|'.repeat(titles.length)}`);
}

export function printRow(cells: ReadonlyArray<string | number>): void {
	console.log(`| ${cells.join(' | ')} |`);
}

export function median(values: number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const upper = sorted[middle] ?? NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}
