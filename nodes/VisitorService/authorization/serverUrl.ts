import { configurationFailure, ServiceFailure } from '../failure/serviceFailure';
import { isLoopback, readUrl } from '../values/scalar';

/** A base URL, followed by one of the two documented paths and anything after it. */
const DOCUMENTED_URL =
	/^([^?#]*?[^:/?#])\/{1,3}(?:auth\/app-oauth\/*|api\/external(?:\/v\d[^?#]*|\/*))(?:[?#].*)?$/s;

/**
 * Reads a base URL as people type or paste it. Slashes at its end and a documented path are
 * dropped, because providers show complete URLs. Any other path is kept.
 *
 * @param field label of the URL in the credential
 * @returns the URL without a slash at its end
 * @throws ServiceFailure that names the field but does not repeat the URL: it may hold a password
 */
export function readServerUrl(input: string, field: string, allowInsecureHttp: boolean): string {
	const invalidUrl = (what: string, remedy: string) =>
		configurationFailure(`The ${field} ${what}.`, remedy);
	const example = `Set ${field} in the credential to a URL like https://service.example.com.`;

	// Some providers show the method before the URL.
	const text = input.replace(/^(?:GET|POST)\s+/i, '').replace(DOCUMENTED_URL, '$1');
	if (text === '') throw invalidUrl('is empty', example);
	if (!/^https?:\/\//i.test(text)) throw invalidUrl('does not begin with https://', example);
	// The URL class would accept a space.
	const url = /\s/.test(text) ? undefined : readUrl(text);
	if (url === undefined) throw invalidUrl('is not a valid URL', example);
	if (url.username !== '' || url.password !== '') {
		throw invalidUrl(
			'has a user name or password in it',
			`Remove the part before the @ from ${field}: client ID and secret have fields of their own.`,
		);
	}
	if (/[?#]/.test(text)) {
		throw invalidUrl(
			'has a query or a fragment',
			`Remove everything from the ? or # on from ${field} in the credential.`,
		);
	}
	if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname)) {
		throw invalidUrl(
			'is plain http, which shows the client secret and the token to everybody on the network',
			`Use https in ${field}, or turn on Allow Unencrypted HTTP in the credential.`,
		);
	}
	return `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}`;
}

/**
 * Checks a URL against the Allowed Domains that n8n adds to every credential. Checked here because
 * n8n 1.123 does not check token requests, and its helper for credential tests checks no request.
 * As in n8n, `*.example.com` allows the subdomains and not example.com itself.
 *
 * @throws ServiceFailure if the credential does not allow it
 */
export function requireAllowedDomain(url: string, field: string, allowed: readonly string[]): void {
	// The case of host names does not matter, and they may end in the dot of the root.
	const comparable = (name: string) => name.toLowerCase().replace(/\.$/, '');
	const { hostname } = new URL(url);
	const host = comparable(hostname);
	const allows = (name: string) =>
		name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
	if (allowed.map(comparable).some(allows)) return;
	throw new ServiceFailure(
		`The credential does not allow requests to ${hostname}.`,
		`Add ${hostname} to Allowed Domains in the credential, or correct the ${field}.`,
		{ kind: 'blocked' },
	);
}
