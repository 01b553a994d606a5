import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Owner, signIn } from '../n8n/n8nClient';
import { packPackage } from '../n8n/packPackage';
import { prepareN8n } from '../n8n/prepareN8n';
import { startN8n } from '../n8n/startN8n';
import { startReferenceService } from '../reference-service';
import { fillTenant } from './demoTenant';
import { N8N_USAGE, readOptions } from './n8nOptions';
import { type Link, showWorkflows } from './showWorkflows';
import { type Report, step } from './steps';

const USAGE = `npm run demo [-- options]

Shows the package at work in a real n8n, next to a Visitor Service of its own.

  --once           end when everything has run; the exit code says whether it worked
  --keep           leave n8n's data behind and say where it is
${N8N_USAGE}`;

const readDemoOptions = async (commandLine: string[]) =>
	await readOptions(commandLine, USAGE, ['once', 'keep']);

type DemoOptions = Awaited<ReturnType<typeof readDemoOptions>>;

/** As shells report a program that Ctrl-C has ended: 128 + SIGINT. */
const EXIT_CODE_INTERRUPTED = 130;

/** What has to be undone at the end; the last one first. */
type CleanUp = Array<() => Promise<void>>;

interface Shown {
	address: string;
	owner: Owner;
	serviceAddress: string;
	links: Link[];
}

/**
 * Shows the packed package at work in a real n8n. Returns the exit code: 0 when all of it worked.
 *
 * @param commandLine the arguments, see USAGE
 */
export async function demo(commandLine: string[]): Promise<number> {
	const options = await readDemoOptions(commandLine);
	if (options.help) {
		console.log(USAGE);
		return 0;
	}
	const interrupted = new Promise<'interrupted'>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			process.on(signal, () => {
				resolve('interrupted');
			});
		}
	});
	const giveUp = new AbortController();
	const cleanUp: CleanUp = [];
	let exitCode = 0;
	try {
		const shown = await Promise.race([show(options, cleanUp, giveUp.signal), interrupted]);
		if (shown === 'interrupted') {
			giveUp.abort();
			return EXIT_CODE_INTERRUPTED;
		}
		if (!options.once) {
			console.log(`\nEditor           ${shown.address}`);
			console.log(`Login            ${shown.owner.email}  ${shown.owner.password}`);
			console.log(`Visitor Service  ${shown.serviceAddress}`);
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

async function show(options: DemoOptions, cleanUp: CleanUp, signal: AbortSignal): Promise<Shown> {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-demo-'));
	cleanUp.push(async () => {
		if (options.keep) console.log(`The data is in ${folder}`);
		else await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});

	// Meanwhile, because it takes another processor, and n8n is downloaded by the network. Its step
	// shows how it ends.
	let reportPacking: Report = () => {};
	const packing = packPackage((progress) => {
		reportPacking(progress);
	});
	packing.catch(() => {});

	const installation = await step(`n8n ${options.n8n}`, async (report) => ({
		value: await prepareN8n(options.n8n, report),
		detail: 'ready',
	}));

	const service = await step('Reference Visitor Service', async () => {
		const started = await startReferenceService();
		cleanUp.push(async () => {
			await started.stop();
		});
		return { value: started, detail: await fillTenant(started, Date.now()) };
	});

	const tarball = await step('Package', async (report) => {
		reportPacking = report;
		return { value: await packing, detail: 'built and packed' };
	});

	const n8n = await step('Start n8n with the package', async (report) => {
		report('the first start takes about 20 s');
		const userFolder = path.join(folder, 'n8n');
		await mkdir(userFolder);
		const started = await startN8n({
			installation,
			tarball,
			userFolder,
			port: options.port,
			signal,
		});
		cleanUp.push(async () => {
			await started.stop();
		});
		return { value: started, detail: started.url };
	});

	// Whoever else uses this machine may reach the editor, too.
	const owner: Owner = {
		email: 'owner@example.test',
		password: `Demo-${randomBytes(9).toString('base64url')}1`,
	};
	const client = await signIn(n8n.url, owner);
	cleanUp.push(async () => {
		await client.close();
	});

	const webhookSecret = randomBytes(32).toString('hex');
	const credential = await step('Credential, created and tested', async () => {
		const content = {
			name: 'Visitor Service',
			type: 'visitorServiceApi',
			data: {
				authUrl: service.url,
				baseUrl: service.url,
				clientId: service.clientId,
				clientSecret: service.clientSecret,
				webhookSecret,
			},
		};
		const created = await client.createCredential(content);
		const { passed, message } = await client.testCredential(created.id, content);
		if (!passed) throw new Error(`The credential test failed: ${message}`);
		return { value: created, detail: message };
	});

	const links = await showWorkflows({
		client,
		service,
		credential,
		webhookSecret,
		n8nUrl: n8n.url,
	});
	return { address: n8n.url, owner, serviceAddress: service.url, links };
}
