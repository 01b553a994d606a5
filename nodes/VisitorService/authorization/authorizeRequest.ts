import { type IHttpRequestOptions, UserError } from 'n8n-workflow';

import { ServiceFailure } from '../failure/serviceFailure';
import { headerFieldName } from '../http/message';
import { readUrl } from '../values/scalar';
import { allowsUnauthorizedCerts, type CredentialFields, readTenantUrl } from './client';
import { isValidAt, readStoredToken } from './storedToken';

/**
 * Options of n8n's newer request helper and of the older one, which the HTTP Request node uses. A
 * redirect that n8n follows would carry the token to subdomains of the tenant, which are other
 * origins (follow-redirects 1.16, in n8n 1.123 and 2.41).
 */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

const ANY_CERTIFICATE = { skipSslCertificateValidation: true, rejectUnauthorized: false };

/**
 * Puts the token on a request to the tenant.
 *
 * @param options of either of n8n's request helpers
 * @throws ServiceFailure for a request to another origin; StaleTokenError if there is no token, or
 *   it has expired
 */
export function authorizeRequest(
	fields: CredentialFields,
	options: IHttpRequestOptions,
	now: number,
): IHttpRequestOptions {
	const { origin } = new URL(readTenantUrl(fields));
	const origins = originsOf(options);
	if (origins.length === 0 || origins.some((one) => one !== origin)) {
		throw new ServiceFailure(
			'The request goes to another host than the Tenant API URL of the credential.',
			'Use this credential only for URLs that begin with Tenant API URL. Its token is sent nowhere else.',
			{ kind: 'blocked' },
		);
	}
	const token = readStoredToken(fields);
	if (token === undefined || !isValidAt(token, now)) throw new StaleTokenError();
	const isOther = ([name]: [string, unknown]) => headerFieldName(name) !== 'authorization';
	const others = Object.entries(options.headers ?? {}).filter(isOther);
	return {
		...options,
		headers: { ...Object.fromEntries(others), Authorization: `Bearer ${token.accessToken}` },
		...NO_REDIRECTS,
		...(allowsUnauthorizedCerts(fields) && ANY_CERTIFICATE),
	};
}

/** The older helper calls the URL `uri`. Both are checked, whichever n8n would use. */
function originsOf(options: IHttpRequestOptions): Array<string | undefined> {
	const { url, uri, baseURL } = options as { url?: unknown; uri?: unknown; baseURL?: string };
	const sent = [url, uri].filter((one) => one !== undefined && one !== null).map(String);
	return sent.map((one) => readUrl(one, baseURL || undefined)?.origin);
}

/**
 * Makes n8n call `preAuthentication` and try again, as it does for every error with a response of
 * status 401 (n8n 1.123 and 2.41), whether a request was sent or not. It can go when n8n asks a
 * credential whether its token is still valid. It breaks if n8n also checks that a request was
 * sent; the engine tests of tokens notice.
 */
class StaleTokenError extends UserError {
	readonly response = { status: 401 };

	constructor() {
		super('The credential holds no valid access token.', {
			description: 'Run the workflow again: the next request gets a new token.',
		});
	}
}
