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
const START_NODE = 'Start';

/** A reference service of its own and a session at the shared n8n: what a test file works with. */
export class Testbed {
	private constructor(
		readonly n8n: N8nClient,
		readonly n8nUrl: string,
		readonly service: ReferenceService,
		private readonly own?: RunningN8n,
	) {}

	private readonly workflows: string[] = [];

	private readonly credentials: string[] = [];

	static async open(options: ReferenceServiceOptions = {}): Promise<Testbed> {
		const url = process.env[SHARED_N8N_URL];
		if (url === undefined) throw new Error('Run the end-to-end tests by `npm test -- e2e`.');
		return new Testbed(await signIn(url), url, await startReferenceService(options));
	}

	/** With an n8n of its own, which ends with it: one to restart, or to set up in another way. */
	static async withOwnN8n(
		environment: Record<string, string> = {},
	): Promise<{ testbed: Testbed; n8n: RunningN8n }> {
		const installation = await prepareN8n(chosenVersion(process.env), console.log);
		const n8n = await startN8n({ installation, tarball: await packPackage(), environment });
		const service = await startReferenceService();
		return { testbed: new Testbed(await signIn(n8n.url), n8n.url, service, n8n), n8n };
	}

	async close(): Promise<void> {
		for (const id of this.workflows) await this.n8n.deleteWorkflow(id);
		for (const id of this.credentials) await this.n8n.deleteCredential(id);
		await this.n8n.close();
		await this.service.stop();
		await this.own?.stop();
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
			{ name: START_NODE, type: 'n8n-nodes-base.manualTrigger' },
			{ ...ownNode('action', LIST_NODE, credential, { ...listed, ...parameters }), ...node },
		]);
		return await this.n8n.runWorkflow(workflow, START_NODE);
	}
}
