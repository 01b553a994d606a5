import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/**
 * If `tokenState` in the credential data is exactly '', n8n gets a new token before it sends a
 * request (n8n 1.123 and 2.41). That is also the default of the field in the credential.
 */
const EXCHANGE_REQUESTED = '';

/** @returns a copy with which n8n first calls `preAuthentication`, and then sends the request */
export function requestExchange(
	fields: ICredentialDataDecryptedObject,
): ICredentialDataDecryptedObject {
	return { ...fields, tokenState: EXCHANGE_REQUESTED };
}

export function isExchangeRequested({ tokenState }: ICredentialDataDecryptedObject): boolean {
	return tokenState === EXCHANGE_REQUESTED;
}

/**
 * Calls back when n8n has exchanged a token for this data. n8n has no event for it, but it writes
 * the new token into the data (`Object.assign` in `httpRequestWithAuthentication`, n8n 1.123 and
 * 2.41), which sets this property: the most fragile lines of the package. With an n8n that copies
 * the data instead, the call never comes, and the caller must be right without it.
 */
export function onExchanged(data: ICredentialDataDecryptedObject, callback: () => void): void {
	const field = { configurable: true, enumerable: true };
	Object.defineProperty(data, 'tokenState', {
		...field,
		get: () => EXCHANGE_REQUESTED,
		set: (value: unknown) => {
			Object.defineProperty(data, 'tokenState', { ...field, writable: true, value });
			callback();
		},
	});
}
