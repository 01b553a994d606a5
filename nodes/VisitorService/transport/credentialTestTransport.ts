import type { ICredentialTestFunctions } from 'n8n-workflow';

import { toRequestOptions } from './credentialTransport';
import { type Transport, toHttpAnswer } from './httpMessage';

/**
 * Sends with the only request helper that n8n gives to a credential test (n8n 1.123 and 2.41), which names
 * some options otherwise than the others.
 */
export function credentialTestTransport(helpers: ICredentialTestFunctions['helpers']): Transport {
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
				json: true,
				simple: false,
				resolveWithFullResponse: true,
				followRedirect: false,
			}),
		);
	};
}
