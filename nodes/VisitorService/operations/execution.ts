import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { clientFingerprint, readClient } from '../authorization/client';
import type { Finding } from '../diagnosis/finding';
import { failureByCredentialData, type ServiceFailure } from '../failure/serviceFailure';
import { isExchangeRequested } from '../http/exchangeRequest';
import { authenticatedTransport, type SendingContext } from '../http/hostTransports';
import type { Transport } from '../http/message';
import { TokenStates } from '../tenant/tokenStates';

/** Whether an exchange failed because of the client, and not of the moment. */
const isClientDenied = ({ kind, retryAfter }: ServiceFailure) =>
	(kind === 'authorization' || kind === 'permission') && retryAfter === undefined;

/** What the input items of one execution have in common. */
export class Execution {
	/** By client: an expression in the credential may name several. */
	private readonly tokenStates = new Map<string, TokenStates>();

	/** By what was asked for: many input items are not a reason to ask a tenant again. */
	readonly diagnoses = new Map<string, Finding[]>();

	/** By client. Asking for a token again for each input item might lock it out. */
	private readonly deniedClients = new Map<string, ServiceFailure>();

	tokenStatesOf(client: string): TokenStates {
		const states = this.tokenStates.get(client) ?? new TokenStates();
		this.tokenStates.set(client, states);
		return states;
	}

	transportWith(context: SendingContext, data: ICredentialDataDecryptedObject): Transport {
		const send = authenticatedTransport(context, data);
		if (!isExchangeRequested(data)) return send;
		const client = clientFingerprint(readClient(data));
		return async (request) => {
			const refusal = this.deniedClients.get(client);
			if (refusal !== undefined) throw refusal;
			return await send(request).finally(() => {
				const failure = failureByCredentialData.get(data);
				if (failure && isClientDenied(failure)) this.deniedClients.set(client, failure);
			});
		};
	}
}
