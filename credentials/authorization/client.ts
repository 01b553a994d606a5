import { ServiceFailure } from '../../nodes/VisitorService/failure/serviceFailure';
import { sha256 } from '../../nodes/VisitorService/values/digest';
import {
	type CredentialFields,
	readExactText,
	readFlag,
	readList,
	readText,
} from './credentialFields';
import { readServerUrl, requireAllowedDomain } from './serverUrl';

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
	const baseUrl = readTenantUrl(fields);
	const version = readText(fields.apiVersion, 'API Version');
	if (version !== '' && !/^(?!\.+$)[\w.-]+$/.test(version)) {
		throw new ServiceFailure(
			'The API Version is not a single path segment.',
			'Set API Version in the credential to v2, or to what your service provider says.',
			{ kind: 'configuration' },
		);
	}
	return `${baseUrl}/api/external/${version === '' ? 'v2' : version}`;
}

export function readTenantUrl(fields: CredentialFields): string {
	return readUrl(fields, 'baseUrl', 'Tenant API URL');
}

/**
 * Tells clients apart: same text for the same client on the same server with the same secret, and
 * only then. A hash, so that the secret is not kept a second time.
 *
 * @param tenant the tenant's URL, if the tenant matters too
 */
export function clientFingerprint(client: Client, tenant = ''): string {
	const { authUrl, clientId, clientSecret, answerPath, scope, audience } = client;
	// Written as JSON, the parts stay apart.
	const parts = [authUrl, clientId, clientSecret, answerPath, scope, audience, tenant];
	return sha256(JSON.stringify(parts)).toString('hex');
}

function readUrl(fields: CredentialFields, name: 'authUrl' | 'baseUrl', label: string): string {
	const url = readServerUrl(fields[name], {
		field: label,
		allowInsecureHttp: readFlag(fields.allowInsecureHttp, 'Allow Unencrypted HTTP'),
	});
	if (fields.allowedHttpRequestDomains === 'domains') {
		requireAllowedDomain(url, label, readList(fields.allowedDomains, 'Allowed Domains'));
	}
	return url;
}

function readRequired(value: unknown, field: string): string {
	const text = readExactText(value, field);
	if (text.trim() !== '') return text;
	throw new ServiceFailure(
		`The ${field} is empty.`,
		`Set ${field} in the credential. Your service provider issues it.`,
		{ kind: 'configuration' },
	);
}
