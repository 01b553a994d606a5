import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { clientFingerprint, readClient } from '../authorization/client';
import type { Finding } from '../diagnosis/finding';
import { failureByCredentialData, type ServiceFailure } from '../failure/serviceFailure';
import { isExchangeRequested } from '../http/exchangeRequest';
import { authenticatedTransports, CREDENTIAL, type SendingContext } from '../http/hostTransports';
import type { Transport } from '../http/message';
import type { TenantHost } from '../tenant/tokenSession';
import { TokenStates } from '../tenant/tokenStates';
import { clock, createCancellation, random } from './host';
import type { Lookup } from './lookup';

/** Whether an exchange failed because of the client. Other failures may be temporary. */
const isClientDenied = ({ kind, retryAfterMs }: ServiceFailure) =>
	(kind === 'authorization' || kind === 'permission') && retryAfterMs === undefined;

/** State that the input items of one execution share. */
export class Execution {
	/** By client: an expression in the credential may name several. */
	private readonly tokenStates = new Map<string, TokenStates>();

	/** By tenant and options: each tenant is diagnosed once, however many input items there are. */
	readonly diagnoses = new Map<string, Finding[]>();

	/** By group key: the input items with one key share a reading. */
	readonly lookups = new Map<string, Lookup>();

	/** By client. One failed exchange for each input item could lock the client out. */
	private readonly deniedClients = new Map<string, ServiceFailure>();

	/** @param itemIndex only an execution has input items */
	tenantHost(context: SendingContext, itemIndex?: number): TenantHost {
		const cancellation = createCancellation(context);
		const transportOf = authenticatedTransports(context);
		return {
			tokenStatesOf: (client) => this.tokenStatesOf(client),
			readCredential: async () => await context.getCredentials(CREDENTIAL, itemIndex),
			transportWith: (data) =>
				cancellation.wrapTransport(this.transportWith(data, transportOf(data))),
			clock: cancellation.wrapClock(clock),
			random,
		};
	}

	private tokenStatesOf(client: string): TokenStates {
		const states = this.tokenStates.get(client) ?? new TokenStates();
		this.tokenStates.set(client, states);
		return states;
	}

	private transportWith(data: ICredentialDataDecryptedObject, send: Transport): Transport {
		if (!isExchangeRequested(data)) return send;
		const client = clientFingerprint(readClient(data));
		return async (request) => {
			const denial = this.deniedClients.get(client);
			if (denial !== undefined) throw denial;
			return await send(request).finally(() => {
				const failure = failureByCredentialData.get(data);
				if (failure && isClientDenied(failure)) this.deniedClients.set(client, failure);
			});
		};
	}
}
