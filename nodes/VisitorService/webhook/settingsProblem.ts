import { isLoopback } from '../../../credentials/authorization/serverUrl';
import { unreadableEntries } from './allowlist';
import {
	type Authentication,
	type HmacRules,
	isSignedHeader,
	PLAIN_FORMAT,
	proofHeaders,
} from './authentication';
import { isRedacted } from './delivery';
import { type KeyRules, keyOf } from './key';
import type { TriggerSettings } from './receive';
import { HEADER_NAME, hasOpenBorder, holds, protectsBody, unknownPlaceholder } from './template';
import { standardRules } from './verify';

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
const NO_SECRET = /^(?:undefined|null|NaN|\[object Object\])$/i;
/** No service is known that has these in the name of an event. */
const ODD_EVENT_NAME = /["*`;|{}\t\r\n]|^'|'$/;

/** The secrets of the credential by their names on the screen. */
const SECRET_NAMES = ['Webhook Secret', 'Previous Webhook Secret'];

type NamedHeader = readonly [field: string, name: string];
type LabeledSecret = { secret: string; label: string };

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
	const odd = events.find((name) => ODD_EVENT_NAME.test(name));
	const named = sourceHeaders(sources);
	const secret = named.find(([, name]) => isRedacted(name, proofHeaders(authentication)));
	const invalid = [...named, ...checkedHeaders(authentication)].find(
		([, name]) => !WHOLE_HEADER_NAME.test(name),
	);
	return first([
		entry !== undefined &&
			`The IP allowlist has the entry "${entry}", which is neither an IP address nor a range. Write IP addresses like 192.0.2.10 or ranges like 192.0.2.0/24 or 2001:db8::/32, separated by commas.`,
		odd !== undefined &&
			`Events has the name ${odd.replace(/[\r\n]+/g, '⏎')}, but names are compared as they are, without patterns and quotes. Write each name in full with commas between them, or leave Events empty for all events.`,
		secret !== undefined &&
			`${secret[0]} is "${secret[1]}", a header with a secret or a signature, which is never shown. Set ${secret[0]} to another header, or clear it.`,
		invalid !== undefined &&
			`${invalid[0]} is "${invalid[1]}", which is not a valid header name. Set ${invalid[0]} to the name the service uses, for example X-Signature.`,
		authentication.kind === 'hmac' && findContentProblem(authentication),
		authentication.kind !== 'none' && findSecretProblem(authentication, secrets),
	]);
}

/**
 * Finds what may be meant, and more often is not.
 *
 * @param webhookUrl the URL the service is to call; undefined if it is not known
 */
export function findSettingsWarnings(
	{ authentication, sources, ignoreRepeats }: TriggerSettings,
	secrets: readonly string[],
	webhookUrl = '',
): string[] {
	const isTimed = checksTime(authentication);
	const isIdKnown = sources.idPath !== '' || isSignedHeader(authentication, sources.idHeader);
	const warnings = [
		URL.canParse(webhookUrl) &&
			isLoopback(new URL(webhookUrl).hostname) &&
			'The webhook URL can be reached from this machine only. Set the environment variable N8N_WEBHOOK_URL of n8n (WEBHOOK_URL in older versions) to the URL under which the service reaches it, and start n8n again.',
		...(authentication.kind === 'none' ? [] : secretsThatAreSet(secrets)).map(
			(one) =>
				secretProblem(one, authentication) ??
				(isShort(one, authentication) &&
					`The ${one.label} has fewer than ${MIN_USUAL_SECRET} bytes, so that it can be found by trying. Ask your service provider for a longer one.`),
		),
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
	];
	return warnings.filter((warning) => typeof warning === 'string');
}

/** Those that are set, by their names on the screen. */
function sourceHeaders({ eventHeader, idHeader }: TriggerSettings['sources']): NamedHeader[] {
	return ifSet(['Event Header', eventHeader], ['ID Header', idHeader]);
}

/** Those in which the proof is looked for; a required one may be `''`. */
function checkedHeaders(rules: Authentication): NamedHeader[] {
	if (rules.kind === 'header') return [['Header Name', rules.headerName]];
	if (rules.kind !== 'hmac') return [];
	const [name = '', ...others] = rules.signatureHeaders;
	const { timestampHeader, idHeader } = rules;
	return [
		...[name, ...others].map((one) => ['Signature Header', one] as const),
		...ifSet(['Timestamp Header', timestampHeader], ['Signed ID Header', idHeader]),
	];
}

function ifSet(...headers: NamedHeader[]): NamedHeader[] {
	return headers.filter(([, name]) => name !== '');
}

