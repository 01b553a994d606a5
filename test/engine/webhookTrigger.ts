import { createHmac } from 'node:crypto';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { VisitorServiceTrigger } from '../../nodes/VisitorService/VisitorServiceTrigger.node';
import { CredentialStore } from './harness/credentialStore';
import type { WebhookTest } from './harness/webhookContext';
import type { Delivery } from './harness/webhookRequest';

const TYPE = 'n8n-nodes-visitor-service.visitorServiceTrigger';
export const SECRET = 'synthetic-webhook-secret';
export const event = { event: 'visit.created', id: 'evt-000001', data: { visitor: 'User 000001' } };
export const body = JSON.stringify(event);

let workflows = 0;

/** A workflow of its own with the webhook trigger; `null`: without a credential. */
export function trigger(
	parameters: INodeParameters = {},
	credential: IDataObject | null = { webhookSecret: SECRET },
): WebhookTest {
	const credentials = new CredentialStore(new VisitorServiceApi());
	const used = credential === null ? undefined : credentials.add(credential as never);
	workflows += 1;
	return {
		id: `workflow-${workflows}`,
		nodeTypes: { [TYPE]: new VisitorServiceTrigger() },
		nodes: [{ type: TYPE, parameters, credentials: used }],
		credentials,
	};
}

export function sign(raw: string | Buffer, secret = SECRET): string {
	return createHmac('sha256', secret).update(raw).digest('hex');
}

/** A delivery that the trigger verifies as it comes. */
export function signed(raw: string | Buffer = body, headers: Delivery['headers'] = {}): Delivery {
	return {
		body: raw,
		headers: { 'Content-Type': 'application/json', 'X-Signature': sign(raw), ...headers },
	};
}
