import {
	type IDataObject,
	type IHookFunctions,
	type INodeType,
	type INodeTypeDescription,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { testConnection } from './connectionTest';
import { webhookDescription } from './descriptions/webhookDescription';
import { webhookParameters } from './descriptions/webhookParameters';
import { findAddressProblem, findSettingsProblem } from './webhook/activationChecks';
import { exchangeOf, readDelivery } from './webhook/exchange';
import { processRepeats } from './webhook/processRepeats';
import { processSecretReadings } from './webhook/processSecretReadings';
import { receiveDelivery } from './webhook/receiveDelivery';
import type { Repeats } from './webhook/repeatMemory';
import { readSettings, type TriggerSettings } from './webhook/settings';
import { receiveOnceDecided, settleOnceAnswered } from './webhook/undecidedRepeats';

export class VisitorServiceTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Visitor Service Trigger',
		name: 'visitorServiceTrigger',
		icon: { light: 'file:visitorService.svg', dark: 'file:visitorService.dark.svg' },
		group: ['trigger'],
		version: [1, 1.1],
		defaultVersion: 1.1,
		subtitle: '={{ $parameter["events"] || "all events" }}',
		description: 'Starts the workflow when the service sends a webhook',
		defaults: { name: 'Visitor Service Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'visitorServiceApi',
				required: true,
				testedBy: 'testConnection',
				displayOptions: { show: { authentication: ['header', 'hmac', 'standardWebhooks'] } },
			},
		],
		webhooks: [webhookDescription],
		eventTriggerDescription: 'Waiting for the service to deliver an event to the Test URL',
		activationMessage:
			'Your workflow now starts with each event the service delivers to the Production URL of the trigger.',
		triggerPanel: {
			header: 'Receive an event from the service',
			executionsHelp: {
				inactive:
					'<b>While building</b>, click "Execute step": the editor listens until an event is delivered to the Test URL, and shows it here.<br /><br /><b>Once you are done</b>, publish the workflow, give the Production URL to the operator of the service, and have an event delivered there too: only then the Production URL answers.<br /><br />If the URL starts with http://localhost, the service cannot reach it: set the environment variable WEBHOOK_URL of n8n to the address under which it is reached from outside, and start n8n again.',
				active:
					'<b>The Production URL answers</b> while the workflow is published; its executions are in the list of executions, not here.<br /><br /><b>While building</b>, click "Execute step": the editor listens until an event is delivered to the Test URL, and shows it here.<br /><br />If the URL starts with http://localhost, the service cannot reach it: set the environment variable WEBHOOK_URL of n8n to the address under which it is reached from outside, and start n8n again.',
			},
			activationHint: {
				inactive:
					'The Production URL answers once the workflow is published, the Test URL while the editor listens.',
				active:
					'Events delivered to the Production URL start the workflow, but do not show up here.',
			},
		},
		hints: [
			{
				message:
					'Deliveries are not verified: everybody who knows the URL can start this workflow. Choose an authentication.',
				type: 'warning',
				location: 'ndv',
				whenToDisplay: 'always',
				displayCondition: '={{ $parameter["authentication"] === "none" }}',
			},
		],
		properties: webhookParameters,
	};

	methods = { credentialTest: { testConnection } };

	webhookMethods = {
		default: {
			// The operator of the service registers the address by hand, so nothing can be looked up or removed.
			// Saying no makes n8n call `create`, which checks the settings at each activation.
			checkExists: () => Promise.resolve(false),

			async create(this: IHookFunctions): Promise<boolean> {
				const settings = settingsOf(this);
				const problem = findSettingsProblem(settings, await secretsOf(this, settings));
				if (problem !== undefined) throw new NodeOperationError(this.getNode(), problem);
				// n8n has no warning at activation that does not fail it; the panel of the node says the same.
				const warning = findAddressProblem(this.getNodeWebhookUrl('default'));
				if (warning !== undefined) this.logger.warn(warning);
				return true;
			},

			delete: () => Promise.resolve(true),
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		const { request, response } = exchangeOf(this.getRequestObject(), this.getResponseObject());
		const answer = (statusCode: number, message: string): IWebhookResponseData => {
			response.status(statusCode).json({ message });
			return { noWebhookResponse: true };
		};
		try {
			const delivery = await readDelivery(request, Date.now());
			if ('statusCode' in delivery) return answer(delivery.statusCode, delivery.message);
			const settings = settingsOf(this);
			const secrets = await sharedSecretsOf(this, settings);
			const repeats = openRepeats(this, settings);
			const isFirst = repeats && ((key: string) => repeats.isFirst(key));
			const receive = () => receiveDelivery(delivery, settings, secrets, isFirst);
			const outcome = repeats ? await receiveOnceDecided(repeats, receive) : receive();
			switch (outcome?.kind) {
				case undefined:
					return answer(503, 'Service Unavailable');
				case 'refused':
					this.logger.info(`A webhook delivery was refused: ${outcome.reason}.`);
					return answer(outcome.statusCode, outcome.message);
				case 'leftOut':
					return answer(200, outcome.message);
				case 'passedOn':
					if (repeats !== undefined) {
						void settleOnceAnswered(repeats, response);
						// n8n saves this once the execution exists, and sees assignments only.
						this.getWorkflowStaticData('node').repeats = repeats.toStore();
					}
					return {
						workflowData: [outcome.events.map((event) => ({ json: { ...event } as IDataObject }))],
					};
			}
		} catch (error) {
			// Nothing a sender does leads here. What it cannot help, such as a credential that cannot be read, it is to
			// try again; and throwing would store a failed execution for each try.
			this.logger.error('A webhook delivery could not be handled.', { error });
			return answer(503, 'Service Unavailable');
		}
	}
}

function settingsOf(context: IHookFunctions | IWebhookFunctions): TriggerSettings {
	return readSettings((name, missing) => context.getNodeParameter(name, missing));
}

async function secretsOf(
	context: IHookFunctions | IWebhookFunctions,
	{ authentication }: TriggerSettings,
): Promise<string[]> {
	if (authentication.kind === 'none') return [];
	if (context.getNode().credentials?.visitorServiceApi === undefined) return [];
	const { webhookSecret, previousWebhookSecret } =
		await context.getCredentials('visitorServiceApi');
	return [webhookSecret, previousWebhookSecret].filter((secret) => typeof secret === 'string');
}

/** Reads the secrets once for deliveries that come together: each reading of a credential costs n8n an isolate. */
async function sharedSecretsOf(
	context: IWebhookFunctions,
	settings: TriggerSettings,
): Promise<string[]> {
	if (settings.authentication.kind === 'none') return [];
	const { id, credentials } = context.getNode();
	const reader = [
		context.getWorkflow().id,
		id,
		credentials?.visitorServiceApi?.id,
		context.getMode(),
	];
	const read = () => secretsOf(context, settings);
	return await processSecretReadings.read(JSON.stringify(reader), read);
}

/** @returns undefined where repeats are passed on, as they are while testing: the same event is sent again then */
function openRepeats(
	context: IWebhookFunctions,
	{ ignoreRepeats }: TriggerSettings,
): Repeats | undefined {
	if (!ignoreRepeats || context.getMode() === 'manual') return undefined;
	const trigger = `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
	return processRepeats.open(trigger, context.getWorkflowStaticData('node').repeats);
}
