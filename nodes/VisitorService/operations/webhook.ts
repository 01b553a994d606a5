import {
	type IDataObject,
	type IHookFunctions,
	type INodeExecutionData,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeOperationError,
} from 'n8n-workflow';

import { readWebhookSecrets } from '../../../credentials/authorization/client';
import { failureOf } from '../failure/failureOf';
import {
	isWebhookRequest,
	isWebhookResponse,
	readRawBody,
	type WebhookRequest,
	type WebhookResponse,
} from '../webhook/delivery';
import {
	type DeliveryOutcome,
	receiveDelivery,
	refuseAtOnce,
	type TriggerSettings,
} from '../webhook/receive';
import { couldNotHandle, type NotPassedOn, refusedBodies } from '../webhook/refusals';
import { findSettingsProblem, findSettingsWarnings } from '../webhook/settingsProblem';
import type { VerificationAnswer } from '../webhook/verificationRequest';
import { CREDENTIAL, clock } from './host';
import {
	memory,
	openRepeats,
	secretReadings,
	settleOnceAnswered,
	triggerOf,
} from './webhookMemory';
import { readWebhookSettings } from './webhookSettings';

type Level = 'info' | 'warn' | 'error';

const LOG_ENTRIES: Record<NotPassedOn['kind'], { level: Level; what: string }> = {
	notSelected: { level: 'info', what: 'was left out' },
	repeat: { level: 'info', what: 'was left out' },
	undecided: { level: 'info', what: 'was put off' },
	refused: { level: 'warn', what: 'was refused' },
	failed: { level: 'error', what: 'could not be handled' },
};

const ANSWERED =
	'A request was taken for a verification request and answered. It starts nothing. Turn Verification Requests off once the URL is registered.';

/** Checks the settings at each activation. @throws NodeOperationError that says what to set */
export async function checkActivation(context: IHookFunctions): Promise<void> {
	const settings = settingsOf(context);
	const secrets = await secretsOf(context, settings);
	const problem = findSettingsProblem(settings, secrets);
	if (problem !== undefined) throw new NodeOperationError(context.getNode(), problem);
	// n8n has no warning at activation that does not fail it; the panel of the node says the first
	// one too.
	const url = context.getNodeWebhookUrl('default');
	for (const warning of findSettingsWarnings(settings, secrets, url)) context.logger.warn(warning);
}

/**
 * Receives one request to the URL of the trigger. Never throws, because n8n would store a failed
 * execution.
 */
export async function receiveWebhook(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const request: unknown = context.getRequestObject();
	const response: unknown = context.getResponseObject();
	if (!isWebhookRequest(request) || !isWebhookResponse(response)) {
		throw new NodeOperationError(context.getNode(), 'n8n handed over no request to answer.');
	}
	const now = clock.now();
	try {
		return await handle(context, request, response, now);
	} catch (error) {
		// No sender can cause this, nor mend a credential that cannot be read. The sender tries again.
		return leaveOut(context, response, couldNotHandle(failureOf(error).message), now);
	}
}

async function handle(
	context: IWebhookFunctions,
	request: WebhookRequest,
	response: WebhookResponse,
	now: number,
): Promise<IWebhookResponseData> {
	const settings = settingsOf(context);
	const { headers, query, ip: ipAddress } = request;
	const method = request.method.toUpperCase();
	const refusal = refuseAtOnce({ method, headers, ipAddress }, settings);
	if (refusal !== undefined) return leaveOut(context, response, refusal, now);

	const body = await readRawBody(request);
	if (body.kind !== 'whole') return leaveOut(context, response, refusedBodies[body.kind], now);

	const repeats = openRepeats(context, settings);
	const url = () => ownUrl(context, request);
	const outcome: DeliveryOutcome = await receiveDelivery(
		{ method, url, headers, query, rawBody: body.bytes, ipAddress, receivedAt: now },
		settings,
		async () => await secretsOnce(context, settings),
		repeats && ((key) => repeats.claim(key)),
	);
	switch (outcome.kind) {
		case 'passedOn': {
			const told = outcome.leftOut.map(
				({ reason }) => `Part of a delivery was left out: ${reason}.`,
			);
			for (const sentence of told) tell(context, 'info', sentence, now);
			if (repeats !== undefined) {
				void settleOnceAnswered(repeats, response);
				// n8n saves this once the execution exists, and sees assignments only.
				context.getWorkflowStaticData('node').repeats = repeats.toStore();
			}
			const items = outcome.events.map((event) => ({ json: { ...event } as IDataObject }));
			const notes = testOutput(
				context,
				told.map((leftOut) => ({ leftOut })),
			);
			return { workflowData: [[...items, ...notes]] };
		}
		case 'verificationRequest':
			tell(context, 'warn', ANSWERED, now);
			return sendVerificationAnswer(response, outcome.answer);
		default:
			repeats?.settle(false);
			return leaveOut(context, response, outcome, now);
	}
}

