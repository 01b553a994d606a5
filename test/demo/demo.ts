import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { newOwner, signIn, visitorServiceCredential } from '../n8n/n8nClient';
import { packPackage } from '../n8n/packPackage';
import { chosenVersion, prepareN8n } from '../n8n/prepareN8n';
import { startN8n } from '../n8n/startN8n';
import { startReferenceService } from '../reference-service';
import { fillTenant } from './demoTenant';
import { EXIT_CODE_INTERRUPTED, interruption } from './interruption';
import { showWorkflows } from './showWorkflows';
import { step } from './steps';

/** What has to be undone at the end; the last one first. */
type CleanUp = Array<() => Promise<void>>;

/**
 * Shows the packed package at work in a real n8n. Returns the exit code: 0 when all of it worked.
 *
 * @param args `--once` ends it when everything has run
 */
export async function demo(args: string[]): Promise<number> {
	const { once } = parseArgs({ args, options: { once: { type: 'boolean' } } }).values;
	const interrupted = interruption();
	const giveUp = new AbortController();
	const cleanUp: CleanUp = [];
	let exitCode = 0;
	try {
		const shown = await Promise.race([show(cleanUp, giveUp.signal), interrupted]);
		if (shown === 'interrupted') {
			giveUp.abort();
			return EXIT_CODE_INTERRUPTED;
		}
		if (once !== true) {
			console.log(`\nEditor           ${shown.address}`);
			console.log(`Login            ${shown.owner.email}  ${shown.owner.password}`);
			console.log(`Visitor Service  ${shown.service.url}`);
			console.log('\nTo create a credential of your own, with that as both URLs:');
			console.log(`Client ID        ${shown.service.clientId}`);
			console.log(`Client Secret    ${shown.service.clientSecret}`);
			console.log(`\nn8n's log        ${shown.logFile}`);
			console.log('\nLog in, then open one of these and click Execute workflow:\n');
			for (const { does, url } of shown.links) console.log(`  ${does}\n    ${url}`);
			console.log('\nCtrl-C ends the demo.');
			await interrupted;
			console.log('\nStopping.');
		}
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		exitCode = 1;
	} finally {
		for (const undo of cleanUp.reverse()) await undo();
	}
	return exitCode;
}

async function show(cleanUp: CleanUp, signal: AbortSignal) {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-demo-'));
	cleanUp.push(async () => await rm(folder, { recursive: true, force: true, maxRetries: 5 }));

	const version = chosenVersion(process.env);
	const installation = await step(`n8n ${version}`, async (report) => ({
		value: await prepareN8n(version, report),
		detail: 'ready',
	}));

	const service = await step('Reference Visitor Service', async () => {
		const started = await startReferenceService();
		cleanUp.push(async () => await started.stop());
		return { value: started, detail: await fillTenant(started, Date.now()) };
	});

	const tarball = await step('Package', async (report) => {
		return { value: await packPackage(report), detail: 'built and packed' };
	});

	const logFile = path.join(folder, 'n8n.log');
	const n8n = await step('Start n8n with the package', async (report) => {
		report('the first start takes about 20 s');
		const userFolder = path.join(folder, 'n8n');
		await mkdir(userFolder);
		const environment = { N8N_LOG_OUTPUT: 'console,file', N8N_LOG_FILE_LOCATION: logFile };
		const started = await startN8n({ installation, tarball, userFolder, signal, environment });
		cleanUp.push(async () => await started.stop());
		return { value: started, detail: started.url };
	});

	const owner = newOwner();
	const client = await signIn(n8n.url, owner);
	cleanUp.push(async () => await client.close());

	const webhookSecret = randomBytes(32).toString('hex');
	const credential = await step('Credential, created and tested', async () => {
		const content = visitorServiceCredential(service, { webhookSecret });
		const created = await client.createCredential(content);
		const { passed, message } = await client.testCredential(created.id, content);
		if (!passed) throw new Error(`The credential test failed: ${message}`);
		return { value: created, detail: message };
	});

	const stage = { client, service, credential, webhookSecret, n8nUrl: n8n.url };
	const links = await showWorkflows(stage);
	return { address: n8n.url, owner, service, logFile, links };
}
