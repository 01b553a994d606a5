import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { listUsersWorkflow } from '../demo/showWorkflows';
import { newOwner, type Owner, signIn, visitorServiceCredential } from '../n8n/n8nClient';
import type { N8nInstallation } from '../n8n/prepareN8n';
import { startN8n } from '../n8n/startN8n';
import { type ReferenceService, startReferenceService } from '../reference-service';
import { watchPackage } from './watchPackage';

const PACKAGE = 'n8n-nodes-visitor-service';
const USERS = 250;

const RELOAD = /Hot reload triggered|File watching for hot reload is unavailable/;
const PROBE_MS = 500;

export interface DevelopmentOptions {
	/** The folder that holds package.json, the sources and node_modules. */
	sources: string;
	installation: N8nInstallation;
	/** Whether a debugger can attach to n8n. */
	inspect?: boolean | undefined;
	/** Gets what the compiler prints, and n8n after it started. */
	onOutput: (text: string) => void;
	/** Gives up, also while something starts. */
	signal?: AbortSignal;
}

export interface Development {
	/** Of the editor. */
	url: string;
	owner: Owner;
	service: ReferenceService;
	workflowName: string;
	/** Stops all that was started, and removes its data. */
	stop: () => Promise<void>;
}

/**
 * Starts n8n with the package as it is in the sources. n8n reloads the nodes after each change of
 * one.
 *
 * The package is built to where n8n keeps community nodes, instead of being linked: n8n watches
 * that folder only, not the repository with all of its dependencies, and the types of the nodes
 * have the names that saved workflows have. n8n's own tool (`n8n-node dev`) links, which gives them
 * others.
 */
export async function startDevelopment(options: DevelopmentOptions): Promise<Development> {
	// n8n finds the modules to forget by their path, in which Node.js has followed all links.
	const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'visitor-service-dev-')));
	const started = [async () => await rm(folder, { recursive: true, force: true, maxRetries: 5 })];
	const stop = async () => {
		for (const end of started.reverse()) await end();
	};
	try {
		const installed = path.join(folder, '.n8n', 'nodes', 'node_modules', PACKAGE);
		const { sources, onOutput } = options;
		started.push(await watchPackage({ sources, folder: installed, onOutput }));
		options.signal?.throwIfAborted();
		const service = await startReferenceService();
		started.push(async () => await service.stop());
		await service.seed('users', USERS);
		let hasStarted = false;
		const n8n = await startN8n({
			installation: options.installation,
			userFolder: folder,
			nodeArguments: options.inspect === true ? ['--inspect', '--enable-source-maps'] : [],
			environment: { N8N_DEV_RELOAD: 'true' },
			onOutput: (text) => {
				if (hasStarted) onOutput(text);
			},
			...(options.signal && { signal: options.signal }),
		});
		started.push(async () => await n8n.stop());
		const owner = newOwner();
		const client = await signIn(n8n.url, owner);
		const webhookSecret = randomBytes(32).toString('hex');
		const credential = await client.createCredential(
			visitorServiceCredential(service, { webhookSecret }),
		);
		const workflow = listUsersWorkflow(credential);
		await client.createWorkflow(workflow);
		await client.close();
		while (!RELOAD.test(n8n.log())) {
			// n8n does not say when it has begun to watch, some seconds after it is ready.
			await cp(path.join(sources, 'package.json'), path.join(installed, 'package.json'));
			await delay(PROBE_MS, undefined, options.signal && { signal: options.signal });
		}
		hasStarted = true;
		return { url: n8n.url, owner, service, workflowName: workflow.name, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
