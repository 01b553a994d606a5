import { type N8nClient, signIn } from '../n8n/n8nClient';
import type { RunningN8n } from '../n8n/startN8n';
import { type CredentialReference, chainedWorkflow } from '../n8n/workflow';
import { type Subject, withN8n } from './bench';
import { visitorServiceChain } from './listingWorkflows';
import type { ServiceProcess } from './startServiceProcess';

const TOKEN_PATH = '/auth/app-oauth';
const PARALLEL = 50;

interface TokenBench {
	service: ServiceProcess;
	n8n: RunningN8n;
	client: N8nClient;
	credential: CredentialReference;
}

interface Figures {
	requests: number;
	exchanges: number;
	unauthorized: number;
	credentialReads: number;
}

/**
 * Token requests and 401s as the service saw them, and reads of the credential as n8n's database
 * log shows them.
 */
export async function measureTokens(subject: Subject): Promise<void> {
	const { service } = subject;
	console.log('Tokens: what the service saw\n');
	console.log('| case | list requests | token requests | 401s | credential reads |');
	console.log('|---|---|---|---|---|');
	await service.control.resetSwitches();
	await service.control.seed('users', 1_000);
	await withN8n(
		subject,
		async ({ n8n, client, visitorService }) => {
			const bench: TokenBench = { service, n8n, client, credential: visitorService };
			await print('50 parallel executions, no token yet', bench, () => listInParallel(bench));
			await service.control.revokeTokens();
			await print('50 parallel executions, token revoked', bench, () => listInParallel(bench));
			await print('a listing of 1 page', bench, () => list(bench, 1_000));
			await print('a listing of 1,000 pages', bench, () => list(bench, 1));

			await service.control.set({ token: { lifetimeSeconds: 2 } });
			await service.control.revokeTokens();
			await list(bench, 1_000);
			await untilExpired(service);
			await n8n.restart();
			bench.client = await signIn(n8n.url);
			await print('a fresh process, stored token expired', bench, () => list(bench, 1_000));

			// 1,000 pages, 5 in flight, 95 ms each: about 20 seconds, 10 lifetimes.
			await service.control.set({ list: { latencyMs: 95 } });
			await print('1,000 pages over 20 s, lifetime 2 s', bench, () => list(bench, 1));
			await bench.client.close();
		},
		{ DB_LOGGING_ENABLED: 'true', DB_LOGGING_OPTIONS: 'query' },
	);
	await service.control.resetSwitches();
	console.log('');
}

async function print(name: string, bench: TokenBench, run: () => Promise<void>): Promise<void> {
	const { requests, exchanges, unauthorized, credentialReads } = await figuresOf(bench, run);
	console.log(`| ${name} | ${requests} | ${exchanges} | ${unauthorized} | ${credentialReads} |`);
}

async function figuresOf({ service, n8n }: TokenBench, run: () => Promise<void>): Promise<Figures> {
	await service.control.clearRequests();
	const before = n8n.log().length;
	await run();
	const logged = n8n.log().slice(before);
	const { byPath } = await service.control.summary();
	const lists = byPath['/api/external/v2/users'] ?? {};
	const sum = (counts: Record<string, number>) =>
		Object.values(counts).reduce((total, count) => total + count, 0);
	return {
		requests: sum(lists),
		exchanges: sum(byPath[TOKEN_PATH] ?? {}),
		unauthorized: lists['401'] ?? 0,
		credentialReads: [...logged.matchAll(/SELECT [^;\n]*"credentials_entity"/g)].length,
	};
}

async function list({ client, credential }: TokenBench, pageSize: number): Promise<void> {
	const workflow = await client.createWorkflow(
		chainedWorkflow('Tokens', visitorServiceChain(credential, { pageSize })),
	);
	const { error } = await client.runWorkflow(workflow, 'Start', 600_000);
	if (error !== null) throw new Error(error.message);
	await client.deleteWorkflow(workflow.id);
}

async function listInParallel(bench: TokenBench): Promise<void> {
	await Promise.all(Array.from({ length: PARALLEL }, async () => await list(bench, 1_000)));
}

/** Waits until the token stored last has run out at the service. */
async function untilExpired(service: ServiceProcess): Promise<void> {
	await service.control.expireTokens();
	await new Promise((resolve) => setTimeout(resolve, 2_000));
}
