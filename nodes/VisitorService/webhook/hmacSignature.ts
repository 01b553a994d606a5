import { createHmac, timingSafeEqual } from 'node:crypto';

import { type Delivery, headerValue } from './delivery';
import type { HmacAuthentication } from './settings';
import { decodeSignature } from './signatureEncoding';
import { splitSignatures, timestampInSignature } from './signatureList';
import { contentParts, placeholdersIn } from './signedContent';
import { checkTimestamp } from './timestampTolerance';
import type { Verification } from './verification';

/** Verifies a delivery signed with HMAC (RFC 2104) in a form of the operator's choice. */
export function verifyHmacSignature(
	delivery: Delivery,
	rules: HmacAuthentication,
	secrets: readonly string[],
): Verification {
	const placeholders = placeholdersIn(rules.signedContent);
	if (!placeholders.has('body')) return { ok: false, reason: 'bodyNotSigned' };

	const header = headerValue(delivery.headers, rules.signatureHeader);
	if (header === '') return { ok: false, reason: 'signatureMissing' };

	const id = headerValue(delivery.headers, rules.idHeader);
	if (placeholders.has('id') && id === '') return { ok: false, reason: 'idMissing' };

	const timestamp = readTimestamp(delivery, rules, header);
	if (placeholders.has('timestamp') || rules.timestampHeader.trim() !== '') {
		const refused = checkTimestamp(timestamp, delivery.receivedAt, rules.tolerance);
		if (refused !== undefined) return { ok: false, reason: refused };
	}

	const signatures = splitSignatures(header, rules.signaturePrefix)
		.map((text) => decodeSignature(text, rules.encoding, rules.algorithm))
		.filter((signature) => signature !== undefined);
	if (signatures.length === 0) return { ok: false, reason: 'signatureUnreadable' };

	const content = contentParts(rules.signedContent, { body: delivery.rawBody, timestamp, id });
	const matches = secrets.filter((secret) => {
		const hmac = createHmac(rules.algorithm, secret);
		for (const part of content) hmac.update(part);
		const expected = hmac.digest();
		return signatures.some((signature) => timingSafeEqual(signature, expected));
	});
	return matches.length > 0 ? { ok: true } : { ok: false, reason: 'noMatch' };
}

/** The timestamp as it was sent, for it is signed as it was sent. */
function readTimestamp(delivery: Delivery, rules: HmacAuthentication, signature: string): string {
	if (rules.timestampHeader.trim() === '') return timestampInSignature(signature) ?? '';
	const value = headerValue(delivery.headers, rules.timestampHeader);
	return timestampInSignature(value) ?? value;
}
