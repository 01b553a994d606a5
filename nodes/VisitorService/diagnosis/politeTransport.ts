import { ServiceFailure } from '../failure/serviceFailure';
import type { Clock, HttpAnswer, HttpRequest, Transport } from '../http/message';
import { readRetryAfter } from '../http/retryTimes';
import { isOverload, isTemporary, TOO_MANY_REQUESTS } from '../http/temporaryStatus';
import { writeCount } from '../values/count';

/** Overloads, or connections that break, before a host is left alone. */
const MAX_OVERLOADS = 3;
/** A host that wants a longer pause than this is not waited for. Milliseconds, as the next two. */
const MAX_HOST_PAUSE = 10_000;
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

export interface PoliteRules {
	transport: Transport;
	clock: Clock;
	/** Of all hosts together, with token requests, repetitions and redirects. */
	maxRequests: number;
	/** What the user can do if a request must not be sent. */
	remedy: string;
}

/**
 * Harmless whatever is asked for, and for work that need not be done: requests are counted, a host
 * that limits the rate is asked more slowly from then on, an overloaded one is left alone.
 */
export class PoliteTransport {
	/** Every request that was sent. */
	readonly attempts: Attempt[] = [];

	private waited = 0;

	constructor(private readonly rules: PoliteRules) {}

	/** @throws ServiceFailure if the request must not be sent, or none after it may be */
	readonly send: Transport = async (request) => {
		const { clock, transport } = this.rules;
		this.requireLeave(request.url);
		const own = this.attemptsWith(request.url);
		const pause = (own.at(-1)?.sentAt ?? 0) + distanceAfter(own) - clock.now();
		if (pause > 0) {
			this.waited += pause;
			await clock.sleep(pause);
		}
		const attempt: Attempt = { request, sentAt: clock.now(), receivedAt: 0 };
		this.attempts.push(attempt);
		attempt.answer = await transport(request);
		attempt.receivedAt = clock.now();
		// A wait for the repetition would be in vain.
		if (isOverload(attempt.answer.statusCode)) this.requireLeave(request.url);
		return attempt.answer;
	};

	/** Why nothing more can be learnt from this URL; undefined if it may still be asked. */
	reasonToStop(url: string): string | undefined {
		const own = this.attemptsWith(url);
		const last = own.at(-1);
		if (last !== undefined && isOverloaded(last)) {
			const status = last.answer?.statusCode;
			const what = status ? `The service answered ${status}` : 'The service did not answer';
			const pause = pauseAskedBy(last);
			const wait = writeCount(Math.ceil(pause / 1000), 'second');
			if (pause > MAX_HOST_PAUSE) return `${what} and asks to wait ${wait}, so it was left alone.`;
			const isEnough = own.filter(isOverloaded).length >= MAX_OVERLOADS;
			if (isEnough) return `${what} and had failed before, so it was left alone.`;
		}
		if (this.waited + distanceAfter(own) > MAX_WAITING) {
			return `The service limits the rate, and ${MAX_WAITING / 1000} seconds of waiting are enough.`;
		}
		const { maxRequests } = this.rules;
		if (this.attempts.length < maxRequests) return undefined;
		return `The budget of ${maxRequests} requests is used up.`;
	}

	private requireLeave(url: string): void {
		const reason = this.reasonToStop(url);
		if (reason === undefined) return;
		throw new ServiceFailure(reason, this.rules.remedy, { kind: 'service' });
	}

	private attemptsWith(url: string): Attempt[] {
		const { origin } = new URL(url);
		return this.attempts.filter(({ request }) => new URL(request.url).origin === origin);
	}
}

export function isFailure({ answer }: Attempt): boolean {
	return answer === undefined || isTemporary(answer.statusCode);
}

/** Whether the host had no capacity, or was not there. */
function isOverloaded({ answer }: Attempt): boolean {
	return answer === undefined || isOverload(answer.statusCode);
}

/** Milliseconds; 0 if none are named. */
function pauseAskedBy({ answer, receivedAt }: Attempt): number {
	return (answer && readRetryAfter(answer.headers, receivedAt)) ?? 0;
}

/** Milliseconds to keep between two requests: more with each answer that limits the rate. */
function distanceAfter(attempts: readonly Attempt[]): number {
	return attempts
		.filter(({ answer }) => answer?.statusCode === TOO_MANY_REQUESTS)
		.reduce((distance, one) => Math.max(2 * distance, pauseAskedBy(one) || USUAL_PAUSE), 0);
}
