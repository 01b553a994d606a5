import { onOneLine, withoutTags } from '../values/serverText';

/**
 * A delivery that starts nothing. `reason` is part of a sentence for the log of n8n, and not for
 * the sender, who may be a forger.
 */
export interface DiscardedDelivery {
	/** With the status 200, 503, 4xx and 503. */
	kind: 'filtered' | 'inProgress' | 'rejected' | 'failed';
	statusCode: number;
	message: string;
	reason: string;
}

/** Why a delivery could not be verified. */
const VERIFICATION_FAILURES = {
	secretUnusable:
		'no Webhook Secret is set in the credential, or not as Authentication and Secret Encoding say',
	signatureMissing: 'the header with the signature or the secret is missing or empty',
	signatureUnreadable:
		'the signature header has no signature in the form that is set: look at Signature Format, or with Custom at Signature Prefix and Encoding',
	partMissing: 'a header, query parameter or timestamp that is signed is missing or empty',
	ambiguous:
		'its signed content could be divided in two ways, or a value has unusual characters: look at Signed Content in the documents',
	timestampUnreadable: 'the timestamp is not a time, or does not say its time zone',
	timestampOutside: 'the timestamp is further from now than Timestamp Tolerance allows',
	noMatch:
		'no signature matches: the secret, the algorithm, the encoding or the signed content is different',
	notCheckable: 'the check could not be made',
};
export type VerificationFailure = keyof typeof VERIFICATION_FAILURES;

const MAX_QUOTED = 100;
const MAX_NAMES = 3;

const reject = (statusCode: number, message: string, reason: string): DiscardedDelivery => {
	return { kind: 'rejected', statusCode, message, reason };
};
const tooLarge = (reason: string) => reject(413, 'Content Too Large', reason);
const filtered = (reason: string, message = 'Event not selected'): DiscardedDelivery => {
	return { kind: 'filtered', statusCode: 200, message, reason };
};
const deferred = (kind: 'inProgress' | 'failed', reason: string): DiscardedDelivery => {
	return { kind, statusCode: 503, message: 'Service Unavailable', reason };
};
const CUT_OFF = 'its body was cut off, or is not in the content coding it names';
const NOT_READABLE =
	'its content is not UTF-8, is multipart/form-data, or is packed in a way that cannot be read';
const PENDING = 'it repeats one that n8n is still handling, and the sender must try again';

export const discarded = {
	method: reject(405, 'Method Not Allowed', 'its method is not POST'),
	undecodable: reject(415, 'Unsupported Media Type', NOT_READABLE),
	cutOff: reject(400, 'Bad Request', CUT_OFF),
	tooLarge: tooLarge('its body is larger than N8N_PAYLOAD_SIZE_MAX allows'),
	tooComplex: tooLarge('it has more than 200 levels or 100,000 values, which would hold up n8n'),
	tooMany: tooLarge('the batch has more than 10,000 events, and n8n could not hold them'),
	inProgress: deferred('inProgress', PENDING),
	/** @param problem one sentence; no sender can cause it, nor mend it */
	failed: (problem: string) => deferred('failed', problem.replace(/\.$/, '')),
	unverified: (reason: VerificationFailure) =>
		reject(401, 'Unauthorized', VERIFICATION_FAILURES[reason]),
	address: (ip = 'unknown') =>
		reject(403, 'Forbidden', `the IP address ${quoted(ip)} is not on the IP allowlist`),
	notSelected: (event: string | null) =>
		event === null
			? filtered('no event of Events is named in it, or the batch is empty')
			: filtered(`the event ${quoted(event)} is not among Events`),
	/** @param missing names of fields that no event has */
	notMatching: (missing: readonly string[]) => {
		const listed = missing.slice(0, MAX_NAMES).map(quoted).join(', ');
		return filtered(`Conditions do not match${listed && `: no event has the field ${listed}`}`);
	},
	repeated: (id: string | number | null) => {
		const event = `the event with the ID ${quoted(String(id))}`;
		return filtered(`${event} was received before, and Ignore Repeats is on`, 'Already received');
	},
};

/** Text of a sender, short and on one line, so that it cannot forge a line of the log. */
function quoted(text: string): string {
	const line = withoutTags(onOneLine(text.slice(0, MAX_QUOTED)));
	return JSON.stringify(text.length > MAX_QUOTED ? `${line}…` : line);
}
