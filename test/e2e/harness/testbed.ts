import type { Execution } from '../../n8n/execution';
import {
	type N8nClient,
	type StoredWorkflow,
	signIn,
	visitorServiceCredential,
} from '../../n8n/n8nClient';
import { packPackage } from '../../n8n/packPackage';
import { chosenVersion, prepareN8n } from '../../n8n/prepareN8n';
import { type RunningN8n, startN8n } from '../../n8n/startN8n';
import {
	type CredentialReference,
	chainedWorkflow,
	type NewNode,
	ownNode,
	START,
} from '../../n8n/workflow';
import {
	type Receiver,
	type ReferenceService,
	type ReferenceServiceOptions,
	startReferenceService,
	type WebhookEvent,
} from '../../reference-service';
import { SHARED_N8N_URL } from './startSharedN8n';

export const LIST_NODE = 'List';

interface Opened {
	n8n: N8nClient;
	n8nUrl: string;
	service: ReferenceService;
	/** Ends with the testbed. */
	ownN8n?: RunningN8n;
}

/**
 * A reference service of its own and a session at an n8n: what a test file works with, from before
 * its first test until after its last one.
 */
export class Testbed {
	private opened?: Opened;

	private readonly workflows: string[] = [];

	private readonly credentials: string[] = [];

	private constructor(open: () => Promise<Opened>) {
		beforeAll(async () => {
			this.opened = await open();
		});
		afterAll(async () => await this.close());
	}

	/** At the n8n of all test files. */
	static shared(options: ReferenceServiceOptions = {}): Testbed {
		return new Testbed(async () => {
			const n8nUrl = process.env[SHARED_N8N_URL];
			if (n8nUrl === undefined) throw new Error('Run the end-to-end tests by `npm test -- e2e`.');
			const n8n = await signIn(n8nUrl);
			return { n8n, n8nUrl, service: await startReferenceService(options) };
		});
	}

	/** At an n8n of its own: one to restart, or to set up in another way. */
	static withOwnN8n(environment: Record<string, string> = {}): Testbed {
		return new Testbed(async () => {
			const installation = await prepareN8n(chosenVersion(process.env), console.log);
			const ownN8n = await startN8n({ installation, tarball: await packPackage(), environment });
			const service = await startReferenceService();
			return { n8n: await signIn(ownN8n.url), n8nUrl: ownN8n.url, service, ownN8n };
		});
	}

	private get open(): Opened {
		if (this.opened === undefined) throw new Error('No test runs yet.');
		return this.opened;
	}

	get n8n(): N8nClient {
		return this.open.n8n;
	}

	get n8nUrl(): string {
		return this.open.n8nUrl;
	}

	get service(): ReferenceService {
		return this.open.service;
	}

	get ownN8n(): RunningN8n {
		if (this.open.ownN8n === undefined) throw new Error('This n8n is that of all test files.');
		return this.open.ownN8n;
	}

	private async close(): Promise<void> {
		if (this.opened === undefined) return;
		for (const id of this.workflows) await this.n8n.deleteWorkflow(id);
		for (const id of this.credentials) await this.n8n.deleteCredential(id);
		await this.n8n.close();
		await this.service.stop();
		await this.opened.ownN8n?.stop();
	}

	async createCredential(changes: Record<string, unknown> = {}): Promise<CredentialReference> {
		const credential = visitorServiceCredential(this.service, changes);
		const created = await this.n8n.createCredential(credential);
		this.credentials.push(created.id);
		return created;
	}

	/** What the Test button says of a credential with these fields. */
	async testCredential(changes: Record<string, unknown> = {}) {
		const { id } = await this.createCredential(changes);
		const credential = visitorServiceCredential(this.service, changes);
		return await this.n8n.testCredential(id, credential);
	}

	/** Lets the service send a webhook. @returns the status of n8n */
	async deliver(
		receiver: Receiver,
		event: WebhookEvent = { event: 'visit.created', data: { id: 'visit-000001' } },
	): Promise<number | undefined> {
		const [delivery] = await this.service.webhooks.send(receiver, [event]);
		return delivery?.statuses[0];
	}

	async createWorkflow(
		chain: NewNode[],
		settings: Record<string, unknown> = {},
	): Promise<StoredWorkflow> {
		const workflow = await this.n8n.createWorkflow(chainedWorkflow('Test', chain, settings));
		this.workflows.push(workflow.id);
		return workflow;
	}

	/** Runs the action node once, with these parameters, for one input item. */
	async list(
		credential: CredentialReference,
		parameters: Record<string, unknown> = {},
		node: Partial<NewNode> = {},
	): Promise<Execution> {
		const listed = { resource: 'user', operation: 'list' };
		const workflow = await this.createWorkflow([
			START,
			{ ...ownNode('action', LIST_NODE, credential, { ...listed, ...parameters }), ...node },
		]);
		return await this.n8n.runWorkflow(workflow, START.name);
	}
}
