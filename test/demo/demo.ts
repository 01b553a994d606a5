import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { request } from 'undici';
import { itemsOf } from '../n8n/execution';
import { isPortFree } from '../n8n/freePorts';
import { type Owner, signIn } from '../n8n/n8nClient';
import { packPackage } from '../n8n/packPackage';
import { prepareN8n } from '../n8n/prepareN8n';
import { startN8n } from '../n8n/startN8n';
import { webhookUrl } from '../n8n/workflow';
import { startReferenceService } from '../reference-service';
import { type DemoOptions, readDemoOptions, USAGE } from './demoOptions';
import {
	LIST_NODE,
	LIST_TRIGGER,
	listUsersWorkflow,
	signedWebhookWorkflow,
	WEBHOOK_NODE,
} from './exampleWorkflows';
import { Steps } from './steps';
import { stepTable } from './stepTable';

const USERS = 2_600;
/** As shells report a program that Ctrl-C has ended: 128 + SIGINT. */
const EXIT_CODE_INTERRUPTED = 130;
/** ECMA-48 private mode 25, DECTCEM. */
const SHOW_CURSOR = '\u001B[?25h';

/** What has to be undone at the end; the last one first. */
type CleanUp = Array<() => Promise<void>>;

interface Shown {
	address: string;
	owner: Owner;
	serviceAddress: string;
}

/**
 * Shows the packed package at work in a real n8n. Returns the exit code: 0 when all of it worked.
 *
 * @param commandLine the arguments, see USAGE
 */
export async function demo(commandLine: string[]): Promise<number> {
	const options = readDemoOptions(commandLine, process.env);
	if (options.help) {
		console.log(USAGE);
		return 0;
	}
	const interrupted = new Promise<'interrupted'>((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM'] as const) {
			// Not `once`: a progress display that finds itself alone with the signal ends the process.
			process.on(signal, () => {
				resolve('interrupted');
			});
		}
	});
	const giveUp = new AbortController();
	const steps = new Steps();
	const cleanUp: CleanUp = [];
	let exitCode = 0;
	try {
		const shown = await Promise.race([show(options, steps, cleanUp, giveUp.signal), interrupted]);
		if (shown === 'interrupted') {
			giveUp.abort();
			// The progress display, which hides it, ends with the process.
			if (process.stdout.isTTY) process.stdout.write(SHOW_CURSOR);
			return EXIT_CODE_INTERRUPTED;
		}
		console.log(`\n${stepTable(steps.results)}\n`);
		if (!options.once) {
			console.log(`Editor           ${shown.address}`);
			console.log(`Login            ${shown.owner.email}  ${shown.owner.password}`);
			console.log(`Visitor Service  ${shown.serviceAddress}`);
			console.log('\nCtrl-C ends the demo.');
			await interrupted;
			console.log('\nStopping.');
		}
	} catch (error) {
		if (steps.results.length > 0) console.error(`\n${stepTable(steps.results)}\n`);
		console.error(error instanceof Error ? error.message : error);
		exitCode = 1;
	} finally {
		for (const undo of cleanUp.reverse()) await undo();
	}
	return exitCode;
}

async function show(
	options: DemoOptions,
	steps: Steps,
	cleanUp: CleanUp,
	signal: AbortSignal,
): Promise<Shown> {
	if (options.port !== undefined && !(await isPortFree(options.port))) {
		throw new Error(
			`Port ${options.port} is taken. Give another one with --port, or none to get a free one.`,
		);
	}
	const installation = await steps.run(`n8n ${options.n8n}`, async (report) => ({
		value: await prepareN8n(options.n8n, report),
		detail: 'ready',
	}));
	const tarball = await steps.run('Package', async (report) => {
		const packed = await packPackage(report);
		return { value: packed, detail: 'built and packed' };
	});

	const folder = await mkdtemp(path.join(os.tmpdir(), 'visitor-service-demo-'));
	cleanUp.push(async () => {
		if (options.keep) console.log(`The data is in ${folder}`);
		else await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	});

	const service = await steps.run('Reference Visitor Service', async () => {
		const started = await startReferenceService({ dataFolder: path.join(folder, 'service') });
		cleanUp.push(async () => {
			await started.stop();
		});
		await started.seed('users', USERS);
		return { value: started, detail: `${started.url}, ${started.count('users')} users` };
	});

	const n8n = await steps.run('Start n8n with the package', async (report) => {
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
	const credential = await steps.run('Credential, created and tested', async () => {
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

	await steps.run('List Users with Return All', async () => {
		const workflow = await client.createWorkflow(listUsersWorkflow(credential));
		service.clearRequests();
		const execution = await client.runWorkflow(workflow, LIST_TRIGGER);
		if (execution.error) throw new Error(`The listing failed: ${execution.error.message}`);
		const ids = itemsOf(execution, LIST_NODE).map((item) => String(item.id));
		const different = new Set(ids).size;
		if (ids.length !== USERS || different !== USERS) {
			throw new Error(
				`${ids.length} items with ${different} different ids came instead of ${USERS} users.`,
			);
		}
		return {
			value: undefined,
			detail: `${ids.length} items, ${ids[0]} to ${ids.at(-1)}, each once, in ${service.requests.length} requests`,
		};
	});

	const webhook = await steps.run('Signed webhook through the trigger', async () => {
		const workflow = await client.createWorkflow(signedWebhookWorkflow(credential));
		await client.activateWorkflow(workflow);
		const address = webhookUrl(n8n.url, workflow, WEBHOOK_NODE);
		await service.receivers.add({
			url: address,
			signing: { scheme: 'hmac', secret: webhookSecret },
		});
		const [delivery] = await service.emit({ event: 'user.updated', data: { id: 'user-000123' } });
		const status = delivery?.attempts[0]?.statuses[0];
		if (status !== 200) {
			throw new Error(`n8n answered ${status ?? 'nothing'} to a signed webhook instead of 200.`);
		}
		const [started] = await client.waitForExecutions(workflow.id, 1);
		if (!started) throw new Error('The webhook started no execution.');
		const execution = await client.waitForExecution(started.id);
		const [item] = itemsOf(execution, WEBHOOK_NODE);
		if (execution.status !== 'success' || item?.event !== 'user.updated') {
			throw new Error(
				`The execution ended with "${execution.status}" and the event ${JSON.stringify(item?.event)}.`,
			);
		}
		return {
			value: { address, workflowId: workflow.id },
			detail: `200, execution ${execution.id}, event ${item.event}`,
		};
	});

	await steps.run('Forged webhook without a signature', async () => {
		const { statusCode, body } = await request(webhook.address, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ event: 'user.deleted', data: { id: 'user-000123' } }),
		});
		await body.dump();
		const executions = await client.listExecutions({ workflowId: webhook.workflowId });
		if (statusCode !== 401 || executions.length !== 1) {
			throw new Error(
				`n8n answered ${statusCode} to a forged webhook, and ${executions.length - 1} executions started.`,
			);
		}
		return { value: undefined, detail: '401, nothing executed' };
	});

	return { address: n8n.url, owner, serviceAddress: service.url };
}
