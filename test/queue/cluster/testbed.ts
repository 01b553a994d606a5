import { randomUUID } from 'node:crypto';
import type { StoredWorkflow } from '../../n8n/n8nClient';
import {
	type CredentialReference,
	chainedWorkflow,
	type NewNode,
	webhookUrl,
} from '../../n8n/workflow';
import type { Delivery, Receiver, ReferenceService, WebhookEvent } from '../../reference-service';
import type { QueueCluster } from './queueCluster';

export const WEBHOOK_NODE = 'Event';
export const LIST_NODE = 'List';

const WEBHOOK_SECRET = 'queue-webhook-secret';
/** None that the reference service announces by itself. */
export const EVENT_NAME = 'delivery.due';

/**
 * The service as far as it is needed here: the one in this process, or one in a process of its own.
 */
export interface VisitorServiceAddress {
	url: string;
	clientId: string;
	clientSecret: string;
}

/** A credential for the service, with the secret its deliveries are signed with. */
export async function createCredential(
	{ client }: QueueCluster,
	{ url, clientId, clientSecret }: VisitorServiceAddress,
): Promise<CredentialReference> {
	return await client.createCredential({
		name: 'Visitor Service',
		type: 'visitorServiceApi',
		data: { authUrl: url, baseUrl: url, clientId, clientSecret, webhookSecret: WEBHOOK_SECRET },
	});
}

/** An active workflow that starts with a signed webhook and goes on with `chain`. */
export async function activateWebhookWorkflow(
	{ client }: QueueCluster,
	credential: CredentialReference,
	chain: NewNode[],
	triggerParameters: Record<string, unknown> = {},
): Promise<StoredWorkflow> {
	const trigger: NewNode = {
		name: WEBHOOK_NODE,
		type: 'n8n-nodes-visitor-service.visitorServiceTrigger',
		parameters: { authentication: 'hmac', ...triggerParameters },
		credentials: { visitorServiceApi: credential },
		webhookId: randomUUID(),
	};
	const workflow = await client.createWorkflow(chainedWorkflow('Queue', [trigger, ...chain]));
	await client.activateWorkflow(workflow);
	return workflow;
}

export function listNode(
	credential: CredentialReference,
	options: Record<string, unknown> = {},
): NewNode {
	return {
		name: LIST_NODE,
		type: 'n8n-nodes-visitor-service.visitorService',
		parameters: { resource: 'user', operation: 'list', returnAll: true, options },
		credentials: { visitorServiceApi: credential },
	};
}

/** Who gets the events of this name. */
export function receiverOf(
	{ proxyUrl }: QueueCluster,
	workflow: StoredWorkflow,
	event = EVENT_NAME,
): Receiver {
	return {
		url: webhookUrl(proxyUrl, workflow, WEBHOOK_NODE),
		events: [event],
		secret: WEBHOOK_SECRET,
	};
}

/** Events numbered from `first`. */
export function numberedEvents(count: number, first = 1, event = EVENT_NAME): WebhookEvent[] {
	return Array.from({ length: count }, (_, index) => {
		const number = String(first + index).padStart(6, '0');
		return {
			id: `event-${number}`,
			event,
			data: { id: `user-${number}`, email: `user-${number}@example.test` },
		};
	});
}

/** Resolves after the first attempts. */
export async function emitAll(
	service: Pick<ReferenceService, 'emit'>,
	events: WebhookEvent[],
): Promise<Delivery[]> {
	return (await Promise.all(events.map(async (event) => await service.emit(event)))).flat();
}

export function eventIds(events: WebhookEvent[]): string[] {
	return events.map(({ id }) => id ?? '');
}
