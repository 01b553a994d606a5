import { isLoopback } from '../../../credentials/authorization/serverUrl';
import { hasEverybody, unreadableEntries } from './allowlist';
import { type Authentication, FAMILIES, type HmacRules, proofHeaders } from './authentication';
import { letsIn } from './delivery';
import { decodeSecret } from './encoding';
import type { TriggerSettings } from './receive';
import {
	HEADER_NAME,
	hasOpenBorder,
	holds,
	parseTemplate,
	protectsBody,
	signsHeader,
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
	const proofs = proofHeaders(authentication);
	for (const [field, name] of Object.entries(sourceHeaders(sources))) {
		if (letsIn(name, proofs)) {
			return `${field} is "${name}", a header with a secret or a signature, which is never shown. Set ${field} to another header, or clear it.`;
		}
	}
	return (
		headerNameProblem(sourceHeaders(sources)) ?? authenticationProblem(authentication, secrets)
	);
}

/**
 * Finds what may be meant, and more often is not.
 *
 * @param webhookUrl the URL the service is to call; undefined if it is not known
 */
export function findSettingsWarnings(
	{ authentication, sources, ipAllowlist, ignoreRepeats }: TriggerSettings,
	secrets: readonly string[],
	webhookUrl: string | undefined,
): string[] {
	const isLocal =
		webhookUrl !== undefined &&
		URL.canParse(webhookUrl) &&
		isLoopback(new URL(webhookUrl).hostname);
	const isTimed = checksTime(authentication);
	const isIdKnown = sources.idPath !== '' || isSigned(authentication, sources.idHeader);
	const unsigned = Object.entries(sourceHeaders(sources)).filter(
		([, name]) => !isSigned(authentication, name),
	);
	return [
		isLocal &&
			'The webhook URL can be reached from this machine only. Set the environment variable N8N_WEBHOOK_URL of n8n (WEBHOOK_URL in older versions) to the URL under which the service reaches it, and start n8n again.',
		secretWarning(authentication, secrets),
		isTimed &&
			authentication.tolerance > MAX_USUAL_TOLERANCE &&
			'Timestamp Tolerance is more than a day: whoever recorded a delivery could send it again all that time. Set it to the seconds a delivery may take, for example 300.',
		ignoreRepeats &&
			authentication.kind === 'hmac' &&
			!isTimed &&
			!isIdKnown &&
			'Ignore Repeats does not keep out recorded deliveries for sure, because no time is signed and no ID is named. Set ID Path if the ID is in the body, or ID Header under Options if it is in a signed header.',
		...unsigned.map(
			([field, name]) =>
				`${field} is "${name}", which is not signed: whoever recorded a webhook could send it again with another one. Set ${field.replace('Header', 'Path')} instead if the body says the same.`,
		),
		ipAllowlist.some(hasEverybody) &&
			'The IP allowlist has a range which everybody is in. Replace it with the IP addresses of the service, or clear IP Allowlist.',
	].filter((warning) => typeof warning === 'string');
}

function authenticationProblem(
	authentication: Authentication,
	secrets: readonly string[],
): string | undefined {
	if (authentication.kind === 'none') return undefined;
	const [first, ...others] = secrets.flatMap((secret, index) =>
		secret.trim() === '' ? [] : [{ secret, name: SECRET_NAMES[index] ?? '' }],
	);
	if (first === undefined) {
		return 'No Webhook Secret is set, so no delivery could be verified. Set Webhook Secret in the Visitor Service API credential of this trigger to the secret you got from your service provider, or choose another Authentication.';
	}
	const settingsProblem =
		authentication.kind === 'hmac'
			? hmacProblem(authentication)
			: authentication.kind === 'header'
				? headerNameProblem({ 'Header Name': authentication.headerName }, true)
				: undefined;
	if (settingsProblem !== undefined) return settingsProblem;
	const guessed = [first, ...others].find(({ secret }) => NO_SECRET.test(secret));
	if (guessed !== undefined) {
		return `The ${guessed.name} is "${guessed.secret.trim()}", which anybody could guess. Set it in the credential to the secret itself. If it is an expression, check what it returns.`;
	}
	// Of two secrets one is enough; the other one is warned of.
	const problems = [first, ...others].map(({ secret }) => secretProblem(secret, authentication));
	return problems.includes(undefined) ? undefined : `The ${first.name} ${problems[0]}`;
}

