import { isRecord } from '../../nodes/VisitorService/json/isRecord';
import { isTelling } from '../../nodes/VisitorService/transport/errorBody';
import type { HttpAnswer } from '../../nodes/VisitorService/transport/httpMessage';
import { readRetryAfter } from '../../nodes/VisitorService/transport/retryTimes';
import {
	type FailureKind,
	ServiceFailure,
} from '../../nodes/VisitorService/transport/serviceFailure';

type Sentences = readonly [what: string, remedy: string];

interface Explanation {
	kind: FailureKind;
	sentences: Sentences;
}

/** RFC 6749 §5.2. */
const ERROR_CODES: Record<string, Sentences> = {
	invalid_client: [
		'does not accept the client ID and secret (invalid_client)',
		'Check Client ID and Client Secret in the credential; they are issued by the operator of the service.',
	],
	invalid_grant: [
		'does not accept the grant (invalid_grant)',
		'Ask the operator of the service whether the client is still active.',
	],
	invalid_request: [
		'finds the token request malformed (invalid_request)',
		'Check that Authorization Server URL is the base address without a path, and that Client ID and Client Secret are complete.',
	],
	invalid_scope: [
		'does not know the scope of the client (invalid_scope)',
		'Ask the operator of the service which scope the client was given.',
	],
	unauthorized_client: [
		'does not allow this client the client credentials grant (unauthorized_client)',
		'Ask the operator of the service to allow the grant type client_credentials for the client.',
	],
	unsupported_grant_type: [
		'does not support the client credentials grant (unsupported_grant_type)',
		'Check the Authorization Server URL in the credential: it may belong to another service.',
	],
};

const NO_ENDPOINT: Explanation = {
	kind: 'notFound',
	sentences: [
		'has no token endpoint at /auth/app-oauth',
		'Check the Authorization Server URL in the credential: it is the base address, without /auth/app-oauth.',
	],
};

const SERVER_FAULT: Explanation = {
	kind: 'service',
	sentences: ['failed to answer the token request', 'Try again later; the fault is on its side.'],
};

const STATUSES: Record<number, Explanation> = {
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
			'Check Client ID and Client Secret in the credential; they are issued by the operator of the service.',
		],
	},
	403: {
		kind: 'permission',
		sentences: [
			'forbids this client to get a token',
			'Ask the operator of the service whether the client is active and may be used from this address.',
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
			'Try again later, or ask the operator of the service for a higher limit.',
		],
	},
};

const REDIRECT: Explanation = {
	kind: 'configuration',
	sentences: [
		'redirects the token request, which is not followed',
		'Set Authorization Server URL in the credential to the final address, with https.',
	],
};

const UNEXPECTED: Explanation = {
	kind: 'authorization',
	sentences: [
		'gave an unexpected answer to the token request',
		'Check the Authorization Server URL in the credential.',
	],
};

const ERROR_WITH_SUCCESS: Explanation = {
	kind: 'authorization',
	sentences: [
		'refused the request instead of issuing a token',
		'Check Client ID and Client Secret in the credential, then ask the operator of the service.',
	],
};

/**
 * What it means that the token endpoint did not issue a token, by RFC 6749 §5.2 error code or by status.
 * The body itself is never shown: an endpoint that echoes its request would show the secret.
 *
 * @param now when the answer came, in milliseconds
 * @returns undefined where the answer is a success
 */
export function explainTokenRefusal(
	{ statusCode, headers, body }: HttpAnswer,
	now: number,
): ServiceFailure | undefined {
	const error = isRecord(body) ? body.error : undefined;
	const explanation = explainCode(error) ?? explainStatus(statusCode, isTelling(error));
	if (explanation === undefined) return undefined;
	const { kind, sentences } = explanation;
	const [what, remedy] = sentences;
	return new ServiceFailure(`The authorization server ${what}, status ${statusCode}.`, remedy, {
		kind,
		statusCode,
		retryAfter: readRetryAfter(headers, now),
	});
}

function explainCode(error: unknown): Explanation | undefined {
	if (typeof error !== 'string' || !Object.hasOwn(ERROR_CODES, error)) return undefined;
	const sentences = ERROR_CODES[error];
	return sentences && { kind: 'authorization', sentences };
}

function explainStatus(statusCode: number, withError: boolean): Explanation | undefined {
	if (statusCode >= 200 && statusCode < 300) return withError ? ERROR_WITH_SUCCESS : undefined;
	if (statusCode >= 300 && statusCode < 400) return REDIRECT;
	return STATUSES[statusCode] ?? (statusCode >= 500 ? SERVER_FAULT : UNEXPECTED);
}
