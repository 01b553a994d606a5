import {
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INode,
	type INodeExecutionData,
	type IPollFunctions,
	NodeApiError,
	NodeOperationError,
	sleep,
} from 'n8n-workflow';
import { attachedFailure, type ServiceFailure } from '../failure/serviceFailure';
import { toRequestOptions } from '../http/hostTransports';
import { type Clock, type HttpRequest, type Transport, toHttpAnswer } from '../http/message';
import type { TenantHost } from '../tenant/heldCredential';

export const CREDENTIAL = 'visitorServiceApi';

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

type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** @param itemIndex only an execution has input items, and only it can be cancelled */
export function tenantHost(context: Context, itemIndex?: number): TenantHost {
	return {
		signal: 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined,
		readCredential: async () => await context.getCredentials(CREDENTIAL, itemIndex),
		transportWith: (data) => transportWith(context, data),
		clock,
		random,
	};
}

/** Shows a sentence above the output. Hosts that lack hints run on without. */
export function addHint(
	context: IExecuteFunctions,
	message: string,
	type: 'info' | 'warning',
): void {
	if (!('addExecutionHints' in context)) return;
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

/** The data is passed to n8n, which would read the stored credential for each request otherwise. */
function transportWith(context: Context, data: ICredentialDataDecryptedObject): Transport {
	const { id, name = CREDENTIAL } = context.getNode().credentials?.[CREDENTIAL] ?? {};
	const credentialsDecrypted = { id: id ?? '', name, type: CREDENTIAL, data };
	return async (request) => {
		if (data.tokenState === '') giveTimeToExchange(data, request);
		try {
			return toHttpAnswer(
				await context.helpers.httpRequestWithAuthentication.call(
					endedBy(context, request.signal),
					CREDENTIAL,
					toRequestOptions(request),
					{ credentialsDecrypted },
				),
			);
		} catch (error) {
			throw attachedFailure(data) ?? error;
		}
	};
}

/** Longer than an exchange takes that waits and is repeated as often as it may. Milliseconds. */
const MAX_EXCHANGE = 300_000;

/**
 * The time-out is for the answer to the request, and an exchange before it has one of its own. n8n
 * has no event between the two, but it writes the new token into the data (`Object.assign` in
 * `httpRequestWithAuthentication`, n8n 1.123 and 2.41). An n8n that copied the data instead would
 * leave such a request more time, and nothing else.
 */
function giveTimeToExchange(data: ICredentialDataDecryptedObject, request: HttpRequest): void {
	request.extend?.(MAX_EXCHANGE);
	const field = { configurable: true, enumerable: true };
	Object.defineProperty(data, 'tokenState', {
		...field,
		get: () => '',
		set: (value: unknown) => {
			Object.defineProperty(data, 'tokenState', { ...field, writable: true, value });
			request.extend?.(request.timeout);
		},
	});
}

/**
 * n8n replaces the signal of a request by that of the execution, for which it asks the context.
 * This context answers with the signal of the attempt, so that a request ends with its time-out
 * too. Each attempt having its own also keeps one signal from collecting a listener for each page
 * in flight.
 */
function endedBy(context: Context, signal: AbortSignal | undefined): Context {
	if (signal === undefined || !('getExecutionCancelSignal' in context)) return context;
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;
}
