import { hash } from 'node:crypto';

/** The beginning of a SHA-256 digest, of signs of six bits, to tell texts apart. */
export function shortDigest(text: string, length: number): string {
	return hash('sha256', text, 'base64url').slice(0, length);
}

/** All of a SHA-256 digest. */
export function sha256(content: string | Buffer): Buffer {
	return hash('sha256', content, 'buffer');
}

/** 52 bits of a digest as a whole number: enough for as many records as a list may have. */
export function numericDigest(text: string): number {
	return Number.parseInt(hash('sha256', text, 'hex').slice(0, 13), 16);
}
