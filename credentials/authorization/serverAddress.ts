import { ServiceFailure } from '../../nodes/VisitorService/transport/serviceFailure';

export interface AddressRules {
	/** The field of the credential, as the editor shows it. */
	field: string;
	allowInsecureHttp: boolean;
}

/**
 * Reads a base address as people type it: blanks around it and slashes behind it are dropped, a path is kept.
 *
 * @returns the address without a slash at its end
 * @throws ServiceFailure that names the field
 */
export function readServerAddress(input: unknown, rules: AddressRules): string {
	const { field } = rules;
	const refuse = (what: string, remedy: string) =>
		new ServiceFailure(`The ${field} ${what}.`, remedy, { kind: 'configuration' });
	const example = `Set ${field} in the credential to an address like https://service.example.com.`;

	const text = typeof input === 'string' ? input.trim() : '';
	if (text === '') throw refuse('is empty', example);
	if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw refuse('has no scheme', example);
	if (/\s/.test(text)) throw refuse('has a blank in it', example);
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		throw refuse('is not a valid address', example);
	}
	if (url.protocol !== 'https:' && url.protocol !== 'http:') {
		throw refuse('starts with neither https:// nor http://', example);
	}
	if (url.username !== '' || url.password !== '') {
		throw refuse(
			'has a user name or password in it',
			`Remove the part before the @ from ${field}: client ID and secret have fields of their own.`,
		);
	}
	if (url.search !== '' || url.hash !== '' || /[?#]/.test(text)) {
		throw refuse(
			'has a query or a fragment',
			`Remove everything from the ? or # on from ${field} in the credential.`,
		);
	}
	if (url.protocol === 'http:' && !rules.allowInsecureHttp && !isLoopback(url.hostname)) {
		throw refuse(
			'is plain http, which shows the client secret and the token to everybody on the way',
			`Use https in ${field}, or switch on Allow Unencrypted HTTP in the credential.`,
		);
	}
	return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** RFC 6761 §6.3 (localhost), RFC 1122 §3.2.1.3 (127.0.0.0/8), RFC 4291 §2.5.3 (::1). */
export function isLoopback(hostname: string): boolean {
	return (
		hostname === 'localhost' ||
		hostname.endsWith('.localhost') ||
		/^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname) ||
		hostname === '[::1]'
	);
}
