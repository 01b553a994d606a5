import { packPackage } from '../n8n/packPackage';
import { chosenVersion, type N8nInstallation, prepareN8n } from '../n8n/prepareN8n';
import { measureQueue } from '../queue/bench/queue';
import { measureListings } from './listings';
import { measureMemory } from './memory';
import { measureRateLimit } from './rateLimit';
import { startServiceProcess } from './startServiceProcess';
import { measureTokens } from './tokens';
import { measureFlood } from './webhookFlood';
import { measureWebhooks } from './webhooks';

/**
 * `npm run bench [-- listings rate tokens webhooks flood memory queue]`; `webhooks:lazy` and the like for one of the ways
 * n8n is started. `queue` needs Redis and PostgreSQL, and is run only if named. `VISITOR_SERVICE_PACKAGE` names a packed
 * package to be measured in place of this one, such as that of an earlier commit.
 */
async function main(): Promise<void> {
	const asked = process.argv.slice(2);
	const wanted = (name: string) => asked.length === 0 || asked.includes(name);
	const hosts = asked.flatMap((name) => /^webhooks:(.+)/.exec(name)?.[1] ?? []);
	const installation: N8nInstallation = await prepareN8n(chosenVersion(process.env), console.error);
	const tarball = process.env.VISITOR_SERVICE_PACKAGE ?? (await packPackage(console.error));
	const service = await startServiceProcess();
	try {
		console.log(`n8n ${installation.version}, Node.js of the bench ${process.version}\n`);
		if (wanted('listings')) await measureListings(installation, tarball, service);
		if (wanted('rate')) await measureRateLimit(installation, tarball, service);
		if (wanted('tokens')) await measureTokens(installation, tarball, service);
		if (wanted('webhooks') || hosts.length > 0) {
			await measureWebhooks(installation, tarball, service, hosts);
		}
		if (wanted('flood')) await measureFlood(installation, tarball, service);
		if (wanted('memory')) await measureMemory(installation, tarball, service);
		if (asked.includes('queue')) await measureQueue(service);
	} finally {
		await service.stop();
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
