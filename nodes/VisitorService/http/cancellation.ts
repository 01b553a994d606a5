import { ServiceFailure } from '../failure/serviceFailure';
import type { Clock, Transport } from './message';

/**
 * Ends every wait when the execution is cancelled. All waits share one listener, because Node.js
 * warns of more than ten listeners to one signal.
 */
export class Cancellation {
	private readonly waiting = new Set<() => void>();

	private readonly cancelAll = () => {
		for (const cancel of this.waiting) cancel();
	};

	/** @param signal undefined if nothing can be cancelled */
	constructor(private readonly signal: AbortSignal | undefined) {}

	/**
	 * A clock on which no wait outlasts the execution. n8n 1.123's sleep takes no signal, so its
	 * timer runs out unused.
	 */
	wrapClock(clock: Clock): Clock {
		return {
			...clock,
			sleep: async (milliseconds) => await this.unlessCancelled(clock.sleep(milliseconds)),
		};
	}

	wrapTransport(transport: Transport): Transport {
		return async (request) => await this.unlessCancelled(transport(request));
	}

	/**
	 * The outcome of the work. @throws ServiceFailure as soon as the execution is cancelled; the work
	 * itself goes on
	 */
	private async unlessCancelled<T>(work: Promise<T>): Promise<T> {
		const { cancelAll, signal, waiting } = this;
		if (signal === undefined) return await work;
		return await new Promise<T>((resolve, reject) => {
			const cancel = () => {
				reject(cancelled());
			};
			if (signal.aborted) cancel();
			if (waiting.size === 0) signal.addEventListener('abort', cancelAll);
			waiting.add(cancel);
			void work.then(resolve, reject).finally(() => {
				waiting.delete(cancel);
				if (waiting.size === 0) signal.removeEventListener('abort', cancelAll);
			});
		});
	}
}

function cancelled(): ServiceFailure {
	return new ServiceFailure('The execution was cancelled.', 'Run the workflow again.', {
		kind: 'cancelled',
	});
}
