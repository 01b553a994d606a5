import {
	type CredentialFields,
	readApiUrl,
	readClient,
} from '../../../credentials/authorization/client';
import { tokenCoordination } from '../../../credentials/authorization/coordination';
import { type ExchangeRules, exchangeToken } from '../../../credentials/authorization/exchange';
import { findRecords, type RecordsSought } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import { ServiceFailure } from '../failure/serviceFailure';
import { Cancellation } from '../http/cancellation';
import { withinOrigin } from '../http/redirects';
import type { SendingRules } from '../http/sendRequest';
import { concealSecrets } from '../values/serverText';
import { askApi, explainAnswer } from './apiRequest';
import { HeldCredential, type TenantHost } from './heldCredential';

export type TenantConnection = Awaited<ReturnType<typeof connectToTenant>>;

/**
 * Opens the tenant's API for one listing, one poll, or the fields the editor asks for. The
 * credential is read once, here, and again only before its token is replaced: another process may
 * have stored a newer one.
 *
 * @param sought the list: an answer without it makes the token doubtful
 * @throws ServiceFailure if the credential cannot be used as it is
 */
export async function connectToTenant(host: TenantHost, sought: RecordsSought) {
	const fields = await host.readCredential();
	const apiUrl = readApiUrl(fields);
	const cancellation = new Cancellation(host.signal);
	const clock = cancellation.clockOf(host.clock);
	const transportWith: TenantHost['transportWith'] = (data) => {
		const send = host.transportWith(data);
		return withinOrigin(async (request) => await cancellation.unlessCancelled(send(request)));
	};
	const credential = new HeldCredential(fields, { ...host, clock, transportWith }, sought);
	const sending = { transport: credential.send, clock, random: () => host.random() };

	return {
		/** Where requests go, and for which client. */
		account: () => ({ apiUrl, clientId: readClient(fields).clientId }),
		clock,
		/**
		 * @param asked `segment`: path of the list after the version of the API, e.g. `users`
		 * @param rules `timeout` in milliseconds
		 * @throws ServiceFailure for everything but an answer with status 2xx other than 202
		 */
		get: async (
			{ segment, query }: { segment: string; query: Record<string, string | number> },
			rules: { timeout: number } & Pick<SendingRules, 'maxRetries' | 'pace' | 'onRetry'>,
		) => {
			const url = `${apiUrl}/${segment.split('/').map(encodeURIComponent).join('/')}`;
			const answer = await askApi({ url, query, timeout: rules.timeout }, { ...rules, ...sending });
			const failure = explainAnswer(answer, url, () => credential.secrets(), clock.now());
			if (failure !== undefined) throw failure;
			return answer;
		},
		/** The outcome of work on answers, in which no failure quotes a secret or a token. */
		concealing: async <T>(work: Promise<T>) =>
			await work.catch((error: unknown) => {
				throw error instanceof ServiceFailure ? concealSecrets(error, credential.secrets()) : error;
			}),
	};
}

/** Somebody waits for a test, and can repeat it. */
const TEST_RULES = { timeout: 20_000, maxRetries: 1 };

/**
 * Tries a credential: a fresh exchange, and one list call for a single user.
 *
 * @throws ServiceFailure that names the field of the credential to look at
 */
export async function tryCredential(
	fields: CredentialFields,
	host: Pick<ExchangeRules, 'transport' | 'clock' | 'random'>,
): Promise<void> {
	const client = readClient(fields);
	const apiUrl = readApiUrl(fields);
	const token = await exchangeToken(client, { ...host, ...TEST_RULES });
	// The service may have ended the former token by it, so running workflows take this one.
	tokenCoordination.remember(client, token);

	const { segment, keys } = LISTED_RESOURCES.user;
	const url = `${apiUrl}/${segment}`;
	const asked = { url, query: { page: 0, pageSize: 1 }, timeout: TEST_RULES.timeout };
	const rules = { ...host, ...TEST_RULES, transport: withinOrigin(host.transport) };
	const answer = await askApi(asked, rules, token.accessToken);
	const secrets = [client.clientSecret, token.accessToken];
	const refusal = explainAnswer(answer, url, () => secrets, host.clock.now());
	const reading = findRecords(answer, { keys, itemsPath: '' });
	// A list that is not found is a matter of the node's options.
	const failure = refusal ?? ('failure' in reading ? reading.failure : undefined);
	if (failure !== undefined && failure.kind !== 'noList') throw concealSecrets(failure, secrets);
}
