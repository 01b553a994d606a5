import { sleep } from 'n8n-workflow';

import type { Clock } from './message';

/**
 * The host's time. Timers are signals and not `sleep`, which n8n 1.123 cannot end early: Node.js
 * keeps no process alive for them, and drops them when nobody listens any more.
 *
 * @param now milliseconds since 1970
 */
export function hostClock(now: () => number): Clock {
	return {
		now,
		sleep: async (milliseconds) => await sleep(milliseconds),
		startTimer: (milliseconds, ring) => {
			const signal = AbortSignal.timeout(milliseconds);
			signal.addEventListener('abort', ring);
			return () => signal.removeEventListener('abort', ring);
		},
	};
}
