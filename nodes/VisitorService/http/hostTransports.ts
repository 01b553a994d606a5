import type {
	ICredentialTestFunctions,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { type HttpRequest, type Transport, toHttpAnswer } from './message';

/** What every request of this package tells n8n's request helper. */
export function toRequestOptions(request: HttpRequest): IHttpRequestOptions {
	const { method, url, headers, query, form, timeout, signal } = request;
	return {
		method,
		url,
		headers: {
			...headers,
			...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
		},
		qs: query,
		body: form && encodeForm(form),
		timeout,
		abortSignal: signal,
		// Bytes: n8n would decode every answer as UTF-8, and round long integers.
		encoding: 'arraybuffer',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/** application/x-www-form-urlencoded as the URL standard has it: any bytes, spaces as +. */
function encodeForm(form: ReadonlyArray<readonly [string, string]>): string {
	const fields = new URLSearchParams();
	for (const [name, value] of form) fields.append(name, value);
	return fields.toString();
}

/**
 * Sends with the helper n8n passes to `preAuthentication`, in which n8n 1.123 does not enforce
 * Allowed Domains.
 */
export function credentialTransport(
	helpers: IHttpRequestHelper['helpers'],
	allowUnauthorizedCerts: boolean,
): Transport {
	const certificates = allowUnauthorizedCerts && { skipSslCertificateValidation: true };
	return async (request) =>
		toHttpAnswer(await helpers.httpRequest({ ...toRequestOptions(request), ...certificates }));
}

/**
 * Sends with the only request helper that n8n passes to a credential test (n8n 1.123 and 2.41). It
 * has other names for some options, and none for a signal.
 */
export function credentialTestTransport(
	helpers: ICredentialTestFunctions['helpers'],
	allowUnauthorizedCerts: boolean,
): Transport {
	return async (request) => {
		const { url, method, headers, qs, body, timeout } = toRequestOptions(request);
		return toHttpAnswer(
			await helpers.request({
				uri: url,
				method,
				headers,
				qs,
				body,
				timeout,
				// Bytes, in the words of this helper.
				encoding: null,
				simple: false,
				resolveWithFullResponse: true,
				followRedirect: false,
				...(allowUnauthorizedCerts && { rejectUnauthorized: false }),
			}),
		);
	};
}
