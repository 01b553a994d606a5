import { isLoopback } from '../../../credentials/authorization/serverAddress';
import { unreadableEntries } from './ipAllowlist';
import type { HmacAuthentication, TriggerSettings } from './settings';
import { placeholdersIn } from './signedContent';
import { isStandardWebhooksSecret } from './standardWebhooks';

/** RFC 9110 section 5.6.2. */
const FIELD_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * Finds what would keep every genuine delivery out.
 *
 * @returns one sentence that says what is wrong and one that says what to do; undefined where nothing is wrong
 */
export function findSettingsProblem(
	settings: TriggerSettings,
	secrets: readonly string[],
): string | undefined {
	const [unreadable] = unreadableEntries(settings.ipAllowlist);
	if (unreadable !== undefined) {
		return `The IP allowlist has the entry "${unreadable}", which is neither an address nor a range. Write addresses like 192.0.2.10 or ranges like 192.0.2.0/24 or 2001:db8::/32, separated by commas.`;
	}
	const { authentication } = settings;
	if (authentication.kind === 'none') return undefined;
	if (secrets.every((secret) => secret.trim() === '')) {
		return 'No Webhook Secret is set, so no delivery could be verified. Set Webhook Secret in the Visitor Service API credential of this trigger to the secret the operator of the service gave you, or choose another Authentication.';
	}
	switch (authentication.kind) {
		case 'header':
			return fieldNameProblem('Header Name', authentication.headerName) ?? blankProblem(secrets);
		case 'hmac':
			return hmacProblem(authentication);
		case 'standardWebhooks':
			return secrets.some(isStandardWebhooksSecret)
				? undefined
				: 'The Webhook Secret is not in the form Standard Webhooks asks for. Set Webhook Secret in the credential to the whole value that starts with whsec_ (or whpk_ for a public key), or choose HMAC Signature as Authentication.';
	}
}

/** @returns a warning where nobody outside this machine can reach the address the service is to call */
export function findAddressProblem(webhookAddress: string | undefined): string | undefined {
	if (webhookAddress === undefined || !URL.canParse(webhookAddress)) return undefined;
	if (!isLoopback(new URL(webhookAddress).hostname)) return undefined;
	return `The webhook address ${new URL(webhookAddress).origin} can be reached from this machine only. Set the environment variable WEBHOOK_URL of n8n to the address under which the service reaches it, and start n8n again.`;
}

function hmacProblem(rules: HmacAuthentication): string | undefined {
	const placeholders = placeholdersIn(rules.signedContent);
	if (!placeholders.has('body')) {
		return 'Signed Content does not hold {body}, so nothing would protect the body. Write it as the service builds it, for example {timestamp}.{body}.';
	}
	if (placeholders.has('id') && rules.idHeader.trim() === '') {
		return 'Signed Content holds {id}, but no ID Header is set. Set ID Header to the header in which the service sends the ID.';
	}
	return (
		fieldNameProblem('Signature Header', rules.signatureHeader) ??
		optionalFieldNameProblem('Timestamp Header', rules.timestampHeader) ??
		optionalFieldNameProblem('ID Header', rules.idHeader)
	);
}

function optionalFieldNameProblem(field: string, name: string): string | undefined {
	return name.trim() === '' ? undefined : fieldNameProblem(field, name);
}

function fieldNameProblem(field: string, name: string): string | undefined {
	if (FIELD_NAME.test(name.trim())) return undefined;
	return `${field} is "${name}", which is no name of a header. Set ${field} to the name the service uses, for example X-Signature.`;
}

/** A header cannot carry blanks around its value (RFC 9110 section 5.5). */
function blankProblem(secrets: readonly string[]): string | undefined {
	const usable = secrets.filter((secret) => secret.trim() !== '');
	if (usable.some((secret) => secret === secret.trim())) return undefined;
	return 'The Webhook Secret starts or ends with a blank or a line break, which no header can carry. Remove it from Webhook Secret in the credential.';
}
