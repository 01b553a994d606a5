import { ServiceFailure } from '../../nodes/VisitorService/transport/serviceFailure';
import { requireAllowedDomain } from './allowedDomains';
import { readServerAddress } from './serverAddress';
import type { Client } from './tokenExchange';

/** The credential's fields as stored; n8n promises no types for them. */
export type CredentialFields = Readonly<Record<string, unknown>>;

/** @throws ServiceFailure that names the field to set */
export function readClient(fields: CredentialFields): Client {
	return {
		authUrl: readAddress(fields, 'authUrl', 'Authorization Server URL'),
		// People paste IDs with blanks around them; a secret may consist of any bytes.
		clientId: readRequired(fields.clientId, 'Client ID').trim(),
		clientSecret: readRequired(fields.clientSecret, 'Client Secret'),
		tokenField: typeof fields.tokenField === 'string' ? fields.tokenField.trim() : '',
	};
}

/**
 * The address every list hangs on: `{baseUrl}/api/external/{apiVersion}`.
 *
 * @throws ServiceFailure that names the field to set
 */
export function readApiAddress(fields: CredentialFields): string {
	const baseUrl = readTenantAddress(fields);
	const version = typeof fields.apiVersion === 'string' ? fields.apiVersion.trim() : '';
	if (version !== '' && !/^(?!\.+$)[\w.-]+$/.test(version)) {
		throw new ServiceFailure(
			'The API Version is not a single path segment.',
			'Set API Version in the credential to v2, or to the segment the operator of the service names.',
			{ kind: 'configuration' },
		);
	}
	return `${baseUrl}/api/external/${version === '' ? 'v2' : version}`;
}

/** @throws ServiceFailure that names the field to set */
export function readTenantAddress(fields: CredentialFields): string {
	return readAddress(fields, 'baseUrl', 'Tenant API URL');
}

function readAddress(fields: CredentialFields, name: 'authUrl' | 'baseUrl', label: string): string {
	const address = readServerAddress(fields[name], {
		field: label,
		allowInsecureHttp: fields.allowInsecureHttp === true,
	});
	requireAllowedDomain(address, label, fields);
	return address;
}

function readRequired(value: unknown, field: string): string {
	if (typeof value === 'string' && value.trim() !== '') return value;
	throw new ServiceFailure(
		`The ${field} is empty.`,
		`Set ${field} in the credential; it is issued by the operator of the service.`,
		{ kind: 'configuration' },
	);
}
