import type { HttpRequest, Transport } from '../../nodes/VisitorService/http/message';
import { isTemporary } from '../../nodes/VisitorService/http/retryTimes';
import { type SendingRules, sendRequest } from '../../nodes/VisitorService/http/sendRequest';
import type { Client } from './client';
import type { Token } from './storage';
import { explainTokenRefusal, readTokenAnswer, type TokenAnswer } from './tokenAnswer';

export type IssuedToken = Token & TokenAnswer;

export type ExchangeRules = Pick<SendingRules, 'transport' | 'clock' | 'random'> &
	Partial<Pick<SendingRules, 'maxRetries'> & Pick<HttpRequest, 'timeout'>>;

/**
 * A token is renewed this fraction of its lifetime before it expires, at most MAX_RENEWAL_MARGIN
 * milliseconds. A small margin is enough: we count the lifetime from before the request, the
 * service from after it.
 */
const RENEWAL_MARGIN = 0.005;
const MAX_RENEWAL_MARGIN = 30_000;

/**
 * Runs the client credentials exchange as documented: three form fields, in this order, and no
 * redirect. After them come Scope and Audience if they are set.
 *
 * @throws ServiceFailure; never with a value of the answer in it
 */
export async function exchangeToken(
	client: Client,
	{ transport, clock, random, timeout = 30_000, maxRetries = 3 }: ExchangeRules,
): Promise<IssuedToken> {
	const { authUrl, clientId, clientSecret, scope, audience } = client;
	const fields: Array<[name: string, value: string]> = [
		['grant_type', 'client_credentials'],
		['client_id', clientId],
		['client_secret', clientSecret],
		['scope', scope],
		['audience', audience],
	];
	const form = fields.filter(([, value]) => value !== '');
	const url = `${authUrl}/auth/app-oauth`;
	const headers = { Accept: 'application/json' };
	let issuedAt = clock.now();
	const sendTimed: Transport = async (request) => {
		issuedAt = clock.now();
		return await transport(request);
	};
	const role = 'Authorization Server URL';
	const answer = await sendRequest(
		{ method: 'POST', url, headers, form, timeout },
		{ transport: sendTimed, clock, random, maxRetries, mayRetry: isTemporary, role },
	);
	const refusal = explainTokenRefusal(answer, client, clock.now());
	if (refusal !== undefined) throw refusal;
	const token = readTokenAnswer(answer.body, client);
	if (token.lifetime === undefined) return { ...token, issuedAt };
	const milliseconds = token.lifetime * 1000;
	const margin = Math.min(milliseconds * RENEWAL_MARGIN, MAX_RENEWAL_MARGIN);
	return { ...token, issuedAt, renewAt: issuedAt + milliseconds - margin };
}
