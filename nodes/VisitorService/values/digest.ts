import { createHash } from 'node:crypto';

/**
 * The beginning of a SHA-256 digest, to tell texts apart without keeping them.
 *
 * @param length in signs of six bits each
 */
export function shortDigest(text: string, length: number): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, length);
}

/** 53 bits of a SHA-256 digest, as many as a whole number holds: enough for as many records as a list may have. */
export function wideDigest(text: string): number {
	const bytes = createHash('sha256').update(text).digest();
	return bytes.readUInt32BE(0) * 2 ** 21 + (bytes.readUInt32BE(4) >>> 11);
}
