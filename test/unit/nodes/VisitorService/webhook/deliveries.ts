import { createHmac } from 'node:crypto';

import type {
	Delivery,
	HeaderFields,
} from '../../../../../nodes/VisitorService/webhook/delivery/request';
import type { EventSources } from '../../../../../nodes/VisitorService/webhook/eventFields';
import {
	type DeliveryOutcome,
	receiveDelivery,
	refuseAtOnce,
	type TriggerSettings,
} from '../../../../../nodes/VisitorService/webhook/receive';
import type {
	Algorithm,
	HmacAuthentication,
} from '../../../../../nodes/VisitorService/webhook/signature/authentication';
import type { Claim } from '../../../../../nodes/VisitorService/webhook/triggerMemory';

export const SECRET = 'synthetic-secret';
export const event = { event: 'visit.created', id: 'evt-000001', data: { id: 1 } };
export const body = JSON.stringify(event);

/** When the deliveries of the tests come: the time of the public Standard Webhooks vector. */
export const RECEIVED_AT = 1_614_265_330_000;

/** The address of the trigger, with the query of the delivery. */
export const OWN_URL = 'https://n8n.example.test/webhook/1/webhook?tenant=a%20b';

export function delivery(
	rawBody: string | Buffer,
	headers: HeaderFields = {},
	change: Partial<Delivery> = {},
): Delivery {
	return {
		method: 'POST',
		url: () => OWN_URL,
		headers,
		query: {},
		rawBody: Buffer.from(rawBody),
		ipAddress: '192.0.2.10',
		receivedAt: RECEIVED_AT,
		...change,
	};
}

export function hmac(change: Partial<HmacAuthentication> = {}): HmacAuthentication {
	return {
		kind: 'hmac',
		signatureHeaders: ['X-Signature'],
		signaturePrefix: '',
		algorithm: 'sha256',
		encoding: 'hex',
		secretEncoding: 'text',
		signedContent: '{body}',
		timestampHeader: '',
		idHeader: '',
		tolerance: 300,
		...change,
	};
}

export const NO_SOURCES: EventSources = {
	eventPath: '',
	eventHeader: '',
	idPath: '',
	idHeader: '',
	itemsPath: '',
};

export function settings(change: Partial<TriggerSettings> = {}): TriggerSettings {
	return {
		authentication: { kind: 'none' },
		events: [],
		sources: NO_SOURCES,
		ipAllowlist: [],
		ignoreRepeats: false,
		answersVerificationRequests: false,
		...change,
	};
}

export function sign(
	secret: string | Buffer,
	content: string | Buffer,
	encoding: 'hex' | 'base64' | 'base64url' = 'hex',
	algorithm: Exclude<Algorithm, 'ed25519'> = 'sha256',
): string {
	return createHmac(algorithm, secret).update(content).digest(encoding);
}

/** Whether a key was claimed before, as the memory of one trigger tells. */
export function remembering() {
	const seen = new Set<string>();
	return (key: string): Claim => {
		if (seen.has(key)) return 'repeat';
		seen.add(key);
		return 'first';
	};
}

/** As the trigger asks: first what needs neither body nor secret. */
export async function receive(
	sent: Delivery,
	rules: TriggerSettings,
	secrets: readonly string[] = [],
	claim?: (key: string) => Claim,
): Promise<DeliveryOutcome> {
	const refusal = refuseAtOnce(sent, rules);
	return refusal ?? (await receiveDelivery(sent, rules, () => Promise.resolve(secrets), claim));
}
