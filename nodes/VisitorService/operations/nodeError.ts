import {
	type INode,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';

import type { ServiceFailure } from '../failure/serviceFailure';
import type { PollFailure } from './poll';

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
	more: { itemIndex: number } | { failure: PollFailure | undefined },
): NodeApiError | NodeOperationError {
	const options = { message, description, ...more };
	if (statusCode === undefined) return new NodeOperationError(node, message, options);
	return new NodeApiError(node, { message }, { ...options, httpCode: String(statusCode) });
}
