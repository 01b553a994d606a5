import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;

/**
 * Asks until there is a response other than undefined and false. Throws after `timeout` ms, with
 * what `missing` says then.
 */
export async function waitFor<Result>(
	missing: () => string,
	timeout: number,
	attempt: () => Result | false | undefined | Promise<Result | false | undefined>,
): Promise<Result> {
	const deadline = Date.now() + timeout;
	for (;;) {
		const result = await attempt();
		if (result !== undefined && result !== false) return result;
		if (Date.now() > deadline) throw new Error(`After ${timeout / 1000} s: ${missing()}`);
		await delay(POLL_MS);
	}
}
