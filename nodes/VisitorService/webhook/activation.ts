import { isLoopback } from '../../../credentials/authorization/serverUrl';
import { unreadableEntries } from './allowlist';
import { HEADER_NAME } from './delivery/request';
import type { TriggerSettings } from './receive';
import type { Authentication, HmacAuthentication } from './signature/authentication';
import { isUsableSecret } from './signature/hmac';
import {
	hasValue,
	type Part,
	parseTemplate,
	protectsBody,
	unknownPlaceholder,
} from './signature/signedContent';
import { isStandardWebhooksSecret } from './signature/standardWebhooks';

const FIELD_NAME = new RegExp(`^${HEADER_NAME}$`);

/** RFC 9110 section 5.5: a field value has none but the tab. */
const CONTROL_CHARACTER = /[^\t\x20-\x7e\x80-\uffff]/;

/** What is copied along with a secret, such as a zero-width space. */
const UNSEEN_AT_AN_END = /^[\s\p{Cc}\p{Cf}]|[\s\p{Cc}\p{Cf}]$/u;

/** Seconds. Who takes 300000 for milliseconds sets more. */
const MAX_USUAL_TOLERANCE = 86_400;

/** The secrets of the credential by their names on the screen. */
const SECRET_NAMES = ['Webhook Secret', 'Previous Webhook Secret'];

/**
 * Finds what would keep every genuine delivery out, or looks like protection and is none.
 *
 * @param secrets the current one and the previous one; `''` if it is not set
 * @returns one sentence that says what is wrong and one that says what to do; undefined if nothing is wrong
 */
export function findSettingsProblem(
	settings: TriggerSettings,
	secrets: readonly string[],
): string | undefined {
	const [unreadable] = unreadableEntries(settings.ipAllowlist);
	if (unreadable !== undefined) {
		return `The IP allowlist has the entry "${unreadable}", which is neither an IP address nor a range. Write IP addresses like 192.0.2.10 or ranges like 192.0.2.0/24 or 2001:db8::/32, separated by commas.`;
	}
	const { sources } = settings;
	return (
		optionalFieldNameProblem('Event Header', sources.eventHeader) ??
		optionalFieldNameProblem('ID Header', sources.idHeader) ??
		authenticationProblem(settings, secrets)
	);
}

/** @returns a warning if nobody outside this machine can reach the URL the service is to call */
export function findUrlWarning(webhookUrl: string | undefined): string | undefined {
	if (webhookUrl === undefined || !URL.canParse(webhookUrl)) return undefined;
	if (!isLoopback(new URL(webhookUrl).hostname)) return undefined;
	return `The webhook URL ${new URL(webhookUrl).origin} can be reached from this machine only. Set the environment variable N8N_WEBHOOK_URL of n8n (WEBHOOK_URL in older versions) to the URL under which the service reaches it, and start n8n again.`;
}

/** @returns a warning if one of two secrets can match nothing */
export function findSecretWarning(
	settings: TriggerSettings,
	secrets: readonly string[],
): string | undefined {
	return secrets
		.map((_, index) => secrets.map((secret, place) => (place === index ? secret : '')))
		.filter((alone) => alone.some((secret) => secret.trim() !== ''))
		.map((alone) => authenticationProblem(settings, alone))
		.find((problem) => problem !== undefined);
}

/** @returns a warning if the time of a delivery is checked, and anybody has days to send it again */
export function findToleranceWarning({ authentication }: TriggerSettings): string | undefined {
	if (!checksTime(authentication) || authentication.tolerance <= MAX_USUAL_TOLERANCE)
		return undefined;
	return 'Timestamp Tolerance is more than a day: whoever recorded a delivery could send it again all that time. Set it to the seconds a delivery may take, for example 300.';
}

/** @returns a warning if Ignore Repeats tells deliveries by an ID that anybody can change */
export function findRepeatWarning({
	authentication,
	ignoreRepeats,
	sources,
}: TriggerSettings): string | undefined {
	if (!ignoreRepeats || authentication.kind !== 'hmac') return undefined;
	const name = sources.idHeader === '' ? authentication.idHeader : sources.idHeader;
	const template = parseTemplate(authentication.signedContent);
	const isSigned = signsHeader(template, name, authentication);
	const isTimed = signsTimestamp(template, authentication);
	if (name === '' || sources.idPath !== '' || isSigned || isTimed) return undefined;
	return 'Ignore Repeats goes by the ID Header, but the service does not sign it: whoever recorded a delivery could send it again with another ID. Set ID Path if the ID is in the body too.';
}

function authenticationProblem(
	{ authentication }: TriggerSettings,
	secrets: readonly string[],
): string | undefined {
	if (authentication.kind === 'none') return undefined;
	if (secrets.every((secret) => secret.trim() === '')) {
		return 'No Webhook Secret is set, so no delivery could be verified. Set Webhook Secret in the Visitor Service API credential of this trigger to the secret you got from your service provider, or choose another Authentication.';
	}
	switch (authentication.kind) {
		case 'header':
			return (
				fieldNameProblem('Header Name', authentication.headerName) ??
				spaceProblem(secrets, 'which no header can carry. Remove it in the credential.') ??
				secretProblem(
					secrets,
					(secret) => !CONTROL_CHARACTER.test(secret),
					'holds a line break or another control character, which no header can carry. Remove it in the credential.',
				)
			);
		case 'hmac':
			return hmacProblem(authentication, secrets);
		case 'standardWebhooks':
			return secretProblem(
				secrets,
				isStandardWebhooksSecret,
				'is not in the form Standard Webhooks asks for. Set it in the credential to the whole value that starts with whsec_ (or whpk_ for a public key), or choose HMAC Signature as Authentication.',
			);
	}
}

