import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';

import { type Delivery, headerValue } from './delivery';
import { decodeBase64 } from './signatureEncoding';
import { checkTimestamp } from './timestampTolerance';
import type { Verification } from './verification';

const SYMMETRIC_PREFIX = 'whsec_';
const PUBLIC_KEY_PREFIX = 'whpk_';

/** Verifies a signature of one version (`v1`, `v1a`) against the signed content. */
interface Verifier {
	version: string;
	matches(signature: string, content: Buffer): boolean;
}

/**
 * Verifies a delivery by the Standard Webhooks specification 1.0.0: `webhook-id`, `webhook-timestamp` in
 * seconds and `webhook-signature`, a list separated by blanks. HMAC-SHA256 (`v1`) with a secret `whsec_…`,
 * Ed25519 (`v1a`) with a public key `whpk_…`.
 */
export function verifyStandardWebhook(
	delivery: Delivery,
	tolerance: number,
	secrets: readonly string[],
): Verification {
	const id = headerValue(delivery.headers, 'webhook-id');
	if (id === '') return { ok: false, reason: 'idMissing' };
	const header = headerValue(delivery.headers, 'webhook-signature');
	if (header === '') return { ok: false, reason: 'signatureMissing' };

	const timestamp = headerValue(delivery.headers, 'webhook-timestamp');
	if (timestamp !== '' && !/^\d{1,10}$/.test(timestamp)) {
		return { ok: false, reason: 'timestampUnreadable' };
	}
	const refused = checkTimestamp(timestamp, delivery.receivedAt, tolerance);
	if (refused !== undefined) return { ok: false, reason: refused };

	const verifiers = secrets.map(verifierFor).filter((verifier) => verifier !== undefined);
	if (verifiers.length === 0) return { ok: false, reason: 'secretUnusable' };

	const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`, 'latin1'), delivery.rawBody]);
	const signatures = header.split(' ').map((entry) => entry.split(','));
	const matches = verifiers.filter((verifier) =>
		signatures.some(
			([version, signature = '', ...rest]) =>
				version === verifier.version && rest.length === 0 && verifier.matches(signature, content),
		),
	);
	return matches.length > 0 ? { ok: true } : { ok: false, reason: 'noMatch' };
}

/** Tells whether a secret has the form the specification asks for. */
export function isStandardWebhooksSecret(secret: string): boolean {
	return verifierFor(secret) !== undefined;
}

function verifierFor(secret: string): Verifier | undefined {
	const text = secret.trim();
	if (text.startsWith(PUBLIC_KEY_PREFIX)) {
		const key = publicKey(text.slice(PUBLIC_KEY_PREFIX.length));
		return key === undefined ? undefined : asymmetric(key);
	}
	const key = decodeBase64(
		text.startsWith(SYMMETRIC_PREFIX) ? text.slice(SYMMETRIC_PREFIX.length) : text,
	);
	return key === undefined ? undefined : symmetric(key);
}

function symmetric(key: Buffer): Verifier {
	return {
		version: 'v1',
		matches: (signature, content) => {
			const expected = Buffer.from(createHmac('sha256', key).update(content).digest('base64'));
			const actual = Buffer.from(signature);
			return actual.length === expected.length && timingSafeEqual(actual, expected);
		},
	};
}

function asymmetric(key: KeyObject): Verifier {
	return {
		version: 'v1a',
		matches: (signature, content) => {
			const bytes = decodeBase64(signature);
			return bytes !== undefined && verify(null, content, key, bytes);
		},
	};
}

/** An Ed25519 public key is 32 bytes (RFC 8032 section 5.1.5); node:crypto takes it as a JWK (RFC 8037). */
function publicKey(text: string): KeyObject | undefined {
	const bytes = decodeBase64(text);
	if (bytes?.length !== 32) return undefined;
	const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
	return createPublicKey({ key: jwk, format: 'jwk' });
}
