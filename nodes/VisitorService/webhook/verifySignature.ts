import type { Delivery } from './delivery';
import { verifyHmacSignature } from './hmacSignature';
import type { Authentication } from './settings';
import { verifySharedSecretHeader } from './sharedSecretHeader';
import { verifyStandardWebhook } from './standardWebhooks';
import type { Verification } from './verification';

/**
 * Tells whether a delivery comes from somebody who knows one of the secrets. Never throws.
 *
 * @param secrets the current one and, while it is being replaced, the previous one; blank ones never match
 */
export function verifySignature(
	delivery: Delivery,
	authentication: Authentication,
	secrets: readonly string[],
): Verification {
	try {
		if (authentication.kind === 'none') return { ok: true };
		const usable = secrets.filter((secret) => secret.trim() !== '');
		if (usable.length === 0) return { ok: false, reason: 'noSecret' };
		switch (authentication.kind) {
			case 'header':
				return verifySharedSecretHeader(delivery, authentication.headerName, usable);
			case 'hmac':
				return verifyHmacSignature(delivery, authentication, usable);
			case 'standardWebhooks':
				return verifyStandardWebhook(delivery, authentication.tolerance, usable);
		}
	} catch {
		// A check that broke has not verified anything.
		return { ok: false, reason: 'notCheckable' };
	}
}
