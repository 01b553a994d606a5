import { readApiUrl, readClient } from '../../../credentials/authorization/client';
import { isList } from '../answer/listAnswer';
import type { RecordsSought } from '../answer/records';
import { concealSecrets } from '../failure/serverText';
import { ServiceFailure } from '../failure/serviceFailure';
import { Cancellation } from '../http/cancellation';
import type { Clock, HttpAnswer } from '../http/message';
import { withinOrigin } from '../http/redirects';
import type { SendingRules } from '../http/sendRequest';
import { askApi } from './apiRequest';
import { type CredentialHost, HeldCredential } from './heldCredential';
import { explainAnswer } from './refusal';

/**
 * What n8n does for a connection, without n8n's contexts: `operations/host.ts` makes it of them.
 */
export interface TenantHost extends Omit<CredentialHost, 'isList'> {
	/** A number in [0, 1). */
	random(): number;
	/** Aborted when the execution is cancelled; undefined if nothing can be cancelled. */
	signal?: AbortSignal;
}

/** `timeout` in milliseconds. */
type RequestRules = { timeout: number } & Pick<SendingRules, 'maxRetries' | 'pace' | 'onRetry'>;

export interface TenantConnection {
	/** Where requests go, and for which client. */
	account(): { apiUrl: string; clientId: string };
	clock: Clock;
	/**
	 * @param request `segment`: path segment of the list, e.g. `users`
	 * @throws ServiceFailure for everything but an answer with status 2xx
	 */
	get(
		request: { segment: string; query: Record<string, string | number> },
		rules: RequestRules,
	): Promise<HttpAnswer>;
	/** The outcome of work on answers, in which no failure quotes a secret or a token. */
	concealing<T>(work: Promise<T>): Promise<T>;
}

/**
 * Opens the tenant's API for one listing, one poll, or the fields the editor asks for. The
 * credential is read once, here, and again only before its token is replaced: another process may
 * have stored a newer one.
 *
 * @param sought the list: an answer without it makes the token doubtful
 * @throws ServiceFailure if the credential cannot be used as it is
 */
export async function connectToTenant(
	host: TenantHost,
	sought: RecordsSought,
): Promise<TenantConnection> {
	const fields = await host.readCredential();
	const apiUrl = readApiUrl(fields);
	const cancellation = new Cancellation(host.signal);
	const clock = cancellation.clockOf(host.clock);
	const credential = new HeldCredential(fields, {
		transportWith: (data) => {
			const send = host.transportWith(data);
			return withinOrigin(async (request) => await cancellation.unlessCancelled(send(request)));
		},
		readCredential: async () => await host.readCredential(),
		clock,
		isList: (answer) => isList(answer, sought),
	});
	const sending = { transport: credential.send, clock, random: () => host.random() };

	return {
		account: () => ({ apiUrl, clientId: readClient(fields).clientId }),
		clock,
		get: async ({ segment, query }, rules) => {
			const url = `${apiUrl}/${segment.split('/').map(encodeURIComponent).join('/')}`;
			const asked = { url, query, timeout: rules.timeout };
			const answer = await askApi(asked, { ...rules, ...sending });
			const failure = explainAnswer(answer, url, () => credential.secrets(), clock.now());
			if (failure !== undefined) throw failure;
			return answer;
		},
		concealing: async (work) =>
			await work.catch((error: unknown) => {
				throw error instanceof ServiceFailure ? concealSecrets(error, credential.secrets()) : error;
			}),
	};
}
