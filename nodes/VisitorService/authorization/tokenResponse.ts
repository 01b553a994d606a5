import { type FailureKind, ServiceFailure, TokenFailure } from '../failure/serviceFailure';
import { parseRetryAfterMs } from '../http/backoff';
import type { HttpResponse } from '../http/message';
import { indicatesError } from '../response/errorBody';
import { describeFields } from '../response/fieldNames';
import { describeHiddenCharacters } from '../values/hiddenCharacters';
import {
	findField,
	isJsonObject,
	isNonBlank,
	joinPath,
	normalizedFieldName,
	readDotPath,
	readField,
} from '../values/json';
import { readDecimal } from '../values/scalar';
import type { Client } from './client';

export interface TokenResponse {
	accessToken: string;
	/** Undefined if the response has no usable lifetime. Then a 401 shows that the token expired. */
	expiresInSeconds?: number;
	/** Dot path at which the token was found; '' if it is the whole response. */
	path: string;
}

/** Normalized names of the token: of RFC 6749 §5.1, then of services. */
const TOKEN_NAMES = ['accesstoken', 'token', 'authtoken', 'jwt'];

/**
 * Names of the type Bearer (Apigee: BearerToken; others: JWT). Tokens of other types need a proof
 * or another scheme.
 */
const BEARER_TYPE = /^((bearer|jwt|oauth|access)[\s_-]?(token)?)?$/i;

/**
 * What an `Authorization` header can carry. RFC 6750 §2.1 allows fewer characters, but services do
 * not keep to that. n8n would run a text that begins with = as an expression of the credential.
 */
const SENDABLE = /^(?!=)[\x21-\x7e]+$/;

/** A token in the form of RFC 6750 §2.1, if the whole response is a JSON string. */
const BARE_TOKEN = /^(?=.{16})[\w.~+/-]+=*$/;

/** A longer lifetime is a mistake, such as milliseconds. */
const MAX_LIFETIME_SECONDS = 366 * 24 * 3600;

/** `longIntegers` is set if the body was JSON, also if that is a text. */
type TokenHttpResponse = Pick<HttpResponse, 'body' | 'longIntegers'>;

type TokenTarget = Pick<Client, 'answerPath' | 'clientSecret'>;

/**
 * Reads the token from a successful response, whose shape the interface document does not show.
 *
 * @throws ServiceFailure if there is no token, or one that is not a Bearer token. It quotes no
 *   value of the response.
 */
export function readTokenResponse(response: TokenHttpResponse, target: TokenTarget): TokenResponse {
	const { body } = response;
	const found = findToken(response, target);
	if (found === undefined) throw missingTokenFailure(response, target);
	const { token, path } = found;
	// Type and lifetime are beside the token, or at the top.
	const beside = readDotPath(body, path.split('.').slice(0, -1).join('.'));
	const valueOf = (name: string) => readField(beside, name) ?? readField(body, name);

	const type = valueOf('tokentype');
	if (typeof type === 'string' && !BEARER_TYPE.test(type.trim())) {
		throw new ServiceFailure(
			'The authorization server issued a token that is not of the type Bearer.',
			'Ask your service provider for a client ID that gets Bearer tokens (RFC 6750).',
			{ kind: 'authorization' },
		);
	}
	const accessToken = token.replace(/^\s*bearer\s/i, '').trim();
	if (!SENDABLE.test(accessToken)) {
		throw new ServiceFailure(
			'The token in the response of the authorization server has characters that cannot be sent.',
			tokenFieldRemedy(body, target),
			{ kind: 'authorization' },
		);
	}
	const seconds = readDecimal(valueOf('expiresin')) ?? 0;
	const expiresInSeconds = seconds > 0 && seconds <= MAX_LIFETIME_SECONDS ? seconds : undefined;
	return { accessToken, path, expiresInSeconds };
}

/**
 * The token at Token Field; else the whole of a JSON string; else the value of one of the names, at
 * the top or one level down, but not in objects about refresh tokens (RFC 6749 §1.5) or errors.
 */
function findToken({ body, longIntegers }: TokenHttpResponse, { answerPath }: TokenTarget) {
	if (answerPath !== '') {
		const token = readDotPath(body, answerPath);
		return isNonBlank(token) ? { token, path: answerPath } : undefined;
	}
	const isText = longIntegers !== undefined && typeof body === 'string';
	if (isText && BARE_TOKEN.test(body)) return { token: body, path: '' };
	const entries = Object.entries(typeof body === 'object' && body !== null ? body : {}).filter(
		([name]) => !/refresh|error/.test(normalizedFieldName(name)),
	);
	for (const candidates of [[['', body] as const], entries]) {
		for (const name of TOKEN_NAMES) {
			for (const [path, value] of candidates) {
				const found = isJsonObject(value) ? findField(value, [name], isNonBlank) : undefined;
				if (found !== undefined) return { token: found.value, path: joinPath(path, found.key) };
			}
		}
	}
	return undefined;
}

