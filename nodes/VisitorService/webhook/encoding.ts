import type { Encoding, SecretEncoding } from './authentication';

/**
 * Reads hex in either case, or Base64 in the standard or URL-safe alphabet with or without padding
 * (RFC 4648 sections 4, 5 and 8). Buffer alone would skip what is neither.
 *
 * @returns undefined if the text is anything else
 */
export function decodeBytes(text: string, encoding: Encoding): Buffer | undefined {
	if (encoding === 'hex') {
		return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
	}
	const [, digits = '', padding = ''] = /^([A-Za-z0-9+/_-]+)(={0,2})$/.exec(text) ?? [];
	if (digits.length % 4 === 1 || digits === '') return undefined;
	if (padding !== '' && text.length % 4 !== 0) return undefined;
	return Buffer.from(digits, 'base64');
}

/** The bytes of a secret. @returns undefined if it is not written like that, or has no bytes */
export function decodeSecret(secret: string, encoding: SecretEncoding): Buffer | undefined {
	if (encoding === 'text') return secret === '' ? undefined : Buffer.from(secret, 'utf8');
	if (encoding === 'hex') return decodeBytes(secret.trim(), 'hex');
	const text = secret.trim().replace(/^whsec_/, '');
	// A prefix could be read as URL-safe Base64, as which nobody means it.
	return /^(?:whsec|whpk)_/.test(text) ? undefined : decodeBytes(text, 'base64');
}

/** The bytes of a public key of Standard Webhooks. @returns undefined if it is none */
export function decodePublicKey(key: string): Buffer | undefined {
	const [, text = ''] = /^\s*whpk_(\S+)\s*$/.exec(key) ?? [];
	return decodeBytes(text, 'base64');
}
