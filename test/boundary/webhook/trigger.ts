import { createHmac } from 'node:crypto';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { MemoryHost } from '../../host/memoryHost';
import { PublishedWorkflow } from '../../host/publishedWorkflow';
import type { Delivery } from '../../host/webhookRequest';

export const SECRET = 'synthetic-webhook-secret';
/** When deliveries come, unless a test lets time pass: the time of the Standard Webhooks vector. */
export const RECEIVED_AT = 1_614_265_330_000;
export const OWN_URL = 'https://n8n.example.test/webhook/1/webhook';

export interface Request extends Omit<Delivery, 'headers' | 'query'> {
	headers?: Record<string, string | string[] | undefined>;
	query?: Record<string, unknown>;
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
	/** That of the node; 0 if n8n responds, because the workflow was started. */
	statusCode: number;
	response: unknown;
	headers: Record<string, string>;
	items: Item[];
}

/** A published webhook trigger in the host in memory. */
export class Trigger {
	readonly host: MemoryHost;
	readonly workflow: PublishedWorkflow;

	constructor(parameters: object = {}, credential: IDataObject = { webhookSecret: SECRET }) {
		this.host = new MemoryHost({ startsAt: RECEIVED_AT, timezone: 'Europe/Berlin' });
		this.host.credentials.put('one', credential as never);
		this.workflow = new PublishedWorkflow(this.host, [
			{ node: 'webhook', webhookId: '1', parameters: parameters as INodeParameters },
		]);
	}

	get log(): string[] {
		return this.host.log.map(({ level, message }) => `${level}: ${message}`);
	}

	/** @throws what keeps the workflow from being published @returns the warnings */
	async publish(): Promise<string[]> {
		await this.workflow.publish();
		return this.log;
	}

	/**
	 * Delivers, and responds as n8n does once the execution exists.
	 *
	 * @param mode `manual`: to the Test URL
	 * @throws what the node throws after it has responded
	 */
	async deliver(request: Request, mode: 'webhook' | 'manual' = 'webhook'): Promise<Outcome> {
		const sent = Object.entries(request.headers ?? {}).filter(([, value]) => value !== undefined);
		const delivery = { ip: '192.0.2.10', ...request, headers: Object.fromEntries(sent) };
		const reception = await this.workflow.deliver(delivery as Delivery, 0, mode);
		// What the trigger does once the sender has its response.
		await new Promise(setImmediate);
		const { statusCode, body, headers, items } = reception;
		return {
			statusCode: items === undefined ? statusCode : 0,
			response: body,
			headers,
			items: (items ?? []) as unknown as Item[],
		};
	}
}

/** Signature Format Custom, with the headers that the signed content names. */
export const customRules = (signedContent: string) => ({
	signatureFormat: 'custom',
	signedContent,
	timestampHeader: signedContent.includes('{timestamp') ? 'X-Time' : '',
	idHeader: signedContent.includes('{id}') ? 'X-Id' : '',
});

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
