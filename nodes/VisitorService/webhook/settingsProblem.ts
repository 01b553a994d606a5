import { isNonBlank } from '../values/json';
import { unreadableEntries } from './allowlist';
import {
	type Authentication,
	decodeKey,
	FORMATS,
	isSignedHeader,
	secretHeaders,
	signatureRulesFor,
} from './authentication';
import { isRedacted } from './delivery';
import { isForgeableKey } from './ed25519';
import type { WebhookSettings } from './receive';
import {
	hasAmbiguousBorder,
	hasPlaceholder,
	isSlowToDivide,
	uncertainValues,
	unknownPlaceholder,
} from './template';

/** Bytes. A shorter secret can be found by trial, with one recorded delivery. */
const MIN_USUAL_SECRET = 16;

/**
 * Invisible characters around a copied secret, and any that no header can carry (RFC 9110 §5.5).
 */
const UNSEEN = /^[\s\p{Cc}\p{Cf}]|[\s\p{Cc}\p{Cf}]$|[^\t\x20-\x7e\x80-\u{10ffff}]/u;
/** The text of an expression without a value; public keys (RFC 7468, Standard Webhooks). */
const PUBLIC_VALUE = /^\s*(?:(?:undefined|null|NaN|\[object Object\])\s*$|-----BEGIN |whpk_)/i;

/**
 * Finds the problem, with which every genuine delivery would be rejected or the trigger would only
 * seem protected; and warnings of what may be meant. Each says what is wrong, and what to do.
 *
 * @param secrets the current one and the previous one; `''` if it is not set
 */
export function validateSettings(
	{ ipAllowlist, sources, authentication }: WebhookSettings,
	secrets: readonly string[],
): { problem: string | undefined; warnings: string[] } {
	const [entry] = unreadableEntries(ipAllowlist);
	const secretNames = secretHeaders(authentication);
	const headers = { 'Event Header': sources.eventHeader, 'ID Header': sources.idHeader };
	const named = Object.entries(headers).filter(([, name]) => name !== '');
	const hidden = named.find(([, name]) => isRedacted(name, secretNames));
	const isVerified = authentication.kind !== 'none';
	const checked = validateSecrets(secrets, authentication);
	const problem = [
		entry !== undefined &&
			`The IP allowlist has the entry "${entry}", which is neither an IP address nor a range. Write IP addresses like 192.0.2.10 or ranges like 192.0.2.0/24 or 2001:db8::/32, separated by commas.`,
		hidden !== undefined &&
			`${hidden[0]} is "${hidden[1]}", a header with a secret or a signature, which is never shown. Set ${hidden[0]} to another header, or clear it.`,
		isVerified &&
			secretNames.join('') === '' &&
			'No header is named in which the signature or the secret comes. Set Signature Header or Header Name to the name the service uses, for example X-Signature.',
		authentication.kind === 'hmac' && findContentProblem(authentication),
		isVerified &&
			checked.length === 0 &&
			'No Webhook Secret is set, so no delivery could be verified. Set Webhook Secret in the Visitor Service API credential of this trigger to the secret you got from your service provider, or choose another Authentication.',
		...checked.map(({ exposed }) => exposed),
		// Of two secrets one is enough; the other one is warned of.
		checked.every((one) => one.problem !== undefined) && checked[0]?.problem,
	].find(isNonBlank);
	const warnings = [
		problem === undefined && uncertainContent(authentication),
		...checked.map((one) => one.problem ?? one.short),
		...named.map(
			([field, name]) =>
				!isSignedHeader(authentication, name) &&
				`${field} is "${name}", which is not signed: whoever recorded a webhook could send it again with another one. Set ${field.replace('Header', 'Path')} instead if the body says the same.`,
		),
	];
	return { problem, warnings: warnings.filter(isNonBlank) };
}

/** Not for the formats of services, whose content is certain. */
function uncertainContent(authentication: Authentication): string | undefined {
	if (authentication.kind !== 'hmac') return undefined;
	const { signedContent: template } = authentication;
	if (Object.values(FORMATS).some(({ signedContent }) => signedContent === template)) {
		return undefined;
	}
	const uncertain = uncertainValues(template);
	if (uncertain.length === 0) return undefined;
	return `With Signed Content ${template.text}, whoever recorded a delivery could move the border between its parts. Therefore those with ${uncertain.join(', ')} are rejected. If the time is always written in one way, write {timestampSeconds}, {timestampMilliseconds} or {timestampIso}. Else ask your service provider to sign {timestamp}|{id}|{body}, or to use Standard Webhooks.`;
}

