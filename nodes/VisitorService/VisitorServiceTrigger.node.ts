import {
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { webhookDescription } from './descriptions/webhookDescription';
import { webhookParameters } from './descriptions/webhookParameters';
import { testConnection } from './operations/editor';
import { checkActivation, receiveWebhook } from './operations/webhook';
import { AUTHENTICATIONS } from './webhook/authentication';

const TO_TEST =
	'<b>To test</b>, click "Execute step" and let the service send an event to the Test URL. The event is shown here.';
const WHEN_DONE =
	'<b>When you are done</b>, publish the workflow and give the Production URL to <a href="https://github.com/n8n-nodes-visitor-service/n8n-nodes-visitor-service/blob/main/docs/service-provider.md#to-receive-webhooks" target="_blank">your service provider</a>.';
const IF_PUBLISHED =
	'<b>The workflow is published.</b> It starts on each event at the Production URL. Find these events under Executions.';
const IF_LOCAL =
	'If the URL starts with http://localhost or http://127.0.0.1, the service cannot reach it. Ask the administrator of n8n to set N8N_WEBHOOK_URL (WEBHOOK_URL in older versions) to its public URL.';

const WITH_SECRET = AUTHENTICATIONS.filter((kind) => kind !== 'none').sort();

/** Joins sentences to the HTML that the editor shows. */
function paragraphs(...all: readonly string[]): string {
	return all.join('<br /><br />');
}

export class VisitorServiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Visitor Service Trigger',
		name: 'visitorServiceTrigger',
		icon: { light: 'file:visitorService.svg', dark: 'file:visitorService.dark.svg' },
		group: ['trigger'],
		// Not 1: for a trigger of version 1 n8n (1.123 to 2.41) parses every body, and evaluates an
		// expression of its own.
		version: 1.1,
		subtitle: '={{ $parameter["events"] || "all events" }}',
		// n8n also shows this for the action node, because their names differ only by "Trigger".
		description:
			'List users, companies, visits and tasks, or start a workflow when something changes',
		defaults: { name: 'Visitor Service Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'visitorServiceApi',
				required: true,
				testedBy: 'testConnection',
				displayOptions: { show: { authentication: WITH_SECRET } },
			},
		],
		webhooks: [webhookDescription],
		eventTriggerDescription: 'Waiting for an event at the Test URL',
		activationMessage:
			'Your workflow now starts on each event the service sends to the Production URL of the trigger.',
		triggerPanel: {
			header: 'Start on events of the service',
			executionsHelp: {
				inactive: paragraphs(TO_TEST, WHEN_DONE, IF_LOCAL),
				active: paragraphs(IF_PUBLISHED, TO_TEST, IF_LOCAL),
			},
			activationHint: {
				inactive:
					'The Production URL works only while the workflow is published. The Test URL works only while the editor listens.',
				active: 'Events at the Production URL start the workflow. Find them under Executions.',
			},
		},
		properties: webhookParameters,
	};

	methods = { credentialTest: { testConnection } };

	webhookMethods = {
		default: {
			// The service provider registers the URL by hand, so nothing can be looked up or removed.
			// False makes n8n call `create`, which checks the settings at each activation.
			checkExists: () => Promise.resolve(false),

			async create(this: IHookFunctions): Promise<boolean> {
				await checkActivation(this);
				return true;
			},

			delete: () => Promise.resolve(true),
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receiveWebhook(this);
	}
}
