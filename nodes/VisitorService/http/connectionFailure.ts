import { type FailureKind, ServiceFailure } from '../failure/serviceFailure';
import { isJsonObject, isNonBlank } from '../values/json';

/** Why no complete response was received. If `temporary`, the same request may work later. */
export interface ConnectionFailure {
	kind: 'temporary' | 'permanent';
	failure: ServiceFailure;
}

/** `{host}` is that of the request, `{urlLabel}` the label of its URL in the credential. */
interface FailureRule {
	/** Matches the code of an error, or the name of its class. */
	errorPattern: RegExp;
	kind: ConnectionFailure['kind'];
	/** `connection` unless it is set. */
	failureKind?: FailureKind;
	message: string;
	remedy: string;
}

/** The first rule that matches applies. */
const FAILURE_RULES: readonly FailureRule[] = [
	{
		errorPattern: /^(ERR_CANCELED|CanceledError|AbortError)$/,
		kind: 'permanent',
		failureKind: 'cancelled',
		message: 'The request was cancelled.',
		remedy: 'Run the workflow again.',
	},
	{
		errorPattern: /^SsrfBlocked/,
		kind: 'permanent',
		failureKind: 'blocked',
		message: "n8n's SSRF protection does not allow requests to {host}.",
		remedy:
			'If the {urlLabel} is right, ask the administrator of n8n to add the host to the allowed ones.',
	},
	{
		errorPattern: /^ENOTFOUND$/,
		kind: 'permanent',
		message: 'The host {host} was not found.',
		remedy: 'Check the spelling of the {urlLabel} in the credential.',
	},
	{
		errorPattern: /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/,
		kind: 'permanent',
		message: 'No secure connection to {host} could be made.',
		remedy:
			'Check whether the certificate of the host is valid. If your company issued it, ask the administrator of n8n to set NODE_EXTRA_CA_CERTS, or turn on Ignore SSL Issues (Insecure) in the credential.',
	},
	{
		errorPattern: /ERR_TLS|ERR_SSL|EPROTO|WRONG_VERSION/,
		kind: 'permanent',
		message: 'No secure connection to {host} could be made.',
		remedy:
			'Check the port of the {urlLabel} in the credential, and whether it must begin with http://.',
	},
	{
		errorPattern: /^(ECONNABORTED|ETIMEDOUT)$/,
		kind: 'temporary',
		message: '{host} did not respond in time.',
		remedy:
			'Try again later, raise Timeout if the node has it, or check the {urlLabel} in the credential.',
	},
	{
		errorPattern: /^ECONNREFUSED$/,
		kind: 'temporary',
		message: '{host} refused the connection.',
		remedy:
			'Check host and port of the {urlLabel} in the credential, and that the service is running.',
	},
];

/** Any other cause may be over at the next attempt. */
const BROKEN_CONNECTION: Omit<FailureRule, 'errorPattern'> = {
	kind: 'temporary',
	// Without the code: n8n replaces a text that names ECONNRESET and the like by one of its own.
	message: 'The connection to {host} broke before the response was complete.',
	remedy:
		'Try again later. If it stays so, check the {urlLabel} in the credential and the network of n8n.',
};

/**
 * Says what happened to a request without a complete response, by the codes and class names along
 * the chain of causes. Texts do not help: they differ between n8n 1.123 and 2.41.
 *
 * @param urlLabel e.g. "Tenant API URL"
 */
export function describeConnectionFailure(
	error: unknown,
	urlLabel: string,
	url: string,
): ConnectionFailure {
	const codes = errorCodes(error);
	const rule = FAILURE_RULES.find(({ errorPattern }) =>
		codes.some((one) => errorPattern.test(one)),
	);
	const { kind, failureKind = 'connection', message, remedy } = rule ?? BROKEN_CONNECTION;
	const { host } = new URL(url);
	const sentence = message.replace('{host}', () => host);
	const advice = remedy.replace('{urlLabel}', () => urlLabel);
	return { kind, failure: new ServiceFailure(sentence, advice, { kind: failureKind }) };
}

function errorCodes(error: unknown): string[] {
	const codes: string[] = [];
	let current = error;
	for (let depth = 0; depth < 6 && isJsonObject(current); depth++) {
		// n8n 1.123 drops the cause from a NodeApiError and keeps its code as `httpCode`.
		const { code, httpCode, name } = current;
		const made: unknown = current.constructor;
		const className = typeof made === 'function' ? made.name : undefined;
		codes.push(...[code, httpCode, name, className].filter(isNonBlank));
		current = current.cause;
	}
	return codes;
}
