import { createHmac } from 'node:crypto';

import {
	type Algorithm,
	type Authentication,
	FORMATS,
	type SignatureRules,
} from '../../../../../nodes/VisitorService/webhook/authentication';
import type { Delivery, HeaderFields } from '../../../../../nodes/VisitorService/webhook/delivery';
import { parseTemplate } from '../../../../../nodes/VisitorService/webhook/template';
import { findVerificationFailure } from '../../../../../nodes/VisitorService/webhook/verify';

/** When the deliveries of the tests come: the time of the public Standard Webhooks vector. */
export const RECEIVED_AT = 1_614_265_330_000;

/** The URL of the trigger, with the query of the delivery. */
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

export function hmac({
	signedContent = '{body}',
	idHeader = '',
	...change
}: Partial<Omit<SignatureRules, 'signedContent'>> & {
	signedContent?: string;
	idHeader?: string;
} = {}): Extract<Authentication, { kind: 'hmac' }> {
	const format = { ...FORMATS.header, signedContent: parseTemplate(signedContent, idHeader) };
	return { kind: 'hmac', ...format, tolerance: 300, ...change };
}

/** Why it is not verified, or that it is. */
export function verdictOn(
	sent: Delivery,
	authentication: Authentication,
	secrets: readonly string[],
): string {
	return findVerificationFailure(sent, authentication, secrets) ?? 'verified';
}

export function sign(
	secret: string | Buffer,
	content: string | Buffer,
	encoding: 'hex' | 'base64' | 'base64url' = 'hex',
	algorithm: Exclude<Algorithm, 'ed25519'> = 'sha256',
): string {
	return createHmac(algorithm, secret).update(content).digest(encoding);
}
