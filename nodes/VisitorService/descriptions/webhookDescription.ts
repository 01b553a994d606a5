import {
	type INodeParameters,
	type IWebhookDescription,
	type NodeParameterValueType,
	webhookDescriptionFields,
} from 'n8n-workflow';

/** A field that depends on parameters: as an expression, and as a function with the same result. */
interface ResolvedField {
	template: string;
	resolve: (parameters: INodeParameters) => NodeParameterValueType;
}

const RESPONSE_CODE = '$parameter["options"]["responseCode"]';

const fields: Record<'httpMethod' | 'responseCode', ResolvedField> = {
	/** GET and HEAD only verify the URL, so they are registered only with Verification Requests. */
	httpMethod: {
		template:
			'={{ $parameter["options"]["verificationRequests"] === "answer" ? "POST,GET,HEAD" : "POST" }}',
		resolve: (parameters) =>
			optionOf(parameters, 'verificationRequests') === 'answer' ? 'POST,GET,HEAD' : 'POST',
	},
	/**
	 * n8n responds 500 if the code is text or not a status code; 410 would end a subscription.
	 */
	responseCode: {
		template: `={{ ${RESPONSE_CODE} >= 200 && ${RESPONSE_CODE} < 300 && ${RESPONSE_CODE} % 1 === 0 ? ${RESPONSE_CODE} * 1 : 200 }}`,
		resolve: (parameters) => {
			const code = Number(optionOf(parameters, 'responseCode'));
			return code >= 200 && code < 300 && code % 1 === 0 ? code : 200;
		},
	},
};

function optionOf({ options }: INodeParameters, name: string): unknown {
	return typeof options === 'object' && options !== null ? Reflect.get(options, name) : undefined;
}

/**
 * n8n 2.41 resolves a field without its expression engine if it is declared with a function. With
 * N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE a delivery then needs no isolate of V8, which costs more than
 * the rest of it. n8n 1.123 has expressions only. These call no function, so that later versions
 * can evaluate them natively (n8n PR #37613).
 */
const declare = webhookDescriptionFields as typeof webhookDescriptionFields | undefined;
const { httpMethod, responseCode } = fields;

export const webhookDescription: IWebhookDescription = {
	name: 'default',
	responseMode: 'onReceived',
	...{ httpMethod: httpMethod.template, responseCode: responseCode.template },
	...declare?.(fields),
	responseData: 'noData',
	path: 'webhook',
};
