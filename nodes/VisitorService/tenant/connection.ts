import { readApiUrl, readClient } from '../../../credentials/authorization/client';
import type { RecordsSought } from '../answer/records';
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
