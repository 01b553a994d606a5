export type SignatureVerdict = { kind: 'verified' } | { kind: 'refused'; reason: RefusalReason };

export type RefusalReason = keyof typeof REFUSAL_REASONS;

// Only for whoever runs n8n: the sender is told nothing it could learn from.
const REFUSAL_REASONS = {
	noSecret: 'no Webhook Secret is set in the credential',
	secretUnusable:
		'the Webhook Secret is not written as the settings say: look at Secret Encoding, or for Standard Webhooks at the prefix whsec_',
	signatureMissing: 'the header with the signature or the secret is missing or empty',
	signatureUnreadable:
		'no part of the signature header has the Signature Prefix and the Encoding that are set',
	idMissing: 'the header with the ID is missing or empty',
	partMissing: 'a header or query parameter that Signed Content names is missing',
	timestampMissing: 'the timestamp is missing or empty',
	timestampUnreadable: 'the timestamp is not a time',
	timestampTooOld: 'the timestamp is older than Timestamp Tolerance allows',
	timestampTooNew: 'the timestamp is further in the future than Timestamp Tolerance allows',
	bodyNotSigned:
		'Signed Content has neither {body} nor its hash, so nothing would protect the body',
	tokenNotSignable:
		'it asks for a signature, which nobody gets with this Authentication: choose HMAC Signature',
	noMatch: 'no signature matches: the secret, the algorithm or the signed content is different',
	notCheckable: 'the check could not be made',
} as const;

/** Says why a delivery was refused, as part of a sentence. */
export function describeRefusal(reason: RefusalReason): string {
	return REFUSAL_REASONS[reason];
}
