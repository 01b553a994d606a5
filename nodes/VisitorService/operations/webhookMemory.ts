import { type IWebhookFunctions, sleep } from 'n8n-workflow';
import type { WebhookResponse } from '../webhook/delivery';
import type { TriggerSettings } from '../webhook/receive';
import { SecretReadings } from '../webhook/secretReadings';
import { type Repeats, TriggerMemory } from '../webhook/triggerMemory';

/**
 * What this process remembers. It has to live in the module: n8n loads the static data of the
 * workflow anew for each delivery and saves it after the execution was made (2.41.1,
 * webhooks/live-webhooks.js), so that deliveries that come at the same time see nothing of each
 * other there. Bounded, and nothing but digests.
 */
export const memory = new TriggerMemory();

/** Of this process, because deliveries that come at the same time share nothing else. */
export const secretReadings = new SecretReadings();

/**
 * Milliseconds between two looks at an answer of which no event tells: the first pause, and the
 * longest.
 */
const FIRST_ANSWER_PAUSE = 100;
const MAX_ANSWER_PAUSE = 5_000;
/**
 * Milliseconds n8n may take to make an execution after the sender hung up: with a limit on
 * executions it waits for one.
 */
const MAX_MAKING = 3_600_000;

/** The name under which a trigger is remembered. */
export function triggerOf(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
}

/**
 * @returns undefined if repeats are passed on, as they are while testing: the same event is sent
 *   again then
 */
export function openRepeats(
	context: IWebhookFunctions,
	{ ignoreRepeats }: TriggerSettings,
): Repeats | undefined {
	if (!ignoreRepeats || context.getMode() === 'manual') return undefined;
	return memory.repeats(triggerOf(context), context.getWorkflowStaticData('node').repeats);
}

/**
 * Tells what became of a delivery that was passed on, once n8n has made its execution or could not.
 */
export async function settleOnceAnswered(
	repeats: Repeats,
	response: WebhookResponse,
): Promise<void> {
	if (response.closed === false) {
		await new Promise<void>((resolve) => {
			response.once('close', resolve);
		});
	}
	// If the sender hung up, that is before n8n answers, and no event tells of the answer.
	let pause = FIRST_ANSWER_PAUSE;
	for (let waited = 0; response.writableEnded === false && waited < MAX_MAKING; waited += pause) {
		await sleep(pause);
		pause = Math.min(pause * 2, MAX_ANSWER_PAUSE);
	}
	// An answer of failure makes the sender try again, and then it must not be taken for a repeat.
	repeats.settle(response.writableEnded !== false && response.statusCode < 400);
}