function missingTokenFailure(
	{ body, longIntegers }: TokenHttpResponse,
	target: TokenTarget,
): ServiceFailure {
	// During an outage a service may return text or nothing, so a later attempt may work.
	if (isNonBlank(body)) {
		const what =
			longIntegers === undefined ? 'text instead of JSON' : 'a JSON text that is not a token';
		return new ServiceFailure(
			`The authorization server responded with ${what}.`,
			'Check the Authorization Server URL in the credential: it may lead to a web page or a proxy.',
			{ kind: 'response' },
		);
	}
	// Token Field is not quoted: it may be a secret pasted into the wrong field.
	const where = target.answerPath === '' ? '' : ' at the dot path in Token Field';
	const isNothing = (body ?? '') === '';
	return new ServiceFailure(
		`The response of the authorization server holds no access token${where}.`,
		tokenFieldRemedy(body, target),
		{ kind: isNothing ? 'response' : 'authorization' },
	);
}

/**
 * Names the fields of the response. A server that echoes its request may turn anything into a name,
 * so only plain words are shown that have nothing in common with the secret.
 */
function tokenFieldRemedy(body: unknown, { clientSecret }: TokenTarget): string {
	const mayShow = (name: string) =>
		/^[A-Za-z_-]{1,30}$/.test(name) && !clientSecret.includes(name) && !name.includes(clientSecret);
	const seen = describeFields(body, mayShow, '');
	return `Set Token Field in the credential to the dot path of the access token. ${seen}`.trim();
}

type TokenErrorText = readonly [what: string, remedy: string, kind?: FailureKind];

const CHECK_CLIENT =
	'Check Client ID and Client Secret in the credential. Your service provider issues them.';
const CHECK_URL = 'Check Authorization Server URL in the credential.';
const GRANT_REMEDY =
	'Ask your service provider whether the client ID is active and may use client_credentials.';
const CORRECT_SCOPE =
	'Correct Scope in the credential, or ask your service provider which scope the client ID has.';
const SET_FINAL_URL =
	'Set Authorization Server URL in the credential to the final URL, with https.';
const RATE_REMEDY = 'Try again later, or ask your service provider for a higher limit.';
const TRY_LATER = 'Try again later. The cause is on the side of the service.';

const NO_ENDPOINT: TokenErrorText = [
	'has no token endpoint at /auth/app-oauth',
	CHECK_URL,
	'notFound',
];
const SERVER_FAULT: TokenErrorText = ['failed to process the token request', TRY_LATER, 'service'];

/** By the code of RFC 6749 §5.2, which says more than a status; by status; or by its hundred. */
const TOKEN_ERRORS: Record<string, TokenErrorText> = {
	invalid_client: ['does not accept the client ID and secret', CHECK_CLIENT],
	invalid_grant: ['does not accept the grant', GRANT_REMEDY],
	unauthorized_client: ['does not allow this client ID the grant', GRANT_REMEDY],
	invalid_request: ['cannot read the token request', CHECK_URL],
	unsupported_grant_type: ['does not support client_credentials', CHECK_URL],
	invalid_scope: ['does not know the scope of this client ID', CORRECT_SCOPE],
	400: ['rejected the token request', CHECK_CLIENT],
	401: ['does not accept the client ID and secret', CHECK_CLIENT],
	403: ['does not allow this client ID to get a token', GRANT_REMEDY, 'permission'],
	404: NO_ENDPOINT,
	405: NO_ENDPOINT,
	408: SERVER_FAULT,
	410: NO_ENDPOINT,
	415: ['does not read form fields', CHECK_URL, 'configuration'],
	425: SERVER_FAULT,
	429: ['limits the rate of token requests', RATE_REMEDY, 'rateLimit'],
	'3xx': ['redirects the token request, which is not followed', SET_FINAL_URL, 'configuration'],
	'4xx': ['rejected the token request', CHECK_URL],
	'5xx': SERVER_FAULT,
};

const UNKNOWN_TOKEN_ERROR: TokenErrorText = [
	'rejected the request instead of issuing a token',
	CHECK_CLIENT,
];

/**
 * Explains why the token endpoint did not issue a token. The body is never shown: an endpoint that
 * echoes its request would show the secret.
 *
 * @param now when the response was received, in milliseconds
 * @returns undefined if the response is a success
 */
export function explainTokenError(
	response: HttpResponse,
	client: TokenTarget,
	now: number,
): ServiceFailure | undefined {
	const { statusCode, headers, body } = response;
	const error = readField(body, 'error');
	const isSuccess = statusCode >= 200 && statusCode < 300;
	// Some frameworks have an error object in every response. If there is a token beside it, the next
	// request shows whether it works.
	if (isSuccess && (!indicatesError(error) || findToken(response, client) !== undefined))
		return undefined;
	const code = typeof error === 'string' && Object.hasOwn(TOKEN_ERRORS, error) ? error : undefined;
	const hundred = `${Math.floor(statusCode / 100)}xx`;
	const [what, remedy, kind = 'authorization'] =
		TOKEN_ERRORS[code ?? statusCode] ?? TOKEN_ERRORS[hundred] ?? UNKNOWN_TOKEN_ERROR;
	const suffix = code === undefined ? '' : ` (${code})`;
	const hidden = kind === 'authorization' ? describeHiddenCharacters(client.clientSecret) : '';
	return new TokenFailure(
		`The authorization server ${what}${suffix}, status ${statusCode}.`,
		/at its/.test(hidden) ? `${remedy} The Client Secret has ${hidden}.` : remedy,
		{ kind, statusCode, retryAfterMs: parseRetryAfterMs(headers, now) },
	);
}
