import { packPackage } from '../n8n/packPackage';
import { chosenVersion, prepareN8n } from '../n8n/prepareN8n';
import { measureListings } from './listings';
import { measureMemory } from './memory';
import { measureRateLimit } from './rateLimit';
import { measureSpeed } from './speed';
import { startServiceProcess } from './startServiceProcess';
import { measureWebhooks } from './webhooks';

/**
 * `npm run bench [-- listings speed rate webhooks memory]`; `webhooks:lazy` and the like for one of
 * the ways n8n is started, `'listings:no latency'` for the cases with that in their names.
 * `VISITOR_SERVICE_PACKAGE` names a packed package to be measured in place of this one, such as
 * that of an earlier commit.
 */
async function main(): Promise<void> {
	const names = process.argv.slice(2);
	const wanted = (name: string) => names.length === 0 || names.includes(name);
	const partsOf = (name: string) =>
		names.filter((one) => one.startsWith(`${name}:`)).map((one) => one.slice(name.length + 1));
	const hosts = partsOf('webhooks');
	const cases = partsOf('listings');
	const installation = await prepareN8n(chosenVersion(process.env), console.error);
	const tarball = process.env.VISITOR_SERVICE_PACKAGE ?? (await packPackage(console.error));
	const service = await startServiceProcess();
	const subject = { installation, tarball, service };
	try {
		console.log(`n8n ${installation.version}, Node.js of the bench ${process.version}\n`);
		if (wanted('listings') || cases.length > 0) {
			await measureListings(subject, cases);
		}
		if (wanted('speed')) await measureSpeed(subject);
		if (wanted('rate')) await measureRateLimit(subject);
		if (wanted('webhooks') || hosts.length > 0) {
			await measureWebhooks(subject, hosts);
		}
		if (wanted('memory')) await measureMemory(subject);
	} finally {
		await service.stop();
	}
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});
