import type { Clock, Transport } from '../../nodes/VisitorService/transport/httpMessage';
import { sendRequest } from '../../nodes/VisitorService/transport/sendRequest';
import type { Token } from './token';
import { readTokenAnswer, type TokenAnswer } from './tokenAnswer';
import { explainTokenRefusal } from './tokenRefusal';

export interface Client {
	/** Base address of the authorization server, without a slash at its end. */
	authUrl: string;
	clientId: string;
	clientSecret: string;
	/** Dot path of the token in the answer; empty = detect. */
	tokenField: string;
}

export type IssuedToken = Token & TokenAnswer;

export interface ExchangeMeans {
	transport: Transport;
	clock: Clock;
	/** A number in [0, 1) for the jitter of retries. */
	random: () => number;
	/** Milliseconds for one attempt. */
	timeout?: number;
	maxRetries?: number;
}

const TIMEOUT = 30_000;
const MAX_RETRIES = 3;

/**
 * A token is replaced this share of its lifetime, and at most so many milliseconds, before it ends. That is little,
 * because the lifetime is counted from before the request, while the service counts from after it: a token in use
 * all the time costs one exchange per lifetime, also where lifetimes are short.
 */
const RENEWAL_SHARE = 0.005;
const LONGEST_RENEWAL_MARGIN = 30_000;

/**
 * Runs the client credentials exchange as published: three form fields, in this order, no redirect.
 *
 * @throws ServiceFailure; never with a value of the answer in it
 */
export async function exchangeToken(
	client: Client,
	{ transport, clock, random, timeout = TIMEOUT, maxRetries = MAX_RETRIES }: ExchangeMeans,
): Promise<IssuedToken> {
	let issuedAt = clock.now();
	const answer = await sendRequest(
		{
			method: 'POST',
			url: `${client.authUrl}/auth/app-oauth`,
			headers: { Accept: 'application/json' },
			form: [
				['grant_type', 'client_credentials'],
				['client_id', client.clientId],
				['client_secret', client.clientSecret],
			],
			timeout,
		},
		{
			transport: async (request) => {
				issuedAt = clock.now();
				return await transport(request);
			},
			clock,
			random,
			maxRetries,
			mayRetry: (statusCode) => statusCode === 429 || statusCode >= 500,
			role: 'Authorization Server URL',
		},
	);
	const receivedAt = clock.now();
	const refusal = explainTokenRefusal(answer, receivedAt);
	if (refusal !== undefined) throw refusal;

	const token = readTokenAnswer(answer, client, receivedAt);
	return { ...token, issuedAt, renewAt: renewalTime(issuedAt, token.lifetime) };
}

function renewalTime(issuedAt: number, lifetime: number | undefined): number | undefined {
	if (lifetime === undefined) return undefined;
	const milliseconds = lifetime * 1000;
	return issuedAt + milliseconds - Math.min(milliseconds * RENEWAL_SHARE, LONGEST_RENEWAL_MARGIN);
}
