import { describeConnectionFailure } from './connectionFailure';
import type { Clock, HttpAnswer, HttpRequest, Transport } from './httpMessage';
import { fullJitter, LONGEST_RETRY_AFTER, readRetryAfter } from './retryTimes';
import { ServiceFailure } from './serviceFailure';

/** Admits requests one by one and learns from their outcome; what all requests of one listing share. */
export interface RequestPace {
	/** Resolves when the next request may be sent. */
	admit(): Promise<Admission>;
	/** From now on nothing is admitted: the listing is over. */
	close(): void;
}

/** One admitted request. */
export interface Admission {
	/** It was answered, and not by "slow down". */
	accepted(): void;
	/** It was answered by 429 or 503. */
	limited(slowDown: SlowDown): void;
	/** It ended, whatever became of it. */
	released(): void;
}

export interface SlowDown {
	statusCode: number;
	/** Milliseconds in which nothing is admitted. */
	wait: number;
	/** Whether the service named the wait. */
	isNamed: boolean;
}

export interface SendingRules {
	transport: Transport;
	clock: Clock;
	/** A number in [0, 1) for the jitter. */
	random: () => number;
	/** Most repetitions of this one request. */
	maxRetries: number;
	/** Whether the same request may work after an answer with this status code. */
	mayRetry: (statusCode: number) => boolean;
	/** What the address is called in the credential, for messages. */
	role: string;
	pace?: RequestPace;
	onRetry?: () => void;
}

const SLOW_DOWN = new Set([429, 503]);

/**
 * Sends one request, repeated where that can help, and resolves with its answer, whatever the status code.
 * Every request of this package goes through here.
 *
 * @throws ServiceFailure where no answer came, or the service asks for a wait over a minute
 */
export async function sendRequest(request: HttpRequest, rules: SendingRules): Promise<HttpAnswer> {
	for (let attempt = 0; ; attempt++) {
		const wait = await sendOnce(request, rules, attempt);
		if ('answer' in wait) return wait.answer;
		rules.onRetry?.();
		if (wait.milliseconds > 0) await rules.clock.sleep(wait.milliseconds);
	}
}

/** Sends once, and says how long to wait before the next time, where that can help. */
async function sendOnce(
	request: HttpRequest,
	rules: SendingRules,
	attempt: number,
): Promise<{ answer: HttpAnswer } | { milliseconds: number }> {
	const admission = await rules.pace?.admit();
	try {
		const outcome = await rules.transport(request).then(
			(answer) => ({ answer }),
			(error: unknown) => ({ error }),
		);
		return 'answer' in outcome
			? judgeAnswer(outcome.answer, rules, attempt, admission)
			: judgeFailure(outcome.error, request.url, rules, attempt);
	} finally {
		admission?.released();
	}
}

function judgeAnswer(
	answer: HttpAnswer,
	{ clock, random, maxRetries, mayRetry }: SendingRules,
	attempt: number,
	admission: Admission | undefined,
): { answer: HttpAnswer } | { milliseconds: number } {
	const { statusCode, headers } = answer;
	const slowDown = SLOW_DOWN.has(statusCode);
	if (!slowDown) admission?.accepted();
	if (!slowDown && !mayRetry(statusCode)) return { answer };

	const retryAfter = readRetryAfter(headers, clock.now()) ?? 0;
	if (retryAfter > LONGEST_RETRY_AFTER) throw longWait(statusCode, retryAfter);
	// A wait of zero is no time to recover in, whoever named it.
	const isNamed = retryAfter > 0;
	const wait = isNamed ? retryAfter : fullJitter(attempt, random());
	if (slowDown) admission?.limited({ statusCode, wait, isNamed });
	if (attempt >= maxRetries || !mayRetry(statusCode)) return { answer };
	// With a pace the wait is everybody's, and admit() keeps it.
	return { milliseconds: slowDown && admission !== undefined ? 0 : wait };
}

/** @throws ServiceFailure where trying again does not help */
function judgeFailure(
	error: unknown,
	url: string,
	{ pace, random, maxRetries, role }: SendingRules,
	attempt: number,
): { milliseconds: number } {
	const { failure, transient } =
		error instanceof ServiceFailure
			? { failure: error, transient: false }
			: describeConnectionFailure(error, role, url);
	if (failure.kind === 'cancelled') pace?.close();
	if (!transient || attempt >= maxRetries) throw failure;
	return { milliseconds: fullJitter(attempt, random()) };
}

function longWait(statusCode: number, retryAfter: number): ServiceFailure {
	const seconds = Math.ceil(retryAfter / 1000);
	return new ServiceFailure(
		`The service answered ${statusCode} and asks to wait ${seconds} seconds.`,
		'Run the workflow again after that time, or ask the operator of the service for a higher rate limit.',
		{ kind: 'rateLimit', statusCode, retryAfter },
	);
}
