import { timingSafeEqual } from 'node:crypto';

import { sha256 } from '../../values/digest';
import { type Delivery, headerValue } from '../delivery/request';
import type { SignatureVerdict } from './verdict';

/** Verifies a delivery that carries the secret itself in a header field. */
export function verifySharedSecret(
	delivery: Delivery,
	headerName: string,
	secrets: readonly string[],
): SignatureVerdict {
	const sent = headerValue(delivery.headers, headerName);
	if (sent === '') return { kind: 'refused', reason: 'signatureMissing' };
	// node:http reads header bytes as Latin-1; senders write other characters in Latin-1 or UTF-8.
	// Digests have one length, so comparing them tells nothing about the length of the secret.
	const digest = sha256(Buffer.from(sent, 'latin1'));
	const matches = secrets.filter((secret) => {
		const utf8 = timingSafeEqual(digest, sha256(Buffer.from(secret, 'utf8')));
		const latin1 =
			isLatin1(secret) && timingSafeEqual(digest, sha256(Buffer.from(secret, 'latin1')));
		return utf8 || latin1;
	});
	return matches.length > 0 ? { kind: 'verified' } : { kind: 'refused', reason: 'noMatch' };
}

function isLatin1(text: string): boolean {
	return Buffer.from(text, 'latin1').toString('latin1') === text;
}
