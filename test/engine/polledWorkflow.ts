import './harness/engineSettings';

import type { PollContext } from 'n8n-core';
import type {
	IDataObject,
	INodeCredentials,
	INodeParameters,
	INodeType,
	Workflow,
} from 'n8n-workflow';

import type { CredentialStore } from './harness/credentialStore';
import { pollContext } from './harness/pollContext';

export const POLLING_NODE = 'n8n-nodes-visitor-service.visitorServicePollingTrigger';

/** What a user may change of a published workflow. */
export interface PolledNode {
	name: string;
	parameters: INodeParameters;
	credentials: INodeCredentials;
}

export interface PollingHost {
	trigger: INodeType;
	store: CredentialStore;
	/** N8N_POLLER_DURABLE_CURSORS_ENABLED */
	durableCursors?: boolean;
	/** Milliseconds one poll of n8n's scheduler has; undefined = the polls are not scheduled. */
	budget?: number;
}

/** What the database of n8n holds. */
interface Database {
	staticData: string;
	cursor?: string;
}

interface Process {
	context: PollContext;
	workflow: Workflow;
	wasActivated: boolean;
}

/**
 * A published workflow with a polling trigger, polled and saved as n8n does it: static data lives
 * as long as the process, and is saved with the items of a poll and after the one at activation. Of
 * durable cursors each poll gets a copy, which is saved together with its items, or alone (n8n
 * 2.41.1, `trigger-execution-context.factory.js`).
 */
export class PolledWorkflow {
	private database: Database = { staticData: '{}' };

	private process?: Process;

	/** The copy of the durable cursor that the poll under way works on. */
	private snapshot: IDataObject = {};

	/** Counts the polls; of two at a time only the later one holds the lease. */
	private lease = 0;

	constructor(
		readonly host: PollingHost,
		private node: PolledNode,
	) {}

	/** Polls once. @returns what was emitted */
	async poll(): Promise<IDataObject[]> {
		this.process ??= { ...this.open('trigger'), wasActivated: false };
		const { process } = this;
		return this.host.durableCursors === true
			? await this.runDurable(process)
			: await this.runPlain(process);
	}

	/** The process ends, in whatever way, and another one goes on with what was saved. */
	restart(): void {
		this.process = undefined;
	}

	/** The workflow is changed, saved and published again. */
	publish(change: Partial<PolledNode> = {}): void {
		this.node = { ...this.node, ...change };
		this.restart();
	}

	/** What a test event in the editor shows. */
	async fetchTestEvent(): Promise<IDataObject[]> {
		const { context, workflow } = this.open('manual');
		const before = this.stored;
		const items = await this.callPoll(context);
		if (
			JSON.stringify(workflow.staticData) !== this.database.staticData ||
			this.stored !== before
		) {
			throw new Error('A test event changed the static data.');
		}
		return items;
	}

	/** All that is stored, and what the process holds of it. */
	get stored(): string {
		const { database, process } = this;
		return JSON.stringify([database, process?.workflow.staticData]);
	}

	private async runPlain(process: Process): Promise<IDataObject[]> {
		const items = await this.callPoll(process.context);
		// A scheduled poll gets what is stored, and stores nothing if it gives nothing
		// (`poll-trigger-task-handler.js`).
		const isScheduled = this.host.budget !== undefined;
		if (isScheduled) this.process = undefined;
		if (items.length > 0 || (!process.wasActivated && !isScheduled)) {
			this.database.staticData = JSON.stringify(process.workflow.staticData);
		}
		process.wasActivated = true;
		return items;
	}

	private async runDurable({ context, workflow }: Process): Promise<IDataObject[]> {
		const { database } = this;
		const lease = ++this.lease;
		const node = workflow.getNode(this.node.name) ?? undefined;
		// A first poll takes over what the static data of the node hold.
		database.cursor ??= JSON.stringify(workflow.getStaticData('node', node));
		const snapshot = JSON.parse(database.cursor) as IDataObject;
		this.snapshot = snapshot;
		const items = await this.callPoll(context);
		if (lease !== this.lease) return [];
		database.cursor = JSON.stringify(snapshot);
		return items;
	}

	private async callPoll(context: PollContext): Promise<IDataObject[]> {
		const output = await this.host.trigger.poll?.call(context);
		return (output?.[0] ?? []).map(({ json }) => json);
	}

	private open(mode: 'trigger' | 'manual') {
		const { budget, durableCursors, store, trigger } = this.host;
		return pollContext({
			nodeTypes: { [POLLING_NODE]: trigger },
			nodes: [{ type: POLLING_NODE, ...this.node }],
			staticData: JSON.parse(this.database.staticData) as IDataObject,
			credentials: store,
			mode,
			activation: mode === 'manual' ? 'manual' : 'activate',
			budget: budget === undefined ? undefined : () => budget,
			nodeStaticData:
				durableCursors === true && mode === 'trigger' ? () => this.snapshot : undefined,
		});
	}
}
