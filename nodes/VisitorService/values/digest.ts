import { createHash } from 'node:crypto';

/**
 * The beginning of a SHA-256 digest, to tell texts apart without keeping them.
 *
 * @param length in signs of six bits each
 */
export function shortDigest(text: string, length: number): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, length);
}
