import type {
	IDataObject,
	IHookFunctions,
	INode,
	IPollFunctions,
	IWebhookFunctions,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { contextOf } from './context';
import { type MemoryHost, NODES, type NodeSettings } from './memoryHost';
import { RecordedResponse } from './recordedResponse';
import { type Delivery, webhookRequest } from './webhookRequest';

/** A trigger of the workflow as one process holds it. */
interface Trigger {
	workflow: Workflow;
	node: INode;
}

export interface Reception {
	statusCode: number;
	body: unknown;
	headers: Record<string, string>;
	/** The items of the execution it started; undefined if it started none. */
	items?: IDataObject[];
}

/**
 * A published workflow with triggers, polled and called as n8n 2.41.1 does it: each trigger has
 * static data of its own in the process, which are saved as a whole with the items of a poll, after
 * the poll at publishing, and after a delivery that changed them.
 */
export class PublishedWorkflow {
	/** What the database of n8n holds. */
	stored = '{}';

	private triggers?: Trigger[];

	/** Whether senders hang up before n8n answers. */
	hangsUp = false;

	/** What it takes to make an execution, while other deliveries go on; it fails if this does. */
	making: () => Promise<void> = async () => await Promise.resolve();

	constructor(
		readonly host: MemoryHost,
		private nodes: NodeSettings[],
	) {}

	/**
	 * Publishes, or publishes again with changed nodes. @returns what the polls at that returned
	 * @throws what fails the publishing
	 */
	async publish(nodes = this.nodes): Promise<IDataObject[]> {
		this.nodes = nodes;
		this.restart();
		const came: IDataObject[] = [];
		for (const place of this.opened().keys()) {
			if (this.kindOf(place) === 'webhook') await this.register(place);
			else {
				came.push(...(await this.callPoll(place, 'trigger')));
				this.save(place);
			}
		}
		return came;
	}

	/** Lets n8n poll the first trigger. @returns what it started with */
	async poll(): Promise<IDataObject[]> {
		const items = await this.callPoll(0, 'trigger');
		if (items.length > 0) this.save(0);
		return items;
	}

	/** The process ends, in whatever way, and another one goes on with what was saved. */
	restart(): void {
		this.triggers = undefined;
	}

	/** Puts something where the first trigger stores its place, as another version would have. */
	store(place: IDataObject): void {
		const name = Object.keys(this.open(0).workflow.nodes)[0] ?? '';
		this.stored = JSON.stringify({ [`node:${name}`]: place });
	}

	/** What a test event in the editor shows. */
	async fetchTestEvent(): Promise<IDataObject[]> {
		return await this.callPoll(0, 'manual');
	}

	/** One webhook request to the Production URL, or to the Test URL (`manual`). */
	async deliver(
		delivery: Delivery,
		place = 0,
		mode: 'webhook' | 'manual' = 'webhook',
	): Promise<Reception> {
		// Static data are loaded anew for each delivery (`webhooks/live-webhooks.js`).
		const trigger = this.open(place);
		const request = webhookRequest(delivery);
		const response = new RecordedResponse();
		const { making } = this;
		if (this.hangsUp) response.hangUp();
		const context = {
			...this.contextOf(trigger, mode),
			getRequestObject: () => request,
			getResponseObject: () => response,
		} as unknown as IWebhookFunctions;
		const result = await this.host.during(async () => await NODES.webhook.webhook.call(context));
		const [items] = result.workflowData ?? [];
		const isMade =
			items === undefined ||
			(await making().then(
				() => true,
				() => false,
			));
		if (!isMade) response.status(500).json({ message: 'Internal server error' });
		else if (result.noWebhookResponse !== true) {
			const responseCode = NODES.webhook.description.webhooks?.[0]?.responseCode;
			const code = trigger.workflow.expression.getSimpleParameterValue(
				trigger.node,
				responseCode,
				mode,
				{},
				undefined,
				200,
			);
			response.status(code as number).json(undefined);
		} else if (!response.headersSent) throw new Error('The sender was left without an answer.');
		if (isMade) this.saveIfChanged(trigger);
		const { statusCode, body, headers } = response;
		const started = isMade && items ? { items: items.map(({ json }) => json) } : {};
		return { statusCode, body, headers, ...started };
	}

	private async register(place: number): Promise<void> {
		const trigger = this.openedAt(place);
		const context = this.contextOf(trigger, 'trigger') as unknown as IHookFunctions;
		const methods = NODES.webhook.webhookMethods.default;
		await this.host.during(async () => await methods.create.call(context));
		this.saveIfChanged(trigger);
	}

	private async callPoll(place: number, mode: WorkflowExecuteMode): Promise<IDataObject[]> {
		const trigger = mode === 'manual' ? this.open(place) : this.openedAt(place);
		const context = this.contextOf(trigger, mode) as unknown as IPollFunctions;
		const output = await this.host.during(async () => await NODES.polling.poll.call(context));
		return (output?.[0] ?? []).map(({ json }) => json);
	}

	private contextOf({ workflow, node }: Trigger, mode: WorkflowExecuteMode) {
		return contextOf(this.host, { workflow, node, mode });
	}

	private kindOf(place: number): string {
		return this.nodes[place]?.node ?? '';
	}

	private opened(): Trigger[] {
		this.triggers ??= this.nodes.map((_, place) => this.open(place));
		return this.triggers;
	}

	private openedAt(place: number): Trigger {
		const trigger = this.opened()[place];
		if (trigger === undefined) throw new Error(`There is no trigger ${place}.`);
		return trigger;
	}

	private open(place: number): Trigger {
		const staticData = JSON.parse(this.stored) as IDataObject;
		const { workflow } = this.host.workflow(this.nodes, { staticData, active: true });
		const node = Object.values(workflow.nodes)[place];
		if (node === undefined) throw new Error(`There is no trigger ${place}.`);
		return { workflow, node };
	}

	private save(place: number): void {
		this.stored = JSON.stringify(this.openedAt(place).workflow.staticData);
	}

	private saveIfChanged({ workflow }: Trigger): void {
		if (workflow.staticData.__dataChanged === true)
			this.stored = JSON.stringify(workflow.staticData);
	}
}
