import {
	type IHookFunctions,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeOperationError,
} from 'n8n-workflow';
import { toServiceFailure } from '../failure/serviceFailure';
import { RecordMatcher } from '../match/recordMatch';
import { readUrl } from '../values/scalar';
import { readRawBody, type WebhookRequest, type WebhookResponse } from '../webhook/delivery';
import { type DiscardedDelivery, discarded } from '../webhook/discarded';
import { handleDelivery, rejectEarly, type WebhookSettings } from '../webhook/receive';
import { validateSettings } from '../webhook/settingsProblem';
import { clock } from './host';
import { readWebhookSettings } from './webhookSettings';
import {
	completeAfterResponse,
	logThrottled,
	openDeduplicator,
	secretsOf,
	waitForClose,
} from './webhookState';

const LOG_ENTRIES = {
	leftOut: { level: 'info', what: 'was left out' },
	undecided: { level: 'info', what: 'was put off' },
	refused: { level: 'warn', what: 'was refused' },
	failed: { level: 'error', what: 'could not be handled' },
} as const;

const ANSWERED =
	'A request was taken for a verification request and answered. It starts nothing. Turn Verification Requests off once the URL is registered.';

/** @throws NodeOperationError that says what to set */
export async function checkActivation(context: IHookFunctions): Promise<void> {
	const { problem, warnings } = await validate(context).catch((error: unknown) => {
		const { message, remedy } = toServiceFailure(error);
		return { problem: `${message} ${remedy}`, warnings: [] };
	});
	if (problem !== undefined) throw new NodeOperationError(context.getNode(), problem);
	// n8n has no warning at activation that does not fail it; the panel of the node says the first
	// one too.
	for (const warning of warnings) context.logger.warn(warning);
}

async function validate(context: IHookFunctions) {
	const settings = settingsOf(context);
	const secrets = await secretsOf(context, settings);
	// Throws if a condition has nothing to compare its field with.
	new RecordMatcher(settings.match, { now: clock.now(), zone: settings.zone });
	return validateSettings(settings, secrets, context.getNodeWebhookUrl('default') ?? '');
}

/**
 * Receives one request to the URL of the trigger.
 *
 * @throws NodeOperationError only in the editor, which shows it: for any other delivery n8n would
 *   store a failed execution
 */
export async function receiveWebhook(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = context.getResponseObject() as WebhookResponse;
	const outcome = await handleRequest(context, response).catch((error: unknown) =>
		// No sender can cause this, nor mend a credential that cannot be read. The sender tries again.
		discarded.failed(toServiceFailure(error).message),
	);
	if (!('reason' in outcome)) return outcome;

	const { kind, statusCode, message, reason } = outcome;
	const { level, what } = LOG_ENTRIES[kind];
	const sentence = `A webhook delivery ${what}: ${reason}.`;
	logThrottled(context, level, sentence);
	response.status(statusCode).json({ message });
	// A browser that is pointed at the Test URL does not end the test.
	if (context.getMode() !== 'manual' || statusCode === 405) return { noWebhookResponse: true };
	// n8n answers 500 for an error, which must come too late.
	await waitForClose(response);
	throw new NodeOperationError(context.getNode(), sentence, {
		description: `The sender got the status ${statusCode} (${message}).`,
	});
}

async function handleRequest(
	context: IWebhookFunctions,
	response: WebhookResponse,
): Promise<IWebhookResponseData | DiscardedDelivery> {
	const receivedAt = clock.now();
	const settings = settingsOf(context);
	const request = context.getRequestObject() as WebhookRequest;
	const { headers, query, ip: ipAddress } = request;
	const method = request.method.toUpperCase();
	const refusal = rejectEarly({ method, headers, ipAddress }, settings);
	if (refusal !== undefined) return refusal;
	const rawBody = await readRawBody(request);
	if (typeof rawBody === 'string') return discarded[rawBody];

	const repeats = openDeduplicator(context, settings);
	const url = () => signedUrl(context, request);
	const outcome = await handleDelivery(
		{ method, url, headers, query, rawBody, ipAddress, receivedAt },
		settings,
		async () => await secretsOf(context, settings),
		repeats && ((key) => repeats.claim(key)),
	);
	switch (outcome.kind) {
		case 'passedOn':
			for (const { reason } of outcome.leftOut) {
				logThrottled(context, 'info', `Part of a delivery was left out: ${reason}.`);
			}
			if (repeats !== undefined) {
				void completeAfterResponse(repeats, response);
				// n8n saves this once the execution exists, and sees assignments only.
				context.getWorkflowStaticData('node').repeats = repeats.toStore();
			}
			return {
				workflowData: [outcome.events.map((event) => ({ json: { ...event } }))],
			};
		case 'verificationRequest': {
			logThrottled(context, 'warn', ANSWERED);
			const { headers: answered, text } = outcome.answer;
			for (const [name, value] of Object.entries(answered)) response.setHeader(name, value);
			response.status(200).end(text);
			return { noWebhookResponse: true };
		}
		default:
			repeats?.complete(false);
			return outcome;
	}
}

function settingsOf(context: IHookFunctions | IWebhookFunctions): WebhookSettings {
	return readWebhookSettings(
		(name, missing) => context.getNodeParameter(name, missing),
		context.getTimezone(),
	);
}

/**
 * The URL of this trigger as n8n knows it, because a sender can write anything into Host, and the
 * query as it came. For the Test URL n8n 1.123 names the Production URL, so that the path is taken
 * from the request.
 */
function signedUrl(context: IWebhookFunctions, { originalUrl = '' }: WebhookRequest): string {
	const url = context.getNodeWebhookUrl('default') ?? '';
	const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(originalUrl) ?? [];
	const isTest = context.getMode() === 'manual' && path !== '';
	const origin = isTest ? readUrl(url)?.origin : undefined;
	return `${origin === undefined ? url : `${origin}${path}`}${query}`;
}
