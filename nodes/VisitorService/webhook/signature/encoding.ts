import type { Algorithm, Encoding, SecretEncoding } from './authentication';

const SIGNATURE_LENGTH: Record<Algorithm, number> = {
	sha1: 20,
	sha256: 32,
	sha384: 48,
	sha512: 64,
	ed25519: 64,
};

/** Svix and those who follow it write a Base64 key like this. */
const SECRET_PREFIX = 'whsec_';
const PUBLIC_KEY_PREFIX = 'whpk_';

/**
 * Reads a written signature: hex in either case, or Base64 in the standard or URL-safe alphabet
 * with or without padding (RFC 4648 sections 4, 5 and 8).
 *
 * @returns the bytes, as many as the algorithm makes; undefined if the text is anything else
 */
export function decodeSignature(
	text: string,
	encoding: Encoding,
	algorithm: Algorithm,
): Buffer | undefined {
	const bytes = encoding === 'hex' ? decodeHex(text) : decodeBase64(text);
	return bytes?.length === SIGNATURE_LENGTH[algorithm] ? bytes : undefined;
}

/** The bytes of a secret. @returns undefined if it is not written like that */
export function decodeSecret(secret: string, encoding: SecretEncoding): Buffer | undefined {
	if (encoding === 'text') return Buffer.from(secret, 'utf8');
	const text = secret.trim();
	if (encoding === 'hex') return decodeHex(text);
	return decodeKey(text.startsWith(SECRET_PREFIX) ? text.slice(SECRET_PREFIX.length) : text);
}

/**
 * The bytes of a public key of Standard Webhooks. @returns undefined if it is not written like one
 */
export function decodePublicKey(key: string): Buffer | undefined {
	const text = key.trim();
	return text.startsWith(PUBLIC_KEY_PREFIX)
		? decodeKey(text.slice(PUBLIC_KEY_PREFIX.length))
		: undefined;
}

/** A prefix could be read as URL-safe Base64, as which nobody means it. */
function decodeKey(text: string): Buffer | undefined {
	const hasPrefix = text.startsWith(SECRET_PREFIX) || text.startsWith(PUBLIC_KEY_PREFIX);
	return hasPrefix ? undefined : decodeBase64(text);
}

function decodeHex(text: string): Buffer | undefined {
	return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/**
 * Reads Base64 in either alphabet, with or without padding. Buffer alone would skip what is not
 * Base64.
 */
export function decodeBase64(text: string): Buffer | undefined {
	const [, digits = '', padding = ''] = /^([A-Za-z0-9+/_-]+)(={0,2})$/.exec(text) ?? [];
	if (digits.length % 4 === 1 || digits === '') return undefined;
	if (padding !== '' && text.length % 4 !== 0) return undefined;
	return Buffer.from(digits, 'base64');
}
