import { headerFieldName } from '../values/headerFieldName';
import { type HeaderFields, headerValue } from './delivery';
import { holds, parseTemplate, type Template } from './template';

// The first of each is the default, and of ways to authenticate not the one that lets more in. With
// one more in the list, the compiler and the tests name every place that has to know it.
export const AUTHENTICATIONS = ['hmac', 'header', 'standardWebhooks', 'none'] as const;
export const SIGNATURE_FORMATS = ['header', 'github', 'stripe', 'slack', 'custom'] as const;
export const ALGORITHMS = ['sha256', 'sha512', 'sha384', 'sha1', 'ed25519'] as const;
export const ENCODINGS = ['hex', 'base64'] as const;
export const SECRET_ENCODINGS = ['text', 'base64', 'hex'] as const;

export type Algorithm = (typeof ALGORITHMS)[number];
export type Encoding = (typeof ENCODINGS)[number];

/** How a delivery proves where it comes from. `tolerance` in seconds, in both directions. */
export type Authentication =
	| { kind: 'none' }
	| { kind: 'header'; headerName: string }
	| ({ kind: 'hmac' } & HmacRules)
	| { kind: 'standardWebhooks'; tolerance: number };

export type HmacRules = SignatureFormat & { tolerance: number };

export interface SignatureFormat {
	/** Headers that may hold the signature. */
	signatureHeaders: readonly string[];
	/** What stands before each signature, such as `sha256=` or `v1=`; may be empty. */
	signaturePrefix: string;
	/** With `ed25519` the secret is the public key of the sender. */
	algorithm: Algorithm;
	/** How the signature is written. */
	encoding: Encoding;
	/** How the secret is written. */
	secretEncoding: (typeof SECRET_ENCODINGS)[number];
	signedContent: Template;
	/** `''`: the time is in the header of the signature, or there is none. */
	timestampHeader: string;
	/** The header `{id}` stands for; `''` if there is none. */
	idHeader: string;
}

function sha256InHex(
	header: string,
	signaturePrefix: string,
	content: string,
	timestampHeader = '',
): SignatureFormat {
	const signedContent = parseTemplate(content);
	return {
		signatureHeaders: [header],
		signaturePrefix,
		algorithm: 'sha256',
		encoding: 'hex',
		secretEncoding: 'text',
		signedContent,
		timestampHeader,
		idHeader: '',
	};
}

/** Those that are one choice of Signature Format. */
export const FORMATS = {
	header: sha256InHex('X-Signature', '', '{body}'),
	github: sha256InHex('X-Hub-Signature-256', 'sha256=', '{body}'),
	stripe: sha256InHex('Stripe-Signature', 'v1=', '{timestamp}.{body}'),
	slack: sha256InHex(
		'X-Slack-Signature',
		'v0=',
		'v0:{timestamp}:{body}',
		'X-Slack-Request-Timestamp',
	),
};

/**
 * How the names of the headers of Standard Webhooks begin: Svix, from which the specification
 * comes, and those who use it write `svix-id` and so on.
 */
const FAMILIES = ['webhook', 'svix'] as const;

/**
 * By the Standard Webhooks specification 1.0.0: `webhook-id`, `webhook-timestamp` in seconds and
 * `webhook-signature`. HMAC-SHA256 (`v1`) with a secret `whsec_…`, Ed25519 (`v1a`) with a public
 * key `whpk_…`.
 */
export function standardRules(secret: string, tolerance = 0, family = 'webhook'): HmacRules {
	const isPublic = secret.trim().startsWith('whpk_');
	return {
		signatureHeaders: [`${family}-signature`],
		signaturePrefix: isPublic ? 'v1a' : 'v1',
		algorithm: isPublic ? 'ed25519' : 'sha256',
		encoding: 'base64',
		secretEncoding: 'base64',
		signedContent: STANDARD_CONTENT,
		timestampHeader: `${family}-timestamp`,
		idHeader: `${family}-id`,
		tolerance,
	};
}

const STANDARD_CONTENT = parseTemplate('{id}.{timestamp}.{body}');

/** The one of which all headers are there, because one alone may be that of a proxy. */
export function familyOf(headers: HeaderFields): string {
	const isWhole = (family: string) =>
		['id', 'timestamp', 'signature'].every((part) => headerValue(headers, `${family}-${part}`));
	return FAMILIES.find(isWhole) ?? 'webhook';
}

/** The names of the headers with the secret or the signature. */
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
 * Whether a header is as sure as the body: it is signed, by its own name or as the one that `{id}`
 * stands for, or the body is not signed either.
 */
export function isSignedHeader(rules: Authentication, name: string): boolean {
	if (rules.kind === 'none' || rules.kind === 'header') return true;
	const field = headerFieldName(name);
	if (rules.kind === 'standardWebhooks') return FAMILIES.some((one) => field === `${one}-id`);
	if (holds(rules.signedContent, 'id') && field === headerFieldName(rules.idHeader)) return true;
	return rules.signedContent.values.some(
		(one) => one.kind === 'header' && headerFieldName(one.name) === field,
	);
}

/** The header with the ID that is signed; `''` if there is none. */
export function signedIdHeader(rules: Authentication, headers: HeaderFields): string {
	if (rules.kind === 'standardWebhooks') return `${familyOf(headers)}-id`;
	return rules.kind === 'hmac' && isSignedHeader(rules, rules.idHeader) ? rules.idHeader : '';
}
