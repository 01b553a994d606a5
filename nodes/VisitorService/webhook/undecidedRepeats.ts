import { sleep } from 'n8n-workflow';

import { endsBefore } from './endsBefore';
import type { WebhookResponse } from './exchange';
import type { Outcome } from './receiveDelivery';
import type { Repeats } from './repeatMemory';

/** Milliseconds n8n may take to make an execution after the sender hung up. */
const LONGEST_MAKING = 120_000;

/** Milliseconds a repeat waits for the delivery it repeats. */
const LONGEST_WAIT = 10_000;

/** Milliseconds between two looks at an answer nothing tells of. */
const PAUSE = 100;

/** Tells what became of a delivery that was passed on, once n8n has made its execution or could not. */
export async function settleOnceAnswered(
	repeats: Repeats,
	response: WebhookResponse,
): Promise<void> {
	if (response.closed === false) {
		await new Promise<void>((resolve) => {
			response.once('close', resolve);
		});
	}
	// Where the sender hung up, that is before n8n answers, and no event tells of the answer.
	for (
		let waited = 0;
		response.writableEnded === false && waited < LONGEST_MAKING;
		waited += PAUSE
	) {
		await sleep(PAUSE);
	}
	// An answer of failure makes the sender try again, and then it must not be taken for a repeat.
	repeats.settle(response.writableEnded !== false && response.statusCode < 400);
}

/**
 * Waits for the deliveries this one repeats: "Already received" would be untrue where they fail.
 *
 * @returns undefined where they take too long
 */
export async function receiveOnceDecided(
	repeats: Repeats,
	receive: () => Outcome,
): Promise<Outcome | undefined> {
	const until = Date.now() + LONGEST_WAIT;
	let outcome = receive();
	for (let ends = repeats.endsOfHolders(); ends !== undefined; ends = repeats.endsOfHolders()) {
		if (!(await endsBefore(ends, until))) return undefined;
		outcome = receive();
	}
	return outcome;
}
