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
import type { SendingContext } from '../http/hostTransports';
import type { Clock } from '../http/message';
import { withoutTags } from '../values/serverText';

/** The work for one input item, after the parameters of all items were read. */
export type Work = () => Promise<INodeExecutionData[]>;

/** Passed in to everything below `operations/`, as is the clock. */
export const random = () => Math.random();
export const clock: Clock = {
	now: () => Date.now(),
	sleep: async (milliseconds) => await sleep(milliseconds),
	// Not `sleep`, which n8n 1.123 cannot end early. Node.js does not keep the process alive for the
	// signal, and drops it with its last listener.
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

/** Shown by n8n 2.41 instead of several hints of one type. Older versions show each hint. */
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
	context.addExecutionHints({ message: withoutTags(message), type, location: 'outputPane', group });
}

/**
 * The item that stands for a failed input item with Continue On Fail.
 *
 * @throws NodeApiError or NodeOperationError without it, or if the execution was cancelled
 */
export function failedItem(
	context: IExecuteFunctions,
	failure: ServiceFailure,
	itemIndex: number,
): INodeExecutionData {
	const { kind, message, statusCode, description } = failure;
	const node = context.getNode();
	const error = toNodeError(node, failure, { itemIndex });
	if (!context.continueOnFail() || kind === 'cancelled') throw error;
	return {
		json: {
			error: message,
			...(statusCode !== undefined && { statusCode }),
			description,
		},
		pairedItem: { item: itemIndex },
		// n8n sends an item to the error output by this property only; elsewhere it would cut the item
		// to its sentence.
		...(node.onError === 'continueErrorOutput' && { error }),
	};
}

/**
 * The error n8n shows for a failure.
 *
 * @param more of its options: the input item it belongs to, or what became of a poll
 */
export function toNodeError(
	node: INode,
	failure: ServiceFailure,
	more: ConstructorParameters<typeof NodeOperationError>[2],
): NodeApiError | NodeOperationError {
	const { statusCode } = failure;
	const message = withoutTags(failure.message);
	const options = { message, description: withoutTags(failure.description), ...more };
	if (statusCode === undefined) return new NodeOperationError(node, message, options);
	return new NodeApiError(node, { message }, { ...options, httpCode: String(statusCode) });
}
