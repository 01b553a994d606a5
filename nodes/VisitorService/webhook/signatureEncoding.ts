import type { Algorithm, Encoding } from './settings';

const DIGEST_LENGTH: Record<Algorithm, number> = { sha1: 20, sha256: 32, sha512: 64 };

/**
 * Reads a written signature: hex in either case, or base64 in the standard or URL-safe alphabet with or
 * without padding (RFC 4648 sections 4, 5 and 8).
 *
 * @returns the bytes, as many as the algorithm gives; undefined where the text is anything else
 */
export function decodeSignature(
	text: string,
	encoding: Encoding,
	algorithm: Algorithm,
): Buffer | undefined {
	const bytes = encoding === 'hex' ? decodeHex(text) : decodeBase64(text);
	if (bytes?.length !== DIGEST_LENGTH[algorithm]) return undefined;
	// Base64 has bits left over at its end; with them zero, every signature has one spelling.
	const isCanonical =
		encoding === 'hex' || text.startsWith(bytes.toString(alphabetOf(text)).replace(/=+$/, ''));
	return isCanonical ? bytes : undefined;
}

function decodeHex(text: string): Buffer | undefined {
	return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
}

/** Reads base64 in either alphabet, with or without padding. Buffer alone would skip what is no base64. */
export function decodeBase64(text: string): Buffer | undefined {
	const [, digits = '', padding = ''] = /^([A-Za-z0-9+/_-]+)(={0,2})$/.exec(text) ?? [];
	if (digits.length % 4 === 1 || digits === '') return undefined;
	if (padding !== '' && text.length % 4 !== 0) return undefined;
	return Buffer.from(digits, 'base64');
}

function alphabetOf(text: string): 'base64' | 'base64url' {
	return /[-_]/.test(text) ? 'base64url' : 'base64';
}
