import type { Encoding, HmacRules } from './authentication';

/** An Ed25519 public key has 32 bytes (RFC 8032 section 5.1.5). */
const PUBLIC_KEY_LENGTH = 32;

/** @returns undefined if a secret is not written as the rules say, or is not a key for them */
export function keyOf(
	secret: string,
	{ algorithm, secretEncoding }: Pick<HmacRules, 'algorithm' | 'secretEncoding'>,
): Buffer | undefined {
	const isPublic = algorithm === 'ed25519';
	if (secretEncoding === 'text') {
		// Nobody writes the bytes of a public key as text; a secret of 32 letters only looks like it.
		return isPublic || secret === '' ? undefined : Buffer.from(secret);
	}
	const prefix = isPublic ? /^whpk_/ : /^whsec_/;
	const text = secretEncoding === 'base64' ? secret.trim().replace(prefix, '') : secret.trim();
	// A second prefix could be read as URL-safe Base64, as which nobody means it.
	const bytes = /^wh(?:sec|pk)_/.test(text) ? undefined : decodeBytes(text, secretEncoding);
	return isPublic && bytes?.length !== PUBLIC_KEY_LENGTH ? undefined : bytes;
}

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
