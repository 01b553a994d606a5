import { hash } from 'node:crypto';

/** The beginning of a SHA-256 digest in Base64, six bits a character, to distinguish texts. */
export function shortDigest(text: string, length: number): string {
	return hash('sha256', text, 'base64url').slice(0, length);
}

export function sha256(content: string | Buffer): Buffer {
	return hash('sha256', content, 'buffer');
}

/** 52 bits of a digest as a whole number: enough for the number of records a list may have. */
export function numericDigest(text: string): number {
	return Number.parseInt(hash('sha256', text, 'hex').slice(0, 13), 16);
}
