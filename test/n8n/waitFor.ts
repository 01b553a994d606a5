import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;

/**
 * Asks until there is an answer other than undefined. Throws after `timeout` ms, with what
 * `missing` says then.
 */
export async function waitFor<Answer>(
	missing: () => string,
	timeout: number,
	ask: () => Answer | undefined | Promise<Answer | undefined>,
): Promise<Answer> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) throw new Error(`After ${timeout / 1000} s: ${missing()}`);
		await delay(POLL_MS);
	}
}
