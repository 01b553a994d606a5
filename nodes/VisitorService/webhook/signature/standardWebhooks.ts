import { createHmac, timingSafeEqual } from 'node:crypto';

import { type Delivery, type HeaderFields, headerValue } from '../delivery/request';
import { decodeBase64, decodePublicKey, decodeSecret } from './encoding';
import { ed25519Check } from './hmac';
import { checkTimestamp } from './timestamp';
import type { SignatureVerdict } from './verdict';

/** Tells whether one of the signatures of a version (`v1`, `v1a`) is that of the content. */
interface Verifier {
	version: string;
	matches(signatures: readonly string[], content: Buffer): boolean;
}

/**
 * How the names of the headers begin: Svix, from which the specification comes, and those who use
 * it write `svix-id` and so on.
 */
export const FAMILIES = ['webhook', 'svix'] as const;
type Family = (typeof FAMILIES)[number];

/**
 * Of which all headers are there. A header alone may be that of somebody else: a proxy, or another
 * way in which the same sender signs.
 */
export function completeFamily(headers: HeaderFields): Family | undefined {
	return FAMILIES.find((family) =>
		['id', 'timestamp', 'signature'].every(
			(part) => headerValue(headers, `${family}-${part}`) !== '',
		),
	);
}

/** With a signature at least, so that it can be said what is missing. */
export function familyOf(headers: HeaderFields): Family {
	return (
		completeFamily(headers) ??
		FAMILIES.find((family) => headerValue(headers, `${family}-signature`) !== '') ??
		'webhook'
	);
}

/**
 * Verifies a delivery by the Standard Webhooks specification 1.0.0: `webhook-id`,
 * `webhook-timestamp` in seconds and `webhook-signature`, a list separated by spaces. HMAC-SHA256
 * (`v1`) with a secret `whsec_…`, Ed25519 (`v1a`) with a public key `whpk_…`.
 */
export function verifyStandardWebhook(
	delivery: Delivery,
	tolerance: number,
	secrets: readonly string[],
): SignatureVerdict {
	const family = familyOf(delivery.headers);
	const id = headerValue(delivery.headers, `${family}-id`);
	if (id === '') return { kind: 'refused', reason: 'idMissing' };
	const header = headerValue(delivery.headers, `${family}-signature`);
	if (header === '') return { kind: 'refused', reason: 'signatureMissing' };

	const timestamp = headerValue(delivery.headers, `${family}-timestamp`);
	if (timestamp !== '' && !/^\d{1,10}$/.test(timestamp)) {
		return { kind: 'refused', reason: 'timestampUnreadable' };
	}
	const reason = checkTimestamp(timestamp, delivery.receivedAt, tolerance);
	if (reason !== undefined) return { kind: 'refused', reason };

	const verifiers = secrets.map(verifierFor).filter((verifier) => verifier !== undefined);
	if (verifiers.length === 0) return { kind: 'refused', reason: 'secretUnusable' };

	const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`, 'latin1'), delivery.rawBody]);
	// node:http puts a comma and a space between headers of one name (RFC 9110 section 5.3).
	const signatures = header.split(/,? +/).map((entry) => entry.split(','));
	const matches = verifiers.filter((verifier) => {
		const ofVersion = signatures.flatMap(([version, signature = '', ...rest]) =>
			version === verifier.version && rest.length === 0 ? [signature] : [],
		);
		return verifier.matches(ofVersion, content);
	});
	return matches.length > 0 ? { kind: 'verified' } : { kind: 'refused', reason: 'noMatch' };
}

/** Tells whether a secret has the form the specification asks for. */
export function isStandardWebhooksSecret(secret: string): boolean {
	return verifierFor(secret) !== undefined;
}

function verifierFor(secret: string): Verifier | undefined {
	const publicKey = decodePublicKey(secret);
	if (publicKey !== undefined) return asymmetric(publicKey);
	const key = decodeSecret(secret, 'base64');
	return key === undefined ? undefined : symmetric(key);
}

function symmetric(key: Buffer): Verifier {
	return {
		version: 'v1',
		matches: (signatures, content) => {
			const expected = Buffer.from(createHmac('sha256', key).update(content).digest('base64'));
			return signatures
				.map((signature) => Buffer.from(signature))
				.some((actual) => actual.length === expected.length && timingSafeEqual(actual, expected));
		},
	};
}

function asymmetric(key: Buffer): Verifier | undefined {
	const check = ed25519Check(key);
	if (check === undefined) return undefined;
	return {
		version: 'v1a',
		matches: (signatures, content) => {
			const decoded = signatures
				.map((signature) => decodeBase64(signature))
				.filter((signature) => signature !== undefined);
			return check(decoded, [content]);
		},
	};
}
