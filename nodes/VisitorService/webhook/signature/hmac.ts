import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';

import { type Delivery, headerValue } from '../delivery/request';
import type { Algorithm, HmacAuthentication } from './authentication';
import { decodeSecret, decodeSignature } from './encoding';
import { hasValue, parseTemplate, protectsBody, signedBytes } from './signedContent';
import { checkTimestamp, namedTimestamp, timestampInList } from './timestamp';
import type { RefusalReason, SignatureVerdict } from './verdict';

/** Tells whether one of the signatures is that of the content. */
type SignatureCheck = (signatures: readonly Buffer[], content: readonly Buffer[]) => boolean;

/** An Ed25519 public key has 32 bytes (RFC 8032 section 5.1.5). */
const PUBLIC_KEY_LENGTH = 32;
/**
 * Each Ed25519 signature takes a reading of the whole body. Who replaces a key sends two; a forger
 * would send hundreds.
 */
const MAX_ED25519_SIGNATURES = 4;
/** What stands between the signatures of a list, as part of a pattern. */
const SEPARATORS = '\\s,:;&|"';
const LEADING_SEPARATORS = new RegExp(`^[${SEPARATORS}]+`);

/**
 * Verifies a delivery signed with HMAC (RFC 2104) or Ed25519 in any form the service may choose.
 */
export function verifyHmacSignature(
	delivery: Delivery,
	rules: HmacAuthentication,
	secrets: readonly string[],
): SignatureVerdict {
	const template = parseTemplate(rules.signedContent);
	if (!protectsBody(template)) return refused('bodyNotSigned');

	const fields = rules.signatureHeaders
		.map((name) => headerValue(delivery.headers, name))
		.filter((field) => field !== '');
	if (fields.length === 0) return refused('signatureMissing');

	const id = headerValue(delivery.headers, rules.idHeader);
	if (hasValue(template, 'id') && id === '') return refused('idMissing');

	const timestamp = readTimestamp(delivery, rules, fields);
	if (hasValue(template, 'timestamp') || rules.timestampHeader !== '') {
		const reason = checkTimestamp(timestamp, delivery.receivedAt, rules.tolerance);
		if (reason !== undefined) return refused(reason);
	}

	const signatures = fields
		.flatMap((field) => splitSignatures(field, rules.signaturePrefix))
		.map((text) => decodeSignature(text, rules.encoding, rules.algorithm))
		.filter((signature) => signature !== undefined);
	if (signatures.length === 0) return refused('signatureUnreadable');

	const checks = secrets
		.map((secret) => checkFor(secret, rules))
		.filter((check) => check !== undefined);
	if (checks.length === 0) return refused('secretUnusable');

	const content = signedBytes(template, delivery, { timestamp, id });
	if (content === undefined) return refused('partMissing');
	const matches = checks.filter((check) => check(signatures, content));
	return matches.length > 0 ? { kind: 'verified' } : refused('noMatch');
}

/** Tells whether a secret is written as the settings say, and is a key for the algorithm. */
export function isUsableSecret(
	secret: string,
	rules: Pick<HmacAuthentication, 'algorithm' | 'secretEncoding'>,
): boolean {
	return checkFor(secret, rules) !== undefined;
}

function checkFor(
	secret: string,
	{ algorithm, secretEncoding }: Pick<HmacAuthentication, 'algorithm' | 'secretEncoding'>,
): SignatureCheck | undefined {
	// Nobody writes the bytes of a key as text; a secret of 32 characters only looks like that.
	if (algorithm === 'ed25519' && secretEncoding === 'text') return undefined;
	const key = decodeSecret(secret, secretEncoding);
	if (key === undefined || key.length === 0) return undefined;
	return algorithm === 'ed25519' ? ed25519Check(key) : hmacCheck(key, algorithm);
}

function hmacCheck(key: Buffer, algorithm: Exclude<Algorithm, 'ed25519'>): SignatureCheck {
	return (signatures, content) => {
		const expected = content
			.reduce((hmac, part) => hmac.update(part), createHmac(algorithm, key))
			.digest();
		return signatures.some((signature) => timingSafeEqual(signature, expected));
	};
}

/** @returns undefined if the bytes are not an Ed25519 public key */
export function ed25519Check(key: Buffer): SignatureCheck | undefined {
	if (key.length !== PUBLIC_KEY_LENGTH) return undefined;
	// RFC 8037: the form in which node:crypto takes the bytes.
	const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
	const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
	return (signatures, content) => {
		const whole = Buffer.concat(content);
		return signatures
			.slice(0, MAX_ED25519_SIGNATURES)
			.some((signature) => verify(null, whole, publicKey, signature));
	};
}

/**
 * Finds the signatures in a header field that may hold several, separated by commas, colons,
 * semicolons, spaces, `&` or `|`, with or without quotes.
 *
 * @param prefix what stands before each signature (`sha256=`, `v1=`, `v1,`), also with a separator
 *   before it; what lacks it is left out
 * @returns the signatures without their prefix
 */
export function splitSignatures(field: string, prefix: string): string[] {
	// The prefix may itself hold a separator, so the field is searched rather than split.
	const start = prefix
		.replace(LEADING_SEPARATORS, '')
		.trimEnd()
		.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
	const pattern = new RegExp(`(?:^|[${SEPARATORS}])${start} ?"?([^${SEPARATORS}]+)`, 'gi');
	return [...field.matchAll(pattern)].map((match) => match[1] ?? '');
}

/** The timestamp as it was sent, because it is signed as it was sent. */
function readTimestamp(
	delivery: Delivery,
	rules: HmacAuthentication,
	signatureFields: readonly string[],
): string {
	if (rules.timestampHeader !== '') {
		const value = headerValue(delivery.headers, rules.timestampHeader);
		return namedTimestamp(value) ?? value;
	}
	return signatureFields.map(timestampInList).find((time) => time !== undefined) ?? '';
}

function refused(reason: RefusalReason): SignatureVerdict {
	return { kind: 'refused', reason };
}
