import { onOneLine } from '../failure/serverText';

/**
 * A delivery that starts nothing. `reason` is part of a sentence, and only for whoever runs n8n:
 * the sender is told nothing it could learn from.
 */
export interface NotPassedOn {
	kind: 'leftOut' | 'undecided' | 'refused' | 'failed';
	statusCode: number;
	message: string;
	reason: string;
}

/** Why nothing is known of who sent a delivery. */
const UNVERIFIED = {
	noSecret: 'no Webhook Secret is set in the credential',
	secretUnusable: 'the Webhook Secret is not written as Authentication and Secret Encoding say',
	signatureMissing: 'the header with the signature or the secret is missing or empty',
	signatureUnreadable:
		'the signature header has no signature in the form that is set: look at Signature Prefix and Encoding',
	partMissing: 'a header, query parameter or timestamp that is signed is missing or empty',
	ambiguous:
		'its signed content could be read in two ways: a value has unusual characters, or nothing says where it ends',
	timestampUnreadable: 'the timestamp is not a time, or does not say its time zone',
	timestampOutside: 'the timestamp is further from now than Timestamp Tolerance allows',
	noMatch: 'no signature matches: the secret, the algorithm or the signed content is different',
	notCheckable: 'the check could not be made',
};
export type RefusalReason = keyof typeof UNVERIFIED;

const MAX_QUOTED = 100;
const MAX_NAMES = 3;
const NOT_SELECTED = 'Event not selected';

const refused = (statusCode: number, message: string, reason: string): NotPassedOn => {
	return { kind: 'refused', statusCode, message, reason };
};
const tooLarge = (reason: string) => refused(413, 'Content Too Large', reason);
const leftOut = (message: string, reason: string): NotPassedOn => {
	return { kind: 'leftOut', statusCode: 200, message, reason };
};
const CUT_OFF = 'its body was cut off, or is not in the content coding it names';
const NOT_READABLE =
	'its content is not UTF-8, is multipart/form-data, or is packed in a way that cannot be read';
const PENDING = 'it repeats one that n8n is still handling, and the sender must try again';
const UNAVAILABLE = { statusCode: 503, message: 'Service Unavailable' };

export const refusals = {
	method: refused(405, 'Method Not Allowed', 'its method is not POST'),
	content: refused(415, 'Unsupported Media Type', NOT_READABLE),
	cutOff: refused(400, 'Bad Request', CUT_OFF),
	tooLarge: tooLarge('its body is larger than N8N_PAYLOAD_SIZE_MAX allows'),
	tooComplex: tooLarge('it has more than 200 levels or 100,000 values, which would hold up n8n'),
	tooMany: tooLarge('the batch has more than 10,000 events, and n8n could not hold them'),
	undecided: { ...UNAVAILABLE, kind: 'undecided' as const, reason: PENDING },
};

export function unauthorized(reason: RefusalReason): NotPassedOn {
	return refused(401, 'Unauthorized', UNVERIFIED[reason]);
}

export function refusedAddress(ipAddress = 'unknown'): NotPassedOn {
	const reason = `the IP address ${quoted(ipAddress)} is not on the IP allowlist`;
	return refused(403, 'Forbidden', reason);
}

/** @param problem one sentence; no sender can cause it, nor mend it */
export function couldNotHandle(problem: string): NotPassedOn {
	return { ...UNAVAILABLE, kind: 'failed', reason: problem.replace(/\.$/, '') };
}

export function notSelected(event: string | null): NotPassedOn {
	const isNamed = event !== null && `the event ${quoted(event)} is not among Events`;
	return leftOut(
		NOT_SELECTED,
		isNamed || 'no event of Events is named in it, or the batch is empty',
	);
}

/** @param missing names of fields that no event has */
export function notMatching(missing: readonly string[]): NotPassedOn {
	const listed = missing.slice(0, MAX_NAMES).map(quoted).join(', ');
	const why = listed && `: no event has the field ${listed}`;
	return leftOut(NOT_SELECTED, `Conditions do not match${why}`);
}

export function repeated(id: string | number | null): NotPassedOn {
	const event = `the event with the ID ${quoted(String(id))}`;
	return leftOut('Already received', `${event} was received before, and Ignore Repeats is on`);
}

/** Text of a sender, short and on one line, so that it makes no line of its own in a log. */
function quoted(text: string): string {
	const line = onOneLine(text.slice(0, MAX_QUOTED));
	return JSON.stringify(text.length > MAX_QUOTED ? `${line}…` : line);
}
