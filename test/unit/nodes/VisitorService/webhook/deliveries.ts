import { createHmac } from 'node:crypto';

import type { Delivery, HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery';
import type {
	Algorithm,
	HmacAuthentication,
	TriggerSettings,
} from '../../../../../nodes/VisitorService/webhook/settings';

/** When the deliveries of the tests come: the time of the public Standard Webhooks vector. */
export const RECEIVED_AT = 1_614_265_330_000;

export function delivery(
	rawBody: string | Buffer,
	headers: HeaderFields = {},
	change: Partial<Delivery> = {},
): Delivery {
	return {
		headers,
		query: {},
		rawBody: Buffer.from(rawBody),
		address: '192.0.2.10',
		receivedAt: RECEIVED_AT,
		...change,
	};
}

export function hmac(change: Partial<HmacAuthentication> = {}): HmacAuthentication {
	return {
		kind: 'hmac',
		signatureHeader: 'X-Signature',
		signaturePrefix: '',
		algorithm: 'sha256',
		encoding: 'hex',
		signedContent: '{body}',
		timestampHeader: '',
		idHeader: '',
		tolerance: 300,
		...change,
	};
}

export function settings(change: Partial<TriggerSettings> = {}): TriggerSettings {
	return {
		authentication: { kind: 'none' },
		events: [],
		paths: { event: '', id: '', items: '' },
		ipAllowlist: '',
		ignoreRepeats: false,
		...change,
	};
}

export function sign(
	secret: string | Buffer,
	content: string | Buffer,
	encoding: 'hex' | 'base64' | 'base64url' = 'hex',
	algorithm: Algorithm = 'sha256',
): string {
	return createHmac(algorithm, secret).update(content).digest(encoding);
}