function findContentProblem(rules: Extract<Authentication, { kind: 'hmac' }>): string | undefined {
	const { signedContent, timestampHeader } = rules;
	const unknown = unknownPlaceholder(signedContent);
	const hasTime =
		hasPlaceholder(signedContent, 'timestamp') || isSignedHeader(rules, timestampHeader);
	const lacksId = signedContent.values.some(({ kind, name }) => kind === 'id' && name === '');
	const problem = [
		unknown !== undefined &&
			`holds ${unknown}, which is not a placeholder, so no signature would match. Use the placeholders shown below the field. Write a line break as an expression, for example ={{ "{timestamp}\\n{body}" }}.`,
		!hasPlaceholder(signedContent, 'body') &&
			'does not hold {body} or its hash, so nothing would protect the body. Write it as the service builds it, for example {timestamp}.{body}.',
		hasAmbiguousBorder(signedContent) &&
			'has two placeholders without text between them, so that whoever recorded a delivery could move the border. Write the text between them that the service signs, for example {id}.{timestamp}.{body}.',
		isSlowToDivide(signedContent) &&
			'has two placeholders after {body} that may have any length, so that one delivery could keep n8n busy for minutes. Ask your service provider to sign {timestamp}|{id}|{body}, or choose another Authentication.',
		(lacksId || (timestampHeader !== '' && !hasTime)) &&
			'does not fit the headers: {id} needs a Signed ID Header, and a Timestamp Header protects nothing without {timestamp}. Write it as the service builds it, or clear the header that is not used.',
	].find(isNonBlank);
	return problem && `Signed Content ${problem}`;
}

const shortSecret = (label: string) =>
	`The ${label} has fewer than ${MIN_USUAL_SECRET} bytes, so that it can be found by trying. Ask your service provider for a longer one.`;

/** Warns of the secrets that are too short however they are written and used. */
export function findShortSecrets(secrets: readonly string[]): string[] {
	const short = secretsSet(secrets).filter(
		([, text]) => Buffer.byteLength(text) < MIN_USUAL_SECRET,
	);
	return short.map(([label]) => shortSecret(label));
}

function secretsSet([secret = '', previous = '']: readonly string[]) {
	const all = Object.entries({ 'Webhook Secret': secret, 'Previous Webhook Secret': previous });
	return all.filter(([, text]) => isNonBlank(text));
}

/** The problem and the warnings of the secrets that are set. */
function validateSecrets(secrets: readonly string[], rules: Authentication) {
	const used = rules.kind === 'none' ? [] : secretsSet(secrets);
	return used.map(([label, text]) => {
		const format = signatureRulesFor(rules, {}, text);
		const key = format === undefined ? Buffer.from(text) : decodeKey(text, format);
		const problem = [
			// Nobody signs with these around the secret.
			(format?.secretEncoding ?? 'text') === 'text' &&
				UNSEEN.test(text) &&
				'has a space at an end, a line break or another character that is not visible, so that no delivery would match. Remove it in the credential. If it is part of a secret that signs, choose Custom with Secret Encoding Base64, and write it in Base64.',
			key === undefined &&
				'is not written as the settings say. Set Secret Encoding to how it is written. Standard Webhooks needs the whole value that starts with whsec_ (or whpk_), Ed25519 a public key of 32 bytes in Base64 or Hex.',
		].find(isNonBlank);
		const isEd25519 = format?.algorithm === 'ed25519';
		const isForgeable = isEd25519 && key !== undefined && isForgeableKey(key);
		return {
			problem: problem && `The ${label} ${problem}`,
			exposed: isForgeable
				? `The ${label} is a public key with which anybody could sign. Set it in the credential to the public key of your service provider.`
				: !isEd25519 &&
					PUBLIC_VALUE.test(text) &&
					`The ${label} begins with "${text.trim().slice(0, 10)}", which anybody could know. Set it in the credential to the secret itself; for a public key choose Standard Webhooks, or Ed25519 as Algorithm.`,
			short: (key?.length ?? MIN_USUAL_SECRET) < MIN_USUAL_SECRET && shortSecret(label),
		};
	});
}
