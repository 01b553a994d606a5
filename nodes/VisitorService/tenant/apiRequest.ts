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
const CHECK_SEGMENT = 'Check Path Segment in the node. If List Users fails too: ';
const SAME_SERVICE =
	'Check that Tenant API URL and Authorization Server URL in the credential belong to the same service.';
const SCOPE_REMEDY =
	'Ask your service provider to allow it, or which Scope to set in the credential.';

/** By status, then by its hundred. `FAILED` explains 202 and 5xx. */
const EXPLANATIONS: Record<string, Explanation> = {
	401: ['authorization', 'The service rejects the access token, even a new one', SAME_SERVICE],
	'401 after a list': [
		'authorization',
		'The service accepted the access token and then rejected it, and each new one',
		'Run the workflow again. If it stays so, ask your service provider what ends the tokens: another program may use the same client ID.',
	],
	403: ['permission', 'This client ID is not allowed to read {path}', SCOPE_REMEDY],
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
	'The service failed',
	'Try again later. The cause is on the side of the service.',
];

/** In memory, as text and as records, a response takes several times its size. */
const SIZE_LIMIT = {
	maxMegabytes: 64,
	sender: 'service',
	remedy: 'Set Page Size in the options of the node to a smaller number.',
} as const;

/** Names of parameters in the texts of errors, and the option to check. */
const PARAMETERS: ReadonlyArray<[named: RegExp, advice: string]> = [
	[/\b(?:page[\s_-]?size|per[\s_-]?page|limit|size)\b/i, 'Try a smaller Page Size.'],
	[/\bpage(?![\s_-]?size)(?:[\s_-]?(?:number|no|index))?\b/i, 'Check Page if the node has it.'],
	[/\b(?:sort|order)(?:[\s_-]?(?:by|field))?\b/i, 'Check Sort.'],
	[
		/\b(?:(?:updated|modified|changed)[\s_-]?(?:since|after)|since)\b/i,
		'Check Updated Since, and the format it is sent in.',
	],
];
const OWN_PARAMETERS = ['page', 'pageSize', 'sort', 'updatedSince'];

/** What the explanation of a response depends on. */
interface UsedCredential {
	/** What the text of the service must not contain. */
	secrets: readonly string[];
	/** Whether a page was read with one of the tokens. */
	hasWorked?: boolean;
}

interface ApiRequest extends Required<Pick<HttpRequest, 'url' | 'query' | 'timeoutMs'>> {
	/** Max milliseconds, if the list can be read without the response: it is requested only once. */
	trialTimeoutMs?: number;
}

/**
 * Sends a request to the tenant's API.
 *
 * @param token to send; undefined if the transport adds one
 * @returns the response, and its failure unless it is a success
 * @throws ServiceFailure if no response was received
 */
export async function requestApi(
	{ trialTimeoutMs, ...request }: ApiRequest,
	options: Omit<SendOptions, 'urlLabel'>,
	credential: () => UsedCredential,
	token?: string,
): Promise<{ response: HttpResponse; failure: ServiceFailure | undefined }> {
	const authorization = token !== undefined && { Authorization: `Bearer ${token}` };
	const isTrial = trialTimeoutMs !== undefined;
	const response = await sendRequest(
		{
			isTrial,
			sizeLimit: SIZE_LIMIT,
			method: 'GET',
			headers: { Accept: 'application/json', ...authorization },
			...request,
			timeoutMs: Math.min(request.timeoutMs, trialTimeoutMs ?? Infinity),
		},
		{ urlLabel: 'Tenant API URL', ...options, ...(isTrial && { maxRetries: 0 }) },
	);
	const { statusCode } = response;
	// 202: the response holds no result yet.
	const isSuccess = statusCode >= 200 && statusCode < 300 && statusCode !== ACCEPTED;
	const failure = isSuccess
		? undefined
		: explain(response, request, credential(), options.clock.now());
	return { response, failure };
}

/** What to check of the parameters that a service names in the text of an error. */
function adviceOnParameters(body: unknown, query: HttpRequest['query'] = {}): string | undefined {
	const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
	const own = PARAMETERS.flatMap(([named, advice]) => (named.test(text) ? [advice] : []));
	const others = Object.keys(query).filter(
		(name) => !OWN_PARAMETERS.includes(name) && text.includes(name),
	);
	const advice = [...own, ...others.map((name) => `Check the query parameter "${name}".`)];
	return advice.length > 0 ? advice.join(' ') : undefined;
}

function explain(
	response: HttpResponse,
	{ query, url }: Pick<HttpRequest, 'query' | 'url'>,
	{ secrets, hasWorked }: UsedCredential,
	now: number,
): ServiceFailure {
	const { statusCode, body, headers } = response;
	// After all retries it is explained as the status for rate limits.
	const status = isSecondaryRateLimit(response, now) ? TOO_MANY_REQUESTS : statusCode;
	const [kind, what, remedy] =
		EXPLANATIONS[status === 401 && hasWorked ? '401 after a list' : status] ??
		EXPLANATIONS[`${status}`.replace(/..$/, 'xx')] ??
		FAILED;
	const path = new URL(url).pathname;
	const isUsersPath = path.endsWith(`/${LISTED_RESOURCES.user.segment}`);
	const named = kind === 'badRequest' ? adviceOnParameters(body, query) : undefined;
	const advice = kind === 'notFound' && !isUsersPath ? `${CHECK_SEGMENT}${remedy}` : remedy;
	const reasons = [body, readChallenge(headers)].flatMap(
		(part) => sanitizeServerText(part, secrets) ?? [],
	);
	return new ServiceFailure(
		`${what.replace('{path}', () => path)} (status ${statusCode}).`,
		named ?? advice,
		{
			kind,
			statusCode,
			retryAfterMs: parseRetryAfterMs(headers, now),
			serverText: [...new Set(reasons)].join('; ') || undefined,
		},
	);
}

/** Why the token is rejected (RFC 6750 §3). Frameworks send it with an empty body. */
function readChallenge(headers: HttpResponse['headers']): string | undefined {
	const [, quoted, token] =
		/\berror_description\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))/i.exec(
			headers['www-authenticate'] ?? '',
		) ?? [];
	return quoted?.replace(/\\(.)/g, '$1') ?? token;
}
