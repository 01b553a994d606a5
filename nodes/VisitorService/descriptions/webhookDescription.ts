import {
	type INodeParameters,
	type IWebhookDescription,
	type NodeParameterValueType,
	webhookDescriptionFields,
} from 'n8n-workflow';

/**
 * A field that n8n works out from the parameters, as an expression and as what the expression says.
 */
interface ResolvedField {
	template: string;
	resolve: (parameters: INodeParameters) => NodeParameterValueType;
}

const RESPONSE_CODE = '$parameter["options"]["responseCode"]';

const fields: Record<'httpMethod' | 'responseCode', ResolvedField> = {
	/** Other methods than POST only check the URL, and are there only if that is to be answered. */
	httpMethod: {
		template:
			'={{ $parameter["options"]["verificationRequests"] === "answer" ? "POST,GET" : "POST" }}',
		resolve: (parameters) =>
			optionOf(parameters, 'verificationRequests') === 'answer' ? 'POST,GET' : 'POST',
	},
	/**
	 * A text, or a number that is not a status code, would make n8n answer 500; 410 ends a
	 * subscription.
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
 * n8n 2.41 works a field out without its expression engine if it is declared with what the
 * expression says. With N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE a delivery then needs no isolate of V8,
 * which costs more than the rest of it. n8n 1.123 knows the expression only. It has no function in
 * it, so that n8n can come to evaluate it itself (its PR #37613).
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
