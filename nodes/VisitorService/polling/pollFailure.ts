import type { ServiceFailure } from '../transport/serviceFailure';

/**
 * Why a poll failed, in the words of n8n's `Failure` (n8n-workflow 2.41): with durable cursors it decides when n8n
 * polls again. Undefined where only the status code tells.
 */
export type PollFailure =
	| { cause: 'rate-limited' | 'temporarily-unavailable'; retryAfterMs?: number }
	| { cause: 'credential-invalid' | 'configuration-invalid' };

export function pollFailure({
	kind,
	retryAfter,
	statusCode,
}: ServiceFailure): PollFailure | undefined {
	const wait = retryAfter === undefined ? {} : { retryAfterMs: retryAfter };
	// 503 with Retry-After is an outage the service announces; both wait alike.
	if (kind === 'rateLimit' && statusCode !== 503) return { cause: 'rate-limited', ...wait };
	switch (kind) {
		case 'rateLimit':
		case 'service':
		case 'connection':
			return { cause: 'temporarily-unavailable', ...wait };
		case 'authorization':
			return { cause: 'credential-invalid' };
		case 'configuration':
			return { cause: 'configuration-invalid' };
		default:
			return undefined;
	}
}
