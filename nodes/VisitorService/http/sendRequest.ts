import { ServiceFailure } from '../failure/serviceFailure';
import { formatCount } from '../values/scalar';
import type { AdaptiveRateLimiter, Permit, Throttling } from './adaptiveRateLimiter';
import {
	exceedsMaxRetryAfter,
	isRetryableStatus,
	isSecondaryRateLimit,
	parseRetryAfterMs,
	retryDelayMs,
	SERVICE_UNAVAILABLE,
	TOO_MANY_REQUESTS,
} from './backoff';
import { type ConnectionFailure, describeConnectionFailure } from './connectionFailure';
import type { Clock, HttpRequest, HttpResponse, Transport } from './message';
import { parseRateLimit } from './rateLimitHeaders';

export interface SendOptions {
	transport: Transport;
	clock: Clock;
	/** A number in [0, 1) for the jitter. */
	random: () => number;
	maxRetries: number;
	/** Whether to retry after this status code. Default: `isRetryableStatus`. */
	isRetryable?: (statusCode: number) => boolean;
	/** The label of the URL in the credential, for messages. */
	urlLabel: string;
	/** Shared by all requests of one run. */
	limiter?: AdaptiveRateLimiter;
	onRetry?: () => void;
}

/** What one attempt led to. */
type AttemptOutcome =
	| { kind: 'respond'; response: HttpResponse }
	| { kind: 'retry'; waitMs: number };

/**
 * Sends one request, with retries if they can help, and resolves with its response, whatever the
 * status code. Every request of this package is sent by this function.
 *
 * @throws ServiceFailure if no readable response was received, or it asks to wait over a minute
 */
export async function sendRequest(
	request: HttpRequest,
	options: SendOptions,
): Promise<HttpResponse> {
	for (let retryCount = 0; ; retryCount++) {
		const outcome = await attempt(request, options, retryCount);
		if (outcome.kind === 'respond') return outcome.response;
		options.onRetry?.();
		if (outcome.waitMs > 0) await options.clock.sleep(outcome.waitMs);
	}
}

async function attempt(
	request: HttpRequest,
	options: SendOptions,
	retryCount: number,
): Promise<AttemptOutcome> {
	const permit = await options.limiter?.acquire();
	return await withTimeout(request, options)
		.then(
			(response) => evaluateResponse(response, options, retryCount, permit),
			(error: unknown) => evaluateError(error, request.url, options, retryCount),
		)
		.finally(() => permit?.release());
}

/**
 * The response, if all of it arrives within the time-out. The time-out of n8n's client ends with
 * the headers, so a body that trickles in would hold the request for ever.
 */
async function withTimeout(
	request: HttpRequest,
	{ transport, clock }: SendOptions,
): Promise<HttpResponse> {
	const connection = new AbortController();
	const { signal } = connection;
	return await new Promise<HttpResponse>((resolve, reject) => {
		let stop: () => void = () => undefined;
		let sentAt = 0;
		const extendTimeout = (milliseconds: number) => {
			stop();
			sentAt = clock.now();
			stop = clock.startTimer(milliseconds, () => {
				reject(Object.assign(new Error('No complete response in time.'), { code: 'ETIMEDOUT' }));
				connection.abort();
			});
		};
		extendTimeout(request.timeoutMs);
		transport({ ...request, signal, extendTimeout })
			.catch((error: unknown) => {
				// When the execution is cancelled, the transport fails before its connection ends.
				connection.abort();
				throw error;
			})
			.finally(() => stop())
			.then((response) => resolve({ ...response, durationMs: clock.now() - sentAt }), reject);
	});
}

function evaluateResponse(
	response: HttpResponse,
	{ clock, random, maxRetries, limiter, isRetryable = isRetryableStatus }: SendOptions,
	retryCount: number,
	permit: Permit | undefined,
): AttemptOutcome {
	const { statusCode, headers } = response;
	const now = clock.now();
	const isSecondaryLimit = isSecondaryRateLimit(response, now);
	const isThrottled =
		statusCode === TOO_MANY_REQUESTS || statusCode === SERVICE_UNAVAILABLE || isSecondaryLimit;
	const canRetry = isRetryable(statusCode) || isSecondaryLimit;
	if (!isThrottled) permit?.reportSuccess(parseRateLimit(headers, now));
	if (!isThrottled && !canRetry) return { kind: 'respond', response };

	const retryAfterMs = parseRetryAfterMs(headers, now) ?? 0;
	if (exceedsMaxRetryAfter(retryAfterMs))
		throw retryAfterTooLongFailure({ statusCode, waitMs: retryAfterMs });
	const consecutivePauses = isThrottled ? limiter?.consecutivePauses : undefined;
	const waitMs = retryDelayMs({ retryCount, retryAfterMs, consecutivePauses }, random);
	if (isThrottled) permit?.reportThrottled({ statusCode, waitMs });
	if (retryCount >= maxRetries || !canRetry) return { kind: 'respond', response };
	// With a limiter, all requests wait: acquire() sees to it.
	return { kind: 'retry', waitMs: consecutivePauses === undefined ? waitMs : 0 };
}

/** @throws ServiceFailure if trying again does not help */
function evaluateError(
	error: unknown,
	url: string,
	{ limiter, random, maxRetries, urlLabel }: SendOptions,
	retryCount: number,
): AttemptOutcome {
	// Thrown for a response with too many levels, which is not a broken connection.
	if (error instanceof RangeError) throw error;
	const { kind, failure }: ConnectionFailure =
		error instanceof ServiceFailure
			? { kind: 'permanent', failure: error }
			: describeConnectionFailure(error, urlLabel, url);
	if (failure.kind === 'cancelled') limiter?.close(failure);
	if (kind === 'permanent' || retryCount >= maxRetries) throw failure;
	return { kind: 'retry', waitMs: retryDelayMs({ retryCount }, random) };
}

const RUN_LATER = 'Run the workflow again after that time';

/** @param remedy the beginning of a sentence */
export function retryAfterTooLongFailure(
	{ statusCode, waitMs }: Throttling,
	remedy = RUN_LATER,
): ServiceFailure {
	const seconds = formatCount(Math.ceil(waitMs / 1000), 'second');
	return new ServiceFailure(
		`The service responded with status ${statusCode} and asks to wait ${seconds}.`,
		`${remedy}, or ask your service provider for a higher rate limit.`,
		{ kind: 'rateLimit', statusCode, retryAfterMs: waitMs },
	);
}
