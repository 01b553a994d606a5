import { cleanServerText } from '../failure/serverText';
import { type FailureKind, ServiceFailure } from '../failure/serviceFailure';
import type { HttpAnswer } from '../http/message';
import { forbidsForNow, readRetryAfter } from '../http/retryTimes';
import { ACCEPTED, TOO_MANY_REQUESTS } from '../http/temporaryStatus';

type Explanation = readonly [kind: FailureKind, what: string, remedy: string];

const BAD_PARAMETERS: Explanation = [
	'badRequest',
	'The service does not accept the parameters of the request',
	'Check Page Size, Sort and Updated Since, and the format Updated Since is sent in.',
];
const NOTHING_THERE: Explanation = [
	'notFound',
	'The service has nothing at {path}',
	'Check Tenant API URL and API Version in the credential, and Path Segment in the node.',
];
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
		'Raise Max Retries, or run the workflow later.',
	],
	400: BAD_PARAMETERS,
	401: [
		'authorization',
		'The service rejects the access token, even a new one',
		'Check that Tenant API URL and Authorization Server URL in the credential belong to the same service.',
	],
	403: [
		'permission',
		'This client ID is not allowed to read {path}',
		'Ask your service provider to allow it.',
	],
	404: NOTHING_THERE,
	410: NOTHING_THERE,
	413: [
		'badRequest',
		'The service does not return pages of this size',
		'Set Page Size to a smaller number, such as 50.',
	],
	422: BAD_PARAMETERS,
	[TOO_MANY_REQUESTS]: [
		'rateLimit',
		'The service still limits the rate of requests after all retries',
		'Lower Concurrency, raise Max Retries, or run the workflow later.',
	],
	'3xx': [
		'configuration',
		'The service redirects the request to another URL, which is not followed',
		'Set Tenant API URL in the credential to the final URL of the API.',
	],
	'5xx': [
		'service',
		'The service failed to answer',
		'Try again later. The cause is on the side of the service.',
	],
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
	const sentence = what.replace('{path}', () => new URL(url).pathname);
	return new ServiceFailure(`${sentence} (status ${statusCode}).`, remedy, {
		kind,
		statusCode,
		retryAfter: readRetryAfter(answer.headers, now),
		serverText: cleanServerText(body, secretsOf()),
	});
}