function hmacProblem(rules: HmacAuthentication, secrets: readonly string[]): string | undefined {
	return (
		templateProblem(rules) ??
		headerNamesProblem(rules.signatureHeaders) ??
		signedSignatureProblem(rules) ??
		optionalFieldNameProblem('Timestamp Header', rules.timestampHeader) ??
		optionalFieldNameProblem('ID Header', rules.idHeader) ??
		(rules.secretEncoding === 'text'
			? spaceProblem(
					secrets,
					'so that no signature would match. Remove it in the credential; if it is part of the secret, set Secret Encoding to Base64 and write the secret in Base64.',
				)
			: undefined) ??
		secretProblem(
			secrets,
			(secret) => isUsableSecret(secret, rules),
			rules.algorithm === 'ed25519'
				? 'is not an Ed25519 public key of 32 bytes. Set it in the credential to the public key of the sender, and Secret Encoding to how that is written.'
				: 'is not written in the Secret Encoding that is set. Set Secret Encoding to how the secret is written.',
		)
	);
}

function templateProblem(rules: HmacAuthentication): string | undefined {
	const unknown = unknownPlaceholder(rules.signedContent);
	if (unknown !== undefined) {
		return `Signed Content holds ${unknown}, which is not a placeholder, so no signature would match. Use {body}, {timestamp}, {id}, {method}, {url}, {path}, {query.name}, {header.name}, {bodySha256Hex} or {bodySha256Base64}.`;
	}
	const template = parseTemplate(rules.signedContent);
	if (!protectsBody(template)) {
		return 'Signed Content does not hold {body} or its hash, so nothing would protect the body. Write it as the service builds it, for example {timestamp}.{body}.';
	}
	if (hasValue(template, 'id') && rules.idHeader === '') {
		return 'Signed Content holds {id}, but no ID Header is set. Set ID Header to the header in which the service sends the ID.';
	}
	if (rules.timestampHeader !== '' && !signsTimestamp(template, rules)) {
		return 'Timestamp Header is set, but Signed Content does not hold {timestamp}: whoever recorded a delivery could send it again with a new time. Add {timestamp} to Signed Content as the service signs it, or clear Timestamp Header and use Ignore Repeats.';
	}
	return undefined;
}

/** Of several headers each may hold the signature, also one over another header. */
function signedSignatureProblem(rules: HmacAuthentication): string | undefined {
	const template = parseTemplate(rules.signedContent);
	if (!rules.signatureHeaders.every((name) => signsHeader(template, name, rules))) return undefined;
	return 'Signed Content holds the Signature Header itself, so no signature would match. Write it as the service builds it before it signs, for example {timestamp}.{body}.';
}

function checksTime(rules: Authentication): rules is Authentication & { tolerance: number } {
	if (rules.kind === 'standardWebhooks') return true;
	return rules.kind === 'hmac' && signsTimestamp(parseTemplate(rules.signedContent), rules);
}

function signsTimestamp(template: readonly Part[], rules: HmacAuthentication): boolean {
	return hasValue(template, 'timestamp') || signsHeader(template, rules.timestampHeader, rules);
}

/** By its own name, or as the header that {id} stands for. */
function signsHeader(
	template: readonly Part[],
	name: string,
	{ idHeader }: HmacAuthentication,
): boolean {
	const isId = hasValue(template, 'id') && isSameName(name, idHeader);
	return isId || template.some((part) => part.kind === 'header' && isSameName(part.name, name));
}

function isSameName(one: string, other: string): boolean {
	return one.toLowerCase() === other.toLowerCase();
}

function headerNamesProblem(names: readonly string[]): string | undefined {
	if (names.length === 0) return fieldNameProblem('Signature Header', '');
	return names.map((name) => fieldNameProblem('Signature Header', name)).find(Boolean);
}

function optionalFieldNameProblem(field: string, name: string): string | undefined {
	return name === '' ? undefined : fieldNameProblem(field, name);
}

function fieldNameProblem(field: string, name: string): string | undefined {
	if (FIELD_NAME.test(name)) return undefined;
	return `${field} is "${name}", which is not a valid header name. Set ${field} to the name the service uses, for example X-Signature.`;
}

/** A header cannot carry spaces around its value (RFC 9110 section 5.5), and nobody signs with them. */
function spaceProblem(secrets: readonly string[], consequence: string): string | undefined {
	return secretProblem(
		secrets,
		(secret) => !UNSEEN_AT_AN_END.test(secret),
		`starts or ends with a space, a line break or another character that is not visible, ${consequence}`,
	);
}

function secretProblem(
	secrets: readonly string[],
	isUsable: (secret: string) => boolean,
	problem: string,
): string | undefined {
	const index = secrets.findIndex((secret) => secret.trim() !== '');
	const hasUsable = secrets.some((secret) => secret.trim() !== '' && isUsable(secret));
	return hasUsable || index < 0 ? undefined : `The ${SECRET_NAMES[index] ?? ''} ${problem}`;
}
