import type { Clock, Transport } from '../../nodes/VisitorService/http/message';
import { sendRequest } from '../../nodes/VisitorService/http/sendRequest';
import { isTemporary } from '../../nodes/VisitorService/http/temporaryStatus';
import { readTokenAnswer, type TokenAnswer } from './answer';
import type { Client } from './client';
import { explainTokenRefusal } from './refusal';
import type { Token } from './storage';

export type IssuedToken = Token & TokenAnswer;

export interface ExchangeRules {
	transport: Transport;
	clock: Clock;
	/** A number in [0, 1) for the jitter of retries. */
	random: () => number;
	/** Milliseconds for one attempt, until the last byte of its answer. */
	timeout?: number;
	maxRetries?: number;
}

/**
 * A token is renewed this fraction of its lifetime before it expires, at most MAX_RENEWAL_MARGIN
 * milliseconds. A small margin is enough: we count the lifetime from before the request, the
 * service from after it.
 */
const RENEWAL_MARGIN = 0.005;
const MAX_RENEWAL_MARGIN = 30_000;

/**
 * Runs the client credentials exchange as documented: three form fields, in this order, no
 * redirect.
 *
 * @throws ServiceFailure; never with a value of the answer in it
 */
export async function exchangeToken(
	client: Client,
	{ transport, clock, random, timeout = 30_000, maxRetries = 3 }: ExchangeRules,
): Promise<IssuedToken> {
	const { authUrl, clientId, clientSecret, scope, audience } = client;
	const form: Array<readonly [name: string, value: string]> = [
		['grant_type', 'client_credentials'],
		['client_id', clientId],
		['client_secret', clientSecret],
	];
	if (scope !== '') form.push(['scope', scope]);
	if (audience !== '') form.push(['audience', audience]);
	let issuedAt = clock.now();
	const answer = await sendRequest(
		{
			method: 'POST',
			url: `${authUrl}/auth/app-oauth`,
			headers: { Accept: 'application/json' },
			form,
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
			mayRetry: isTemporary,
			role: 'Authorization Server URL',
		},
	);
	const refusal = explainTokenRefusal(answer, client, clock.now());
	if (refusal !== undefined) throw refusal;
	const token = readTokenAnswer(answer.body, client);
	return { ...token, issuedAt, renewAt: renewalTime(issuedAt, token.lifetime) };
}

function renewalTime(issuedAt: number, lifetime: number | undefined): number | undefined {
	if (lifetime === undefined) return undefined;
	const milliseconds = lifetime * 1000;
	return issuedAt + milliseconds - Math.min(milliseconds * RENEWAL_MARGIN, MAX_RENEWAL_MARGIN);
}
