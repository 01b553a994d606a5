import { type IHttpRequestOptions, UserError } from 'n8n-workflow';

import { ServiceFailure } from '../../nodes/VisitorService/failure/serviceFailure';
import { headerFieldName } from '../../nodes/VisitorService/values/headerFieldName';
import { allowsUnauthorizedCerts, readTenantUrl } from './client';
import type { CredentialFields } from './credentialFields';
import { isFresh, readStoredToken } from './storage';

/**
 * Puts the token on a request to the tenant. Redirects are not followed, because the host's
 * redirects carry the token to subdomains of the tenant, which are other origins (follow-redirects
 * 1.16, in n8n 1.123 and 2.41).
 *
 * @param options of either of n8n's request helpers
 * @param now milliseconds
 * @throws ServiceFailure for a request that goes anywhere else; StaleTokenError if there is no
 *   token to send, or its time is over
 */
export function authorizeRequest(
	fields: CredentialFields,
	options: IHttpRequestOptions,
	now: number,
): IHttpRequestOptions {
	const { origin } = new URL(readTenantUrl(fields));
	const urls = urlsOf(options);
	if (urls.length === 0 || urls.some((one) => originOf(one, options.baseURL) !== origin)) {
		throw new ServiceFailure(
			'The request goes to another host than the Tenant API URL of the credential.',
			'Use this credential only for URLs that begin with Tenant API URL. Its token is sent nowhere else.',
			{ kind: 'blocked' },
		);
	}
	const token = readStoredToken(fields);
	if (token === undefined || !isFresh(token, now)) throw new StaleTokenError();
	return {
		...options,
		headers: {
			...withoutAuthorization(options.headers),
			Authorization: `Bearer ${token.accessToken}`,
		},
		...NO_REDIRECTS,
		...(allowsUnauthorizedCerts(fields) && ANY_CERTIFICATE),
	};
}

/** In the words of the newer helper and of the older one, which the HTTP Request node uses. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

const ANY_CERTIFICATE = { skipSslCertificateValidation: true, rejectUnauthorized: false };

/**
 * Makes n8n call `preAuthentication` and come back: it does so for every error that carries a
 * response with status 401 (n8n 1.123 and 2.41), whether a request was sent or not. It can go when
 * n8n asks a credential whether its token is still valid, and breaks if n8n looks at the request as
 * well; the engine tests of tokens notice.
 */
export class StaleTokenError extends UserError {
	readonly response = { status: 401 };

	constructor() {
		super('The credential holds no valid access token.', {
			description: 'Run the workflow again: the next request gets a new token.',
		});
	}
}

/** The older helper calls the URL `uri`. Both are looked at, whichever a version of n8n prefers. */
function urlsOf(options: IHttpRequestOptions): string[] {
	const { url, uri } = options as { url?: unknown; uri?: unknown };
	return [url, uri].filter((one) => one !== undefined && one !== null).map(String);
}

function originOf(one: string, baseURL?: string): string | undefined {
	const base = baseURL === '' ? undefined : baseURL;
	return URL.canParse(one, base) ? new URL(one, base).origin : undefined;
}

function withoutAuthorization(headers: IHttpRequestOptions['headers'] = {}) {
	return Object.fromEntries(
		Object.entries(headers).filter(([name]) => headerFieldName(name) !== 'authorization'),
	);
}
