import type {
	IDataObject,
	IHookFunctions,
	INode,
	IPollFunctions,
	IWebhookFunctions,
	NodeApiError,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { contextOf } from './context';
import { type MemoryHost, NODES, type NodeSettings } from './memoryHost';
import { RecordedResponse } from './recordedResponse';
import { type Delivery, webhookRequest } from './webhookRequest';

/**
 * How n8n keeps the place of a polling trigger: as static data that live as long as the process; as
 * durable cursors; or as static data which its scheduler reads anew for each poll.
 */
export type HostKind = 'process' | 'durable' | 'scheduler';

/** Milliseconds of one poll, as n8n tells a trigger (2.41.1). */
export const BUDGET: Record<HostKind, number> = {
	process: 300_000,
	durable: 45_000,
	scheduler: 45_000,
};

/** A trigger of the workflow as one process holds it, with static data of its own. */
interface Trigger {
	workflow: Workflow;
	node: INode;
	wasPolled: boolean;
	/** How many polls began: with durable cursors only the latest holds the job (2.41.1). */
	begun: number;
}

/** What one poll gave. */
export interface PollResult {
	items: IDataObject[];
	error?: NodeApiError;
	/** What n8n shows of the error, with its description. */
	failure?: string;
	/** Whether n8n stored the place. */
	isStored: boolean;
}

export interface Reception {
	statusCode: number;
	body: unknown;
	headers: Record<string, string>;
	/** The items of the execution it started; undefined if it started none. */
	items?: IDataObject[];
}

/**
 * A published workflow with triggers, polled and called as n8n 2.41.1 does it. Its process may end.
 */
export class PublishedWorkflow {
	/** The static data in the database of n8n, which are saved as a whole. */
	stored = '{}';

	/** Those of polling triggers, by the ID of the node. */
	private readonly cursors = new Map<string, string>();

	/** The triggers that this process has polled, by their place. */
	private readonly held = new Map<number, Trigger>();

	private process = 0;

	/** Whether senders hang up before n8n responds. */
	hangsUp = false;

	/** What it takes to make an execution, while other deliveries go on; it fails if this does. */
	making: () => Promise<void> = async () => await Promise.resolve();

	constructor(
		readonly host: MemoryHost,
		/** As they are saved: a process that goes on still has them as they were. */
		public nodes: NodeSettings[],
		public kind: HostKind = 'process',
	) {}

	/**
	 * Publishes, or publishes again with changed nodes. @returns what the polls at that returned
	 * @throws what fails the publishing
	 */
	async publish(nodes = this.nodes): Promise<IDataObject[]> {
		this.nodes = nodes;
		this.held.clear();
		const received: IDataObject[] = [];
		for (const [index, { node }] of nodes.entries()) {
			if (node === 'webhook') await this.register(index);
			else received.push(...(await this.poll(index)));
		}
		return received;
	}

	/** Another process goes on with what is stored, however the one before has ended; or this one. */
	restart(process = this.process + 1): void {
		this.process = process;
		this.held.clear();
	}

	/** Lets n8n poll a trigger. @returns what it started with @throws what the node throws */
	async poll(index = 0): Promise<IDataObject[]> {
		const { error, items } = await this.tryPoll(index);
		if (error) throw error;
		return items;
	}

	/** @param dies after the items started the workflow, and before anything is stored */
	async tryPoll(index = 0, dies = false): Promise<PollResult> {
		if (this.kind === 'scheduler') this.held.clear();
		const trigger = this.held.get(index) ?? this.open(index);
		this.held.set(index, trigger);
		const turn = ++trigger.begun;
		const { id } = trigger.node;
		const cursor = JSON.parse(this.cursors.get(id) ?? '{}') as IDataObject;
		const result: PollResult = await this.callPoll(trigger, cursor).then(
			(items = []) => ({ items, isStored: !dies && this.isSaved(trigger, items) }),
			(thrown: unknown) => {
				const error = thrown as NodeApiError;
				const failure = `${error.message} ${error.description ?? ''}`.trim();
				return { items: [], error, failure, isStored: false };
			},
		);
		if (this.kind === 'durable' && turn !== trigger.begun) return { items: [], isStored: false };
		if (result.isStored) {
			this.stored = JSON.stringify(trigger.workflow.staticData);
			this.cursors.set(id, JSON.stringify(cursor));
		}
		// If the poll at publishing fails, nothing is published, and the next one is at publishing.
		trigger.wasPolled ||= !result.error;
		if (dies) this.restart();
		return result;
	}

	/** Puts something where the first trigger stores its place, as another version would have. */
	store(index: IDataObject): void {
		this.stored = JSON.stringify({ [`node:${this.open(0).node.name}`]: index });
	}

	/** What a test event of the first trigger shows in the editor; undefined = nothing came. */
	async fetchTestEvent(): Promise<IDataObject[] | undefined> {
		return await this.callPoll(this.open(0));
	}

	/** One webhook request to the Production URL, or to the Test URL (`manual`). */
	async deliver(
		delivery: Delivery,
		index = 0,
		mode: 'webhook' | 'manual' = 'webhook',
	): Promise<Reception> {
		// Static data are loaded anew for each delivery (`webhooks/live-webhooks.js`).
		const trigger = this.open(index);
		const request = webhookRequest(delivery);
		const response = new RecordedResponse(mode === 'manual');
		const { making } = this;
		if (this.hangsUp) response.hangUp();
		const methods = String(this.declared(trigger, 'httpMethod')).split(',');
		if (!methods.includes(request.method)) return { statusCode: 404, body: {}, headers: {} };
		const context = {
			...this.contextOf(trigger, mode),
			getRequestObject: () => request,
			getResponseObject: () => response,
		} as unknown as IWebhookFunctions;
		const call = this.host.during(async () => await NODES.webhook.webhook.call(context));
		const result = await call.catch((error: unknown) => {
			// n8n sends the status 500 instead.
			throw response.closed ? error : new Error('It came before the response.', { cause: error });
		});
		const [items] = result.workflowData ?? [];
		const isMade =
			items === undefined ||
			(await making().then(
				() => true,
				() => false,
			));
		if (!isMade) response.status(500).json({ message: 'Internal server error' });
		else if (result.noWebhookResponse !== true) {
			response.status(this.declared(trigger, 'responseCode') as number).json(undefined);
		} else if (!response.headersSent) throw new Error('The sender was left without a response.');
		if (isMade) this.saveIfChanged(trigger);
		const { statusCode, body, headers } = response;
		const started = isMade && items ? { items: items.map(({ json }) => json) } : {};
		return { statusCode, body, headers, ...started };
	}

	/** By the expression of the webhook, as n8n 1.123 does it. */
	private declared({ workflow, node }: Trigger, field: 'httpMethod' | 'responseCode'): unknown {
		const { expression } = workflow;
		const template = NODES.webhook.description.webhooks?.[0]?.[field];
		return expression.getSimpleParameterValue(node, template, 'webhook', {});
	}

	private async register(index: number): Promise<void> {
		const trigger = this.open(index);
		const context = this.contextOf(trigger, 'trigger') as unknown as IHookFunctions;
		const methods = NODES.webhook.webhookMethods.default;
		await this.host.during(async () => await methods.create.call(context));
		this.saveIfChanged(trigger);
	}

	/** n8n saves with the items of a poll, and after the one at publishing. */
	private isSaved({ wasPolled }: Trigger, items: readonly IDataObject[]): boolean {
		return items.length > 0 || this.kind === 'durable' || (this.kind === 'process' && !wasPolled);
	}

	/** @param cursor where a durable one is kept; a test event has none */
	private async callPoll(
		trigger: Trigger,
		cursor?: IDataObject,
	): Promise<IDataObject[] | undefined> {
		const { host, kind } = this;
		const context = this.contextOf(trigger, cursor ? 'trigger' : 'manual');
		const { getWorkflowStaticData } = context;
		const polled = {
			...context,
			...(cursor && { getPollBudgetMs: () => BUDGET[kind] }),
			getWorkflowStaticData: (type: string) =>
				cursor && kind === 'durable' && type === 'node' ? cursor : getWorkflowStaticData(type),
		} as unknown as IPollFunctions;
		const output = await host.during(async () => await NODES.polling.poll.call(polled));
		// n8n would start the workflow with nothing.
		if (output?.[0]?.length === 0) throw new Error('A poll without items returns null.');
		return output?.[0]?.map(({ json }) => json);
	}

	private contextOf({ workflow, node }: Trigger, mode: WorkflowExecuteMode) {
		return contextOf(this.host, { workflow, node, mode });
	}

	private open(index: number): Trigger {
		const { workflow } = this.host.workflow(this.nodes, {
			// What a process remembers of a workflow ends with it.
			id: `workflow of ${this.host.url} in process ${this.process}`,
			staticData: JSON.parse(this.stored) as IDataObject,
			active: true,
		});
		const node = Object.values(workflow.nodes)[index];
		if (node === undefined) throw new Error(`There is no trigger ${index}.`);
		return { workflow, node, wasPolled: false, begun: 0 };
	}

	private saveIfChanged({ workflow }: Trigger): void {
		if (workflow.staticData.__dataChanged === true)
			this.stored = JSON.stringify(workflow.staticData);
	}
}
