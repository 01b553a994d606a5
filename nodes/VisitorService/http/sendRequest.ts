import { ServiceFailure } from '../failure/serviceFailure';
import { formatCount } from '../values/scalar';
import type { AdaptiveRateLimiter, Permit, Throttling } from './adaptiveRateLimiter';
import {
	exceedsMaxRetryAfter,
	fullJitterMs,
	isRetryableStatus,
	isSecondaryRateLimit,
	parseRetryAfterMs,
	SERVICE_UNAVAILABLE,
	TOO_MANY_REQUESTS,
	throttleBackoffMs,
} from './backoff';
import { type ConnectionFailure, describeConnectionFailure } from './connectionFailure';
import type { Clock, HttpRequest, HttpResponse, Transport } from './message';
import { parseRateLimit } from './rateLimitHeaders';

export interface SendOptions {
	transport: Transport;
	clock: Clock;
	/** A number in [0, 1) for the jitter. */
	random: () => number;
	/** Max number of repetitions of this one request. */
	maxRetries: number;
	/**
	 * Whether the same request may work after an answer with this status code. Default: an overload.
	 */
	isRetryable?: (statusCode: number) => boolean;
	/** What the URL is called in the credential, for messages. */
	urlLabel: string;
	/** All requests of one run share it. */
	limiter?: AdaptiveRateLimiter;
	onRetry?: () => void;
}

/** What one attempt led to. */
type AttemptOutcome =
	| { kind: 'answered'; response: HttpResponse }
	| { kind: 'again'; wait: number };

/**
 * Sends one request, repeated if that can help, and resolves with its answer, whatever the status
 * code. Every request of this package goes through here.
 *
 * @throws ServiceFailure if no readable answer came, or it asks for a wait over a minute
 */
export async function sendRequest(request: HttpRequest, rules: SendOptions): Promise<HttpResponse> {
	for (let retryCount = 0; ; retryCount++) {
		const outcome = await attempt(request, rules, retryCount);
		if (outcome.kind === 'answered') return outcome.response;
		rules.onRetry?.();
		if (outcome.wait > 0) await rules.clock.sleep(outcome.wait);
	}
}

async function attempt(
	request: HttpRequest,
	rules: SendOptions,
	retryCount: number,
): Promise<AttemptOutcome> {
	const admission = await rules.limiter?.acquire();
	try {
		let response: HttpResponse;
		try {
			response = await withTimeout(request, rules);
		} catch (error) {
			return evaluateError(error, request.url, rules, retryCount);
		}
		return evaluateResponse(response, rules, retryCount, admission);
	} finally {
		admission?.release();
	}
}

/**
 * The answer, if the whole of it comes within the time-out. The client of n8n stops its clock at
 * the headers, so an answer that trickles in would hold the request for ever.
 */
async function withTimeout(
	request: HttpRequest,
	{ transport, clock }: SendOptions,
): Promise<HttpResponse> {
	const connection = new AbortController();
	const { signal } = connection;
	return await new Promise<HttpResponse>((resolve, reject) => {
		let stop: () => void = () => undefined;
		const extendTimeout = (milliseconds: number) => {
			stop();
			stop = clock.startTimer(milliseconds, () => {
				reject(Object.assign(new Error('No whole answer in time.'), { code: 'ETIMEDOUT' }));
				connection.abort();
			});
		};
		extendTimeout(request.timeout);
		transport({ ...request, signal, extendTimeout })
			.catch((error: unknown) => {
				// When the execution is cancelled, the transport fails before its connection ends.
				connection.abort();
				throw error;
			})
			.finally(() => stop())
			.then(resolve, reject);
	});
}

function evaluateResponse(
	response: HttpResponse,
	{ clock, random, maxRetries, limiter, isRetryable = isRetryableStatus }: SendOptions,
	retryCount: number,
	admission: Permit | undefined,
): AttemptOutcome {
	const { statusCode, headers } = response;
	const isForbidden = isSecondaryRateLimit(response, clock.now());
	const isLimit = statusCode === TOO_MANY_REQUESTS || statusCode === SERVICE_UNAVAILABLE;
	const isThrottled = isLimit || isForbidden;
	const canRetry = isRetryable(statusCode) || isForbidden;
	if (!isThrottled) admission?.reportSuccess(parseRateLimit(headers, clock.now()));
	if (!isThrottled && !canRetry) return { kind: 'answered', response };

	const retryAfter = parseRetryAfterMs(headers, clock.now()) ?? 0;
	if (exceedsMaxRetryAfter(retryAfter))
		throw retryAfterTooLongFailure({ statusCode, waitMs: retryAfter });
	// A wait of zero leaves no time to recover, whoever named it.
	const hasRetryAfter = retryAfter > 0;
	const isPaced = isThrottled && limiter !== undefined;
	const backoffMs = isPaced
		? throttleBackoffMs(limiter.consecutivePauses, random())
		: fullJitterMs(retryCount, random());
	// Listings that are told the same time come back together and refuse each other again, until one
	// gives up.
	const jitterMs = isPaced && retryCount > 1 ? fullJitterMs(retryCount, random()) : 0;
	const waitMs = hasRetryAfter ? retryAfter + jitterMs : backoffMs;
	if (isThrottled) admission?.reportThrottled({ statusCode, waitMs });
	if (retryCount >= maxRetries || !canRetry) return { kind: 'answered', response };
	// With a pace the wait is everybody's, and admit() keeps it.
	return { kind: 'again', wait: isPaced ? 0 : waitMs };
}

/** @throws ServiceFailure if trying again does not help */
function evaluateError(
	error: unknown,
	url: string,
	{ limiter, random, maxRetries, urlLabel }: SendOptions,
	retryCount: number,
): AttemptOutcome {
	// An answer with too many levels is not a broken connection.
	if (error instanceof RangeError) throw error;
	const { kind, failure }: ConnectionFailure =
		error instanceof ServiceFailure
			? { kind: 'permanent', failure: error }
			: describeConnectionFailure(error, urlLabel, url);
	if (failure.kind === 'cancelled') limiter?.close(failure);
	if (kind === 'permanent' || retryCount >= maxRetries) throw failure;
	return { kind: 'again', wait: fullJitterMs(retryCount, random()) };
}

const RUN_LATER = 'Run the workflow again after that time';

/** @param remedy the beginning of a sentence */
export function retryAfterTooLongFailure(
	{ statusCode, waitMs }: Throttling,
	remedy = RUN_LATER,
): ServiceFailure {
	const seconds = formatCount(Math.ceil(waitMs / 1000), 'second');
	return new ServiceFailure(
		`The service answered ${statusCode} and asks to wait ${seconds}.`,
		`${remedy}, or ask your service provider for a higher rate limit.`,
		{ kind: 'rateLimit', statusCode, retryAfter: waitMs },
	);
}
