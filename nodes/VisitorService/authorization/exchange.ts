import { isThrottledOrServerError } from '../http/backoff';
import type { HttpRequest, Transport } from '../http/message';
import { type SendOptions, sendRequest } from '../http/sendRequest';
import { SECOND } from '../values/instant';
import type { Client } from './client';
import type { Token } from './storedToken';
import { explainTokenError, readTokenResponse, type TokenResponse } from './tokenResponse';

export type IssuedToken = Token & TokenResponse;

export type ExchangeOptions = Pick<SendOptions, 'transport' | 'clock' | 'random'> &
	Partial<Pick<SendOptions, 'maxRetries'> & Pick<HttpRequest, 'timeoutMs'>>;

/**
 * A token is renewed this fraction of its lifetime before it expires, within these bounds. A small
 * fraction is enough, because we count the lifetime from before the request, and the service from
 * after it, or from the whole second before that (RFC 7519 §2).
 */
const RENEWAL_LEEWAY = 0.005;
const MIN_RENEWAL_LEEWAY_MS = SECOND;
const MAX_RENEWAL_LEEWAY_MS = 30_000;

const SIZE_LIMIT = {
	maxMegabytes: 1,
	sender: 'authorization server',
	remedy:
		'Check the Authorization Server URL in the credential: it may lead to something else than tokens.',
} as const;

/**
 * Runs the client credentials exchange as documented: three form fields in this order, then Scope
 * and Audience if they are set. Redirects are not followed.
 *
 * @throws ServiceFailure that quotes no value of the response
 */
export async function exchangeToken(
	client: Client,
	{ transport, clock, random, timeoutMs = 30_000, maxRetries = 3 }: ExchangeOptions,
): Promise<IssuedToken> {
	const url = `${client.authUrl}/auth/app-oauth`;
	const form = formOf(client);
	const headers = { Accept: 'application/json' };
	let issuedAt = clock.now();
	const timedTransport: Transport = async (request) => {
		issuedAt = clock.now();
		return await transport(request);
	};
	const urlLabel = 'Authorization Server URL';
	const response = await sendRequest(
		{ method: 'POST', url, headers, form, timeoutMs, sizeLimit: SIZE_LIMIT },
		{
			transport: timedTransport,
			clock,
			random,
			maxRetries,
			isRetryable: isThrottledOrServerError,
			urlLabel,
		},
	);
	const error = explainTokenError(response, client, clock.now());
	if (error !== undefined) throw error;
	return withRenewal(readTokenResponse(response, client), issuedAt);
}

function formOf({ clientId, clientSecret, scope, audience }: Client): Array<[string, string]> {
	const fields: Array<[name: string, value: string]> = [
		['grant_type', 'client_credentials'],
		['client_id', clientId],
		['client_secret', clientSecret],
		['scope', scope],
		['audience', audience],
	];
	return fields.filter(([, value]) => value !== '');
}

function withRenewal(token: TokenResponse, issuedAt: number): IssuedToken {
	if (token.expiresInSeconds === undefined) return { ...token, issuedAt };
	const lifetimeMs = token.expiresInSeconds * SECOND;
	const leewayMs = Math.max(lifetimeMs * RENEWAL_LEEWAY, MIN_RENEWAL_LEEWAY_MS);
	const renewAt = issuedAt + lifetimeMs - Math.min(leewayMs, MAX_RENEWAL_LEEWAY_MS);
	return { ...token, issuedAt, renewAt };
}
