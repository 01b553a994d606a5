import type { HeaderFields } from './delivery';
import type { Authentication } from './settings';

export const REDACTED = '[redacted]';

const CREDENTIAL_FIELDS = ['authorization', 'proxy-authorization', 'cookie'];

/**
 * A copy of the headers for the output, where they are stored with the execution.
 * Whatever lets somebody in again is replaced. A signature stays: it fits this one body only, and whoever sets
 * the trigger up needs to see how it is written.
 */
export function redactHeaders(
	headers: HeaderFields,
	authentication: Authentication,
): Record<string, string | string[]> {
	const secret = new Set(CREDENTIAL_FIELDS);
	if (authentication.kind === 'header') secret.add(authentication.headerName.trim().toLowerCase());
	const fields = Object.entries(headers).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, secret.has(name.toLowerCase()) ? REDACTED : value] as const],
	);
	return Object.fromEntries(fields);
}