/** Answers the sender, and tells the administrator of n8n why nothing was started. */
function leaveOut(
	context: IWebhookFunctions,
	response: WebhookResponse,
	{ kind, statusCode, message, reason }: NotPassedOn,
	now: number,
): IWebhookResponseData {
	const { level, what } = LOG_ENTRIES[kind];
	const leftOut = `A webhook delivery ${what}: ${reason}.`;
	tell(context, level, leftOut, now);
	response.status(statusCode).json({ message });
	const told = testOutput(context, [{ leftOut, answeredWith: `${statusCode} ${message}` }]);
	// A browser that is pointed at the Test URL does not end the test.
	const isShown = told.length > 0 && statusCode !== 405;
	return { noWebhookResponse: true, ...(isShown && { workflowData: [told] }) };
}

/** Shows why an expected test event does not come. Nothing of an unverified delivery is in it. */
function testOutput(context: IWebhookFunctions, told: IDataObject[]): INodeExecutionData[] {
	return context.getMode() === 'manual' ? told.map((json) => ({ json })) : [];
}

/** Says something in n8n's log, at most once a minute. */
function tell(context: IWebhookFunctions, level: Level, sentence: string, now: number): void {
	const { name } = context.getNode();
	// What stands in quotes is different each time; the rest is one of a few.
	const kind = sentence.replace(/".*"/, '');
	const unsaid = memory.turnToTell(triggerOf(context), kind, now);
	if (unsaid === undefined) return;
	const more = unsaid === 0 ? '' : ` ${unsaid} more since this was last said.`;
	context.logger[level](`${name}: ${sentence}${more}`, { workflowId: context.getWorkflow().id });
}

/** What is sent back comes from a stranger, so no browser may show or run it. */
function sendVerificationAnswer(
	response: WebhookResponse,
	answer: VerificationAnswer,
): IWebhookResponseData {
	response.setHeader('X-Content-Type-Options', 'nosniff');
	response.setHeader('Content-Security-Policy', "default-src 'none'; sandbox");
	response.setHeader('Cache-Control', 'no-store');
	if (answer.kind === 'json') {
		response.status(200).json(answer.value);
		return { noWebhookResponse: true };
	}
	if (answer.kind === 'header') response.setHeader(answer.name, answer.value);
	response.setHeader('Content-Type', 'text/plain; charset=utf-8');
	response.status(200).end(answer.kind === 'text' ? answer.text : '');
	return { noWebhookResponse: true };
}

function settingsOf(context: IHookFunctions | IWebhookFunctions): TriggerSettings {
	return sayingWhatToSet(context, () =>
		readWebhookSettings((name, missing) => context.getNodeParameter(name, missing)),
	);
}

/** What deliveries that come at the same time read together. */
async function secretsOnce(
	context: IWebhookFunctions,
	settings: TriggerSettings,
): Promise<readonly string[]> {
	const credential = context.getNode().credentials?.[CREDENTIAL]?.id ?? '';
	const key = `${triggerOf(context)}:${credential}`;
	return await secretReadings.share(key, () => secretsOf(context, settings), clock.now());
}

/** The current and the previous one; `''` if it is not set. */
async function secretsOf(
	context: IHookFunctions | IWebhookFunctions,
	{ authentication }: TriggerSettings,
): Promise<string[]> {
	if (authentication.kind === 'none') return [];
	if (context.getNode().credentials?.[CREDENTIAL] === undefined) return [];
	const fields = await context.getCredentials(CREDENTIAL);
	return sayingWhatToSet(context, () => readWebhookSecrets(fields));
}

/** @throws NodeOperationError that says what to set if a value cannot be meant */
function sayingWhatToSet<T>(context: IHookFunctions | IWebhookFunctions, read: () => T): T {
	try {
		return read();
	} catch (error) {
		const { message, remedy } = failureOf(error);
		throw new NodeOperationError(context.getNode(), `${message} ${remedy}`);
	}
}

/**
 * The URL of this trigger as n8n knows it, because a sender can write anything into Host, and the
 * query as it came. For the Test URL n8n 1.123 names the Production URL, so that the path is taken
 * from the request.
 */
function ownUrl(context: IWebhookFunctions, { originalUrl = '' }: WebhookRequest): string {
	const url = context.getNodeWebhookUrl('default') ?? '';
	const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(originalUrl) ?? [];
	const isTest = context.getMode() === 'manual' && path !== '' && URL.canParse(url);
	return `${isTest ? `${new URL(url).origin}${path}` : url}${query}`;
}
