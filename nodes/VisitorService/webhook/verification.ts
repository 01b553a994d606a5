export type Verification = { ok: true } | { ok: false; reason: RefusalReason };

export type RefusalReason = keyof typeof REASONS;

// For the log of the operator of n8n only: the sender is told nothing it could learn from.
const REASONS = {
	noSecret: 'no Webhook Secret is set in the credential',
	secretUnusable: 'the Webhook Secret is not in the form Standard Webhooks asks for',
	signatureMissing: 'the header with the signature or the secret is missing or empty',
	signatureUnreadable: 'no part of the signature header has the prefix and encoding that are set',
	idMissing: 'the header with the ID is missing or empty',
	timestampMissing: 'the header with the timestamp is missing or empty',
	timestampUnreadable: 'the timestamp is not a time',
	timestampTooOld: 'the timestamp is older than the tolerance allows',
	timestampTooNew: 'the timestamp is further in the future than the tolerance allows',
	bodyNotSigned: 'Signed Content does not hold {body}, so nothing would protect the body',
	noMatch: 'no signature matches: the secret, the algorithm or the signed content is another one',
	notCheckable: 'the check could not be made',
} as const;

/** Says why a delivery was refused, as part of a sentence. */
export function describeRefusal(reason: RefusalReason): string {
	return REASONS[reason];
}
