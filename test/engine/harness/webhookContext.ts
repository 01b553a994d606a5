import './engineSettings';

import { WebhookContext } from 'n8n-core';
import type {
	IWebhookData,
	IWorkflowExecuteAdditionalData,
	Workflow,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import type { CredentialStore } from './credentialStore';
import type { RecordedResponse } from './recordedResponse';
import type { WebhookRequest } from './webhookRequest';
import { buildWorkflow, type TestWorkflow } from './workflow';

export interface WebhookTest extends TestWorkflow {
	credentials?: CredentialStore;
	mode?: WorkflowExecuteMode;
	/** True for the address the editor listens on while testing. */
	isTest?: boolean;
	overrides?: Partial<IWorkflowExecuteAdditionalData>;
}

export interface WebhookCall {
	context: WebhookContext;
	workflow: Workflow;
	/** Gives the context the request of one delivery and the response to answer it with. */
	serve(request: WebhookRequest, response: RecordedResponse): void;
}

/** The context in which n8n calls `webhook` of the first node. */
export function webhookContext(test: WebhookTest): WebhookCall {
	const workflow = buildWorkflow({ active: true, ...test });
	const node = Object.values(workflow.nodes)[0];
	if (node === undefined) throw new Error('A webhook needs a node.');
	const { description } = workflow.nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
	const webhookDescription = description.webhooks?.[0];
	if (webhookDescription === undefined) throw new Error(`"${node.type}" has no webhook.`);
	const data = additionalData(test.credentials, test.overrides);
	const webhookData: IWebhookData = {
		httpMethod: 'POST',
		node: node.name,
		path: 'webhook',
		webhookDescription,
		workflowId: workflow.id,
		workflowExecuteAdditionalData: data,
		isTest: test.isTest ?? false,
	};
	return {
		context: new WebhookContext(
			workflow,
			node,
			data,
			test.mode ?? 'webhook',
			webhookData,
			[],
			null,
		),
		workflow,
		// The express types are not installed; n8n only passes these two on to the node.
		serve: (request, response) =>
			Object.assign(data, { httpRequest: request, httpResponse: response }),
	};
}
