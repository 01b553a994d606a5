import type { INodeExecutionData } from 'n8n-workflow';

import type { ServiceFailure } from '../failure/serviceFailure';

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

/** What the constructors of n8n's error classes take; fits both. */
export function nodeErrorOptions(failure: ServiceFailure, itemIndex: number) {
	return {
		message: failure.message,
		description: failure.description,
		itemIndex,
		...(failure.statusCode !== undefined && { httpCode: String(failure.statusCode) }),
	};
}
