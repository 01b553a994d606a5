import { type StoredWorkflow, visitorServiceCredential } from '../../n8n/n8nClient';
import {
	type CredentialReference,
	chainedWorkflow,
	type NewNode,
	ownNode,
	webhookUrl,
} from '../../n8n/workflow';
import type { Receiver } from '../../reference-service';
import type { QueueCluster } from './queueCluster';

export const WEBHOOK_NODE = 'Event';
export const LIST_NODE = 'List';

const WEBHOOK_SECRET = 'queue-webhook-secret';
/** A credential for the service, with the secret its deliveries are signed with. */
export async function createCredential(
	{ client }: QueueCluster,
	service: Parameters<typeof visitorServiceCredential>[0],
): Promise<CredentialReference> {
	const more = { webhookSecret: WEBHOOK_SECRET };
	return await client.createCredential(visitorServiceCredential(service, more));
}

/** An active workflow that starts with a signed webhook and goes on with `chain`. */
export async function activateWebhookWorkflow(
	{ client }: QueueCluster,
	credential: CredentialReference,
	chain: NewNode[],
): Promise<StoredWorkflow> {
	const trigger = ownNode('webhook', WEBHOOK_NODE, credential, { authentication: 'hmac' });
	const workflow = await client.createWorkflow(chainedWorkflow('Queue', [trigger, ...chain]));
	await client.activateWorkflow(workflow);
	return workflow;
}

export function listNode(
	credential: CredentialReference,
	options: Record<string, unknown> = {},
): NewNode {
	const all = { resource: 'user', operation: 'list', returnAll: true };
	return ownNode('action', LIST_NODE, credential, { ...all, options });
}

/** How deliveries are sent to a workflow. */
export function receiverOf({ proxyUrl }: QueueCluster, workflow: StoredWorkflow): Receiver {
	return { url: webhookUrl(proxyUrl, workflow, WEBHOOK_NODE), secret: WEBHOOK_SECRET };
}

/** Events numbered from `first`. */
export function numberedEvents(count: number, first: number) {
	return Array.from({ length: count }, (_, index) => {
		const number = String(first + index).padStart(6, '0');
		return { id: `event-${number}`, event: 'delivery.due', data: { id: `user-${number}` } };
	});
}
