import { cleanServerText } from '../failure/serverText';
import { type FailureKind, ServiceFailure } from '../failure/serviceFailure';
import type { HttpAnswer } from '../http/message';
import { forbidsForNow, readRetryAfter } from '../http/retryTimes';
import { ACCEPTED, TOO_MANY_REQUESTS } from '../http/temporaryStatus';

interface Explanation {
	kind: FailureKind;
	what: string;
	remedy: string;
}

/**
 * What it means that the tenant's API did not answer with success.
 *
 * @param url the URL asked for
 * @param secretsOf returns the values the text of the service must not hold
 * @param now when the answer came, in milliseconds
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
	const { kind, what, remedy } = explainStatus(meant, new URL(url).pathname);
	return new ServiceFailure(`${what} (status ${statusCode}).`, remedy, {
		kind,
		statusCode,
		retryAfter: readRetryAfter(answer.headers, now),
		serverText: cleanServerText(body, secretsOf()),
	});
}

function explainStatus(statusCode: number, path: string): Explanation {
	switch (statusCode) {
		case ACCEPTED:
			return {
				kind: 'service',
				what: 'The service is still preparing its answer after all retries',
				remedy: 'Raise Max Retries, or run the workflow later.',
			};
		case 400:
		case 422:
			return {
				kind: 'badRequest',
				what: 'The service does not accept the parameters of the request',
				remedy: 'Check Page Size, Sort and Updated Since, and the format Updated Since is sent in.',
			};
		case 401:
			return {
				kind: 'authorization',
				what: 'The service rejects the access token, even a new one',
				remedy:
					'Check that Tenant API URL and Authorization Server URL in the credential belong to the same service.',
			};
		case 403:
			return {
				kind: 'permission',
				what: `This client ID is not allowed to read ${path}`,
				remedy: 'Ask your service provider to allow it.',
			};
		case 404:
		case 410:
			return {
				kind: 'notFound',
				what: `The service has nothing at ${path}`,
				remedy:
					'Check Tenant API URL and API Version in the credential, and Path Segment in the node.',
			};
		case 413:
			return {
				kind: 'badRequest',
				what: 'The service does not return pages of this size',
				remedy: 'Set Page Size to a smaller number, such as 50.',
			};
		case TOO_MANY_REQUESTS:
			return {
				kind: 'rateLimit',
				what: 'The service still limits the rate of requests after all retries',
				remedy: 'Lower Concurrency, raise Max Retries, or run the workflow later.',
			};
		default:
			break;
	}
	if (statusCode >= 300 && statusCode < 400) {
		return {
			kind: 'configuration',
			what: 'The service redirects the request to another URL, which is not followed',
			remedy: 'Set Tenant API URL in the credential to the final URL of the API.',
		};
	}
	if (statusCode >= 500) {
		return {
			kind: 'service',
			what: 'The service failed to answer',
			remedy: 'Try again later. The cause is on the side of the service.',
		};
	}
	return {
		kind: 'service',
		what: 'The service returned an unexpected answer',
		remedy: 'Check the Tenant API URL in the credential.',
	};
}
