import type { Admission, RequestPace } from '../transport/sendRequest';
import { ServiceFailure } from '../transport/serviceFailure';
import { OutOfTime } from './readUsers';

/** The pace of a poll: that of its requests, within the time n8n gives it. The first one is sent in any case. */
export class PollPace implements RequestPace {
	private hasStarted = false;

	/** @param left milliseconds that are left of the poll's time */
	constructor(
		private readonly pace: RequestPace,
		private readonly left: () => number,
	) {}

	async admit(): Promise<Admission> {
		const admission = await this.pace.admit();
		if (this.hasStarted && this.left() <= 0) {
			admission.released();
			throw new OutOfTime();
		}
		this.hasStarted = true;
		return {
			accepted: () => admission.accepted(),
			released: () => admission.released(),
			limited: (slowDown) => {
				const { statusCode, wait } = slowDown;
				if (wait > this.left()) throw tooLongPause(statusCode, wait);
				admission.limited(slowDown);
			},
		};
	}

	close(): void {
		this.pace.close();
	}
}

function tooLongPause(statusCode: number, wait: number): ServiceFailure {
	return new ServiceFailure(
		`The service answered ${statusCode} and asks to wait ${Math.ceil(wait / 1000)} seconds.`,
		'The next poll goes on from the same place; poll less often, or ask the operator of the service for a higher rate limit.',
		{ kind: 'rateLimit', statusCode, retryAfter: wait },
	);
}
