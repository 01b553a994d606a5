import { createHmac } from 'node:crypto';
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { webhookParameters } from '../../../nodes/VisitorService/descriptions/webhookParameters';
import { VisitorServiceTrigger } from '../../../nodes/VisitorService/VisitorServiceTrigger.node';

export const SECRET = 'synthetic-webhook-secret';
/** When deliveries come, unless a test says otherwise: the time of the Standard Webhooks vector. */
export const RECEIVED_AT = 1_614_265_330_000;
export const OWN_URL = 'https://n8n.example.test/webhook/1/webhook';

export interface Request {
	body?: string | Buffer;
	method?: string;
	/** Names in lower case, as node:http writes them. */
	headers?: Record<string, string | string[] | undefined>;
	/** The query as it is written, with its question mark. */
	search?: string;
	query?: Record<string, unknown>;
	ip?: string;
}

export interface Item {
	event: string | null;
	id: string | number | null;
	receivedAt: string;
	body: unknown;
	headers: Record<string, string | string[]>;
	query: Record<string, unknown>;
}

export interface Outcome {
	/** That of the node; 0 if n8n answers, because the workflow was started. */
	statusCode: number;
	answer: unknown;
	headers: Record<string, string>;
	items: Item[];
}

let workflows = 0;

/** The webhook trigger as n8n calls it, in memory. */
export class Trigger {
	readonly log: string[] = [];
	readonly url: string;
	private readonly staticData: IDataObject = {};
	private readonly workflowId = `workflow-${++workflows}`;
	private readonly node = new VisitorServiceTrigger();

	constructor(
		private readonly parameters: Record<string, unknown> = {},
		private readonly credential: IDataObject | undefined = { webhookSecret: SECRET },
		{ url = OWN_URL } = {},
	) {
		this.url = url;
	}

	/** @throws what keeps the workflow from being published @returns the warnings */
	async publish(): Promise<string[]> {
		this.log.length = 0;
		await this.node.webhookMethods.default.create.call(this.context() as IHookFunctions);
		return [...this.log];
	}

	/**
	 * Delivers, and answers as n8n does once the execution exists.
	 *
	 * @param mode `manual`: to the Test URL
	 * @throws what the node throws after it has answered, with the status in front
	 */
	async deliver(request: Request, mode: 'webhook' | 'manual' = 'webhook'): Promise<Outcome> {
		const response = new Response();
		const { method = 'POST', headers = {}, search = '', ip = '192.0.2.10' } = request;
		const given = {
			method,
			headers,
			query: request.query ?? Object.fromEntries(new URLSearchParams(search)),
			originalUrl: `/webhook/1/webhook${search}`,
			ip,
			rawBody: Buffer.from(request.body ?? ''),
		};
		const context = this.context(given, response, mode) as IWebhookFunctions;
		const result = await this.node.webhook.call(context).catch((error: unknown) => {
			throw new Error(`${response.statusCode} ${(error as Error).message}`);
		});
		const items = (result.workflowData?.[0] ?? []).map(({ json }) => json as unknown as Item);
		const { statusCode, answer, sent } = response;
		if (result.noWebhookResponse !== true) response.status(200).end();
		// What the trigger does once the sender has its answer.
		await new Promise(setImmediate);
		return { statusCode, answer, headers: sent, items };
	}

	private context(request?: object, response?: Response, mode = 'webhook'): unknown {
		const say = (level: string) => (message: string) => this.log.push(`${level}: ${message}`);
		const credentials =
			this.credential === undefined ? undefined : { visitorServiceApi: { id: '1', name: 'one' } };
		return {
			getNode: () => ({ id: 'trigger', name: 'Trigger', credentials }),
			getWorkflow: () => ({ id: this.workflowId }),
			getMode: () => mode,
			getTimezone: () => 'Europe/Berlin',
			getNodeParameter: (name: string, missing: unknown) => {
				const { default: usual } = webhookParameters.find((one) => one.name === name) ?? {};
				return this.parameters[name] ?? usual ?? missing;
			},
			getNodeWebhookUrl: () => this.url,
			getWorkflowStaticData: () => this.staticData,
			getCredentials: () => Promise.resolve(this.credential),
			getRequestObject: () => request,
			getResponseObject: () => response,
			logger: { info: say('info'), warn: say('warn'), error: say('error') },
		};
	}
}

class Response {
	statusCode = 0;
	answer: unknown;
	readonly sent: Record<string, string> = {};
	writableEnded = false;
	closed = false;
	private readonly listeners: Array<() => void> = [];

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	json(value: unknown): void {
		this.end(value);
	}

	end(value: unknown = ''): void {
		this.answer = value;
		this.writableEnded = true;
		this.closed = true;
		for (const listener of this.listeners.splice(0)) listener();
	}

	setHeader(name: string, value: string): void {
		this.sent[name.toLowerCase()] = value;
	}

	once(_: 'close', listener: () => void): void {
		this.listeners.push(listener);
	}
}

export function sign(content: string | Buffer, secret: string | Buffer = SECRET): string {
	return createHmac('sha256', secret).update(content).digest('hex');
}

/** A delivery that the trigger verifies as it comes. */
export function signed(body: string | Buffer, headers: Request['headers'] = {}): Request {
	return {
		body,
		headers: { 'content-type': 'application/json', 'x-signature': sign(body), ...headers },
	};
}
