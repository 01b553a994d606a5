import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IExecuteFunctions,
	IHttpRequestHelper,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';
import { failureByCredentialData } from '../failure/serviceFailure';
import { type HttpRequest, type Transport, toHttpResponse } from './message';

export const CREDENTIAL = 'visitorServiceApi';

/** What can be asked to send with a credential. */
export type SendingContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** What every request of this package tells n8n's request helper. */
function toRequestOptions(request: HttpRequest): IHttpRequestOptions {
	const { method, url, headers, query, form, timeout, signal } = request;
	return {
		method,
		url,
		headers: {
			...headers,
			...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
		},
		qs: query,
		// As the URL standard has it: any bytes, spaces as +.
		body: form && new URLSearchParams(form).toString(),
		timeout,
		abortSignal: signal,
		// Bytes: n8n would decode every answer as UTF-8, and round long integers.
		encoding: 'arraybuffer',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/**
 * Sends with the helper of an execution, or that which n8n passes to `preAuthentication`, in which
 * n8n 1.123 does not enforce Allowed Domains.
 */
export function credentialTransport(
	helpers: IHttpRequestHelper['helpers'],
	allowUnauthorizedCerts: boolean,
): Transport {
	const certificates = allowUnauthorizedCerts && { skipSslCertificateValidation: true };
	return async (request) =>
		toHttpResponse(await helpers.httpRequest({ ...toRequestOptions(request), ...certificates }));
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
		return toHttpResponse(
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

/**
 * Sends with the helper that adds the token. The data of the credential is passed to it, because
 * n8n would read the stored credential for each request otherwise.
 */
export function authenticatedTransport(
	context: SendingContext,
	data: ICredentialDataDecryptedObject,
): Transport {
	const { id, name = CREDENTIAL } = context.getNode().credentials?.[CREDENTIAL] ?? {};
	const credentialsDecrypted = { id: id ?? '', name, type: CREDENTIAL, data };
	return async (request) => {
		if (data.tokenState === '') extendTimeoutForExchange(data, request);
		try {
			return toHttpResponse(
				await context.helpers.httpRequestWithAuthentication.call(
					withAbortSignal(context, request.signal),
					CREDENTIAL,
					toRequestOptions(request),
					{ credentialsDecrypted },
				),
			);
		} catch (error) {
			throw failureByCredentialData.get(data) ?? error;
		}
	};
}

/** Longer than an exchange takes that waits and is repeated as often as it may. Milliseconds. */
const MAX_EXCHANGE_MS = 300_000;

/**
 * The time-out is for the answer to the request, and an exchange before it has one of its own. n8n
 * has no event between the two, but it writes the new token into the data (`Object.assign` in
 * `httpRequestWithAuthentication`, n8n 1.123 and 2.41). An n8n that copied the data instead would
 * leave such a request more time, and nothing else.
 */
function extendTimeoutForExchange(
	data: ICredentialDataDecryptedObject,
	request: HttpRequest,
): void {
	request.extendTimeout?.(MAX_EXCHANGE_MS);
	const field = { configurable: true, enumerable: true };
	Object.defineProperty(data, 'tokenState', {
		...field,
		get: () => '',
		set: (value: unknown) => {
			Object.defineProperty(data, 'tokenState', { ...field, writable: true, value });
			request.extendTimeout?.(request.timeout);
		},
	});
}

/**
 * n8n replaces the signal of a request by that of the execution, for which it asks the context.
 * This context answers with the signal of the attempt, so that a request ends with its time-out
 * too. Each attempt having its own also keeps one signal from collecting a listener for each page
 * in flight.
 */
function withAbortSignal(context: SendingContext, signal: AbortSignal | undefined): SendingContext {
	if (signal === undefined || !('getExecutionCancelSignal' in context)) return context;
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as SendingContext;
}
