import { headerFieldName } from '../values/headerFieldName';
import { type HeaderFields, headerValue } from './delivery';
import { parseTemplate, type Template } from './template';

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
}

const HEADER: SignatureFormat = {
	signatureHeaders: ['X-Signature'],
	signaturePrefix: '',
	algorithm: 'sha256',
	encoding: 'hex',
	secretEncoding: 'text',
	signedContent: parseTemplate('{body}'),
	timestampHeader: '',
};

/** Those that are one choice of Signature Format. */
export const FORMATS = {
	header: HEADER,
	github: { ...HEADER, signatureHeaders: ['X-Hub-Signature-256'], signaturePrefix: 'sha256=' },
	stripe: {
		...HEADER,
		signatureHeaders: ['Stripe-Signature'],
		signaturePrefix: 'v1=',
		signedContent: parseTemplate('{timestamp}.{body}'),
	},
	slack: {
		...HEADER,
		signatureHeaders: ['X-Slack-Signature'],
		signaturePrefix: 'v0=',
		signedContent: parseTemplate('v0:{timestamp}:{body}'),
		timestampHeader: 'X-Slack-Request-Timestamp',
	},
};

/**
 * How the names of the headers of Standard Webhooks begin: Svix, from which the specification
 * comes, and those who use it write `svix-id` and so on.
 */
const FAMILIES = (['webhook', 'svix'] as const).map((name) => {
	return { name, signedContent: parseTemplate('{id}.{timestamp}.{body}', `${name}-id`) };
});

/**
 * What a secret signs by; nothing if nothing is signed. Of two families the one of which all
 * headers are there, because one alone may be that of a proxy.
 */
export function rulesFor(
	authentication: Authentication,
	headers: HeaderFields,
	secret: string,
): HmacRules | undefined {
	const families = allRules(authentication, secret);
	const isWhole = ({ timestampHeader, signatureHeaders, signedContent }: HmacRules) =>
		[timestampHeader, ...signatureHeaders, ...signedHeaders(signedContent)].every((name) =>
			headerValue(headers, name),
		);
	return families.find(isWhole) ?? families[0];
}

/** The names of the headers with the secret or the signature. */
export function proofHeaders(authentication: Authentication): readonly string[] {
	if (authentication.kind === 'header') return [authentication.headerName];
	return allRules(authentication).flatMap(({ signatureHeaders }) => signatureHeaders);
}

/** Whether a header is as sure as the body: it is signed, or the body is not signed either. */
export function isSignedHeader(authentication: Authentication, name: string): boolean {
	const rules = allRules(authentication);
	const signed = rules.flatMap(({ signedContent }) => signedHeaders(signedContent));
	return rules.length === 0 || signed.map(headerFieldName).includes(headerFieldName(name));
}

/**
 * By the Standard Webhooks specification 1.0.0: `webhook-id`, `webhook-timestamp` in seconds and
 * `webhook-signature`. HMAC-SHA256 (`v1`) with a secret `whsec_…`, Ed25519 (`v1a`) with a public
 * key `whpk_…`.
 */
function allRules(authentication: Authentication, secret = ''): HmacRules[] {
	if (authentication.kind === 'hmac') return [authentication];
	if (authentication.kind !== 'standardWebhooks') return [];
	const isPublic = secret.trim().startsWith('whpk_');
	return FAMILIES.map(({ name, signedContent }) => ({
		signatureHeaders: [`${name}-signature`],
		signaturePrefix: isPublic ? 'v1a' : 'v1',
		algorithm: isPublic ? 'ed25519' : 'sha256',
		encoding: 'base64',
		secretEncoding: 'base64',
		signedContent,
		timestampHeader: `${name}-timestamp`,
		tolerance: authentication.tolerance,
	}));
}

/** By their own names, and the one that `{id}` stands for. */
function signedHeaders({ values }: Template): string[] {
	return values.flatMap(({ kind, name }) => (kind === 'header' || kind === 'id' ? [name] : []));
}
