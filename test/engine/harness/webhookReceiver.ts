import './engineSettings';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { RecordedResponse } from './recordedResponse';
import { type WebhookCall, type WebhookTest, webhookContext } from './webhookContext';
import {
	type Delivery,
	HostAnswer,
	unreadRequest,
	type WebhookRequest,
	webhookRequest,
} from './webhookRequest';

export interface Answer {
	statusCode: number;
	body: unknown;
	/** Those the node set, with names in lower case. */
	headers?: Record<string, string>;
	/**
	 * Who answered: n8n before the node was asked, the node itself, or n8n after the node had
	 * returned.
	 */
	by: 'hostBefore' | 'node' | 'hostAfter';
}

/**
 * Takes deliveries as n8n 2.41.1 does (`webhooks/live-webhooks.js`, `webhooks/webhook-helpers.js`):
 * a workflow of its own for each, static data loaded before and saved after the execution exists,
 * and the answer only then.
 */
export class WebhookReceiver {
	/** The items of each execution, in the order they were started. */
	readonly executions: INodeExecutionData[][] = [];
	/** How often static data was saved. */
	saves = 0;
	staticData: IDataObject = {};
	/** Set to have the next executions fail before they exist, as if the database were away. */
	failing = false;
	/** Set to have the next senders hang up before n8n answers. */
	hangingUp = false;
	/** What making an execution takes, the database for one; other deliveries go on meanwhile. */
	making = async (): Promise<unknown> => await new Promise(setImmediate);
	/** Called with the context before the node is asked. */
	watch: ((context: WebhookCall['context']) => void) | undefined;
	/** Set to have the headers of the node in its answers. */
	keepsHeaders = false;
	/** Unset for content n8n hands over unread. */
	parsesBodies = true;
	private call: WebhookCall | undefined;

	/**
	 * @param oneByOne for deliveries that never overlap: one workflow serves them all, which is much
	 *   faster
	 */
	constructor(
		private readonly test: WebhookTest,
		private readonly oneByOne = false,
	) {}

	/** @throws Error if the node threw, or left the sender without an answer */
	async deliver(delivery: Delivery): Promise<Answer> {
		const { failing, hangingUp } = this;
		try {
			const request = this.parsesBodies ? await webhookRequest(delivery) : unreadRequest(delivery);
			return await this.ask(request, { failing, hangingUp });
		} catch (error) {
			if (!(error instanceof HostAnswer)) throw error;
			return { statusCode: error.statusCode, body: undefined, by: 'hostBefore' };
		}
	}

	private async ask(
		request: WebhookRequest,
		{ failing, hangingUp }: { failing: boolean; hangingUp: boolean },
	): Promise<Answer> {
		const response = new RecordedResponse();
		if (hangingUp) response.hangUp();
		const { context, workflow } = this.open(request, response);
		const node = context.getNode();
		const nodeType = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		if (nodeType.webhook === undefined) throw new Error(`"${node.type}" has no webhook().`);
		this.watch?.(context);
		const result = await nodeType.webhook.call(context);

		if (result.noWebhookResponse === true) {
			if (!response.headersSent) throw new Error('The sender was left without an answer.');
			this.save(workflow.staticData);
			// n8n starts an execution all the same if there are items.
			if (result.workflowData !== undefined) this.executions.push(result.workflowData[0] ?? []);
			const { statusCode, body, headers } = response;
			return { statusCode, body, by: 'node', ...(this.keepsHeaders && { headers }) };
		}
		if (result.workflowData !== undefined) {
			await this.making();
			if (failing) {
				response.status(500).json({ message: 'Internal server error' });
				return { statusCode: 500, body: response.body, by: 'hostAfter' };
			}
			this.executions.push(result.workflowData[0] ?? []);
		}
		this.save(workflow.staticData);
		const responseCode = workflow.expression.getSimpleParameterValue(
			node,
			nodeType.description.webhooks?.[0]?.responseCode,
			context.getMode(),
			{},
			undefined,
			200,
		);
		response.status(responseCode as number).json(undefined);
		return { statusCode: response.statusCode, body: response.body, by: 'hostAfter' };
	}

	private open(request: WebhookRequest, response: RecordedResponse): WebhookCall {
		const staticData = structuredClone(this.staticData);
		if (!this.oneByOne) this.call = undefined;
		this.call ??= webhookContext({ ...this.test, staticData });
		this.call.serve(request, response);
		return this.call;
	}

	private save(staticData: IDataObject): void {
		if (staticData.__dataChanged !== true) return;
		this.saves += 1;
		this.staticData = JSON.parse(JSON.stringify(staticData)) as IDataObject;
	}
}
