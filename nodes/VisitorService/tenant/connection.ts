import { type CredentialFields, readApiUrl, readClient } from '../authorization/client';
import { type ExchangeOptions, exchangeToken } from '../authorization/exchange';
import { rejectedTokens } from '../authorization/rejectedTokens';
import { tokenSingleFlight } from '../authorization/tokenSingleFlight';
import { ServiceFailure } from '../failure/serviceFailure';
import type { AdaptiveRateLimiter } from '../http/adaptiveRateLimiter';
import { followSameOrigin } from '../http/redirects';
import type { SendOptions } from '../http/sendRequest';
import { isBodyError } from '../response/errorBody';
import { mayCountFromOne } from '../response/pageReader';
import { findRecords, type ListTarget } from '../response/records';
import { LISTED_RESOURCES } from '../response/resources';
import { redactSecrets, redactSentence } from '../values/serverText';
import { requestApi } from './apiRequest';
import { CONFIRMATION_PAUSE_MS, type TenantHost, TokenSession } from './tokenSession';

type GetRules = { timeoutMs: number; trialTimeoutMs?: number } & Pick<
	SendOptions,
	'maxRetries' | 'limiter' | 'onRetry'
>;

/**
 * Opens one list of the tenant's API for one listing, one poll, or the fields in the editor. The
 * credential is read here, and again only before its token is replaced, because another process may
 * have stored a newer one.
 *
 * @param list `segment`: its path after the API version, e.g. `users`. A response without the list
 *   may mean that the token is bad
 * @throws ServiceFailure if the credential cannot be used as it is
 */
export async function connectToTenant(host: TenantHost, list: ListTarget & { segment: string }) {
	const fields = await host.readCredential();
	const apiUrl = readApiUrl(fields);
	const session = new TokenSession(fields, host, list);
	const url = `${apiUrl}/${list.segment}`;

	return {
		account: () => ({ apiUrl, clientId: readClient(fields).clientId }),
		/**
		 * @param options `trialTimeoutMs` as `requestApi`
		 * @throws ServiceFailure for every response but one with status 2xx other than 202
		 */
		get: async (query: Record<string, string | number>, options: GetRules) => {
			const { timeoutMs, trialTimeoutMs } = options;
			const { response, failure } = await requestApi(
				{ url, query, timeoutMs, trialTimeoutMs },
				{ transport: session.send, ...host, ...options },
				() => ({ secrets: session.secrets(), hasWorked: session.states.hasWorked }),
			);
			if (failure !== undefined) throw failure;
			return response;
		},
		/** A sentence made from responses; another one in place of one that repeats a secret. */
		redact: (sentence: string) => redactSentence(sentence, session.secrets()),
		/**
		 * The outcome of work on responses. A failure never quotes a secret or a token.
		 *
		 * @param limiter closed at the end, so that nothing is retried after it
		 */
		outcomeOf: async <T>(work: Promise<T>, limiter?: AdaptiveRateLimiter) =>
			await work
				.finally(() => limiter?.close())
				.catch((error: unknown) => {
					throw withoutSecrets(error, session.secrets());
				}),
	};
}

function withoutSecrets(error: unknown, secrets: readonly string[]): unknown {
	return error instanceof ServiceFailure ? redactSecrets(error, secrets) : error;
}

/** Short, because a user waits for a test and can repeat it. */
const TEST_OPTIONS = { timeoutMs: 20_000, maxRetries: 1 };

/**
 * Tests a credential: an exchange, and one list request for a single user.
 *
 * @throws ServiceFailure that names the field of the credential to look at
 */
export async function testCredential(
	fields: CredentialFields,
	host: Pick<ExchangeOptions, 'transport' | 'clock' | 'random'>,
): Promise<void> {
	const client = readClient(fields);
	const apiUrl = readApiUrl(fields);
	const token = await exchangeToken(client, { ...host, ...TEST_OPTIONS });
	// The exchange may have revoked the former token, so running workflows have to use this one.
	tokenSingleFlight.remember(client, token);

	const { segment, listNames } = LISTED_RESOURCES.user;
	const url = `${apiUrl}/${segment}`;
	const options = { ...host, ...TEST_OPTIONS, transport: followSameOrigin(host.transport) };
	const secrets = [client.clientSecret, token.accessToken];
	const send = async (page: number) =>
		await requestApi(
			{ url, query: { page, pageSize: 1 }, timeoutMs: TEST_OPTIONS.timeoutMs },
			options,
			() => ({ secrets }),
			token.accessToken,
		);
	let reply = await send(0);
	if (reply.response.statusCode === 401) {
		await host.clock.sleep(CONFIRMATION_PAUSE_MS);
		reply = await send(0);
		if (reply.response.statusCode === 401) rejectedTokens.add(token);
	}
	const failureOf = ({ response, failure }: typeof reply): ServiceFailure | undefined => {
		const result = findRecords(response, { listNames, itemsPath: '' });
		return failure ?? (isBodyError(result) ? result.failure : undefined);
	};
	const failure = failureOf(reply);
	// If no list is found in the response, the options of the node have to say where it is.
	if (failure === undefined || failure.kind === 'noList') return;
	if (!mayCountFromOne(failure) || failureOf(await send(1)) !== undefined)
		throw redactSecrets(failure, secrets);
}