function hmacProblem(rules: HmacRules): string | undefined {
	const { signedContent, idHeader, timestampHeader } = rules;
	const unknown = unknownPlaceholder(signedContent);
	if (unknown !== undefined) {
		return `Signed Content holds ${unknown}, which is not a placeholder, so no signature would match. Use {body}, {timestamp}, {id}, {method}, {url}, {path}, {query.name}, {header.name}, {bodySha256Hex} or {bodySha256Base64}.`;
	}
	const lineBreak = /(?:\\[rn])+/.exec(signedContent)?.[0];
	// Only texts of JSON have these two characters.
	if (lineBreak !== undefined && !signedContent.includes('"')) {
		return `Signed Content holds ${lineBreak}, which is two characters rather than a line break, so no signature would match. Write it as an expression, for example ={{ "{timestamp}\\n{body}" }}.`;
	}
	const template = parseTemplate(signedContent);
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
	const [name = '', ...more] = rules.signatureHeaders;
	return (
		headerNameProblem({ 'Signature Header': name }, true) ??
		more.map((one) => headerNameProblem({ 'Signature Header': one })).find(Boolean) ??
		headerNameProblem({ 'Timestamp Header': timestampHeader, 'Signed ID Header': idHeader })
	);
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

/** A short one can be guessed, and of two secrets one may match nothing. */
function secretWarning(
	authentication: Authentication,
	secrets: readonly string[],
): string | undefined {
	if (authentication.kind === 'none') return undefined;
	const isStandard = authentication.kind === 'standardWebhooks';
	const encoding = authentication.kind === 'hmac' ? authentication.secretEncoding : 'text';
	const warnings = secrets.map((secret, index) => {
		if (secret.trim() === '') return undefined;
		const problem = secretProblem(secret, authentication);
		if (problem !== undefined) return `The ${SECRET_NAMES[index]} ${problem}`;
		const bytes = decodeSecret(secret, isStandard ? 'base64' : encoding);
		if (bytes === undefined || bytes.length >= MIN_USUAL_SECRET) return undefined;
		return `The ${SECRET_NAMES[index]} has fewer than ${MIN_USUAL_SECRET} bytes, so that it can be found by trying. Ask your service provider for a longer one.`;
	});
	return warnings.find(Boolean);
}

/** Whether the time of a delivery is signed and checked. */
function checksTime(
	rules: Authentication,
): rules is Extract<Authentication, { tolerance: number }> {
	if (rules.kind !== 'hmac') return rules.kind === 'standardWebhooks';
	const template = parseTemplate(rules.signedContent);
	const { timestampHeader, idHeader } = rules;
	return holds(template, 'timestamp') || signsHeader(template, timestampHeader, idHeader);
}

/** Whether a header is as sure as the body. */
function isSigned(authentication: Authentication, name: string): boolean {
	if (authentication.kind === 'standardWebhooks') {
		return FAMILIES.some((family) => name.toLowerCase() === `${family}-id`);
	}
	if (authentication.kind !== 'hmac') return true;
	return signsHeader(parseTemplate(authentication.signedContent), name, authentication.idHeader);
}

/** Those that are set, by their names on the screen. */
function sourceHeaders({ eventHeader, idHeader }: TriggerSettings['sources']) {
	const all = { 'Event Header': eventHeader, 'ID Header': idHeader };
	return Object.fromEntries(Object.entries(all).filter(([, name]) => name !== ''));
}

function headerNameProblem(
	headers: Record<string, string>,
	isRequired = false,
): string | undefined {
	const odd = Object.entries(headers).find(
		([, name]) => (isRequired || name !== '') && !WHOLE_HEADER_NAME.test(name),
	);
	if (odd === undefined) return undefined;
	return `${odd[0]} is "${odd[1]}", which is not a valid header name. Set ${odd[0]} to the name the service uses, for example X-Signature.`;
}
