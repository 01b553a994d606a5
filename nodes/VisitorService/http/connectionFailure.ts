import { ServiceFailure } from '../failure/serviceFailure';
import { isRecord, isText } from '../values/json';

/** Why no whole answer came. If it is temporary, the same request may work the next time. */
export interface ConnectionFailure {
	kind: 'temporary' | 'lasting';
	failure: ServiceFailure;
}

/** What is known of an error: the codes and class names along the chain of its causes. */
interface FailureCauses {
	codes: readonly string[];
	names: readonly string[];
}

interface FailureRule {
	applies: (causes: FailureCauses) => boolean;
	kind: ConnectionFailure['kind'];
	cause: 'connection' | 'blocked' | 'cancelled';
	message: (host: string) => string;
	remedy: (role: string) => string;
}

const ERROR_CODE = /^[A-Z][A-Z0-9_]+$/;

const TIMEOUT_CODE = /^(ECONNABORTED|E(SOCKET)?TIMEDOUT)$/;

const CERTIFICATE_CODE = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)/;

const TLS_CODE = /ERR_TLS|ERR_SSL|EPROTO|WRONG_VERSION/;

/** Whatever else broke a connection may not do so again. */
const BROKEN_CONNECTION: Omit<FailureRule, 'applies'> = {
	kind: 'temporary',
	cause: 'connection',
	// Without the code: n8n replaces a text that names ECONNRESET and the like by one of its own.
	message: (host) => `The connection to ${host} broke before the answer was complete.`,
	remedy: (role) =>
		`Try again later. If it stays so, check the ${role} in the credential and the network of n8n.`,
};

/** The first that applies is the reason. */
const FAILURE_RULES: readonly FailureRule[] = [
	{
		applies: ({ codes, names }) =>
			codes.includes('ERR_CANCELED') ||
			names.includes('CanceledError') ||
			names.includes('AbortError'),
		kind: 'lasting',
		cause: 'cancelled',
		message: () => 'The request was cancelled.',
		remedy: () => 'Run the workflow again.',
	},
	{
		applies: ({ names }) => names.some((name) => name.startsWith('SsrfBlocked')),
		kind: 'lasting',
		cause: 'blocked',
		message: (host) => `n8n's SSRF protection does not allow requests to ${host}.`,
		remedy: (role) =>
			`If the ${role} is right, ask the administrator of n8n to add the host to the allowed ones.`,
	},
	{
		applies: ({ codes }) => codes.includes('ENOTFOUND'),
		kind: 'lasting',
		cause: 'connection',
		message: (host) => `The host ${host} was not found.`,
		remedy: (role) => `Check the spelling of the ${role} in the credential.`,
	},
	{
		applies: ({ codes }) => codes.some((code) => CERTIFICATE_CODE.test(code)),
		kind: 'lasting',
		cause: 'connection',
		message: (host) => `No secure connection to ${host} could be made.`,
		remedy: () =>
			'Check whether the certificate of the host is valid. If your company issued it, ask the administrator of n8n to set NODE_EXTRA_CA_CERTS, or turn on Ignore SSL Issues (Insecure) in the credential.',
	},
	{
		applies: ({ codes }) => codes.some((code) => TLS_CODE.test(code)),
		kind: 'lasting',
		cause: 'connection',
		message: (host) => `No secure connection to ${host} could be made.`,
		remedy: (role) =>
			`Check the port of the ${role} in the credential, and whether it must begin with http://.`,
	},
	{
		applies: ({ codes }) => codes.some((code) => TIMEOUT_CODE.test(code)),
		kind: 'temporary',
		cause: 'connection',
		message: (host) => `${host} did not answer in time.`,
		remedy: (role) =>
			`Try again later, raise Timeout if the node has it, or check the ${role} in the credential.`,
	},
	{
		applies: ({ codes }) => codes.includes('ECONNREFUSED'),
		kind: 'temporary',
		cause: 'connection',
		message: (host) => `${host} refused the connection.`,
		remedy: (role) =>
			`Check host and port of the ${role} in the credential, and that the service is running.`,
	},
];

/**
 * Says what happened to a request that got no whole answer, by the codes and class names along the
 * chain of causes. Texts tell nothing: they differ between n8n 1.123 and 2.41.
 *
 * @param role what the user calls the URL, e.g. "Tenant API URL"
 */
export function describeConnectionFailure(
	error: unknown,
	role: string,
	url: string,
): ConnectionFailure {
	const causes = causesOf(error);
	const rule = FAILURE_RULES.find(({ applies }) => applies(causes)) ?? BROKEN_CONNECTION;
	const { kind, cause, message, remedy } = rule;
	const { host } = new URL(url);
	return { kind, failure: new ServiceFailure(message(host), remedy(role), { kind: cause }) };
}

function causesOf(error: unknown): FailureCauses {
	const codes: string[] = [];
	const names: string[] = [];
	let current = error;
	for (let depth = 0; depth < 6 && isRecord(current); depth++) {
		// n8n 1.123 drops the cause from a NodeApiError and keeps its code as `httpCode`.
		const { code, httpCode, name } = current;
		const made: unknown = current.constructor;
		const className = typeof made === 'function' ? made.name : undefined;
		codes.push(...[code, httpCode].filter(isText).filter((text) => ERROR_CODE.test(text)));
		names.push(...[name, className].filter(isText));
		current = current.cause;
	}
	return { codes, names };
}
