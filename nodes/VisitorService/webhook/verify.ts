import { createHmac, createPublicKey, timingSafeEqual, verify } from 'node:crypto';
import { sha256 } from '../values/digest';
import { readInstant } from '../values/instant';
import { isNonBlank } from '../values/json';
import {
	type Authentication,
	decodeBytes,
	parseKey,
	type SignatureRules,
	signatureRulesFor,
} from './authentication';
import { type Delivery, headerValue } from './delivery';
import type { VerificationFailure } from './discarded';
import {
	escapePattern,
	hasOneDivision,
	hasPlaceholder,
	renderSignedContent,
	signedValues,
} from './template';

/**
 * Each Ed25519 signature takes a reading of the whole body. Who replaces a key sends two; a forger
 * would send hundreds.
 */
const MAX_ED25519_SIGNATURES = 4;

/** What stands between the signatures of a list, as part of a pattern. */
const SEPARATORS = '\\s,:;&|"';
const LEADING_SEPARATORS = new RegExp(`^[${SEPARATORS}]+`);

/**
 * Tells whether a delivery comes from somebody who knows one of the secrets. Never throws.
 *
 * @param secrets the current one and, while it is being replaced, the previous one; empty ones
 *   never match
 * @returns why not; undefined if it is verified
 */
export function findVerificationFailure(
	delivery: Delivery,
	authentication: Authentication,
	secrets: readonly string[],
): VerificationFailure | undefined {
	try {
		const usable = secrets.filter(isNonBlank);
		// Each is tried, so that the time does not tell which one it was.
		const reasons = usable.map((secret) => verifyWithSecret(secret, delivery, authentication));
		if (reasons.includes(undefined)) return undefined;
		return reasons.find((one) => one !== 'secretUnusable') ?? 'secretUnusable';
	} catch {
		// A check that broke has not verified anything.
		return 'notCheckable';
	}
}

function verifyWithSecret(secret: string, delivery: Delivery, authentication: Authentication) {
	const { headers, receivedAt } = delivery;
	if (authentication.kind === 'header') {
		return verifySharedSecret(headerValue(headers, authentication.headerName), secret);
	}
	const rules = signatureRulesFor(authentication, headers, secret);
	if (rules === undefined || !hasPlaceholder(rules.signedContent, 'body')) return 'notCheckable';
	const { signedContent, signaturePrefix, algorithm, encoding, timestampHeader } = rules;
	const isStandard = authentication.kind === 'standardWebhooks';
	const fields = rules.signatureHeaders.map((name) => headerValue(headers, name)).filter(Boolean);
	if (fields.length === 0) return 'signatureMissing';

	// As it was sent, because that is what is signed.
	const inHeader = headerValue(headers, timestampHeader);
	const timestamp =
		timestampHeader === ''
			? (fields.map(timestampInList).find(Boolean) ?? '')
			: (namedTimestamp(inHeader) ?? inHeader);
	if (hasPlaceholder(signedContent, 'timestamp') || timestampHeader !== '') {
		if (isStandard && !/^\d{0,10}$/.test(timestamp)) return 'timestampUnreadable';
		const reason = checkTimestamp(timestamp, receivedAt, rules.tolerance);
		if (reason !== undefined) return reason;
	}
	const split = isStandard ? splitStandardSignatures : splitSignatures;
	const signatures = fields
		.flatMap((field) => split(field, signaturePrefix))
		.flatMap((text) => decodeBytes(text, encoding) ?? []);
	if (signatures.length === 0) return 'signatureUnreadable';
	const key = parseKey(secret, rules);
	if (key === undefined) return 'secretUnusable';

	const values = signedValues(signedContent, { ...delivery, timestamp });
	if (values === undefined) return 'partMissing';
	if (!matchesAny(algorithm, key, renderSignedContent(signedContent, values), signatures))
		return 'noMatch';
	return values.length === 1 || hasOneDivision(signedContent, values) ? undefined : 'ambiguous';
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
	const start = escapePattern(prefix.replace(LEADING_SEPARATORS, '').trimEnd());
	const pattern = new RegExp(`(?:^|[${SEPARATORS}])${start} ?"?([^${SEPARATORS}]+)`, 'gi');
	return [...field.matchAll(pattern)].map((match) => match[1] ?? '');
}

/**
 * The list is separated by spaces; node:http puts a comma before that between headers of one name
 * (RFC 9110 section 5.3).
 */
function splitStandardSignatures(field: string, version: string): string[] {
	const entries = field.split(/,? +/).map((entry) => entry.split(','));
	const signed = entries.filter((entry) => entry.length === 2 && entry[0] === version);
	// Written in one way only, as the libraries of the specification compare.
	return signed
		.map(([, text = '']) => text)
		.filter((text) => Buffer.from(text, 'base64').toString('base64') === text);
}

/** The secret itself in a header field. */
function verifySharedSecret(sent: string, secret: string): VerificationFailure | undefined {
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
function matchesAny(
	algorithm: SignatureRules['algorithm'],
	key: Buffer,
	content: readonly Buffer[],
	signatures: readonly Buffer[],
): boolean {
	if (algorithm === 'ed25519') {
		// RFC 8037: the form in which node:crypto takes the bytes.
		const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
		const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
		const whole = Buffer.concat(content);
		const few = signatures.slice(0, MAX_ED25519_SIGNATURES);
		return few.some((signature) => verify(null, whole, publicKey, signature));
	}
	const hmac = createHmac(algorithm, key);
	for (const part of content) hmac.update(part);
	const expected = hmac.digest();
	const fit = signatures.filter(({ length }) => length === expected.length);
	return fit.some((signature) => timingSafeEqual(signature, expected));
}

/**
 * Checks that a timestamp lies in the window around now, in both directions.
 *
 * @param timestamp as it was sent: a number that counts from 1970, or a time that names its zone
 * @returns undefined if it does, else why not
 */
export function checkTimestamp(timestamp: string, now: number, toleranceSeconds: number) {
	if (timestamp === '') return 'partMissing';
	const instant = readInstant(timestamp);
	if (!instant?.hasZone) return 'timestampUnreadable';
	// As the Standard Webhooks libraries compare.
	const ageSeconds = Math.floor(now / 1000) - Math.floor(instant.earliestAt / 1000);
	return Math.abs(ageSeconds) > toleranceSeconds ? 'timestampOutside' : undefined;
}

/**
 * Finds the timestamp in a signature header that is a list: `t=1614265330,v1=…`, `ts=…;h1=…`,
 * `timestamp="…"`, or a first element that is nothing but a number. No service writes a fraction or
 * a date there; a fraction could be the beginning of a body.
 */
export function timestampInList(header: string): string | undefined {
	return namedTimestamp(header) ?? /^(\d{9,19})[\s,:;&|]/.exec(header)?.[1];
}

/** As {@link timestampInList}, but only with a name before it. */
export function namedTimestamp(header: string): string | undefined {
	return /(?:^|[\s,;&|])(?:t|ts|time|timestamp) ?[=:] ?"?(\d+)(?=[\s,:;&|"]|$)/i.exec(header)?.[1];
}
