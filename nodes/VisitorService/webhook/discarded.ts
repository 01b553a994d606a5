import type { ServiceFailure } from '../failure/serviceFailure';
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
	/** What to do, if the delivery should have started the workflow. */
	remedy: string;
}

/** Why a delivery could not be verified, and what to do. */
const VERIFICATION_FAILURES = {
	secretUnusable: [
		'no Webhook Secret is set in the credential, or not as Authentication and Secret Encoding say',
		'Set Webhook Secret in the credential, and choose how it is written.',
	],
	signatureMissing: [
		'the header with the signature or the secret is missing or empty',
		'Correct the name of the header. A proxy may drop it.',
	],
	signatureUnreadable: [
		'the signature header has no signature in the form that is set',
		'Choose another Signature Format, or with Custom correct Signature Prefix and Encoding.',
	],
	partMissing: [
		'a header, query parameter or timestamp that is signed is missing or empty',
		'Correct Signed Content and the names of its headers. A proxy may drop them.',
	],
	ambiguous: [
		'its signed content could be divided in two ways, or a value has unusual characters',
		'Look at "One meaning" in the documents on webhooks.',
	],
	timestampUnreadable: [
		'the timestamp is not a time, or does not say its time zone',
		'Correct Timestamp Header.',
	],
	timestampOutside: [
		'the timestamp is further from now than Timestamp Tolerance allows',
		'Correct the clocks, or raise Timestamp Tolerance in the options.',
	],
	noMatch: [
		'no signature matches: the secret, the algorithm, the encoding or the signed content is different',
		'Compare them with what your service provider says. A proxy may change the body.',
	],
	notCheckable: ['the check could not be made', 'Check Algorithm and Signed Content.'],
} as const;
export type VerificationFailure = keyof typeof VERIFICATION_FAILURES;

const MAX_QUOTED = 100;
const MAX_NAMES = 3;

const reject = (
	statusCode: number,
	message: string,
	reason: string,
	remedy: string,
): DiscardedDelivery => ({ kind: 'rejected', statusCode, message, reason, remedy });
const tooLarge = (reason: string, remedy = 'Ask your service provider for smaller deliveries.') =>
	reject(413, 'Content Too Large', reason, remedy);
const filtered = (
	reason: string,
	remedy: string,
	message = 'Event not selected',
): DiscardedDelivery => ({ kind: 'filtered', statusCode: 200, message, reason, remedy });
const deferred = (
	kind: 'inProgress' | 'failed',
	reason: string,
	remedy: string,
): DiscardedDelivery => ({ kind, statusCode: 503, message: 'Service Unavailable', reason, remedy });
const SEND_AGAIN = 'Let the service send it again.';
const READABLE = 'Ask your service provider for JSON in UTF-8.';
const CHECK_EVENTS = 'Check Events, and Event Path and Event Header in the options.';
const CUT_OFF = 'its body was cut off, or is not in the content coding it names';
const NOT_READABLE =
	'its content is not UTF-8, is multipart/form-data, or is packed in a way that cannot be read';
const PENDING = 'it repeats one that n8n is still handling, and the sender must try again';

export const discarded = {
	method: reject(405, 'Method Not Allowed', 'its method is not POST', 'Send it with POST.'),
	undecodable: reject(415, 'Unsupported Media Type', NOT_READABLE, READABLE),
	cutOff: reject(400, 'Bad Request', CUT_OFF, SEND_AGAIN),
	tooLarge: tooLarge(
		'its body is larger than N8N_PAYLOAD_SIZE_MAX allows',
		'Raise N8N_PAYLOAD_SIZE_MAX, or ask your service provider for smaller deliveries.',
	),
	tooComplex: tooLarge('it has more than 200 levels or 100,000 values, which would hold up n8n'),
	tooMany: tooLarge('the batch has more than 10,000 events, and n8n could not hold them'),
	inProgress: deferred('inProgress', PENDING, SEND_AGAIN),
	/** No sender can cause it, nor mend it. */
	failed: ({ message, description }: ServiceFailure) =>
		deferred('failed', message.replace(/\.$/, ''), description),
	unverified: (failure: VerificationFailure) => {
		const [reason, remedy] = VERIFICATION_FAILURES[failure];
		return reject(401, 'Unauthorized', reason, remedy);
	},
	address: (ip = 'unknown') =>
		reject(
			403,
			'Forbidden',
			`the IP address ${quoted(ip)} is not on the IP allowlist`,
			'Add it to IP Allowlist. With a proxy in front of n8n, set N8N_PROXY_HOPS.',
		),
	notSelected: (event: string | null) => {
		const reason =
			event === null
				? 'no event of Events is named in it, or the batch is empty'
				: `the event ${quoted(event)} is not among Events`;
		return filtered(reason, CHECK_EVENTS);
	},
	/** @param missing names of fields that no event has */
	notMatching: (missing: readonly string[]) => {
		const listed = missing.slice(0, MAX_NAMES).map(quoted).join(', ');
		const reason = `Conditions do not match${listed && `: no event has the field ${listed}`}`;
		return filtered(reason, 'Check Conditions.');
	},
	repeated: (id: string | number | null) => {
		const event = `the event with the ID ${quoted(String(id))}`;
		const reason = `${event} was received before, and Ignore Repeats is on`;
		return filtered(reason, 'Check ID Path and ID Header in the options.', 'Already received');
	},
};

/** Text of a sender, short and on one line, so that it cannot forge a line of the log. */
function quoted(text: string): string {
	const line = withoutTags(onOneLine(text.slice(0, MAX_QUOTED)));
	return JSON.stringify(text.length > MAX_QUOTED ? `${line}…` : line);
}
