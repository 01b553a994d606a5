import { createHmac } from 'node:crypto';

import { Webhook } from 'standardwebhooks';

/** How deliveries to a receiver are signed. */
export type Signing =
	| { scheme: 'none' }
	/** A shared secret in a header; default header `X-Webhook-Token`. */
	| { scheme: 'header'; secret: string; headerName?: string }
	| HmacSigning
	/**
	 * Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`; the secret is
	 * base64, `whsec_` allowed.
	 */
	| { scheme: 'standardWebhooks'; secret: string; previousSecret?: string };

export interface HmacSigning {
	scheme: 'hmac';
	secret: string;
	/** Signed with as well, while a secret is being rotated: the header then holds both. */
	previousSecret?: string;
	/** Between the signatures; default `,`. */
	separator?: string;
	/** Default `X-Signature`. */
	signatureHeader?: string;
	/** Written before each signature, such as `sha256=`; `{timestamp}` is filled in. */
	signaturePrefix?: string;
	/** Default `sha256`. */
	algorithm?: 'sha256' | 'sha512' | 'sha1';
	/** Default `hex`. */
	encoding?: 'hex' | 'HEX' | 'base64' | 'base64NoPadding' | 'base64url';
	/** What is signed, of `{body}`, `{timestamp}`, `{id}`; default `{body}`. */
	signedContent?: string;
	timestampHeader?: string;
	/** Default `s`. */
	timestampUnit?: 's' | 'ms';
	idHeader?: string;
}

/**
 * The headers that prove a delivery.
 * @param body the bytes signed
 * @param at milliseconds since 1970
 */
export function signatureHeaders(
	signing: Signing,
	id: string,
	body: Buffer,
	at: number,
): Record<string, string> {
	switch (signing.scheme) {
		case 'none':
			return {};
		case 'header':
			return { [signing.headerName ?? 'X-Webhook-Token']: signing.secret };
		case 'hmac':
			return hmacHeaders(signing, id, body, at);
		case 'standardWebhooks':
			return {
				'webhook-id': id,
				'webhook-timestamp': String(Math.floor(at / 1_000)),
				'webhook-signature': secretsOf(signing)
					.map((secret) => new Webhook(secret).sign(id, new Date(at), body.toString()))
					.join(' '),
			};
	}
}

function hmacHeaders(
	signing: HmacSigning,
	id: string,
	body: Buffer,
	at: number,
): Record<string, string> {
	const timestamp = String(
		signing.timestampUnit === 'ms' ? Math.floor(at) : Math.floor(at / 1_000),
	);
	const written = (text: string) =>
		text.replaceAll('{timestamp}', timestamp).replaceAll('{id}', id);
	const [before = '', ...after] = (signing.signedContent ?? '{body}').split('{body}').map(written);
	const content = Buffer.concat([
		Buffer.from(before),
		...after.flatMap((text) => [body, Buffer.from(text)]),
	]);
	const signatures = secretsOf(signing).map((secret) => {
		const digest = createHmac(signing.algorithm ?? 'sha256', secret)
			.update(content)
			.digest();
		return written(signing.signaturePrefix ?? '') + encoded(digest, signing.encoding ?? 'hex');
	});
	return {
		[signing.signatureHeader ?? 'X-Signature']: signatures.join(signing.separator ?? ','),
		...(signing.timestampHeader === undefined ? {} : { [signing.timestampHeader]: timestamp }),
		...(signing.idHeader === undefined ? {} : { [signing.idHeader]: id }),
	};
}

function secretsOf({
	secret,
	previousSecret,
}: {
	secret: string;
	previousSecret?: string;
}): string[] {
	return previousSecret === undefined ? [secret] : [secret, previousSecret];
}

function encoded(digest: Buffer, encoding: NonNullable<HmacSigning['encoding']>): string {
	switch (encoding) {
		case 'HEX':
			return digest.toString('hex').toUpperCase();
		case 'base64NoPadding':
			return digest.toString('base64').replace(/=+$/, '');
		default:
			return digest.toString(encoding);
	}
}
