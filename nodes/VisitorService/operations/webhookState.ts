import { type IHookFunctions, type IWebhookFunctions, sleep } from 'n8n-workflow';
import { readWebhookSecrets } from '../authorization/client';
import { CREDENTIAL } from '../http/hostTransports';
import { HOUR, MINUTE, SECOND } from '../values/instant';
import { Deduplicator, type SeenEvents } from '../webhook/deduplicator';
import type { WebhookResponse } from '../webhook/delivery';
import type { ReadSecrets, WebhookSettings } from '../webhook/receive';
import { clock } from './host';

/**
 * By trigger. State of the module: n8n loads the static data of the workflow anew for each delivery
 * and saves it after the execution was created (2.41.1, webhooks/live-webhooks.js), so simultaneous
 * deliveries would not see each other there.
 */
const seenEvents = new Map<string, SeenEvents>();

/** When each trigger last logged a sentence, and for how long it does not repeat it. */
const lastLoggedAt = new Map<string, number>();
const LOG_INTERVAL_MS = MINUTE;

interface SecretsRead {
	secrets: Promise<readonly string[]>;
	readAt: number;
	isRunning: boolean;
}

/** By trigger and credential. Reading them takes n8n longer than the rest of a delivery. */
const secretsRead = new Map<string, SecretsRead>();
/** How long a secret is used after it was read. A removed one is valid for this much longer. */
const SECRETS_LAST_MS = SECOND;

/**
 * How long n8n may take to create an execution after the sender hung up: with a limit on concurrent
 * executions it waits.
 */
const MAX_EXECUTION_START_MS = HOUR;

/** The name under which a trigger is remembered. */
function triggerKey(context: IHookFunctions | IWebhookFunctions): string {
	return `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
}

/** Logs a sentence at most once a minute, so that the log is not flooded. */
export function logThrottled(
	context: IWebhookFunctions,
	level: 'info' | 'warn' | 'error',
	sentence: string,
): void {
	// Without the quoted part, which differs each time.
	const key = `${triggerKey(context)}:${sentence.replace(/".*"/, '')}`;
	const now = clock.now();
	// The clock may have been set back meanwhile.
	if (Math.abs(now - (lastLoggedAt.get(key) ?? -LOG_INTERVAL_MS)) < LOG_INTERVAL_MS) return;
	lastLoggedAt.set(key, now);
	const { name } = context.getNode();
	context.logger[level](`${name}: ${sentence}`, { workflowId: context.getWorkflow().id });
}

/**
 * The current secret and the previous one; `''` if it is not set. Deliveries that come at the same
 * time, or within a second, read them once.
 *
 * @param mustReread whether to read them even if they were just read
 * @returns `areCurrent`: they were not read before this delivery was received
 */
export async function secretsOf(
	context: IHookFunctions | IWebhookFunctions,
	{ authentication }: WebhookSettings,
	mustReread: boolean,
): Promise<ReadSecrets> {
	const credential = context.getNode().credentials?.[CREDENTIAL];
	if (authentication.kind === 'none' || credential === undefined)
		return { secrets: [], areCurrent: true };
	const key = `${triggerKey(context)}:${credential.id ?? ''}`;
	const now = clock.now();
	const last = secretsRead.get(key);
	const isRecent = last !== undefined && Math.abs(now - last.readAt) < SECRETS_LAST_MS;
	if (last?.isRunning === true || (isRecent && !mustReread))
		return { areCurrent: last.isRunning, secrets: await last.secrets };
	const secrets = context.getCredentials(CREDENTIAL).then(readWebhookSecrets);
	const reading: SecretsRead = { secrets, readAt: now, isRunning: true };
	secretsRead.set(key, reading);
	const end = () => {
		reading.isRunning = false;
	};
	void secrets.then(end, () => secretsRead.delete(key));
	return { areCurrent: true, secrets: await secrets };
}

/**
 * @returns undefined if duplicates are passed on, as in a test, in which the same event is sent
 *   again
 */
export function openDeduplicator(
	context: IWebhookFunctions,
	{ ignoreRepeats }: WebhookSettings,
): Deduplicator | undefined {
	if (!ignoreRepeats || context.getMode() === 'manual') return undefined;
	const trigger = triggerKey(context);
	const seen = seenEvents.get(trigger) ?? (new Map() as SeenEvents);
	seenEvents.set(trigger, seen);
	return new Deduplicator(seen, context.getWorkflowStaticData('node').repeats);
}

/** Completes a delivery that was passed on, once n8n has created its execution or failed to. */
export async function completeAfterResponse(
	deduplicator: Deduplicator,
	response: WebhookResponse,
): Promise<void> {
	await waitForClose(response);
	// If the sender hung up, n8n has not responded yet, and no event says when it has.
	for (
		let waited = 0;
		response.writableEnded === false && waited < MAX_EXECUTION_START_MS;
		waited += SECOND
	) {
		await sleep(SECOND);
	}
	// After a failure the sender tries again, and that must not count as a duplicate.
	deduplicator.complete(response.writableEnded !== false && response.statusCode < 400);
}

/** Waits until the response was sent, or the sender hung up. */
export async function waitForClose(response: WebhookResponse): Promise<void> {
	if (response.closed !== false) return;
	await new Promise<void>((resolve) => {
		response.once('close', resolve);
	});
}
