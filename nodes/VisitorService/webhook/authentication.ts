import { type HeaderFields, headerValue } from './delivery';

// The first of each is the default, and never the one that lets more in. With one more in the list,
// the compiler and the tests name every place that has to know it.
export const AUTHENTICATIONS = ['hmac', 'header', 'standardWebhooks', 'none'] as const;
export const SIGNATURE_FORMATS = ['header', 'github', 'stripe', 'slack', 'custom'] as const;
export const ALGORITHMS = ['sha256', 'sha512', 'sha384', 'sha1', 'ed25519'] as const;
export const ENCODINGS = ['hex', 'base64'] as const;
export const SECRET_ENCODINGS = ['text', 'base64', 'hex'] as const;

export type Algorithm = (typeof ALGORITHMS)[number];
export type Encoding = (typeof ENCODINGS)[number];
export type SecretEncoding = (typeof SECRET_ENCODINGS)[number];

/** How a delivery proves where it comes from. */
export type Authentication =
	| { kind: 'none' }
	| { kind: 'header'; headerName: string }
	| ({ kind: 'hmac' } & HmacRules)
	| { kind: 'standardWebhooks'; tolerance: number };

export interface HmacRules {
	/** Headers that may hold the signature. */
	signatureHeaders: readonly string[];
	/** What stands before each signature, such as `sha256=` or `v1=`; may be empty. */
	signaturePrefix: string;
	/** With `ed25519` the secret is the public key of the sender. */
	algorithm: Algorithm;
	/** How the signature is written. */
	encoding: Encoding;
	/** How the secret is written. */
	secretEncoding: SecretEncoding;
	/** Template: see signedContent.ts. */
	signedContent: string;
	timestampHeader: string;
	/** The header `{id}` stands for. */
	idHeader: string;
	/** Seconds a timestamp may lie in the past or in the future. */
	tolerance: number;
}

/** What all formats but `custom` leave as it is: one header, in hex. */
export const ONE_HEADER: Omit<HmacRules, 'tolerance'> = {
	signatureHeaders: ['X-Signature'],
	signaturePrefix: '',
	algorithm: 'sha256',
	encoding: 'hex',
	secretEncoding: 'text',
	signedContent: '{body}',
	timestampHeader: '',
	idHeader: '',
};

export const NAMED_FORMATS = {
	github: { ...ONE_HEADER, signatureHeaders: ['X-Hub-Signature-256'], signaturePrefix: 'sha256=' },
	stripe: {
		...ONE_HEADER,
		signatureHeaders: ['Stripe-Signature'],
		signaturePrefix: 'v1=',
		signedContent: '{timestamp}.{body}',
	},
	slack: {
		...ONE_HEADER,
		signatureHeaders: ['X-Slack-Signature'],
		signaturePrefix: 'v0=',
		signedContent: 'v0:{timestamp}:{body}',
		timestampHeader: 'X-Slack-Request-Timestamp',
	},
};

/**
 * How the names of the headers of Standard Webhooks begin: Svix, from which the specification
 * comes, and those who use it write `svix-id` and so on.
 */
export const FAMILIES = ['webhook', 'svix'] as const;

/**
 * The one of which all headers are there, because one alone may be that of a proxy; else the one
 * with a signature, so that it can be said what is missing.
 */
export function familyOf(headers: HeaderFields): (typeof FAMILIES)[number] {
	const has = (family: string, parts: readonly string[]) =>
		parts.every((part) => headerValue(headers, `${family}-${part}`) !== '');
	const whole = FAMILIES.find((family) => has(family, ['id', 'timestamp', 'signature']));
	return whole ?? FAMILIES.find((family) => has(family, ['signature'])) ?? 'webhook';
}

/** The headers with the secret or the signature. */
export function proofHeaders(authentication: Authentication): readonly string[] {
	switch (authentication.kind) {
		case 'none':
			return [];
		case 'header':
			return [authentication.headerName];
		case 'hmac':
			return authentication.signatureHeaders;
		case 'standardWebhooks':
			return FAMILIES.map((family) => `${family}-signature`);
	}
}

/**
 * Whether a delivery has anything that could be verified. Needs no secret, so that a stranger costs
 * next to nothing.
 */
export function hasProof(headers: HeaderFields, authentication: Authentication): boolean {
	const names = proofHeaders(authentication);
	return authentication.kind === 'none' || names.some((name) => headerValue(headers, name) !== '');
}
