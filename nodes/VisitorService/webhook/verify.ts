import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';

import { sha256 } from '../values/digest';
import { type Algorithm, type Authentication, familyOf, type HmacRules } from './authentication';
import { type Delivery, headerValue } from './delivery';
import { decodeBytes, decodePublicKey, decodeSecret } from './encoding';
import { holds, parseTemplate, protectsBody, signedBytes } from './signedContent';
import {
	checkTimestamp,
	namedTimestamp,
	type TimestampRefusal,
	timestampInList,
} from './timestamp';

/** Why nothing is known of who sent a delivery. */
export type RefusalReason =
	| TimestampRefusal
	| 'noSecret'
	| 'secretUnusable'
	| 'signatureMissing'
	| 'signatureUnreadable'
	| 'idMissing'
	| 'partMissing'
	| 'ambiguous'
	| 'bodyNotSigned'
	| 'noMatch'
	| 'notCheckable';

/** A key that can tell whether a signature is its own. */
type Key = { kind: 'ed25519'; key: KeyObject } | { kind: 'hmac'; algorithm: Mac; key: Buffer };

type Mac = Exclude<Algorithm, 'ed25519'>;

const SIGNATURE_LENGTH: Record<Algorithm, number> = {
	sha1: 20,
	sha256: 32,
	sha384: 48,
	sha512: 64,
	ed25519: 64,
};

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

const STANDARD_CONTENT = parseTemplate('{id}.{timestamp}.{body}');

/**
 * Tells whether a delivery comes from somebody who knows one of the secrets. Never throws.
 *
 * @param secrets the current one and, while it is being replaced, the previous one; empty ones
 *   never match
 * @returns why not; undefined if it is verified
 */
export function findRefusal(
	delivery: Delivery,
	authentication: Authentication,
	secrets: readonly string[],
): RefusalReason | undefined {
	try {
		if (authentication.kind === 'none') return undefined;
		const usable = secrets.filter((secret) => secret.trim() !== '');
		if (usable.length === 0) return 'noSecret';
		switch (authentication.kind) {
			case 'header':
				return verifySharedSecret(delivery, authentication.headerName, usable);
			case 'hmac':
				return verifyHmac(delivery, authentication, usable);
			case 'standardWebhooks':
				return verifyStandardWebhook(delivery, authentication.tolerance, usable);
		}
	} catch {
		// A check that broke has not verified anything.
		return 'notCheckable';
	}
}

/** HMAC (RFC 2104) or Ed25519, in any form the service may choose. */
function verifyHmac(
	delivery: Delivery,
	rules: HmacRules,
	secrets: readonly string[],
): RefusalReason | undefined {
	const parts = parseTemplate(rules.signedContent);
	if (!protectsBody(parts)) return 'bodyNotSigned';
	const fields = rules.signatureHeaders
		.map((name) => headerValue(delivery.headers, name))
		.filter((field) => field !== '');
	if (fields.length === 0) return 'signatureMissing';

	const id = headerValue(delivery.headers, rules.idHeader);
	if (holds(parts, 'id') && id === '') return 'idMissing';
	const timestamp = readTimestamp(delivery, rules, fields);
	if (holds(parts, 'timestamp') || rules.timestampHeader !== '') {
		const reason = checkTimestamp(timestamp, delivery.receivedAt, rules.tolerance);
		if (reason !== undefined) return reason;
	}

	const signatures = fields
		.flatMap((field) => splitSignatures(field, rules.signaturePrefix))
		.map((text) => decodeBytes(text, rules.encoding))
		.filter((bytes) => bytes?.length === SIGNATURE_LENGTH[rules.algorithm]);
	if (signatures.length === 0) return 'signatureUnreadable';
	const keys = secrets.map((secret) => hmacKey(secret, rules)).filter((key) => key !== undefined);
	if (keys.length === 0) return 'secretUnusable';

	const content = signedBytes(parts, delivery, { timestamp, id });
	if (content.kind !== 'bytes') return content.kind === 'missing' ? 'partMissing' : 'ambiguous';
	const isGenuine = keys.map((key) => matches(key, content.bytes, signatures)).includes(true);
	return isGenuine ? undefined : 'noMatch';
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
	{ headers }: Delivery,
	{ timestampHeader }: HmacRules,
	signatureFields: readonly string[],
): string {
	if (timestampHeader === '') return signatureFields.map(timestampInList).find(Boolean) ?? '';
	const value = headerValue(headers, timestampHeader);
	return namedTimestamp(value) ?? value;
}

/**
 * By the Standard Webhooks specification 1.0.0: `webhook-id`, `webhook-timestamp` in seconds and
 * `webhook-signature`, a list separated by spaces. HMAC-SHA256 (`v1`) with a secret `whsec_…`,
 * Ed25519 (`v1a`) with a public key `whpk_…`.
 */
