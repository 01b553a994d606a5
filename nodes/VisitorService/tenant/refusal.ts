import { LISTED_RESOURCES } from '../answer/resources';
import { cleanServerText } from '../failure/serverText';
import { type FailureKind, ServiceFailure } from '../failure/serviceFailure';
import type { HttpAnswer } from '../http/message';
import { forbidsForNow, readRetryAfter } from '../http/retryTimes';
import { ACCEPTED, TOO_MANY_REQUESTS } from '../http/temporaryStatus';

type Explanation = readonly [kind: FailureKind, what: string, remedy: string];

const CHECK_PARAMETERS =
	'Try a smaller Page Size. Check Sort and Updated Since, and the format Updated Since is sent in.';
const CHECK_URLS = 'Check Tenant API URL and API Version in the credential.';
const CHECK_SEGMENT = `Check Path Segment in the node. If List Users fails too: ${CHECK_URLS}`;
const SAME_SERVICE =
	'Check that Tenant API URL and Authorization Server URL in the credential belong to the same service.';
const ASK_FOR_SCOPE =
	'Ask your service provider to allow it, or which Scope to set in the credential.';
const SLOW_DOWN = 'Lower Concurrency, raise Max Retries, or run the workflow later.';
const RAISE_RETRIES = 'Raise Max Retries, or run the workflow later.';
const SET_FINAL_URL = 'Set Tenant API URL in the credential to the final URL of the API.';
const TRY_LATER = 'Try again later. The cause is on the side of the service.';

const UNEXPECTED: Explanation = [
	'service',
	'The service returned an unexpected answer',
	'Check the Tenant API URL in the credential.',
];

/** By status, then by its hundred. */
const EXPLANATIONS: Record<string, Explanation> = {
	[ACCEPTED]: [
		'service',
		'The service is still preparing its answer after all retries',
		RAISE_RETRIES,
	],
	401: ['authorization', 'The service rejects the access token, even a new one', SAME_SERVICE],
	403: ['permission', 'This client ID is not allowed to read {path}', ASK_FOR_SCOPE],
	404: ['notFound', 'The service has nothing at {path}', CHECK_URLS],
	[TOO_MANY_REQUESTS]: [
		'rateLimit',
		'The service still limits the rate of requests after all retries',
		SLOW_DOWN,
	],
	'3xx': [
		'configuration',
		'The service redirects the request to another URL, which is not followed',
		SET_FINAL_URL,
	],
	'4xx': [
		'badRequest',
		'The service does not accept the parameters of the request',
		CHECK_PARAMETERS,
	],
	'5xx': ['service', 'The service failed to answer', TRY_LATER],
};

/**
 * What it means that the tenant's API did not answer with success.
 *
 * @param secretsOf returns the values the text of the service must not hold
 * @returns undefined if the status is 2xx, but for 202: the answer is still being made
 */
export function explainAnswer(
	answer: HttpAnswer,
	url: string,
	secretsOf: () => readonly string[],
	now: number,
): ServiceFailure | undefined {
	const { statusCode, body } = answer;
	if (statusCode >= 200 && statusCode < 300 && statusCode !== ACCEPTED) return undefined;
	// After all retries it means the same as the status made for it.
	const meant = forbidsForNow(answer, now) ? TOO_MANY_REQUESTS : statusCode;
	const hundred = `${Math.floor(statusCode / 100)}xx`;
	const [kind, what, remedy] = EXPLANATIONS[meant] ?? EXPLANATIONS[hundred] ?? UNEXPECTED;
	const { pathname } = new URL(url);
	const isOfUsers = pathname.endsWith(`/${LISTED_RESOURCES.user.segment}`);
	const sentence = `${what.replace('{path}', () => pathname)} (status ${statusCode}).`;
	const advice = kind === 'notFound' && !isOfUsers ? CHECK_SEGMENT : remedy;
	return new ServiceFailure(sentence, advice, {
		kind,
		statusCode,
		retryAfter: readRetryAfter(answer.headers, now),
		serverText: cleanServerText(body, secretsOf()),
	});
}
