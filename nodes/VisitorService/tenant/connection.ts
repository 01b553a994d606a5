import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { readApiUrl, readClient } from '../../../credentials/authorization/client';
import { isList } from '../answer/listAnswer';
import type { RecordsSought } from '../answer/records';
import { concealSecrets } from '../failure/serverText';
import { ServiceFailure } from '../failure/serviceFailure';
import { Cancellation } from '../http/cancellation';
import type { Clock, HttpAnswer, Transport } from '../http/message';
import { withinOrigin } from '../http/redirects';
import type { RequestPace } from '../http/sendRequest';
import { askApi } from './apiRequest';
import { HeldCredential } from './heldCredential';
import { explainAnswer } from './refusal';

/**
 * What n8n does for a connection, without n8n's contexts: `operations/host.ts` makes it of them.
 */
export interface TenantHost {
	/** Reads the stored credential. */
	readCredential(): Promise<ICredentialDataDecryptedObject>;
	/**
	 * Sends with n8n's request helper, which adds the token of this credential data. If its
	 * `tokenState` is '', n8n first exchanges a token, writes it into the data and stores it.
	 */
	transportWith(data: ICredentialDataDecryptedObject): Transport;
	clock: Clock;
	/** A number in [0, 1). */
	random(): number;
	/** Aborted when the execution is cancelled; undefined if nothing can be cancelled. */
	signal?: AbortSignal;
}

export interface ListRequest {
	/** Path segment of the list, e.g. `users`. */
	segment: string;
	query: Record<string, string | number>;
}

export interface RequestRules {
	/** Milliseconds. */
	timeout: number;
	maxRetries: number;
	pace?: RequestPace;
	onRetry?: () => void;
}

export interface TenantConnection {
	/**
	 * Where requests go, and for which client. @throws ServiceFailure if the credential names no
	 * client
	 */
	account(): { apiUrl: string; clientId: string };
	clock: Clock;
	/** @throws ServiceFailure for everything but an answer with status 2xx */
	get(request: ListRequest, rules: RequestRules): Promise<HttpAnswer>;
	/** The answer, whatever its status. @throws ServiceFailure if none came */
	ask(request: ListRequest, rules: RequestRules): Promise<HttpAnswer>;
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
	const urlOf = ({ segment }: ListRequest) => `${apiUrl}/${encodePath(segment)}`;
	const cancellation = new Cancellation(host.signal);
	const clock = cancellation.clockOf(host.clock);
	const credential = new HeldCredential(fields, {
		transportWith: (data) => {
			const send = host.transportWith(data);
			return withinOrigin(async (request) => await cancellation.unlessCancelled(send(request)));
		},
		read: async () => await host.readCredential(),
		clock,
		isList: (answer) => isList(answer, sought),
	});
	const random = () => host.random();

	const ask: TenantConnection['ask'] = async (request, rules) =>
		await askApi(
			{ url: urlOf(request), query: request.query, timeout: rules.timeout },
			{ ...rules, transport: credential.send, clock, random },
		);

	return {
		account: () => ({ apiUrl, clientId: readClient(fields).clientId }),
		clock,
		ask,
		get: async (request, rules) => {
			const answer = await ask(request, rules);
			const secretsOf = () => credential.secrets();
			const failure = explainAnswer(answer, urlOf(request), secretsOf, clock.now());
			if (failure !== undefined) throw failure;
			return answer;
		},
		concealing: async (work) =>
			await work.catch((error: unknown) => {
				throw error instanceof ServiceFailure ? concealSecrets(error, credential.secrets()) : error;
			}),
	};
}

function encodePath(segment: string): string {
	return segment.split('/').map(encodeURIComponent).join('/');
}
