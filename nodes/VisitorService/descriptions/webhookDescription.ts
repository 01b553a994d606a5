import type { INodeParameters, IWebhookDescription } from 'n8n-workflow';
import * as host from 'n8n-workflow';

/**
 * A string, or a number that is no status code, would make n8n answer 500; 410 ends a subscription. Refers to nothing
 * around it, for n8n evaluates its source in the editor.
 */
function responseCodeOf(parameters: INodeParameters): number {
	const options = parameters.options as INodeParameters | undefined;
	const responseCode = Number(options?.responseCode);
	return Number.isInteger(responseCode) && responseCode >= 200 && responseCode < 300
		? responseCode
		: 200;
}

/**
 * n8n 2.41 reads a field that is declared with its function without the expression engine. With
 * N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE a delivery then needs no isolate of V8, which costs more than the rest of it.
 * Older ones know the expression only.
 */
function describeResponseCode(): Pick<IWebhookDescription, 'responseCode'> {
	const known: Partial<typeof host> = host;
	const { fromFunction, webhookDescriptionFields } = known;
	return fromFunction === undefined || webhookDescriptionFields === undefined
		? { responseCode: `={{ (${String(responseCodeOf)})($parameter) }}` }
		: webhookDescriptionFields({ responseCode: fromFunction(responseCodeOf) });
}

export const webhookDescription: IWebhookDescription = {
	name: 'default',
	httpMethod: 'POST',
	responseMode: 'onReceived',
	...describeResponseCode(),
	responseData: 'noData',
	path: 'webhook',
};
