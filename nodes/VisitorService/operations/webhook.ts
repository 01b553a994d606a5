import {
	type IHookFunctions,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeOperationError,
} from 'n8n-workflow';
import { toServiceFailure } from '../failure/serviceFailure';
import { RecordMatcher } from '../match/recordMatch';
import { requireZone } from '../values/parameters';
import { readUrl } from '../values/scalar';
import type { Deduplicator } from '../webhook/deduplicator';
import { readRawBody, type WebhookRequest, type WebhookResponse } from '../webhook/delivery';
import { type DiscardedDelivery, discarded } from '../webhook/discarded';
import {
	type DeliveryOutcome,
	handleDelivery,
	rejectEarly,
	type WebhookSettings,
} from '../webhook/receive';
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
	filtered: { level: 'info', what: 'was left out' },
	inProgress: { level: 'info', what: 'was put off' },
	rejected: { level: 'warn', what: 'was rejected' },
	failed: { level: 'error', what: 'could not be handled' },
} as const;

const VERIFICATION_NOTE =
	'A request was taken for a verification request and got its response. It starts nothing. Turn Verification Requests off once the URL is registered.';

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
	const { secrets } = await secretsOf(context, settings, true);
	// Throws if a condition has nothing to compare its field with.
	new RecordMatcher(settings.match, { now: clock.now(), zone: requireZone(settings.zone) });
	return validateSettings(settings, secrets);
}

/**
 * Receives one request to the URL of the trigger.
 *
 * @throws NodeOperationError only in the editor, which shows it: for any other delivery n8n would
 *   store a failed execution
 */
export async function receiveWebhook(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const response = context.getResponseObject() as WebhookResponse;
	const { outcome, deduplicator } = await handleRequest(context).catch((error: unknown) => ({
		// No sender can cause this, nor mend a credential that cannot be read. The sender tries again.
		outcome: discarded.failed(toServiceFailure(error)),
		deduplicator: undefined,
	}));
	switch (outcome.kind) {
		case 'passedOn':
			if (deduplicator !== undefined) {
				void completeAfterResponse(deduplicator, response);
				// n8n saves this once the execution exists, and sees assignments only.
				context.getWorkflowStaticData('node').repeats = deduplicator.toStore();
			}
			for (const { reason } of outcome.filtered) {
				logThrottled(context, 'info', `Part of a delivery was left out: ${reason}.`);
			}
			return { workflowData: [outcome.events.map((event) => ({ json: { ...event } }))] };
		case 'verificationRequest':
			logThrottled(context, 'warn', VERIFICATION_NOTE);
			for (const [name, value] of Object.entries(outcome.response.headers)) {
				response.setHeader(name, value);
			}
			response.status(200).end(outcome.response.text);
			return { noWebhookResponse: true };
		default:
			deduplicator?.complete(false);
			return await discard(context, response, outcome);
	}
}

/** Reads a request and decides what to do with it. */
async function handleRequest(
	context: IWebhookFunctions,
): Promise<{ outcome: DeliveryOutcome; deduplicator?: Deduplicator }> {
	const receivedAt = clock.now();
	const settings = settingsOf(context);
	const request = context.getRequestObject() as WebhookRequest;
	const { headers, query, ip: ipAddress } = request;
	const method = request.method.toUpperCase();
	const rejection = rejectEarly({ method, headers, ipAddress }, settings);
	if (rejection !== undefined) return { outcome: rejection };
	const body = await readRawBody(request);
	if (body.kind !== 'bytes') return { outcome: discarded[body.kind] };

	const deduplicator = openDeduplicator(context, settings);
	const url = () => signedUrl(context, request);
	const outcome = await handleDelivery(
		{ method, url, headers, query, rawBody: body.bytes, ipAddress, receivedAt },
		settings,
		async (mustReread) => await secretsOf(context, settings, mustReread),
		deduplicator && ((key) => deduplicator.claim(key)),
	);
	return { outcome, deduplicator };
}

async function discard(
	context: IWebhookFunctions,
	response: WebhookResponse,
	{ kind, statusCode, message, reason, remedy }: DiscardedDelivery,
): Promise<IWebhookResponseData> {
	const { level, what } = LOG_ENTRIES[kind];
	const sentence = `A webhook delivery ${what}: ${reason}.`;
	logThrottled(context, level, level === 'info' ? sentence : `${sentence} ${remedy}`);
	response.status(statusCode).json({ message });
	// A browser that is pointed at the Test URL does not end the test.
	if (context.getMode() !== 'manual' || statusCode === 405) return { noWebhookResponse: true };
	// For an error n8n sends the status 500, which must not overtake the response.
	await waitForClose(response);
	throw new NodeOperationError(context.getNode(), sentence, {
		description: `${remedy} The sender got the status ${statusCode} (${message}).`,
	});
}

function settingsOf(context: IHookFunctions | IWebhookFunctions): WebhookSettings {
	return readWebhookSettings(
		(name, missing) => context.getNodeParameter(name, missing),
		context.getTimezone(),
	);
}

/**
 * The URL of this trigger as n8n has it, because a sender can write anything into Host, with the
 * query as it was sent. For the Test URL n8n 1.123 names the Production URL, so that the path is
 * taken from the request.
 */
function signedUrl(context: IWebhookFunctions, { originalUrl = '' }: WebhookRequest): string {
	const url = context.getNodeWebhookUrl('default') ?? '';
	const [, path = '', query = ''] = /^([^?]*)(.*)$/s.exec(originalUrl) ?? [];
	const isTest = context.getMode() === 'manual' && path !== '';
	const origin = isTest ? readUrl(url)?.origin : undefined;
	return `${origin === undefined ? url : `${origin}${path}`}${query}`;
}
