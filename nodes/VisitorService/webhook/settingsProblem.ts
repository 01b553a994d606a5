import { isLoopback } from '../../../credentials/authorization/serverUrl';
import { hasEverybody, unreadableEntries } from './allowlist';
import { type Authentication, type HmacRules, proofHeaders } from './authentication';
import { letsIn } from './delivery';
import { decodeSecret } from './encoding';
import type { TriggerSettings } from './receive';
import {
	HEADER_NAME,
	hasOpenBorder,
	holds,
	isSignedHeader,
	parseTemplate,
	protectsBody,
	unknownPlaceholder,
} from './signedContent';
import { hmacKey, standardKey } from './verify';

/** Seconds. Who takes 300000 for milliseconds sets more. */
const MAX_USUAL_TOLERANCE = 86_400;
/** Bytes. Fewer can be found by trying, from one delivery that somebody recorded. */
const MIN_USUAL_SECRET = 16;

const WHOLE_HEADER_NAME = new RegExp(`^${HEADER_NAME}$`);
/** What is copied along and not seen, and what no header can carry (RFC 9110 section 5.5). */
const UNSEEN = /^[\s\p{Cc}\p{Cf}]|[\s\p{Cc}\p{Cf}]$|[^\t\x20-\x7e\x80-\u{10ffff}]/u;
/** PEM (RFC 7468), and Standard Webhooks. */
const PUBLIC_KEY = /^\s*(?:-----BEGIN |whpk_)/;
/** What an expression or a program writes that has no value. */
const NO_SECRET = /^\s*(?:undefined|null|NaN|\[object Object\])\s*$/i;
/** No service is known that has these in the name of an event. */
const ODD_EVENT_NAME = /["*`;|{}\t\r\n]|^'|'$/;

/** The secrets of the credential by their names on the screen. */
const SECRET_NAMES = ['Webhook Secret', 'Previous Webhook Secret'];

/**
 * Finds what would keep every genuine delivery out, or looks like protection and is none.
 *
 * @param secrets the current one and the previous one; `''` if it is not set
 * @returns one sentence that says what is wrong and one that says what to do; undefined if nothing
 *   is wrong
 */
export function findSettingsProblem(
	{ ipAllowlist, events, sources, authentication }: TriggerSettings,
	secrets: readonly string[],
): string | undefined {
	const [entry] = unreadableEntries(ipAllowlist);
	if (entry !== undefined) {
		return `The IP allowlist has the entry "${entry}", which is neither an IP address nor a range. Write IP addresses like 192.0.2.10 or ranges like 192.0.2.0/24 or 2001:db8::/32, separated by commas.`;
	}
	const odd = events.find((name) => ODD_EVENT_NAME.test(name));
	if (odd !== undefined) {
		return `Events has the name ${odd.replace(/[\r\n]+/g, '⏎')}, but names are compared as they are, without patterns and quotes. Write each name in full with commas between them, or leave Events empty for all events.`;
	}
	const named = sourceHeaders(sources);
	const secret = named.find(([, name]) => letsIn(name, proofHeaders(authentication)));
	if (secret !== undefined) {
		return `${secret[0]} is "${secret[1]}", a header with a secret or a signature, which is never shown. Set ${secret[0]} to another header, or clear it.`;
	}
	const headers = [...named, ...checkedHeaders(authentication)];
	const [field, name] = headers.find(([, one]) => !WHOLE_HEADER_NAME.test(one)) ?? [];
	if (field !== undefined) {
		return `${field} is "${name}", which is not a valid header name. Set ${field} to the name the service uses, for example X-Signature.`;
	}
	const contentProblem =
		authentication.kind === 'hmac' ? findContentProblem(authentication) : undefined;
	return contentProblem ?? findSecretProblem(authentication, secrets);
}

/**
 * Finds what may be meant, and more often is not.
 *
 * @param webhookUrl the URL the service is to call; undefined if it is not known
 */
export function findSettingsWarnings(
	{ authentication, sources, ipAllowlist, ignoreRepeats }: TriggerSettings,
	secrets: readonly string[],
	webhookUrl = '',
): string[] {
	const isTimed = checksTime(authentication);
	const isIdKnown = sources.idPath !== '' || isSignedHeader(authentication, sources.idHeader);
	return [
		URL.canParse(webhookUrl) &&
			isLoopback(new URL(webhookUrl).hostname) &&
			'The webhook URL can be reached from this machine only. Set the environment variable N8N_WEBHOOK_URL of n8n (WEBHOOK_URL in older versions) to the URL under which the service reaches it, and start n8n again.',
		...secretsThatAreSet(secrets).map(({ secret, label }) => {
			const problem =
				authentication.kind === 'none' ? undefined : secretProblem(secret, authentication);
			if (problem !== undefined) return `The ${label} ${problem}`;
			const isLong = (keyOf(secret, authentication)?.length ?? Infinity) >= MIN_USUAL_SECRET;
			return (
				!isLong &&
				`The ${label} has fewer than ${MIN_USUAL_SECRET} bytes, so that it can be found by trying. Ask your service provider for a longer one.`
			);
		}),
		isTimed &&
			authentication.tolerance > MAX_USUAL_TOLERANCE &&
			'Timestamp Tolerance is more than a day: whoever recorded a delivery could send it again all that time. Set it to the seconds a delivery may take, for example 300.',
		ignoreRepeats &&
			authentication.kind === 'hmac' &&
			!isTimed &&
			!isIdKnown &&
			'Ignore Repeats does not keep out recorded deliveries for sure, because no time is signed and no ID is named. Set ID Path if the ID is in the body, or ID Header under Options if it is in a signed header.',
		...sourceHeaders(sources).map(
			([field, name]) =>
				!isSignedHeader(authentication, name) &&
				`${field} is "${name}", which is not signed: whoever recorded a webhook could send it again with another one. Set ${field.replace('Header', 'Path')} instead if the body says the same.`,
		),
		ipAllowlist.some(hasEverybody) &&
			'The IP allowlist has a range which everybody is in. Replace it with the IP addresses of the service, or clear IP Allowlist.',
	].filter((warning) => typeof warning === 'string');
}

/** Those that are set, by their names on the screen. */
function sourceHeaders({ eventHeader, idHeader }: TriggerSettings['sources']) {
	return optional({ 'Event Header': eventHeader, 'ID Header': idHeader });
}

/** Those in which the proof is looked for; a required one may be `''`. */
function checkedHeaders(rules: Authentication): Array<[string, string]> {
	if (rules.kind === 'header') return [['Header Name', rules.headerName]];
	if (rules.kind !== 'hmac') return [];
	const { signatureHeaders, timestampHeader, idHeader } = rules;
	const signatures = signatureHeaders.length === 0 ? [''] : signatureHeaders;
	return [
		...signatures.map((name): [string, string] => ['Signature Header', name]),
		...optional({ 'Timestamp Header': timestampHeader, 'Signed ID Header': idHeader }),
	];
}

function optional(headers: Record<string, string>): Array<[string, string]> {
	return Object.entries(headers).filter(([, name]) => name !== '');
}

function findContentProblem(rules: HmacRules): string | undefined {
	const { signedContent, idHeader, timestampHeader } = rules;
	const template = parseTemplate(signedContent);
	// Two characters where a line break is meant; only texts of JSON have them.
	const lineBreak = signedContent.includes('"') ? undefined : /\\[rn]/.exec(signedContent)?.[0];
	const unknown = unknownPlaceholder(signedContent) ?? lineBreak;
	if (unknown !== undefined) {
		return `Signed Content holds ${unknown}, which is not a placeholder, so no signature would match. Use {body}, {timestamp}, {id}, {method}, {url}, {path}, {query.name}, {header.name}, {bodySha256Hex} or {bodySha256Base64}. Write a line break as an expression, for example ={{ "{timestamp}\\n{body}" }}.`;
	}
	if (!protectsBody(template)) {
		return 'Signed Content does not hold {body} or its hash, so nothing would protect the body. Write it as the service builds it, for example {timestamp}.{body}.';
	}
	if (hasOpenBorder(template)) {
		return 'Signed Content has two placeholders without text between them, so that whoever recorded a delivery could move the border. Write the text between them that the service signs, for example {id}.{timestamp}.{body}.';
	}
	if (holds(template, 'id') && idHeader === '') {
		return 'Signed Content holds {id}, but no Signed ID Header is set. Set Signed ID Header to the header in which the service sends the ID.';
	}
	if (timestampHeader !== '' && !checksTime({ kind: 'hmac', ...rules })) {
		return 'Timestamp Header is set, but Signed Content does not hold {timestamp}: whoever recorded a delivery could send it again with a new time. Add {timestamp} to Signed Content as the service signs it, or clear Timestamp Header.';
	}
	return undefined;
}

function findSecretProblem(
	authentication: Authentication,
	secrets: readonly string[],
): string | undefined {
	if (authentication.kind === 'none') return undefined;
	const all = secretsThatAreSet(secrets);
	const [first] = all;
	if (first === undefined) {
		return 'No Webhook Secret is set, so no delivery could be verified. Set Webhook Secret in the Visitor Service API credential of this trigger to the secret you got from your service provider, or choose another Authentication.';
	}
	const guessed = all.find(({ secret }) => NO_SECRET.test(secret));
	if (guessed !== undefined) {
		return `The ${guessed.label} is "${guessed.secret.trim()}", which anybody could guess. Set it in the credential to the secret itself. If it is an expression, check what it returns.`;
	}
	// Of two secrets one is enough; the other one is warned of.
	const problems = all.map(({ secret }) => secretProblem(secret, authentication));
	return problems.includes(undefined) ? undefined : `The ${first.label} ${problems[0]}`;
}

function secretsThatAreSet(secrets: readonly string[]) {
	const all = secrets.map((secret, at) => ({ secret, label: SECRET_NAMES[at] ?? '' }));
	return all.filter(({ secret }) => secret.trim() !== '');
}

/** @returns what is wrong with it, without its name; undefined if it can be used */
function secretProblem(
	secret: string,
	rules: Exclude<Authentication, { kind: 'none' }>,
): string | undefined {
	if (rules.kind === 'standardWebhooks') {
		return standardKey(secret) === undefined
			? 'is not in the form Standard Webhooks asks for. Set it in the credential to the whole value that starts with whsec_ (or whpk_ for a public key), or choose HMAC Signature as Authentication.'
			: undefined;
	}
	// Nobody signs with these around the secret.
	if ((rules.kind === 'header' || rules.secretEncoding === 'text') && UNSEEN.test(secret)) {
		return 'has a space at an end, a line break or another character that is not visible, so that no delivery would match. Remove it in the credential. If it is part of a secret that signs, set Secret Encoding to Base64 and write the secret in Base64.';
	}
	if (rules.kind === 'header') return undefined;
	if (rules.algorithm !== 'ed25519' && PUBLIC_KEY.test(secret)) {
		return 'is a public key, with which anybody could sign. Choose Standard Webhooks for a key that starts with whpk_, or Ed25519 as Algorithm; other key pairs are not supported.';
	}
	if (hmacKey(secret, rules) !== undefined) return undefined;
	return rules.algorithm === 'ed25519'
		? 'is not an Ed25519 public key of 32 bytes, in Base64 or Hex. Set it in the credential to the public key of the sender, and Secret Encoding to how that is written.'
		: 'is not written in the Secret Encoding that is set. Set Secret Encoding to how the secret is written.';
}

function keyOf(secret: string, rules: Authentication): Buffer | undefined {
	if (rules.kind === 'none') return undefined;
	if (rules.kind === 'standardWebhooks') return decodeSecret(secret, 'base64');
	return decodeSecret(secret, rules.kind === 'hmac' ? rules.secretEncoding : 'text');
}

/** Whether the time of a delivery is signed and checked. */
function checksTime(
	rules: Authentication,
): rules is Extract<Authentication, { tolerance: number }> {
	if (rules.kind !== 'hmac') return rules.kind === 'standardWebhooks';
	const isInContent = holds(parseTemplate(rules.signedContent), 'timestamp');
	return isInContent || isSignedHeader(rules, rules.timestampHeader);
}