function verifyStandardWebhook(
	delivery: Delivery,
	tolerance: number,
	secrets: readonly string[],
): RefusalReason | undefined {
	const family = familyOf(delivery.headers);
	const valueOf = (name: string) => headerValue(delivery.headers, `${family}-${name}`);
	const [id, timestamp, header] = [valueOf('id'), valueOf('timestamp'), valueOf('signature')];
	if (id === '') return 'idMissing';
	if (header === '') return 'signatureMissing';
	if (timestamp !== '' && !/^\d{1,10}$/.test(timestamp)) return 'timestampUnreadable';
	const reason = checkTimestamp(timestamp, delivery.receivedAt, tolerance);
	if (reason !== undefined) return reason;

	const keys = secrets.map(standardKey).filter((key) => key !== undefined);
	if (keys.length === 0) return 'secretUnusable';
	const content = signedBytes(STANDARD_CONTENT, delivery, { timestamp, id });
	if (content.kind !== 'bytes') return 'ambiguous';
	// node:http puts a comma and a space between headers of one name (RFC 9110 section 5.3).
	const entries = header.split(/,? +/).map((entry) => entry.split(','));
	const isGenuine = keys.map((key) => {
		const version = key.kind === 'ed25519' ? 'v1a' : 'v1';
		const signatures = entries
			.filter((entry) => entry.length === 2 && entry[0] === version)
			// Written in one way only, as the libraries of the specification compare.
			.filter(([, text = '']) => Buffer.from(text, 'base64').toString('base64') === text)
			.map(([, text = '']) => decodeBytes(text, 'base64'));
		return matches(key, content.bytes, signatures);
	});
	return isGenuine.includes(true) ? undefined : 'noMatch';
}

/** The secret itself in a header field. */
function verifySharedSecret(
	{ headers }: Delivery,
	headerName: string,
	secrets: readonly string[],
): RefusalReason | undefined {
	const sent = headerValue(headers, headerName);
	if (sent === '') return 'signatureMissing';
	// node:http reads header bytes as Latin-1; senders write other characters in Latin-1 or UTF-8.
	// Digests have one length, so comparing them tells nothing about the length of the secret.
	const digest = sha256(Buffer.from(sent, 'latin1'));
	const results = secrets.flatMap((secret) => {
		const latin1 = Buffer.from(secret, 'latin1');
		const forms = [Buffer.from(secret), ...(latin1.toString('latin1') === secret ? [latin1] : [])];
		return forms.map((form) => timingSafeEqual(digest, sha256(form)));
	});
	return results.includes(true) ? undefined : 'noMatch';
}

/** @returns undefined if a secret is not written as the settings say, or is not a key for them */
export function hmacKey(
	secret: string,
	{ algorithm, secretEncoding }: Pick<HmacRules, 'algorithm' | 'secretEncoding'>,
): Key | undefined {
	const key = decodeSecret(secret, secretEncoding);
	if (key === undefined) return undefined;
	if (algorithm !== 'ed25519') return { kind: 'hmac', algorithm, key };
	// Nobody writes the bytes of a key as text; a secret of 32 characters only looks like that.
	return secretEncoding === 'text' ? undefined : ed25519Key(key);
}

/** @returns undefined if a secret is not in the form Standard Webhooks asks for */
export function standardKey(secret: string): Key | undefined {
	const publicKey = decodePublicKey(secret);
	if (publicKey !== undefined) return ed25519Key(publicKey);
	const key = decodeSecret(secret, 'base64');
	return key && { kind: 'hmac', algorithm: 'sha256', key };
}

function ed25519Key(bytes: Buffer): Key | undefined {
	if (bytes.length !== PUBLIC_KEY_LENGTH) return undefined;
	// RFC 8037: the form in which node:crypto takes the bytes.
	const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
	return { kind: 'ed25519', key: createPublicKey({ key: jwk, format: 'jwk' }) };
}

/** Whether one of the signatures is that of the content. */
function matches(
	key: Key,
	content: readonly Buffer[],
	signatures: ReadonlyArray<Buffer | undefined>,
): boolean {
	const written = signatures.filter((signature) => signature !== undefined);
	if (key.kind === 'ed25519') {
		const whole = Buffer.concat(content);
		return written
			.slice(0, MAX_ED25519_SIGNATURES)
			.some((signature) => verify(null, whole, key.key, signature));
	}
	const hmac = createHmac(key.algorithm, key.key);
	for (const part of content) hmac.update(part);
	const expected = hmac.digest();
	return written.some(
		(signature) => signature.length === expected.length && timingSafeEqual(signature, expected),
	);
}
