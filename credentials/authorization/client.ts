import { ServiceFailure } from '../../nodes/VisitorService/failure/serviceFailure';
import { sha256 } from '../../nodes/VisitorService/values/digest';
import { parameterReaders } from '../../nodes/VisitorService/values/parameters';
import { readServerUrl, requireAllowedDomain } from './serverUrl';

/** The credential's fields as stored; n8n promises no types for them. */
export type CredentialFields = Readonly<Record<string, unknown>>;

export interface Client {
	/** Base URL of the authorization server, without a slash at its end. */
	authUrl: string;
	clientId: string;
	clientSecret: string;
	/** Dot path of the token in the answer; if empty, it is detected. */
	answerPath: string;
	/** Not sent if empty (RFC 6749 §4.4.2), as the audience. */
	scope: string;
	audience: string;
	/** Whether a certificate that nobody vouches for is accepted. */
	allowUnauthorizedCerts: boolean;
}

const configurationFailure = (message: string, remedy: string) =>
	new ServiceFailure(message, remedy, { kind: 'configuration' });

/** As the parameters of a node are read. */
export const { readText, readExactText, readList, readFlag } = parameterReaders(
	({ label, must, remedy }) =>
		configurationFailure(
			`The ${label} must be ${must}.`,
			`Set ${label} in the credential to ${remedy}. If it is an expression, check what it returns.`,
		),
);

/** @throws ServiceFailure that names the field to set, as all of these readers do */
export function readClient(fields: CredentialFields): Client {
	return {
		authUrl: readUrl(fields, 'authUrl', 'Authorization Server URL'),
		// People paste IDs with spaces around them; a secret may consist of any bytes.
		clientId: readRequired(fields.clientId, 'Client ID').trim(),
		clientSecret: readRequired(fields.clientSecret, 'Client Secret'),
		answerPath: readText(fields.answerPath, 'Token Field'),
		scope: readText(fields.scope, 'Scope'),
		audience: readText(fields.audience, 'Audience'),
		allowUnauthorizedCerts: allowsUnauthorizedCerts(fields),
	};
}

export function allowsUnauthorizedCerts({ allowUnauthorizedCerts }: CredentialFields): boolean {
	return readFlag(allowUnauthorizedCerts, 'Ignore SSL Issues (Insecure)');
}

/** The URL every list hangs on: `{baseUrl}/api/external/{apiVersion}`. */
export function readApiUrl(fields: CredentialFields): string {
	const version = readText(fields.apiVersion, 'API Version') || 'v2';
	if (/^(?!\.+$)[\w.-]+$/.test(version)) {
		return `${readTenantUrl(fields)}/api/external/${version}`;
	}
	throw configurationFailure(
		'The API Version is not a single path segment.',
		'Set API Version in the credential to v2, or to what your service provider says.',
	);
}

export function readTenantUrl(fields: CredentialFields): string {
	return readUrl(fields, 'baseUrl', 'Tenant API URL');
}

/** The current secret of webhooks and the previous one; '' if one is not set. */
export function readWebhookSecrets(fields: CredentialFields): string[] {
	return [
		readExactText(fields.webhookSecret, 'Webhook Secret'),
		readExactText(fields.previousWebhookSecret, 'Previous Webhook Secret'),
	];
}

/**
 * Tells clients apart: same text for the same client on the same server with the same secret, and
 * only then. A hash, so that the secret is not kept a second time.
 *
 * @param tenant the tenant's URL, if the tenant matters too
 */
export function clientFingerprint(client: Client, tenant = ''): string {
	// How a certificate is checked changes no token.
	const identity = { ...client, allowUnauthorizedCerts: undefined, tenant };
	// Written as JSON, the parts stay apart.
	return sha256(JSON.stringify(identity)).toString('hex');
}

function readUrl(fields: CredentialFields, name: 'authUrl' | 'baseUrl', label: string): string {
	const allowInsecureHttp = readFlag(fields.allowInsecureHttp, 'Allow Unencrypted HTTP');
	const url = readServerUrl(readText(fields[name], label), label, allowInsecureHttp);
	if (fields.allowedHttpRequestDomains === 'domains') {
		requireAllowedDomain(url, label, readList(fields.allowedDomains, 'Allowed Domains'));
	}
	return url;
}

function readRequired(value: unknown, field: string): string {
	const text = readExactText(value, field);
	if (text.trim() !== '') return text;
	throw configurationFailure(
		`The ${field} is empty.`,
		`Set ${field} in the credential. Your service provider issues it.`,
	);
}
