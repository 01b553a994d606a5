import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';

import { sha256 } from '../values/digest';
import {
	type Algorithm,
	type Authentication,
	familyOf,
	type HmacRules,
	PLAIN_FORMAT,
} from './authentication';
import { type Delivery, headerValue } from './delivery';
import { decodeBytes, type Key, keyOf } from './key';
import { signedBytes } from './signedContent';
import { holds, parseTemplate, protectsBody } from './template';
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
	| 'partMissing'
	| 'ambiguous'
	| 'bodyNotSigned'
	| 'noMatch'
	| 'notCheckable';

/** Finds the signatures in a header field, without their prefix. */
type SplitSignatures = (field: string, prefix: string) => string[];

const SIGNATURE_LENGTH: Record<Algorithm, number> = {
	sha1: 20,
	sha256: 32,
	sha384: 48,
	sha512: 64,
	ed25519: 64,
};

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
		// Each is tried, so that the time does not tell which one it was.
		const reasons = usable.map((secret) => refusalBy(secret, delivery, authentication));
		if (reasons.includes(undefined)) return undefined;
		return reasons.find((one) => one !== 'secretUnusable') ?? reasons[0] ?? 'noSecret';
	} catch {
		// A check that broke has not verified anything.
		return 'notCheckable';
	}
}

function refusalBy(
	secret: string,
	delivery: Delivery,
	authentication: Exclude<Authentication, { kind: 'none' }>,
): RefusalReason | undefined {
	switch (authentication.kind) {
		case 'header':
			return verifySharedSecret(delivery, authentication.headerName, secret);
		case 'hmac':
			return verifySignature(delivery, authentication, secret, splitSignatures);
		case 'standardWebhooks': {
			const rules = standardRules(secret, authentication.tolerance, familyOf(delivery.headers));
			const timestamp = headerValue(delivery.headers, rules.timestampHeader);
			if (timestamp !== '' && !/^\d{1,10}$/.test(timestamp)) return 'timestampUnreadable';
			return verifySignature(delivery, rules, secret, splitStandardSignatures);
		}
	}
}

/**
 * By the Standard Webhooks specification 1.0.0: `webhook-id`, `webhook-timestamp` in seconds and
 * `webhook-signature`. HMAC-SHA256 (`v1`) with a secret `whsec_…`, Ed25519 (`v1a`) with a public
 * key `whpk_…`.
 */
export function standardRules(secret: string, tolerance = 0, family = 'webhook'): HmacRules {
	const isPublic = secret.trim().startsWith('whpk_');
	return {
		...PLAIN_FORMAT,
		signatureHeaders: [`${family}-signature`],
		signaturePrefix: isPublic ? 'v1a' : 'v1',
		algorithm: isPublic ? 'ed25519' : 'sha256',
		encoding: 'base64',
		secretEncoding: 'base64',
		signedContent: STANDARD_CONTENT,
		timestampHeader: `${family}-timestamp`,
		idHeader: `${family}-id`,
		tolerance,
	};
}

/** HMAC (RFC 2104) or Ed25519, in any form the service may choose. */
function verifySignature(
	delivery: Delivery,
	rules: HmacRules,
	secret: string,
	split: SplitSignatures,
): RefusalReason | undefined {
	const { signedContent, signatureHeaders, signaturePrefix, algorithm, encoding } = rules;
	if (!protectsBody(signedContent)) return 'bodyNotSigned';
	const fields = signatureHeaders
		.map((name) => headerValue(delivery.headers, name))
		.filter((field) => field !== '');
	if (fields.length === 0) return 'signatureMissing';

	const timestamp = readTimestamp(delivery, rules, fields);
	if (holds(signedContent, 'timestamp') || rules.timestampHeader !== '') {
		const reason = checkTimestamp(timestamp, delivery.receivedAt, rules.tolerance);
		if (reason !== undefined) return reason;
	}
	const signatures = fields
		.flatMap((field) => split(field, signaturePrefix))
		.map((text) => decodeBytes(text, encoding))
		.filter((bytes) => bytes?.length === SIGNATURE_LENGTH[algorithm]);
	if (signatures.length === 0) return 'signatureUnreadable';
	const key = keyOf(secret, rules);
	if (key === undefined) return 'secretUnusable';

	const id = headerValue(delivery.headers, rules.idHeader);
	const content = signedBytes(signedContent, delivery, { timestamp, id });
	if (typeof content === 'string') return content;
	return matches(key, content, signatures) ? undefined : 'noMatch';
}

/**
 * Finds the signatures in a header field that may hold several, separated by commas, colons,
 * semicolons, spaces, `&` or `|`, with or without quotes.
 *
 * @param prefix what stands before each signature (`sha256=`, `v1=`, `v1,`), also with a separator
 *   before it; what lacks it is left out
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

/**
 * The list is separated by spaces; node:http puts a comma before that between headers of one name
 * (RFC 9110 section 5.3).
 */
function splitStandardSignatures(field: string, version: string): string[] {
	const entries = field.split(/,? +/).map((entry) => entry.split(','));
	return (
		entries
			.filter((entry) => entry.length === 2 && entry[0] === version)
			.map(([, text = '']) => text)
			// Written in one way only, as the libraries of the specification compare.
			.filter((text) => Buffer.from(text, 'base64').toString('base64') === text)
	);
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

/** The secret itself in a header field. */
function verifySharedSecret(
	{ headers }: Delivery,
	headerName: string,
	secret: string,
): RefusalReason | undefined {
	const sent = headerValue(headers, headerName);
	if (sent === '') return 'signatureMissing';
	// node:http reads header bytes as Latin-1; senders write other characters in Latin-1 or UTF-8.
	// Digests have one length, so comparing them tells nothing about the length of the secret.
	const digest = sha256(Buffer.from(sent, 'latin1'));
	const latin1 = Buffer.from(secret, 'latin1');
	const forms = [Buffer.from(secret), ...(latin1.toString('latin1') === secret ? [latin1] : [])];
	const results = forms.map((form) => timingSafeEqual(digest, sha256(form)));
	return results.includes(true) ? undefined : 'noMatch';
}

/** Whether one of the signatures is that of the content. */
function matches(
	{ algorithm, bytes }: Key,
	content: readonly Buffer[],
	signatures: ReadonlyArray<Buffer | undefined>,
): boolean {
	const written = signatures.filter((signature) => signature !== undefined);
	if (algorithm === 'ed25519') {
		// RFC 8037: the form in which node:crypto takes the bytes.
		const jwk = { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') };
		const key = createPublicKey({ key: jwk, format: 'jwk' });
		const whole = Buffer.concat(content);
		return written
			.slice(0, MAX_ED25519_SIGNATURES)
			.some((signature) => verify(null, whole, key, signature));
	}
	const hmac = createHmac(algorithm, bytes);
	for (const part of content) hmac.update(part);
	const expected = hmac.digest();
	return written.some((signature) => timingSafeEqual(signature, expected));
}
