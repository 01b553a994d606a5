import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
	sleep,
} from 'n8n-workflow';
import { clientFingerprint, readClient } from '../../../credentials/authorization/client';
import type { Finding } from '../diagnosis/finding';
import { attachedFailures, type ServiceFailure } from '../failure/serviceFailure';
import { Cancellation } from '../http/cancellation';
import { authenticatedTransport, CREDENTIAL, type SendingContext } from '../http/hostTransports';
import type { Clock, Transport } from '../http/message';
import type { TenantHost } from '../tenant/heldCredential';

/** The time and the randomness of everything below, which gets them passed in. */
export const random = () => Math.random();
export const clock: Clock = {
	now: () => Date.now(),
	sleep: async (milliseconds) => await sleep(milliseconds),
	// A signal and not `sleep`, which n8n 1.123 cannot end early: Node.js keeps no process alive for
	// it, and drops it when nobody listens any more.
	startTimer: (milliseconds, ring) => {
		const signal = AbortSignal.timeout(milliseconds);
		signal.addEventListener('abort', ring);
		return () => signal.removeEventListener('abort', ring);
	},
};

/** Only an execution can be cancelled. */
export function cancellationOf(context: SendingContext): Cancellation {
	const isExecution = 'getExecutionCancelSignal' in context;
	return new Cancellation(isExecution ? context.getExecutionCancelSignal() : undefined);
}

/** Whether an exchange failed because of the client, and not of the moment. */
const isRefusal = ({ kind, retryAfter }: ServiceFailure) =>
	(kind === 'authorization' || kind === 'permission') && retryAfter === undefined;

/** What the input items of one execution have in common. */
export class Shared {
	readonly unproved = new Set<string>();

	/** By what was asked for: many input items are not a reason to ask a tenant again. */
	readonly diagnoses = new Map<string, Finding[]>();

	/** By client. Asking for a token again for each input item might lock it out. */
	private readonly refusals = new Map<string, ServiceFailure>();

	transportWith(context: SendingContext, data: ICredentialDataDecryptedObject): Transport {
		const send = authenticatedTransport(context, data);
		if (data.tokenState !== '') return send;
		const client = clientFingerprint(readClient(data));
		return async (request) => {
			const refusal = this.refusals.get(client);
			if (refusal !== undefined) throw refusal;
			return await send(request).finally(() => {
				const failure = attachedFailures.get(data);
				if (failure && isRefusal(failure)) this.refusals.set(client, failure);
			});
		};
	}
}

/** @param itemIndex only an execution has input items */
export function tenantHost(
	context: SendingContext,
	itemIndex?: number,
	shared = new Shared(),
): TenantHost {
	const cancellation = cancellationOf(context);
	return {
		unproved: shared.unproved,
		readCredential: async () => await context.getCredentials(CREDENTIAL, itemIndex),
		transportWith: (data) => cancellation.transportOf(shared.transportWith(context, data)),
		clock: cancellation.clockOf(clock),
		random,
	};
}

/** Shows a sentence above the output. */
export function addHint(
	context: IExecuteFunctions,
	message: string,
	type: 'info' | 'warning',
): void {
	context.addExecutionHints({ message, type, location: 'outputPane' });
}

/** The item that stands for a failed input item with Continue On Fail. */
export function failedItem(failure: ServiceFailure, itemIndex: number): INodeExecutionData {
	const { message, statusCode, description } = failure;
	return {
		json: {
			error: message,
			...(statusCode !== undefined && { statusCode }),
			description,
		},
		pairedItem: { item: itemIndex },
	};
}

/**
 * The error n8n shows for a failure.
 *
 * @param more of its options: the input item it belongs to, or what became of a poll
 */
export function nodeErrorOf(
	node: INode,
	{ message, description, statusCode }: ServiceFailure,
	more: ConstructorParameters<typeof NodeOperationError>[2],
): NodeApiError | NodeOperationError {
	const options = { message, description, ...more };
	if (statusCode === undefined) return new NodeOperationError(node, message, options);
	return new NodeApiError(node, { message }, { ...options, httpCode: String(statusCode) });
}
