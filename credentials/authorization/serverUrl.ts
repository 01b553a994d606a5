import { ServiceFailure } from '../../nodes/VisitorService/failure/serviceFailure';
import { readText } from './credentialFields';

interface UrlRules {
	/** The field of the credential, as the editor shows it. */
	field: string;
	allowInsecureHttp: boolean;
}

/** What follows the base in the two documented URLs, each with whatever stands after it. */
const DOCUMENTED_PATH =
	/(?<=[^:/])\/+(?:auth\/app-oauth|api\/external(?:\/v\d[^/?#]*(?:\/[^?#]*)?)?)\/*(?:[?#].*)?$/;

/**
 * Reads a base URL as people type or paste it. Spaces around it, slashes after it and a documented
 * path are dropped, because providers show whole URLs. Any other path is kept.
 *
 * @returns the URL without a slash at its end
 * @throws ServiceFailure that names the field
 */
export function readServerUrl(input: unknown, rules: UrlRules): string {
	const { field } = rules;
	const refuse = (what: string, remedy: string) =>
		new ServiceFailure(`The ${field} ${what}.`, remedy, { kind: 'configuration' });
	const example = `Set ${field} in the credential to a URL like https://service.example.com.`;

	const text = readText(input, field).replace(DOCUMENTED_PATH, '');
	if (text === '') throw refuse('is empty', example);
	if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw refuse('has no scheme', example);
	if (/\s/.test(text)) throw refuse('has a space in it', example);
	let url: URL;
	try {
		url = new URL(text);
	} catch {
		throw refuse('is not a valid URL', example);
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
	if (/[?#]/.test(text)) {
		throw refuse(
			'has a query or a fragment',
			`Remove everything from the ? or # on from ${field} in the credential.`,
		);
	}
	if (url.protocol === 'http:' && !rules.allowInsecureHttp && !isLoopback(url.hostname)) {
		throw refuse(
			'is plain http, which shows the client secret and the token to everybody on the network',
			`Use https in ${field}, or turn on Allow Unencrypted HTTP in the credential.`,
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

/**
 * Holds a URL against the Allowed Domains that n8n adds to every credential. Asked here for each
 * URL, because n8n 1.123 lets the token request pass, and its helper for credential tests every
 * request.
 *
 * @param field what the URL is called in the credential
 * @throws ServiceFailure if the credential does not allow it
 */
export function requireAllowedDomain(url: string, field: string, allowed: readonly string[]): void {
	const names = allowed.map(comparable);
	if (names.length === 0) {
		throw new ServiceFailure(
			'The credential is restricted to certain domains, but none is named.',
			'Fill Allowed Domains in the credential, or lift the restriction.',
			{ kind: 'configuration' },
		);
	}
	const { hostname } = new URL(url);
	if (names.some((name) => matches(comparable(hostname), name))) return;
	throw new ServiceFailure(
		`The credential does not allow requests to ${hostname}.`,
		`Add ${hostname} to Allowed Domains in the credential, or correct the ${field}.`,
		{ kind: 'blocked' },
	);
}

/** As in n8n: `*.example.com` stands for the subdomains and not for example.com itself. */
function matches(hostname: string, name: string): boolean {
	return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name;
}

/** Host names have no case, and may end in the dot of the root. */
function comparable(name: string): string {
	return name.toLowerCase().replace(/\.$/, '');
}
