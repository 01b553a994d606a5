import { createHash } from 'node:crypto';

import type { Client } from './tokenExchange';

/**
 * Tells clients apart: same text for the same client on the same server with the same secret, and only then.
 * A hash, so that the secret is not kept a second time.
 *
 * @param tenant the tenant's address, where the tenant matters too
 */
export function clientFingerprint(client: Client, tenant = ''): string {
	const hash = createHash('sha256');
	for (const part of [
		client.authUrl,
		client.clientId,
		client.clientSecret,
		client.tokenField,
		tenant,
	]) {
		// The lengths keep the parts apart.
		hash.update(`${Buffer.byteLength(part)}:`).update(part);
	}
	return hash.digest('hex');
}
