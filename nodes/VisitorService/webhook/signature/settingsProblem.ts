import { headerFieldName } from '../../values/headerFieldName';
import { HEADER_NAME } from '../delivery/request';
import type { Authentication, HmacAuthentication } from './authentication';
import { isUsableSecret } from './hmac';
import {
	hasValue,
	type Part,
	parseTemplate,
	protectsBody,
	unknownPlaceholder,
} from './signedContent';
import { isStandardWebhooksSecret } from './standardWebhooks';

const WHOLE_HEADER_NAME = new RegExp(`^${HEADER_NAME}$`);

/** RFC 9110 section 5.5: a field value has none but the tab. */
const CONTROL_CHARACTER = /[^\t\x20-\x7e\x80-\uffff]/;

/** What is copied along with a secret, such as a zero-width space. */
const UNSEEN_AT_AN_END = /^[\s\p{Cc}\p{Cf}]|[\s\p{Cc}\p{Cf}]$/u;

/** PEM (RFC 7468), and Standard Webhooks. */
const PUBLIC_KEY = /^\s*(?:-----BEGIN |whpk_)/;

/** The secrets of the credential by their names on the screen. */
const SECRET_NAMES = ['Webhook Secret', 'Previous Webhook Secret'];

/**
 * Finds why no delivery could be verified, or why verifying would protect nothing.
 *
 * @param secrets the current one and the previous one; `''` if it is not set
 * @returns one sentence that says what is wrong and one that says what to do; undefined if nothing
 *   is wrong
 */
export function authenticationProblem(
	authentication: Authentication,
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
			return hmacProblem(authentication) ?? keyProblem(authentication, secrets);
		case 'standardWebhooks':
			return secretProblem(
				secrets,
				isStandardWebhooksSecret,
				'is not in the form Standard Webhooks asks for. Set it in the credential to the whole value that starts with whsec_ (or whpk_ for a public key), or choose HMAC Signature as Authentication.',
			);
	}
}

function fieldNameProblem(field: string, name: string): string | undefined {
	if (WHOLE_HEADER_NAME.test(name)) return undefined;
	return `${field} is "${name}", which is not a valid header name. Set ${field} to the name the service uses, for example X-Signature.`;
}

/** @param name `''` if the field is not set */
export function optionalFieldNameProblem(field: string, name: string): string | undefined {
	return name === '' ? undefined : fieldNameProblem(field, name);
}

/** Whether the time of a delivery is signed and checked. */
export function checksTime(rules: Authentication): rules is Authentication & { tolerance: number } {
	switch (rules.kind) {
		case 'none':
		case 'header':
			return false;
		case 'standardWebhooks':
			return true;
		case 'hmac': {
			const template = parseTemplate(rules.signedContent);
			return hasValue(template, 'timestamp') || signsHeader(template, rules.timestampHeader, rules);
		}
	}
}

/** By its own name, or as the header that {id} stands for. */
export function signsHeader(
	template: readonly Part[],
	name: string,
	{ idHeader }: HmacAuthentication,
): boolean {
	const isId = hasValue(template, 'id') && isSameName(name, idHeader);
	return isId || template.some((part) => part.kind === 'header' && isSameName(part.name, name));
}

function hmacProblem(rules: HmacAuthentication): string | undefined {
	return (
		templateProblem(rules) ??
		headerNamesProblem(rules.signatureHeaders) ??
		signedSignatureProblem(rules) ??
		prefixProblem(rules.signaturePrefix) ??
		optionalFieldNameProblem('Timestamp Header', rules.timestampHeader) ??
		optionalFieldNameProblem('ID Header', rules.idHeader)
	);
}

function templateProblem(rules: HmacAuthentication): string | undefined {
	const unknown = unknownPlaceholder(rules.signedContent);
	if (unknown !== undefined) {
		return `Signed Content holds ${unknown}, which is not a placeholder, so no signature would match. Use {body}, {timestamp}, {id}, {method}, {url}, {path}, {query.name}, {header.name}, {bodySha256Hex} or {bodySha256Base64}.`;
	}
	const lineBreak = /(?:\\[rn])+/.exec(rules.signedContent)?.[0];
	// Only texts of JSON have these two characters.
	if (lineBreak !== undefined && !rules.signedContent.includes('"')) {
		return `Signed Content holds ${lineBreak}, which is two characters rather than a line break, so no signature would match. Write it as an expression, for example ={{ "{timestamp}\\n{body}" }}.`;
	}
	const template = parseTemplate(rules.signedContent);
	if (!protectsBody(template)) {
		return 'Signed Content does not hold {body} or its hash, so nothing would protect the body. Write it as the service builds it, for example {timestamp}.{body}.';
	}
	if (hasValue(template, 'id') && rules.idHeader === '') {
		return 'Signed Content holds {id}, but no ID Header is set. Set ID Header to the header in which the service sends the ID.';
	}
	if (rules.timestampHeader !== '' && !checksTime(rules)) {
		return 'Timestamp Header is set, but Signed Content does not hold {timestamp}: whoever recorded a delivery could send it again with a new time. Add {timestamp} to Signed Content as the service signs it, or clear Timestamp Header and use Ignore Repeats with ID Path.';
	}
	return undefined;
}

function headerNamesProblem(names: readonly string[]): string | undefined {
	if (names.length === 0) return fieldNameProblem('Signature Header', '');
	return names.map((name) => fieldNameProblem('Signature Header', name)).find(Boolean);
}

/** Of several headers each may hold the signature, also one over another header. */
function signedSignatureProblem(rules: HmacAuthentication): string | undefined {
	const template = parseTemplate(rules.signedContent);
	if (!rules.signatureHeaders.every((name) => signsHeader(template, name, rules))) return undefined;
	return 'Signed Content holds the Signature Header itself, so no signature would match. Write it as the service builds it before it signs, for example {timestamp}.{body}.';
}

/** Somebody may copy how the whole header is described: `t={timestamp},v1={signature}`. */
function prefixProblem(prefix: string): string | undefined {
	if (!/[{}]/.test(prefix) && !CONTROL_CHARACTER.test(prefix.trim())) return undefined;
	return 'Signature Prefix holds a brace or a line break, so no signature would match. Set it to the text right before the signature alone, for example v1=.';
}

function keyProblem(rules: HmacAuthentication, secrets: readonly string[]): string | undefined {
	if (rules.algorithm === 'ed25519') {
		return secretProblem(
			secrets,
			(secret) => isUsableSecret(secret, rules),
			'is not an Ed25519 public key of 32 bytes, in Base64 or Hex. Set it in the credential to the public key of the sender, and Secret Encoding to how that is written.',
		);
	}
	return (
		secretProblem(
			secrets,
			(secret) => !PUBLIC_KEY.test(secret),
			'is a public key, with which anybody could sign. Choose Standard Webhooks for a key that starts with whpk_, or Ed25519 as Algorithm; other key pairs are not supported.',
		) ??
		(rules.secretEncoding === 'text'
			? spaceProblem(
					secrets,
					'so that no signature would match. Remove it in the credential; if it is part of the secret, set Secret Encoding to Base64 and write the secret in Base64.',
				)
			: undefined) ??
		secretProblem(
			secrets,
			(secret) => isUsableSecret(secret, rules),
			'is not written in the Secret Encoding that is set. Set Secret Encoding to how the secret is written.',
		)
	);
}

/**
 * A header cannot carry spaces around its value (RFC 9110 section 5.5), and nobody signs with them.
 */
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

function isSameName(one: string, other: string): boolean {
	return headerFieldName(one) === headerFieldName(other);
}
