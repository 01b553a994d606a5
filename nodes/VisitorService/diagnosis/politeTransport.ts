import { ServiceFailure } from '../failure/serviceFailure';
import type { Clock, HttpAnswer, HttpRequest, Transport } from '../http/message';
import { readRetryAfter } from '../http/retryTimes';
import { isOverload, TOO_MANY_REQUESTS } from '../http/temporaryStatus';
import { writeCount } from '../values/count';

/** Of all hosts together, with token requests, repetitions and redirects. */
export const MAX_REQUESTS = 25;
/** Overloads, or connections that break, before the service is left alone. */
const MAX_OVERLOADS = 3;
/** A longer pause is not waited for. Milliseconds, as the next two. */
const MAX_PAUSE = 10_000;
const MAX_WAITING = 60_000;
const USUAL_PAUSE = 1_000;

export interface Attempt {
	request: HttpRequest;
	/** Undefined if the connection broke. */
	answer?: HttpAnswer;
	/** Milliseconds of our clock. */
	sentAt: number;
	receivedAt: number;
}

/**
 * Harmless whatever is asked for, and for work that need not be done: requests are counted, a
 * service that limits the rate is asked more slowly from then on, an overloaded one is left alone.
 */
export class PoliteTransport {
	/** Every request that was sent. */
	readonly attempts: Attempt[] = [];

	/** Why the service is not asked any more; undefined while it may be. */
	stopReason?: string;

	private overloads = 0;

	private waited = 0;

	/** Milliseconds to keep between two requests: more with each answer that limits the rate. */
	private distance = 0;

	constructor(
		private readonly transport: Transport,
		private readonly clock: Clock,
	) {}

	/** @throws ServiceFailure if the request must not be sent, or none after it may be */
	readonly send: Transport = async (request) => {
		this.requireLeave();
		const pause = (this.attempts.at(-1)?.sentAt ?? 0) + this.distance - this.clock.now();
		if (pause > 0) {
			this.waited += pause;
			await this.clock.sleep(pause);
		}
		const attempt: Attempt = { request, sentAt: this.clock.now(), receivedAt: 0 };
		this.attempts.push(attempt);
		try {
			attempt.answer = await this.transport(request);
		} finally {
			attempt.receivedAt = this.clock.now();
			this.learnFrom(attempt);
		}
		// A wait for the repetition would be in vain.
		if (isOverload(attempt.answer.statusCode)) this.requireLeave();
		return attempt.answer;
	};

	private requireLeave(): void {
		if (this.stopReason === undefined) return;
		throw new ServiceFailure(this.stopReason, 'Run the diagnosis again later.', {
			kind: 'service',
		});
	}

	private learnFrom({ answer, receivedAt }: Attempt): void {
		const pause = (answer && readRetryAfter(answer.headers, receivedAt)) ?? 0;
		if (answer?.statusCode === TOO_MANY_REQUESTS) {
			this.distance = Math.max(2 * this.distance, pause || USUAL_PAUSE);
		}
		if (this.attempts.length >= MAX_REQUESTS) {
			this.stopReason = `The budget of ${MAX_REQUESTS} requests is used up.`;
		}
		if (this.waited + this.distance > MAX_WAITING) {
			this.stopReason = `The service limits the rate, and ${MAX_WAITING / 1000} seconds of waiting are enough.`;
		}
		if (answer !== undefined && !isOverload(answer.statusCode)) return;
		const what = answer
			? `The service answered ${answer.statusCode}`
			: 'The service did not answer';
		if (++this.overloads >= MAX_OVERLOADS) {
			this.stopReason = `${what} and had failed before, so it was left alone.`;
		}
		if (pause > MAX_PAUSE) {
			const wait = writeCount(Math.ceil(pause / 1000), 'second');
			this.stopReason = `${what} and asks to wait ${wait}, so it was left alone.`;
		}
	}
}
