import { randomUUID } from 'node:crypto';
import { type CredentialReference, chainedWorkflow, type Workflow } from '../n8n/workflow';

export const LIST_TRIGGER = 'When clicking Execute workflow';
export const LIST_NODE = 'List Users';
export const WEBHOOK_NODE = 'Visitor Service Trigger';

/** Lists all users with the auto-paginate switch. */
export function listUsersWorkflow(credential: CredentialReference): Workflow {
	return chainedWorkflow('Visitor Service: list all users', [
		{ name: LIST_TRIGGER, type: 'n8n-nodes-base.manualTrigger' },
		{
			name: LIST_NODE,
			type: 'n8n-nodes-visitor-service.visitorService',
			parameters: { resource: 'user', operation: 'list', returnAll: true },
			credentials: { visitorServiceApi: credential },
		},
	]);
}

/** Starts with a webhook that is signed with HMAC-SHA256 over its body, the trigger's default. */
export function signedWebhookWorkflow(credential: CredentialReference): Workflow {
	return chainedWorkflow('Visitor Service: signed webhook', [
		{
			name: WEBHOOK_NODE,
			type: 'n8n-nodes-visitor-service.visitorServiceTrigger',
			parameters: { authentication: 'hmac', signatureHeader: 'X-Signature' },
			credentials: { visitorServiceApi: credential },
			webhookId: randomUUID(),
		},
		{ name: 'What came', type: 'n8n-nodes-base.noOp' },
	]);
}
