import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { exampleWorkflow } from '../e2e/harness/exampleWorkflow';
import {
	type CredentialReference,
	chainedWorkflow,
	type NewNode,
	type Workflow,
} from '../n8n/workflow';

export const MANUAL_TRIGGER = 'When clicking Execute workflow';
export const LIST_NODE = 'List Users';
export const FIND_NODE = 'Find Visits of Today';
export const DIAGNOSE_NODE = 'Diagnose';
export const POLLING_NODE = 'User Changed';
export const WEBHOOK_NODE = 'Visitor Service Trigger';

const NODE = 'n8n-nodes-visitor-service.visitorService';
const EXAMPLES = path.resolve(__dirname, '..', '..', 'examples');

/** A workflow that is started by hand, with one node of the package. */
function startedByHand(
	name: string,
	node: Omit<NewNode, 'type'>,
	settings: Record<string, unknown> = {},
): Workflow {
	const trigger = { name: MANUAL_TRIGGER, type: 'n8n-nodes-base.manualTrigger' };
	return chainedWorkflow(name, [trigger, { type: NODE, ...node }], settings);
}

/** Lists all users with the auto-paginate switch. */
export function listUsersWorkflow(visitorServiceApi: CredentialReference): Workflow {
	return startedByHand('Visitor Service: list all users', {
		name: LIST_NODE,
		parameters: { resource: 'user', operation: 'list', returnAll: true },
		credentials: { visitorServiceApi },
	});
}

/** Finds the visits of today, by a day in UTC as the demo's visits are. */
export function findVisitsWorkflow(visitorServiceApi: CredentialReference): Workflow {
	return startedByHand(
		'Visitor Service: find the visits of today',
		{
			name: FIND_NODE,
			parameters: {
				resource: 'visit',
				operation: 'list',
				pathSegment: 'visits',
				returnAll: false,
				limit: 50,
				match: { conditions: [{ field: 'expectedAt', condition: 'isToday' }] },
			},
			credentials: { visitorServiceApi },
		},
		{ timezone: 'Etc/UTC' },
	);
}

/** Tries out what the service does, and says what to set. */
export function diagnoseWorkflow(visitorServiceApi: CredentialReference): Workflow {
	return startedByHand('Visitor Service: diagnose the connection', {
		name: DIAGNOSE_NODE,
		parameters: { resource: 'connection', operation: 'diagnose' },
		credentials: { visitorServiceApi },
	});
}

/** Starts when a user was created or changed. */
export function pollingWorkflow(visitorServiceApi: CredentialReference): Workflow {
	return chainedWorkflow('Visitor Service: when a user changes', [
		{
			name: POLLING_NODE,
			type: 'n8n-nodes-visitor-service.visitorServicePollingTrigger',
			parameters: { pollTimes: { item: [{ mode: 'everyMinute' }] } },
			credentials: { visitorServiceApi },
		},
		{ name: 'What came', type: 'n8n-nodes-base.noOp' },
	]);
}

/** Starts with a webhook that is signed with HMAC-SHA256 over its body, the trigger's default. */
export function signedWebhookWorkflow(visitorServiceApi: CredentialReference): Workflow {
	return chainedWorkflow('Visitor Service: signed webhook', [
		{
			name: WEBHOOK_NODE,
			type: 'n8n-nodes-visitor-service.visitorServiceTrigger',
			parameters: { authentication: 'hmac', signatureHeader: 'X-Signature' },
			credentials: { visitorServiceApi },
			webhookId: randomUUID(),
		},
		{ name: 'What came', type: 'n8n-nodes-base.noOp' },
	]);
}

/** Every example of the package, as it is after its import and the choice of the credential. */
export function exampleWorkflows(visitorService: CredentialReference): Workflow[] {
	return readdirSync(EXAMPLES)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => exampleWorkflow(path.basename(file, '.json'), { visitorService }));
}
