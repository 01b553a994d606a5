import { saysAnError } from '../../nodes/VisitorService/answer/errorBody';
import {
	type FailureKind,
	ServiceFailure,
} from '../../nodes/VisitorService/failure/serviceFailure';
import type { HttpAnswer } from '../../nodes/VisitorService/http/message';
import { readRetryAfter } from '../../nodes/VisitorService/http/retryTimes';
import { fieldsOf, readField } from '../../nodes/VisitorService/values/fieldName';
import { isRecord } from '../../nodes/VisitorService/values/json';
import { holdsToken } from './answer';

type RefusalSentences = readonly [what: string, remedy: string];

interface TokenRefusal {
	kind: FailureKind;
	sentences: RefusalSentences;
}

/** RFC 6749 §5.2. */
const ERROR_CODES: Record<string, RefusalSentences> = {
	invalid_client: [
		'does not accept the client ID and secret (invalid_client)',
		'Check Client ID and Client Secret in the credential. Your service provider issues them.',
	],
	invalid_grant: [
		'does not accept the grant (invalid_grant)',
		'Ask your service provider whether the client ID is still active.',
	],
	invalid_request: [
		'cannot read the token request (invalid_request)',
		'Check Authorization Server URL, Client ID and Client Secret in the credential.',
	],
	invalid_scope: [
		'does not know the scope of this client ID (invalid_scope)',
		'Ask your service provider which scope the client ID has.',
	],
	unauthorized_client: [
		'does not allow this client ID the client credentials grant (unauthorized_client)',
		'Ask your service provider to allow the grant type client_credentials for this client ID.',
	],
	unsupported_grant_type: [
		'does not support the client credentials grant (unsupported_grant_type)',
		'Check the Authorization Server URL in the credential: it may belong to another service.',
	],
};

const NO_ENDPOINT: TokenRefusal = {
	kind: 'notFound',
	sentences: [
		'has no token endpoint at /auth/app-oauth',
		'Check Authorization Server URL in the credential.',
	],
};

const SERVER_FAULT: TokenRefusal = {
	kind: 'service',
	sentences: [
		'failed to answer the token request',
		'Try again later. The cause is on the side of the service.',
	],
};

const STATUSES: Record<number, TokenRefusal> = {
	400: {
		kind: 'authorization',
		sentences: [
			'rejected the token request',
			'Check Client ID and Client Secret in the credential, and the Authorization Server URL.',
		],
	},
	401: {
		kind: 'authorization',
		sentences: [
			'does not accept the client ID and secret',
			'Check Client ID and Client Secret in the credential. Your service provider issues them.',
		],
	},
	403: {
		kind: 'permission',
		sentences: [
			'does not allow this client ID to get a token',
			'Ask your service provider whether the client ID is active and may be used from your network.',
		],
	},
	404: NO_ENDPOINT,
	405: NO_ENDPOINT,
	408: SERVER_FAULT,
	410: NO_ENDPOINT,
	415: {
		kind: 'configuration',
		sentences: [
			'does not read form fields',
			'Check the Authorization Server URL in the credential: it may belong to another service.',
		],
	},
	425: SERVER_FAULT,
	429: {
		kind: 'rateLimit',
		sentences: [
			'limits the rate of token requests',
			'Try again later, or ask your service provider for a higher limit.',
		],
	},
};

const REDIRECT: TokenRefusal = {
	kind: 'configuration',
	sentences: [
		'redirects the token request, which is not followed',
		'Set Authorization Server URL in the credential to the final URL, with https.',
	],
};

const UNEXPECTED: TokenRefusal = {
	kind: 'authorization',
	sentences: [
		'returned an unexpected answer to the token request',
		'Check the Authorization Server URL in the credential.',
	],
};

const ERROR_WITH_SUCCESS: TokenRefusal = {
	kind: 'authorization',
	sentences: [
		'refused the request instead of issuing a token',
		'Check Client ID and Client Secret in the credential, then ask your service provider.',
	],
};

/**
 * What it means that the token endpoint did not issue a token, by RFC 6749 §5.2 error code or by
 * status. The body itself is never shown: an endpoint that echoes its request would show the
 * secret.
 *
 * @param now when the answer came, in milliseconds
 * @param tokenField dot path of the token; if empty, it is detected
 * @returns undefined if the answer is a success
 */
export function explainTokenRefusal(
	{ statusCode, headers, body }: HttpAnswer,
	now: number,
	tokenField = '',
): ServiceFailure | undefined {
	const error = isRecord(body) ? readField(fieldsOf(body), ['error']) : undefined;
	// Frameworks fill their error object in every answer. If a token came with it, the request will
	// show what it is worth.
	const saysError = saysAnError(error) && !holdsToken(body, tokenField);
	const explanation = explainCode(error) ?? explainTokenStatus(statusCode, saysError);
	if (explanation === undefined) return undefined;
	const { kind, sentences } = explanation;
	const [what, remedy] = sentences;
	return new ServiceFailure(`The authorization server ${what}, status ${statusCode}.`, remedy, {
		kind,
		statusCode,
		retryAfter: readRetryAfter(headers, now),
	});
}

function explainCode(error: unknown): TokenRefusal | undefined {
	if (typeof error !== 'string' || !Object.hasOwn(ERROR_CODES, error)) return undefined;
	const sentences = ERROR_CODES[error];
	return sentences && { kind: 'authorization', sentences };
}

function explainTokenStatus(statusCode: number, withError: boolean): TokenRefusal | undefined {
	if (statusCode >= 200 && statusCode < 300) return withError ? ERROR_WITH_SUCCESS : undefined;
	if (statusCode >= 300 && statusCode < 400) return REDIRECT;
	return STATUSES[statusCode] ?? (statusCode >= 500 ? SERVER_FAULT : UNEXPECTED);
}
