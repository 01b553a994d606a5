import { type FailureKind, ServiceFailure } from '../failure/serviceFailure';
import {
	ACCEPTED,
	isSecondaryRateLimit,
	parseRetryAfterMs,
	TOO_MANY_REQUESTS,
} from '../http/backoff';
import type { HttpRequest, HttpResponse } from '../http/message';
import { type SendOptions, sendRequest } from '../http/sendRequest';
import { LISTED_RESOURCES } from '../response/resources';
import { sanitizeServerText } from '../values/serverText';

type Explanation = readonly [kind: FailureKind, what: string, remedy: string];

const CHECK_URLS = 'Check Tenant API URL and API Version in the credential.';
const SAME_SERVICE =
	'Check that Tenant API URL and Authorization Server URL in the credential belong to the same service.';
const ASK_FOR_SCOPE =
	'Ask your service provider to allow it, or which Scope to set in the credential.';

/** By status, then by its hundred; FAILED are 202 and 5xx. */
const EXPLANATIONS: Record<string, Explanation> = {
	401: ['authorization', 'The service rejects the access token, even a new one', SAME_SERVICE],
	'401 after a list': [
		'authorization',
		'The service accepted the access token and then rejected it, and each new one',
		'Run the workflow again. If it stays so, ask your service provider what ends the tokens: another program may use the same client ID.',
	],
	403: ['permission', 'This client ID is not allowed to read {path}', ASK_FOR_SCOPE],
	404: ['notFound', 'The service has nothing at {path}', CHECK_URLS],
	[TOO_MANY_REQUESTS]: [
		'rateLimit',
		'The service still limits the rate of requests after all retries',
		'Run the workflow later or less often. Lower Concurrency and raise Max Retries if the node has them.',
	],
	'3xx': [
		'configuration',
		'The service redirects the request to another URL, which is not followed',
		'Set Tenant API URL in the credential to the final URL of the API.',
	],
	'4xx': [
		'badRequest',
		'The service does not accept the parameters of the request',
		'Try a smaller Page Size. Check Sort and Updated Since, and the format Updated Since is sent in.',
	],
};
const FAILED: Explanation = [
	'service',
	'The service failed to answer',
	'Try again later. The cause is on the side of the service.',
];

interface UsedCredential {
	/** What the text of the service must not hold. */
	secrets: () => readonly string[];
	/** Whether the service has returned a list with one of its tokens. */
	hasWorked?: boolean;
}

/**
 * Sends a request to the tenant's API.
 *
 * @param token to send; undefined if the transport adds one
 * @returns the response, and what it means if it is not a success
 * @throws ServiceFailure if no response was received
 */
export async function requestApi(
	request: Required<Pick<HttpRequest, 'url' | 'query' | 'timeout'>>,
	rules: Omit<SendOptions, 'urlLabel'>,
	credential: UsedCredential,
	token?: string,
): Promise<{ response: HttpResponse; failure: ServiceFailure | undefined }> {
	const authorization = token !== undefined && { Authorization: `Bearer ${token}` };
	const response = await sendRequest(
		{ ...request, method: 'GET', headers: { Accept: 'application/json', ...authorization } },
		{ ...rules, urlLabel: 'Tenant API URL' },
	);
	return { response, failure: explain(response, request.url, credential, rules.clock.now()) };
}

/** @returns undefined if the status is 2xx, but for 202: that response holds no result yet */
function explain(
	response: HttpResponse,
	url: string,
	credential: UsedCredential,
	now: number,
): ServiceFailure | undefined {
	const { statusCode, body, headers } = response;
	if (statusCode >= 200 && statusCode < 300 && statusCode !== ACCEPTED) return undefined;
	const [kind, what, remedy] = findExplanation(response, credential.hasWorked === true, now);
	const { pathname } = new URL(url);
	const isOfUsers = pathname.endsWith(`/${LISTED_RESOURCES.user.segment}`);
	const sentence = `${what.replace('{path}', () => pathname)} (status ${statusCode}).`;
	const segment = 'Check Path Segment in the node. If List Users fails too: ';
	const advice = kind === 'notFound' && !isOfUsers ? `${segment}${remedy}` : remedy;
	return new ServiceFailure(sentence, advice, {
		kind,
		statusCode,
		retryAfter: parseRetryAfterMs(headers, now),
		serverText: describeReasons([body, readChallenge(headers)], credential.secrets()),
	});
}

function findExplanation(response: HttpResponse, hasWorked: boolean, now: number): Explanation {
	const { statusCode } = response;
	if (statusCode === 401 && hasWorked) return EXPLANATIONS['401 after a list'] ?? FAILED;
	// After all retries it means the same as the status made for it.
	const status = isSecondaryRateLimit(response, now) ? TOO_MANY_REQUESTS : statusCode;
	return EXPLANATIONS[status] ?? EXPLANATIONS[`${status}`.replace(/..$/, 'xx')] ?? FAILED;
}

function describeReasons(parts: unknown[], secrets: readonly string[]): string | undefined {
	const texts = parts.map((part) => sanitizeServerText(part, secrets));
	return [...new Set(texts.filter((text) => text !== undefined))].join('; ') || undefined;
}

/** Why the token is rejected (RFC 6750 §3): frameworks send it beside an empty body. */
function readChallenge(headers: HttpResponse['headers']): string | undefined {
	const challenge = headers['www-authenticate'] ?? '';
	const [, quoted, token] =
		/\berror_description\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/i.exec(challenge) ?? [];
	return quoted?.replace(/\\(.)/g, '$1') ?? token;
}
