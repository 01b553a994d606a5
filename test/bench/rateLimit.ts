import type { N8nInstallation } from '../n8n/prepareN8n';
import { chainedWorkflow } from '../n8n/workflow';
import { withN8n } from './bench';
import { READ_NODE, visitorServiceChain } from './listingWorkflows';
import type { ServiceProcess } from './startServiceProcess';

const RATE = 20;
const PAGES = 400;

/** A service that allows 20 requests a second: how much of that is used, and how many answers are refusals. */
export async function measureRateLimit(
	installation: N8nInstallation,
	tarball: string,
	service: ServiceProcess,
): Promise<void> {
	console.log(`A service that allows ${RATE} requests a second, ${PAGES} pages, concurrency 16\n`);
	console.log('| limiter | seconds | share of the rate used | answers that are 429 | targets |');
	console.log('|---|---|---|---|---|');
	await withN8n(installation, tarball, service, async ({ client, visitorService }) => {
		for (const limiter of [
			{ name: 'token bucket, burst 20', burst: 20, algorithm: 'bucket' as const },
			{ name: 'token bucket, burst 1', burst: 1, algorithm: 'bucket' as const },
			{ name: 'window of a second', burst: 20, algorithm: 'window' as const },
		]) {
			const { name, burst, algorithm } = limiter;
			await service.control.resetSwitches();
			await service.control.seed('users', PAGES * 10);
			await service.control.set({
				recording: 'counts',
				list: { latencyMs: 20, rateLimit: { requestsPerSecond: RATE, burst, algorithm } },
			});
			await service.control.clearRequests();
			const workflow = await client.createWorkflow(
				chainedWorkflow(
					'Rate limit',
					visitorServiceChain(visitorService, { pageSize: 10, concurrency: 16, maxRetries: 10 }),
				),
			);
			const execution = await client.runWorkflow(workflow, 'Start', 600_000);
			if (execution.error !== null) throw new Error(execution.error.message);
			const { byPath } = await service.control.summary();
			const byStatus = byPath['/api/external/v2/users'] ?? {};
			const accepted = byStatus['200'] ?? 0;
			const refused = byStatus['429'] ?? 0;
			const seconds = (execution.nodes[READ_NODE]?.[0]?.executionTime ?? NaN) / 1000;
			const used = accepted / seconds / RATE;
			const share = refused / (accepted + refused);
			const reached = used >= 0.9 && share <= 0.05;
			console.log(
				`| ${name} | ${seconds.toFixed(1)} | ${(used * 100).toFixed(0)} % | ${(share * 100).toFixed(1)} % | ≥ 90 %, ≤ 5 %: ${reached ? 'reached' : 'missed'} |`,
			);
		}
	});
	console.log('');
}
