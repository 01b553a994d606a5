import { configurationFailure } from '../failure/serviceFailure';
import { sha256 } from '../values/digest';
import * as read from '../values/parameters';
import { readServerUrl, requireAllowedDomain } from './serverUrl';

/** The credential's fields as stored; n8n promises no types for them. */
export type CredentialFields = Readonly<Record<string, unknown>>;

export interface Client {
	/** Base URL of the authorization server, without a slash at its end. */
	authUrl: string;
	clientId: string;
	clientSecret: string;
	/** Dot path of the token in the response; '' = detect. */
	answerPath: string;
	/** Not sent if empty (RFC 6749 §4.4.2); nor is the audience. */
	scope: string;
	audience: string;
	/** Whether a certificate that cannot be verified is accepted. */
	allowUnauthorizedCerts: boolean;
}

/** A field of the credential, for the readers of parameters. */
const field = (displayName: string): read.Parameter => ({
	displayName,
	location: ' in the credential',
});

/** @throws ServiceFailure that names the field to set, as all of these readers do */
export function readClient(fields: CredentialFields): Client {
	return {
		authUrl: readServer(fields, 'authUrl', 'Authorization Server URL'),
		// People paste IDs with spaces around them; a secret may consist of any bytes.
		clientId: readRequired(fields.clientId, 'Client ID').trim(),
		clientSecret: readRequired(fields.clientSecret, 'Client Secret'),
		answerPath: read.text(fields.answerPath, field('Token Field')),
		scope: read.text(fields.scope, field('Scope')),
		audience: read.text(fields.audience, field('Audience')),
		allowUnauthorizedCerts: allowsUnauthorizedCerts(fields),
	};
}

export function allowsUnauthorizedCerts({ allowUnauthorizedCerts }: CredentialFields): boolean {
	return read.flag(allowUnauthorizedCerts, field('Ignore SSL Issues (Insecure)'));
}

/** The URL that every list's begins with: `{baseUrl}/api/external/{apiVersion}`. */
export function readApiUrl(fields: CredentialFields): string {
	const version = read.text(fields.apiVersion, field('API Version')) || 'v2';
	if (/^(?!\.+$)[\w.-]+$/.test(version)) {
		return `${readTenantUrl(fields)}/api/external/${version}`;
	}
	throw configurationFailure(
		'The API Version is not a single path segment.',
		'Set API Version in the credential to v2, or to what your service provider says.',
	);
}

export function readTenantUrl(fields: CredentialFields): string {
	return readServer(fields, 'baseUrl', 'Tenant API URL');
}

/** The current secret of webhooks and the previous one; '' if one is not set. */
export function readWebhookSecrets(fields: CredentialFields): string[] {
	return [
		read.exactText(fields.webhookSecret, field('Webhook Secret')),
		read.exactText(fields.previousWebhookSecret, field('Previous Webhook Secret')),
	];
}

/**
 * The same only for the same client on the same server with the same settings. A hash, so that the
 * secret is not kept a second time.
 *
 * @param tenant the tenant's URL, if the tenant matters too
 */
export function clientFingerprint(client: Client, tenant = ''): string {
	// Whether certificates are verified does not change a token.
	const identity = { ...client, allowUnauthorizedCerts: undefined, tenant };
	// JSON keeps the parts apart.
	return sha256(JSON.stringify(identity)).toString('hex');
}

function readServer(fields: CredentialFields, name: 'authUrl' | 'baseUrl', label: string): string {
	const allowInsecureHttp = read.flag(fields.allowInsecureHttp, field('Allow Unencrypted HTTP'));
	const url = readServerUrl(read.text(fields[name], field(label)), label, allowInsecureHttp);
	if (fields.allowedHttpRequestDomains === 'domains') {
		requireAllowedDomain(url, label, read.texts(fields.allowedDomains, field('Allowed Domains')));
	}
	return url;
}

function readRequired(value: unknown, label: string): string {
	const text = read.exactText(value, field(label));
	if (text.trim() !== '') return text;
	throw configurationFailure(
		`The ${label} is empty.`,
		`Set ${label} in the credential. Your service provider issues it.`,
	);
}
