import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IPollFunctions,
	sleep,
} from 'n8n-workflow';

import { readApiAddress } from '../../../credentials/authorization/credentialFields';
import { failureLeftIn } from '../../../credentials/authorization/leftFailure';
import { tokenCoordination } from '../../../credentials/authorization/tokenCoordination';
import { explainAnswer } from './answerFailure';
import { Cancellation } from './cancellation';
import { concealSecrets } from './concealSecrets';
import { toRequestOptions } from './credentialTransport';
import { HeldCredential } from './heldCredential';
import { type Clock, type HttpAnswer, type Transport, toHttpAnswer } from './httpMessage';
import { withinOrigin } from './redirects';
import { type RequestPace, sendRequest } from './sendRequest';
import { ServiceFailure } from './serviceFailure';
import { withTokenRenewal } from './tokenRenewal';

export type TenantContext = IExecuteFunctions | IPollFunctions;

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
	clock: Clock;
	/** @throws ServiceFailure for everything but an answer with status 2xx */
	get(request: ListRequest, rules: RequestRules): Promise<HttpAnswer>;
	/** The answer, whatever its status. @throws ServiceFailure where none came */
	ask(request: ListRequest, rules: RequestRules): Promise<HttpAnswer>;
	/** The outcome of work on answers, in which no failure quotes a secret or a token. */
	concealing<T>(work: Promise<T>): Promise<T>;
}

const CREDENTIAL = 'visitorServiceApi';
const RETRY_STATUS_CODES = new Set([429, 502, 503, 504]);

/**
 * Opens the tenant's API for one listing. The credential is read once, here, and again only when its token is
 * refused: another process may have stored a newer one.
 *
 * @throws ServiceFailure where the credential cannot be used as it is
 */
export async function connectToTenant(
	context: TenantContext,
	itemIndex: number,
): Promise<TenantConnection> {
	const fields = await readCredential(context, itemIndex);
	const address = readApiAddress(fields);
	const cancellation = new Cancellation(
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined,
	);
	const clock: Clock = {
		now: () => Date.now(),
		// n8n 1.123's sleep knows no signal, so its timer runs out by itself.
		sleep: async (milliseconds) => await cancellation.unlessCancelled(sleep(milliseconds)),
	};
	const credential = new HeldCredential(fields, {
		transportWith: (data) => hostTransport(context, data, cancellation),
		read: async () => await readCredential(context, itemIndex),
		coordination: tokenCoordination,
		now: () => clock.now(),
	});
	const transport = withinOrigin(withTokenRenewal(credential, clock, Math.random));

	const ask: TenantConnection['ask'] = async ({ segment, query }, rules) =>
		await sendRequest(
			{
				method: 'GET',
				url: `${address}/${encodePath(segment)}`,
				headers: { Accept: 'application/json' },
				query,
				timeout: rules.timeout,
			},
			{
				...rules,
				transport,
				clock,
				random: Math.random,
				mayRetry: (statusCode) => RETRY_STATUS_CODES.has(statusCode),
				role: 'Tenant API URL',
			},
		);

	return {
		clock,
		ask,
		get: async (request, rules) => {
			const answer = await ask(request, rules);
			const path = new URL(`${address}/${encodePath(request.segment)}`).pathname;
			const failure = explainAnswer(answer, path, credential.secrets());
			if (failure !== undefined) throw failure;
			return answer;
		},
		concealing: async (work) =>
			await work.catch((error: unknown) => {
				throw error instanceof ServiceFailure ? concealSecrets(error, credential.secrets()) : error;
			}),
	};
}

async function readCredential(
	context: TenantContext,
	itemIndex: number,
): Promise<ICredentialDataDecryptedObject> {
	return 'getExecutionCancelSignal' in context
		? await context.getCredentials(CREDENTIAL, itemIndex)
		: await context.getCredentials(CREDENTIAL);
}

/** Sends with n8n's helper, which adds the token of `data` and, where its state is '', puts a new one there first. */
function hostTransport(
	context: TenantContext,
	data: ICredentialDataDecryptedObject,
	cancellation: Cancellation,
): Transport {
	const { id, name = CREDENTIAL } = context.getNode().credentials?.[CREDENTIAL] ?? {};
	const credentialsDecrypted = { id: id ?? '', name, type: CREDENTIAL, data };
	const send: Transport = async (request) => {
		try {
			return toHttpAnswer(
				await context.helpers.httpRequestWithAuthentication.call(
					context,
					CREDENTIAL,
					toRequestOptions(request),
					{ credentialsDecrypted },
				),
			);
		} catch (error) {
			throw failureLeftIn(data) ?? error;
		}
	};
	// n8n cancels requests by itself, but not the token exchange before this one, which may wait and try again.
	return data.tokenState === ''
		? async (request) => await cancellation.unlessCancelled(send(request))
		: send;
}

function encodePath(segment: string): string {
	return segment.split('/').map(encodeURIComponent).join('/');
}
