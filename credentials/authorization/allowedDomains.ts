import { ServiceFailure } from '../../nodes/VisitorService/transport/serviceFailure';
import type { CredentialFields } from './credentialFields';

/**
 * Holds an address against the Allowed Domains that n8n adds to every credential. Asked here for each address,
 * because n8n does it in some versions and request helpers only: 1.123 lets the token request pass, and its
 * helper for credential tests every request. `none` is meant for the HTTP Request node alone.
 *
 * @param address an absolute URL
 * @param field what the address is called in the credential
 * @throws ServiceFailure where the credential does not allow it
 */
export function requireAllowedDomain(
	address: string,
	field: string,
	{ allowedHttpRequestDomains, allowedDomains }: CredentialFields,
): void {
	if (allowedHttpRequestDomains !== 'domains') return;
	const names = typeof allowedDomains === 'string' ? readNames(allowedDomains) : [];
	if (names.length === 0) {
		throw new ServiceFailure(
			'The credential is restricted to certain domains, but none is named.',
			'Fill Allowed Domains in the credential, or lift the restriction.',
			{ kind: 'configuration' },
		);
	}
	const { hostname } = new URL(address);
	if (names.some((name) => matches(withoutFinalDot(hostname), name))) return;
	throw new ServiceFailure(
		`The credential does not allow requests to ${hostname}.`,
		`Add ${hostname} to Allowed Domains in the credential, or correct the ${field}.`,
		{ kind: 'blocked' },
	);
}

function readNames(list: string): string[] {
	return list
		.split(',')
		.map((name) => withoutFinalDot(name.trim().toLowerCase()))
		.filter((name) => name !== '');
}

/** As in n8n: `*.example.com` stands for the subdomains and not for example.com itself. */
function matches(hostname: string, name: string): boolean {
	return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name;
}

function withoutFinalDot(name: string): string {
	return name.replace(/\.$/, '');
}
