import { headerFieldName } from '../http/message';
import { type HeaderFields, headerValue } from './delivery';
import { isForgeableKey } from './ed25519';
import { parseTemplate, type Template } from './template';

export const AUTHENTICATIONS = ['hmac', 'header', 'standardWebhooks', 'none'] as const;
export const ALGORITHMS = ['sha256', 'sha512', 'sha384', 'sha1', 'ed25519'] as const;
export const ENCODINGS = ['hex', 'base64'] as const;
export const SECRET_ENCODINGS = ['text', 'base64', 'hex'] as const;

export type Algorithm = (typeof ALGORITHMS)[number];
export type Encoding = (typeof ENCODINGS)[number];

/** How a delivery is authenticated. `tolerance` in seconds, in both directions. */
export type Authentication =
	| { kind: 'none' }
	| { kind: 'header'; headerName: string }
	| ({ kind: 'hmac' } & SignatureRules)
	| { kind: 'standardWebhooks'; tolerance: number };

export type SignatureRules = SignatureFormat & { tolerance: number };

interface SignatureFormat {
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

/** The rules of each Signature Format but Custom. */
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
} satisfies Record<string, SignatureFormat>;
export const SIGNATURE_FORMATS = [...Object.keys(FORMATS), 'custom'] as Array<
	keyof typeof FORMATS | 'custom'
>;

/**
 * By the Standard Webhooks specification 1.0.0: HMAC-SHA256 (`v1`) with a secret `whsec_…`, or
 * Ed25519 (`v1a`) with a public key `whpk_…`. Svix, where it comes from, writes `svix-id`.
 */
const STANDARD_FORMATS = ['webhook', 'svix'].map(
	(name): SignatureFormat => ({
		...HEADER,
		signatureHeaders: [`${name}-signature`],
		signaturePrefix: 'v1',
		encoding: 'base64',
		secretEncoding: 'base64',
		signedContent: parseTemplate('{id}.{timestampSeconds}.{body}', `${name}-id`),
		timestampHeader: `${name}-timestamp`,
	}),
);

/** The rules by which a delivery is signed; undefined if nothing is signed. */
export function signatureRulesFor(
	authentication: Authentication,
	headers: HeaderFields,
	secret: string,
) {
	const all = allRules(authentication, secret);
	// A proxy may add a signature and an ID of its own.
	return all.find(({ timestampHeader }) => headerValue(headers, timestampHeader)) ?? all[0];
}

/** The names of the headers with the secret or the signature. */
export function secretHeaders(authentication: Authentication): readonly string[] {
	if (authentication.kind === 'header') return [authentication.headerName];
	return allRules(authentication).flatMap(({ signatureHeaders }) => signatureHeaders);
}

/**
 * Whether a header is as certain as the body: it is signed, or the body is not signed either.
 *
 * @param headers of the delivery that was verified; without them, whether it is so in any
 */
export function isSignedHeader(
	authentication: Authentication,
	name: string,
	headers?: HeaderFields,
): boolean {
	const used = headers && signatureRulesFor(authentication, headers, '');
	const all = used === undefined ? allRules(authentication) : [used];
	return all.every((rules) => headersIn(rules, 'id', 'header').includes(headerFieldName(name)));
}

/**
 * The header with the ID of a delivery; `''` if there is none. The name of any signed ID stands for
 * that of the family by which this delivery was verified: the other one is not signed.
 *
 * @param named by the user; `''` = the one that is signed
 */
export function idHeaderOf(
	authentication: Authentication,
	named: string,
	headers: HeaderFields,
): string {
	const signed = allRules(authentication).flatMap((rules) => headersIn(rules, 'id'));
	if (named !== '' && !signed.includes(headerFieldName(named))) return named;
	const used = signatureRulesFor(authentication, headers, '');
	return (used && headersIn(used, 'id')[0]) ?? '';
}

function allRules(authentication: Authentication, secret = ''): SignatureRules[] {
	if (authentication.kind === 'hmac') return [authentication];
	if (authentication.kind !== 'standardWebhooks') return [];
	const { tolerance } = authentication;
	const isPublic = secret.trim().startsWith('whpk_');
	const key = isPublic && ({ signaturePrefix: 'v1a', algorithm: 'ed25519' } as const);
	return STANDARD_FORMATS.map((format) => ({ ...format, ...key, tolerance }));
}

/** The names of the headers that these placeholders of the signed content stand for. */
function headersIn({ signedContent }: SignatureRules, ...kinds: string[]): string[] {
	const values = signedContent.values.filter(({ kind }) => kinds.includes(kind));
	return values.map(({ name }) => headerFieldName(name));
}

type KeyRules = Pick<SignatureFormat, 'algorithm' | 'secretEncoding'>;

/** @returns undefined if a secret is not a key by the rules, or anybody could sign with it */
export function parseKey(secret: string, rules: KeyRules): Buffer | undefined {
	const key = decodeKey(secret, rules);
	const isForgeable = rules.algorithm === 'ed25519' && key !== undefined && isForgeableKey(key);
	return isForgeable ? undefined : key;
}

/** @returns undefined if a secret is not written as the rules say */
export function decodeKey(
	secret: string,
	{ algorithm, secretEncoding }: KeyRules,
): Buffer | undefined {
	const isPublic = algorithm === 'ed25519';
	if (secretEncoding === 'text') {
		// Nobody writes the bytes of a public key as text; a secret of 32 letters only looks like it.
		return isPublic || secret === '' ? undefined : Buffer.from(secret);
	}
	const prefix = isPublic ? /^whpk_/ : /^whsec_/;
	const text = secretEncoding === 'base64' ? secret.trim().replace(prefix, '') : secret.trim();
	// A second prefix could be read as URL-safe Base64, as which nobody means it.
	const bytes = /^wh(?:sec|pk)_/.test(text) ? undefined : decodeBytes(text, secretEncoding);
	// An Ed25519 public key has 32 bytes (RFC 8032 section 5.1.5).
	return isPublic && bytes?.length !== 32 ? undefined : bytes;
}

/**
 * Reads hex in either case, or Base64 in the standard or URL-safe alphabet with or without padding
 * (RFC 4648 sections 4, 5 and 8). Buffer alone would skip what is neither.
 *
 * @returns undefined if the text is anything else
 */
export function decodeBytes(text: string, encoding: Encoding): Buffer | undefined {
	if (encoding === 'hex') {
		return /^(?:[0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
	}
	const [, digits = '', padding = ''] = /^([A-Za-z0-9+/_-]+)(={0,2})$/.exec(text) ?? [];
	if (digits.length % 4 === 1 || digits === '') return undefined;
	if (padding !== '' && text.length % 4 !== 0) return undefined;
	return Buffer.from(digits, 'base64');
}
