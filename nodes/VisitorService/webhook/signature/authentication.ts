// The first of each is the default, and never the one that lets more in. With one more in the list,
// the compiler and the tests name every place that has to know it.
export const AUTHENTICATIONS = ['hmac', 'header', 'standardWebhooks', 'none'] as const;
export const ALGORITHMS = ['sha256', 'sha512', 'sha384', 'sha1', 'ed25519'] as const;
export const ENCODINGS = ['hex', 'base64'] as const;
export const SECRET_ENCODINGS = ['text', 'base64', 'hex'] as const;

export type Algorithm = (typeof ALGORITHMS)[number];
export type Encoding = (typeof ENCODINGS)[number];
export type SecretEncoding = (typeof SECRET_ENCODINGS)[number];

/** How a delivery proves where it comes from. */
export type Authentication = AuthenticationRules[(typeof AUTHENTICATIONS)[number]];

interface AuthenticationRules {
	none: { kind: 'none' };
	header: { kind: 'header'; headerName: string };
	hmac: HmacAuthentication;
	standardWebhooks: { kind: 'standardWebhooks'; tolerance: number };
}

export interface HmacAuthentication {
	kind: 'hmac';
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

/** What the way in which a delivery was verified says of where name and ID are. */
export interface Proof {
	/** Whether a header is as sure as the body: it is signed, or the body is not signed either. */
	isProven: (header: string) => boolean;
	/**
	 * Whether the sender follows a specification by which `type` names the event, and the ID in the
	 * header is that of the event.
	 */
	isStandard: boolean;
	/**
	 * The header with the ID that is signed; `''` if there is none. The user may have named it for
	 * `{id}` only.
	 */
	schemeIdHeader: string;
}

/** The header that carries the secret itself. */
export function secretHeaderOf(authentication: Authentication): string | undefined {
	switch (authentication.kind) {
		case 'header':
			return authentication.headerName;
		case 'none':
		case 'hmac':
		case 'standardWebhooks':
			return undefined;
	}
}
