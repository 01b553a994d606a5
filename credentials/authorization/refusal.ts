import { saysAnError } from '../../nodes/VisitorService/answer/errorBody';
import {
	type FailureKind,
	ServiceFailure,
} from '../../nodes/VisitorService/failure/serviceFailure';
import type { HttpAnswer } from '../../nodes/VisitorService/http/message';
import { readRetryAfter } from '../../nodes/VisitorService/http/retryTimes';
import { fieldsOf, readField } from '../../nodes/VisitorService/values/fieldName';
import { isRecord } from '../../nodes/VisitorService/values/json';
import { findToken } from './answer';
import type { Client } from './client';

type Refusal = readonly [kind: FailureKind, what: string, remedy: string];

const CHECK_CLIENT =
	'Check Client ID and Client Secret in the credential. Your service provider issues them.';
const CHECK_URL =
	'Check Authorization Server URL in the credential: it may belong to another service.';
const ASK_FOR_GRANT =
	'Ask your service provider whether the client ID is active and may use client_credentials.';

const NO_ENDPOINT: Refusal = [
	'notFound',
	'has no token endpoint at /auth/app-oauth',
	'Check Authorization Server URL in the credential.',
];
const SERVER_FAULT: Refusal = [
	'service',
	'failed to answer the token request',
	'Try again later. The cause is on the side of the service.',
];

/** Codes of RFC 6749 §5.2, which say more than a status, and statuses. */
const REFUSALS: Record<string, Refusal> = {
	invalid_client: ['authorization', 'does not accept the client ID and secret', CHECK_CLIENT],
	invalid_grant: ['authorization', 'does not accept the grant', ASK_FOR_GRANT],
	unauthorized_client: ['authorization', 'does not allow this client ID the grant', ASK_FOR_GRANT],
	invalid_request: ['authorization', 'cannot read the token request', CHECK_URL],
	unsupported_grant_type: ['authorization', 'does not support client_credentials', CHECK_URL],
	invalid_scope: [
		'authorization',
		'does not know the scope of this client ID',
		'Correct Scope in the credential, or ask your service provider which scope the client ID has.',
	],
	400: ['authorization', 'rejected the token request', CHECK_CLIENT],
	401: ['authorization', 'does not accept the client ID and secret', CHECK_CLIENT],
	403: ['permission', 'does not allow this client ID to get a token', ASK_FOR_GRANT],
	404: NO_ENDPOINT,
	405: NO_ENDPOINT,
	408: SERVER_FAULT,
	410: NO_ENDPOINT,
	415: ['configuration', 'does not read form fields', CHECK_URL],
	425: SERVER_FAULT,
	429: [
		'rateLimit',
		'limits the rate of token requests',
		'Try again later, or ask your service provider for a higher limit.',
	],
};

const REDIRECT: Refusal = [
	'configuration',
	'redirects the token request, which is not followed',
	'Set Authorization Server URL in the credential to the final URL, with https.',
];

/**
 * What it means that the token endpoint did not issue a token. The body itself is never shown: an
 * endpoint that echoes its request would show the secret.
 *
 * @param now when the answer came, in milliseconds
 * @returns undefined if the answer is a success
 */
export function explainTokenRefusal(
	{ statusCode, headers, body }: HttpAnswer,
	client: Pick<Client, 'answerPath' | 'clientSecret'>,
	now: number,
): ServiceFailure | undefined {
	const error = isRecord(body) ? readField(fieldsOf(body), ['error']) : undefined;
	const code = typeof error === 'string' && Object.hasOwn(REFUSALS, error) ? error : undefined;
	const isSuccess = statusCode >= 200 && statusCode < 300;
	// Frameworks fill their error object in every answer. If a token came with it, the request will
	// show what it is worth.
	const saysError = saysAnError(error) && findToken(body, client) === undefined;
	if (isSuccess && code === undefined && !saysError) return undefined;
	const [kind, what, remedy] = REFUSALS[code ?? statusCode] ?? refusalOf(statusCode);
	const said = code === undefined ? '' : ` (${code})`;
	const isPasted = kind === 'authorization' && client.clientSecret !== client.clientSecret.trim();
	return new ServiceFailure(
		`The authorization server ${what}${said}, status ${statusCode}.`,
		isPasted ? `${remedy} The Client Secret begins or ends with a space.` : remedy,
		{ kind, statusCode, retryAfter: readRetryAfter(headers, now) },
	);
}

function refusalOf(statusCode: number): Refusal {
	if (statusCode >= 500) return SERVER_FAULT;
	if (statusCode >= 400) return ['authorization', 'rejected the token request', CHECK_URL];
	if (statusCode >= 300) return REDIRECT;
	return ['authorization', 'refused the request instead of issuing a token', CHECK_CLIENT];
}