function findContentProblem(rules: HmacRules): string | undefined {
	const { signedContent, idHeader, timestampHeader } = rules;
	const unknown = unknownPlaceholder(signedContent);
	return first([
		unknown !== undefined &&
			`Signed Content holds ${unknown}, which is not a placeholder, so no signature would match. Use {body}, {timestamp}, {id}, {method}, {url}, {path}, {query.name}, {header.name}, {bodySha256Hex} or {bodySha256Base64}. Write a line break as an expression, for example ={{ "{timestamp}\\n{body}" }}.`,
		!protectsBody(signedContent) &&
			'Signed Content does not hold {body} or its hash, so nothing would protect the body. Write it as the service builds it, for example {timestamp}.{body}.',
		hasOpenBorder(signedContent) &&
			'Signed Content has two placeholders without text between them, so that whoever recorded a delivery could move the border. Write the text between them that the service signs, for example {id}.{timestamp}.{body}.',
		holds(signedContent, 'id') &&
			idHeader === '' &&
			'Signed Content holds {id}, but no Signed ID Header is set. Set Signed ID Header to the header in which the service sends the ID.',
		timestampHeader !== '' &&
			!checksTime({ kind: 'hmac', ...rules }) &&
			'Timestamp Header is set, but Signed Content does not hold {timestamp}: whoever recorded a delivery could send it again with a new time. Add {timestamp} to Signed Content as the service signs it, or clear Timestamp Header.',
	]);
}

function findSecretProblem(
	authentication: Authentication,
	secrets: readonly string[],
): string | undefined {
	const all = secretsThatAreSet(secrets);
	const guessed = all.find(({ secret }) => NO_SECRET.test(secret.trim()));
	// Of two secrets one is enough; the other one is warned of.
	const problems = all.map((one) => secretProblem(one, authentication));
	return first([
		all.length === 0 &&
			'No Webhook Secret is set, so no delivery could be verified. Set Webhook Secret in the Visitor Service API credential of this trigger to the secret you got from your service provider, or choose another Authentication.',
		guessed !== undefined &&
			`The ${guessed.label} is "${guessed.secret.trim()}", which anybody could guess. Set it in the credential to the secret itself. If it is an expression, check what it returns.`,
		!problems.includes(undefined) && problems[0],
	]);
}

function secretsThatAreSet(secrets: readonly string[]): LabeledSecret[] {
	const all = secrets.map((secret, at) => ({ secret, label: SECRET_NAMES[at] ?? '' }));
	return all.filter(({ secret }) => secret.trim() !== '');
}

/** @returns undefined if the secret can be used */
function secretProblem(
	{ secret, label }: LabeledSecret,
	rules: Authentication,
): string | undefined {
	const { algorithm, secretEncoding } = keyRules(secret, rules);
	const isKey = keyOf(secret, { algorithm, secretEncoding }) !== undefined;
	const isHmac = rules.kind === 'hmac' && algorithm !== 'ed25519';
	const problem = first([
		// Nobody signs with these around the secret.
		secretEncoding === 'text' &&
			UNSEEN.test(secret) &&
			'has a space at an end, a line break or another character that is not visible, so that no delivery would match. Remove it in the credential. If it is part of a secret that signs, set Secret Encoding to Base64 and write the secret in Base64.',
		isHmac &&
			PUBLIC_KEY.test(secret) &&
			'is a public key, with which anybody could sign. Choose Standard Webhooks for a key that starts with whpk_, or Ed25519 as Algorithm; other key pairs are not supported.',
		!isKey &&
			rules.kind === 'standardWebhooks' &&
			'is not in the form Standard Webhooks asks for. Set it in the credential to the whole value that starts with whsec_ (or whpk_ for a public key), or choose HMAC Signature as Authentication.',
		!isKey &&
			isHmac &&
			'is not written in the Secret Encoding that is set. Set Secret Encoding to how the secret is written.',
		!isKey &&
			'is not an Ed25519 public key of 32 bytes, in Base64 or Hex. Set it in the credential to the public key of the sender, and Secret Encoding to how that is written.',
	]);
	return problem && `The ${label} ${problem}`;
}

function isShort({ secret }: LabeledSecret, rules: Authentication): boolean {
	const length = keyOf(secret, keyRules(secret, rules))?.bytes.length;
	return length !== undefined && length < MIN_USUAL_SECRET;
}

function keyRules(secret: string, rules: Authentication): KeyRules {
	if (rules.kind === 'hmac') return rules;
	return rules.kind === 'standardWebhooks' ? standardRules(secret) : PLAIN_FORMAT;
}

/** Whether the time of a delivery is signed and checked. */
function checksTime(
	rules: Authentication,
): rules is Extract<Authentication, { tolerance: number }> {
	if (rules.kind !== 'hmac') return rules.kind === 'standardWebhooks';
	return holds(rules.signedContent, 'timestamp') || isSignedHeader(rules, rules.timestampHeader);
}

function first(problems: ReadonlyArray<string | false | undefined>): string | undefined {
	return problems.find((problem) => typeof problem === 'string');
}
