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
import { isExchangeRequested, onExchanged } from './exchangeRequest';
import { type HttpRequest, type Transport, toHttpResponse } from './message';

export const CREDENTIAL = 'visitorServiceApi';

/** The contexts of n8n that can send with a credential. */
export type SendingContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** The options with which n8n's request helper sends every request of this package. */
function toRequestOptions(request: HttpRequest): IHttpRequestOptions {
	const { method, url, headers, query, form, timeoutMs, signal } = request;
	return {
		method,
		url,
		headers: {
			...headers,
			...(form && { 'Content-Type': 'application/x-www-form-urlencoded' }),
		},
		qs: query,
		// As the URL standard encodes forms: any bytes, spaces as +.
		body: form && new URLSearchParams(form).toString(),
		timeout: timeoutMs,
		abortSignal: signal,
		// Bytes, because n8n would decode every response as UTF-8 and round long integers. A stream,
		// because their number is limited.
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
}

/**
 * Sends with the helper of an execution, or with that of `preAuthentication`, for which n8n 1.123
 * does not enforce Allowed Domains.
 */
export function credentialTransport(
	helpers: IHttpRequestHelper['helpers'],
	allowUnauthorizedCerts: boolean,
): Transport {
	const certificates = allowUnauthorizedCerts && { skipSslCertificateValidation: true };
	return async (request) => {
		const options = { ...toRequestOptions(request), ...certificates };
		return await toHttpResponse(await helpers.httpRequest(options), request);
	};
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
		const response: unknown = await helpers.request({
			uri: url,
			method,
			headers,
			qs,
			body,
			timeout,
			// With these options the helper returns a stream of bytes.
			useStream: true,
			encoding: null,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			...(allowUnauthorizedCerts && { rejectUnauthorized: false }),
		});
		return await toHttpResponse(response, request);
	};
}

/**
 * Sends with the helper that adds the token. The data of the credential is passed to it, because
 * n8n would read the stored credential for each request otherwise.
 */
export function authenticatedTransports(
	context: SendingContext,
): (data: ICredentialDataDecryptedObject) => Transport {
	// Once, because n8n copies the node each time.
	const { id, name = CREDENTIAL } = context.getNode().credentials?.[CREDENTIAL] ?? {};
	const credential = { id: id ?? '', name, type: CREDENTIAL };
	return (data) => async (request) => {
		if (isExchangeRequested(data)) extendTimeoutForExchange(data, request);
		try {
			const response: unknown = await context.helpers.httpRequestWithAuthentication.call(
				withAbortSignal(context, request.signal),
				CREDENTIAL,
				toRequestOptions(request),
				{ credentialsDecrypted: { ...credential, data } },
			);
			return await toHttpResponse(response, request);
		} catch (error) {
			throw failureByCredentialData.get(data) ?? error;
		}
	};
}

/** Longer than any exchange takes, with all its retries and waits. */
const MAX_EXCHANGE_MS = 300_000;

/**
 * The time-out counts for the response to the request; an exchange before it has a time-out of its
 * own. If a later n8n copies the data, such a request has more time, and nothing else changes.
 */
function extendTimeoutForExchange(
	data: ICredentialDataDecryptedObject,
	{ extendTimeout, timeoutMs }: HttpRequest,
): void {
	extendTimeout?.(MAX_EXCHANGE_MS);
	onExchanged(data, () => extendTimeout?.(timeoutMs));
}

/**
 * n8n replaces the signal of a request by that of the execution, which it reads from the context.
 * This context returns the signal of the attempt, so that a request also ends with its time-out.
 * One signal for each attempt also keeps the one of the execution from collecting a listener for
 * each page in flight.
 */
function withAbortSignal(context: SendingContext, signal: AbortSignal | undefined): SendingContext {
	if (signal === undefined || !('getExecutionCancelSignal' in context)) return context;
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as SendingContext;
}
