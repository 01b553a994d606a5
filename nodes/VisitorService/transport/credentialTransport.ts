import type { IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';

import { type HttpRequest, type Transport, toHttpAnswer } from './httpMessage';

/** What every request of this package tells n8n's request helper. */
export function toRequestOptions(request: HttpRequest): IHttpRequestOptions {
	const { method, url, headers, query, form, timeout } = request;
	return {
		method,
		url,
		headers: {
			...headers,
			...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
		},
		...(query && { qs: query }),
		...(form && { body: encodeForm(form) }),
		timeout,
		json: true,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/** application/x-www-form-urlencoded as the URL standard has it: any bytes, blanks as +. */
function encodeForm(form: ReadonlyArray<readonly [string, string]>): string {
	const fields = new URLSearchParams();
	for (const [name, value] of form) fields.append(name, value);
	return fields.toString();
}

/** Sends with the helper n8n gives to `preAuthentication`; Allowed Domains is kept by n8n itself. */
export function credentialTransport(helpers: IHttpRequestHelper['helpers']): Transport {
	return async (request) => toHttpAnswer(await helpers.httpRequest(toRequestOptions(request)));
}
