import { ServiceFailure } from '../failure/serviceFailure';
import { isRecord } from '../values/json';

/** Node.js and axios error codes of connections that may work the next time. */
const TEMPORARY_CODES = new Set([
	'ECONNRESET',
	'ECONNREFUSED',
	'ECONNABORTED',
	'EPIPE',
	'ETIMEDOUT',
	'ESOCKETTIMEDOUT',
	'EAI_AGAIN',
	'ENETUNREACH',
	'EHOSTUNREACH',
	'ENETDOWN',
	'EADDRNOTAVAIL',
	'UND_ERR_SOCKET',
	'UND_ERR_CONNECT_TIMEOUT',
	'HPE_INVALID_CONSTANT',
	'HPE_INVALID_EOF_STATE',
	// axios: the connection was cut in the middle of an answer, so the error has no status.
	'ERR_BAD_RESPONSE',
	'ERR_NETWORK',
]);

const TIMEOUT_CODES = new Set(['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT']);

const CERTIFICATE_CODES =
	/CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET_ISSUER)|ERR_TLS|ERR_SSL|EPROTO|WRONG_VERSION/;

/** Why no whole answer came. If it is temporary, the same request may work the next time. */
export interface ConnectionFailure {
	kind: 'temporary' | 'lasting';
	failure: ServiceFailure;
}

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
	const { codes, names } = collectCauses(error);
	const host = hostOf(url);
	const fail = (
		message: string,
		remedy: string,
		cause: 'connection' | 'blocked' | 'cancelled',
		kind: ConnectionFailure['kind'],
	): ConnectionFailure => ({
		kind,
		failure: new ServiceFailure(message, remedy, { kind: cause }),
	});

	if (codes.has('ERR_CANCELED') || names.has('CanceledError') || names.has('AbortError')) {
		return fail('The request was cancelled.', 'Run the workflow again.', 'cancelled', 'lasting');
	}
	if ([...names].some((name) => name.startsWith('SsrfBlocked'))) {
		return fail(
			`n8n's SSRF protection does not allow requests to ${host}.`,
			`If the ${role} is right, ask the administrator of n8n to add the host to the allowed ones.`,
			'blocked',
			'lasting',
		);
	}
	if (codes.has('ENOTFOUND')) {
		return fail(
			`The host ${host} was not found.`,
			`Check the spelling of the ${role} in the credential.`,
			'connection',
			'lasting',
		);
	}
	if ([...codes].some((code) => CERTIFICATE_CODES.test(code))) {
		return fail(
			`No secure connection to ${host} could be made.`,
			`Check that the ${role} starts with the right scheme and that the certificate of the host is valid.`,
			'connection',
			'lasting',
		);
	}
	if ([...codes].some((code) => TIMEOUT_CODES.has(code))) {
		return fail(
			`${host} did not answer in time.`,
			`Try again later, raise Timeout where the node has it, or check the ${role} in the credential.`,
			'connection',
			'temporary',
		);
	}
	if (codes.has('ECONNREFUSED')) {
		return fail(
			`${host} refused the connection.`,
			`Check host and port of the ${role} in the credential, and that the service is running.`,
			'connection',
			'temporary',
		);
	}
	return fail(
		// Without the code: n8n replaces a text that names ECONNRESET and the like by one of its own.
		`The connection to ${host} broke before the answer was complete.`,
		`Try again later. If it stays so, check the ${role} in the credential and the network of n8n.`,
		'connection',
		codes.size === 0 || [...codes].some((code) => TEMPORARY_CODES.has(code))
			? 'temporary'
			: 'lasting',
	);
}

function hostOf(url: string): string {
	try {
		return new URL(url).host;
	} catch {
		return 'the host';
	}
}

function collectCauses(error: unknown) {
	const codes = new Set<string>();
	const names = new Set<string>();
	let current = error;
	for (let depth = 0; depth < 6 && typeof current === 'object' && current !== null; depth++) {
		const {
			code,
			httpCode,
			name,
			cause,
			constructor: made,
		} = current as {
			code?: unknown;
			httpCode?: unknown;
			name?: unknown;
			cause?: unknown;
			constructor?: { name?: unknown };
		};
		// n8n 1.123 drops the cause from a NodeApiError and keeps its code as `httpCode`.
		for (const value of [code, httpCode]) {
			if (typeof value === 'string' && /^[A-Z][A-Z0-9_]+$/.test(value)) codes.add(value);
		}
		for (const label of [name, made?.name]) if (typeof label === 'string') names.add(label);
		current = isRecord(current) || current instanceof Error ? cause : undefined;
	}
	return { codes, names };
}
