import { ServiceFailure } from '../failure/serviceFailure';
import { writeCount } from '../values/scalar';
import type { AdaptivePace, Admission, SlowDown } from './adaptivePace';
import { readAnnouncedLimit } from './announcedLimit';
import { type ConnectionFailure, describeConnectionFailure } from './connectionFailure';
import type { Clock, HttpAnswer, HttpRequest, Transport } from './message';
import {
	forbidsForNow,
	fullJitter,
	isOverload,
	isTooLong,
	pauseAfter,
	readRetryAfter,
	SERVICE_UNAVAILABLE,
	TOO_MANY_REQUESTS,
} from './retryTimes';

export interface SendingRules {
	transport: Transport;
	clock: Clock;
	/** A number in [0, 1) for the jitter. */
	random: () => number;
	/** Max number of repetitions of this one request. */
	maxRetries: number;
	/**
	 * Whether the same request may work after an answer with this status code. Default: an overload.
	 */
	mayRetry?: (statusCode: number) => boolean;
	/** What the URL is called in the credential, for messages. */
	role: string;
	/** All requests of one run share it. */
	pace?: AdaptivePace;
	onRetry?: () => void;
}

/** What one attempt led to. */
type AttemptOutcome = { kind: 'answered'; answer: HttpAnswer } | { kind: 'again'; wait: number };

/**
 * Sends one request, repeated if that can help, and resolves with its answer, whatever the status
 * code. Every request of this package goes through here.
 *
 * @throws ServiceFailure if no readable answer came, or it asks for a wait over a minute
 */
export async function sendRequest(request: HttpRequest, rules: SendingRules): Promise<HttpAnswer> {
	for (let retries = 0; ; retries++) {
		const outcome = await sendOnce(request, rules, retries);
		if (outcome.kind === 'answered') return outcome.answer;
		rules.onRetry?.();
		if (outcome.wait > 0) await rules.clock.sleep(outcome.wait);
	}
}

async function sendOnce(
	request: HttpRequest,
	rules: SendingRules,
	retries: number,
): Promise<AttemptOutcome> {
	const admission = await rules.pace?.admit();
	try {
		let answer: HttpAnswer;
		try {
			answer = await inTime(request, rules);
		} catch (error) {
			return judgeFailure(error, request.url, rules, retries);
		}
		return judgeAnswer(answer, rules, retries, admission);
	} finally {
		admission?.released();
	}
}

/**
 * The answer, if the whole of it comes within the time-out. The client of n8n stops its clock at
 * the headers, so an answer that trickles in would hold the request for ever.
 */
async function inTime(
	request: HttpRequest,
	{ transport, clock }: SendingRules,
): Promise<HttpAnswer> {
	const connection = new AbortController();
	const { signal } = connection;
	return await new Promise<HttpAnswer>((resolve, reject) => {
		let stop: () => void = () => undefined;
		const extend = (milliseconds: number) => {
			stop();
			stop = clock.startTimer(milliseconds, () => {
				reject(Object.assign(new Error('No whole answer in time.'), { code: 'ETIMEDOUT' }));
				connection.abort();
			});
		};
		extend(request.timeout);
		transport({ ...request, signal, extend })
			.catch((error: unknown) => {
				// When the execution is cancelled, the transport fails before its connection ends.
				connection.abort();
				throw error;
			})
			.finally(() => stop())
			.then(resolve, reject);
	});
}

function judgeAnswer(
	answer: HttpAnswer,
	{ clock, random, maxRetries, pace, mayRetry = isOverload }: SendingRules,
	retries: number,
	admission: Admission | undefined,
): AttemptOutcome {
	const { statusCode, headers } = answer;
	const isForbidden = forbidsForNow(answer, clock.now());
	const isLimit = statusCode === TOO_MANY_REQUESTS || statusCode === SERVICE_UNAVAILABLE;
	const slowDown = isLimit || isForbidden;
	const mayHelp = mayRetry(statusCode) || isForbidden;
	if (!slowDown) admission?.accepted(readAnnouncedLimit(headers, clock.now()));
	if (!slowDown && !mayHelp) return { kind: 'answered', answer };

	const retryAfter = readRetryAfter(headers, clock.now()) ?? 0;
	if (isTooLong(retryAfter)) throw longWait({ statusCode, wait: retryAfter });
	// A wait of zero leaves no time to recover, whoever named it.
	const isNamed = retryAfter > 0;
	const isPaced = slowDown && pace !== undefined;
	const chosen = isPaced ? pauseAfter(pace.pausesInVain, random()) : fullJitter(retries, random());
	// Listings that are told the same time come back together and refuse each other again, until one
	// gives up.
	const apart = isPaced && retries > 1 ? fullJitter(retries, random()) : 0;
	const wait = isNamed ? retryAfter + apart : chosen;
	if (slowDown) admission?.limited({ statusCode, wait });
	if (retries >= maxRetries || !mayHelp) return { kind: 'answered', answer };
	// With a pace the wait is everybody's, and admit() keeps it.
	return { kind: 'again', wait: isPaced ? 0 : wait };
}

/** @throws ServiceFailure if trying again does not help */
function judgeFailure(
	error: unknown,
	url: string,
	{ pace, random, maxRetries, role }: SendingRules,
	retries: number,
): AttemptOutcome {
	// An answer with too many levels is not a broken connection.
	if (error instanceof RangeError) throw error;
	const { kind, failure }: ConnectionFailure =
		error instanceof ServiceFailure
			? { kind: 'lasting', failure: error }
			: describeConnectionFailure(error, role, url);
	if (failure.kind === 'cancelled') pace?.close(failure);
	if (kind === 'lasting' || retries >= maxRetries) throw failure;
	return { kind: 'again', wait: fullJitter(retries, random()) };
}

const RUN_LATER = 'Run the workflow again after that time';

/** @param remedy the beginning of a sentence */
export function longWait({ statusCode, wait }: SlowDown, remedy = RUN_LATER): ServiceFailure {
	const seconds = writeCount(Math.ceil(wait / 1000), 'second');
	return new ServiceFailure(
		`The service answered ${statusCode} and asks to wait ${seconds}.`,
		`${remedy}, or ask your service provider for a higher rate limit.`,
		{ kind: 'rateLimit', statusCode, retryAfter: wait },
	);
}
