import { saysAnError } from '../../nodes/VisitorService/answer/errorBody';
import {
	type FailureKind,
	ServiceFailure,
} from '../../nodes/VisitorService/failure/serviceFailure';
import type { HttpAnswer } from '../../nodes/VisitorService/http/message';
import { readRetryAfter } from '../../nodes/VisitorService/http/retryTimes';
import { readField } from '../../nodes/VisitorService/values/json';
import type { Client } from './client';
import { findToken } from './tokenAnswer';

type Meaning = readonly [what: string, remedy: string, kind?: FailureKind];

const CHECK_CLIENT =
	'Check Client ID and Client Secret in the credential. Your service provider issues them.';
const CHECK_URL = 'Check Authorization Server URL in the credential.';
const ASK_FOR_GRANT =
	'Ask your service provider whether the client ID is active and may use client_credentials.';
const CORRECT_SCOPE =
	'Correct Scope in the credential, or ask your service provider which scope the client ID has.';
const SET_FINAL_URL =
	'Set Authorization Server URL in the credential to the final URL, with https.';
const ASK_FOR_RATE = 'Try again later, or ask your service provider for a higher limit.';
const TRY_LATER = 'Try again later. The cause is on the side of the service.';

const NO_ENDPOINT: Meaning = ['has no token endpoint at /auth/app-oauth', CHECK_URL, 'notFound'];
const SERVER_FAULT: Meaning = ['failed to answer the token request', TRY_LATER, 'service'];

/** Codes of RFC 6749 §5.2, which say more than a status, then statuses, then their hundreds. */
const REFUSALS: Record<string, Meaning> = {
	invalid_client: ['does not accept the client ID and secret', CHECK_CLIENT],
	invalid_grant: ['does not accept the grant', ASK_FOR_GRANT],
	unauthorized_client: ['does not allow this client ID the grant', ASK_FOR_GRANT],
	invalid_request: ['cannot read the token request', CHECK_URL],
	unsupported_grant_type: ['does not support client_credentials', CHECK_URL],
	invalid_scope: ['does not know the scope of this client ID', CORRECT_SCOPE],
	400: ['rejected the token request', CHECK_CLIENT],
	401: ['does not accept the client ID and secret', CHECK_CLIENT],
	403: ['does not allow this client ID to get a token', ASK_FOR_GRANT, 'permission'],
	404: NO_ENDPOINT,
	405: NO_ENDPOINT,
	408: SERVER_FAULT,
	410: NO_ENDPOINT,
	415: ['does not read form fields', CHECK_URL, 'configuration'],
	425: SERVER_FAULT,
	429: ['limits the rate of token requests', ASK_FOR_RATE, 'rateLimit'],
	'3xx': ['redirects the token request, which is not followed', SET_FINAL_URL, 'configuration'],
	'4xx': ['rejected the token request', CHECK_URL],
	'5xx': SERVER_FAULT,
};

const REFUSED: Meaning = ['refused the request instead of issuing a token', CHECK_CLIENT];

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
	const error = readField(body, 'error');
	const isSuccess = statusCode >= 200 && statusCode < 300;
	// Frameworks fill their error object in every answer. If a token came with it, the request will
	// show what it is worth.
	if (isSuccess && (!saysAnError(error) || findToken(body, client) !== undefined)) return undefined;
	const code = typeof error === 'string' && Object.hasOwn(REFUSALS, error) ? error : undefined;
	const hundred = `${Math.floor(statusCode / 100)}xx`;
	const [what, remedy, kind = 'authorization'] =
		REFUSALS[code ?? statusCode] ?? REFUSALS[hundred] ?? REFUSED;
	const said = code === undefined ? '' : ` (${code})`;
	const isPasted = kind === 'authorization' && client.clientSecret !== client.clientSecret.trim();
	return new ServiceFailure(
		`The authorization server ${what}${said}, status ${statusCode}.`,
		isPasted ? `${remedy} The Client Secret begins or ends with a space.` : remedy,
		{ kind, statusCode, retryAfter: readRetryAfter(headers, now) },
	);
}
