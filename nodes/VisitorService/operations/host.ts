import {
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
	sleep,
} from 'n8n-workflow';
import type { ServiceFailure } from '../failure/serviceFailure';
import { Cancellation } from '../http/cancellation';
import { CREDENTIAL, type SendingContext } from '../http/hostTransports';
import type { Clock } from '../http/message';
import type { TenantHost } from '../tenant/tokenSession';
import { Execution } from './execution';

/** Everything below `operations/` has these passed in. */
export const random = () => Math.random();
export const clock: Clock = {
	now: () => Date.now(),
	sleep: async (milliseconds) => await sleep(milliseconds),
	// A signal and not `sleep`, which n8n 1.123 cannot end early: Node.js keeps no process alive for
	// it, and drops it when its last listener is removed.
	startTimer: (milliseconds, ring) => {
		const signal = AbortSignal.timeout(milliseconds);
		signal.addEventListener('abort', ring);
		return () => signal.removeEventListener('abort', ring);
	},
};

/** Only an execution can be cancelled. */
export function createCancellation(context: SendingContext): Cancellation {
	const isExecution = 'getExecutionCancelSignal' in context;
	return new Cancellation(isExecution ? context.getExecutionCancelSignal() : undefined);
}

/** @param itemIndex only an execution has input items */
export function tenantHost(
	context: SendingContext,
	itemIndex?: number,
	execution = new Execution(),
): TenantHost {
	const cancellation = createCancellation(context);
	return {
		tokenStatesOf: (client) => execution.tokenStatesOf(client),
		readCredential: async () => await context.getCredentials(CREDENTIAL, itemIndex),
		transportWith: (data) => cancellation.wrapTransport(execution.transportWith(context, data)),
		clock: cancellation.wrapClock(clock),
		random,
	};
}

/** What n8n shows instead of many hints of one type (2.41); older versions show each of them. */
const SUMMARIES = {
	info: 'Results for {count} input items',
	warning: 'Warnings for {count} input items',
};

/** Shows a sentence above the output. */
export function addHint(
	context: IExecuteFunctions,
	message: string,
	type: keyof typeof SUMMARIES,
): void {
	const group = { key: type, summary: SUMMARIES[type] };
	context.addExecutionHints({ message, type, location: 'outputPane', group });
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
export function toNodeError(
	node: INode,
	{ message, description, statusCode }: ServiceFailure,
	more: ConstructorParameters<typeof NodeOperationError>[2],
): NodeApiError | NodeOperationError {
	const options = { message, description, ...more };
	if (statusCode === undefined) return new NodeOperationError(node, message, options);
	return new NodeApiError(node, { message }, { ...options, httpCode: String(statusCode) });
}
