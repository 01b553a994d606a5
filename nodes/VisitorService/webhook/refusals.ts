import { onOneLine } from '../failure/serverText';
import type { RefusalReason } from './verify';

/**
 * A delivery that starts nothing. `reason` is part of a sentence, and only for whoever runs n8n:
 * the sender is told nothing it could learn from.
 */
export interface NotPassedOn {
	kind: 'notSelected' | 'repeat' | 'undecided' | 'refused' | 'failed';
	statusCode: number;
	message: string;
	reason: string;
}

const UNVERIFIED: Record<RefusalReason, string> = {
	noSecret: 'no Webhook Secret is set in the credential',
	secretUnusable:
		'the Webhook Secret is not written as the settings say: look at Secret Encoding, or for Standard Webhooks at the prefix whsec_',
	signatureMissing: 'the header with the signature or the secret is missing or empty',
	signatureUnreadable:
		'the signature header has no signature in the form that is set: look at Signature Prefix and Encoding',
	partMissing: 'a header or query parameter that is signed is missing or empty',
	ambiguous:
		'its signed content could be read in two ways: a body that is not JSON has brackets, an ID has unusual characters, or nothing says where one part ends',
	timestampMissing: 'the timestamp is missing or empty',
	timestampUnreadable: 'the timestamp is not a time, or does not say its time zone',
	timestampTooOld: 'the timestamp is older than Timestamp Tolerance allows',
	timestampTooNew: 'the timestamp is further in the future than Timestamp Tolerance allows',
	bodyNotSigned:
		'Signed Content has neither {body} nor its hash, so nothing would protect the body',
	noMatch: 'no signature matches: the secret, the algorithm or the signed content is different',
	notCheckable: 'the check could not be made',
};

const MAX_QUOTED = 100;
const MAX_EVENT_NAMES = 3;

const refused = (statusCode: number, message: string, reason: string): NotPassedOn => {
	return { kind: 'refused', statusCode, message, reason };
};
const tooLarge = (reason: string) => refused(413, 'Content Too Large', reason);
const CUT_OFF = 'its body was cut off, or is not in the content coding it names';

export const refusedMethod = refused(405, 'Method Not Allowed', 'its method is not POST');
export const refusedContent = refused(
	415,
	'Unsupported Media Type',
	'its content is not UTF-8, is multipart/form-data, or is packed in a way that cannot be read',
);
export const refusedBodies = {
	cutOff: refused(400, 'Bad Request', CUT_OFF),
	tooLarge: tooLarge('its body is larger than N8N_PAYLOAD_SIZE_MAX allows'),
	tooComplex: tooLarge('it has more than 200 levels or 250,000 values, which would hold up n8n'),
	tooMany: tooLarge('the batch has more than 10,000 events, and n8n could not hold them'),
};
export const undecided: NotPassedOn = {
	kind: 'undecided',
	statusCode: 503,
	message: 'Service Unavailable',
	reason: 'it repeats one that n8n is still handling, and the sender must try again',
};

export function unauthorized(reason: RefusalReason): NotPassedOn {
	return refused(401, 'Unauthorized', UNVERIFIED[reason]);
}

export function refusedAddress(ipAddress: string | undefined): NotPassedOn {
	const reason = `the IP address ${quoted(ipAddress ?? 'unknown')} is not on the IP allowlist`;
	return refused(403, 'Forbidden', reason);
}

/** @param problem one sentence; no sender can cause it, nor mend it */
export function couldNotHandle(problem: string): NotPassedOn {
	return { ...undecided, kind: 'failed', reason: problem.replace(/\.$/, '') };
}

/** @param names of the events that were left out */
export function notSelected(names: ReadonlySet<string>): NotPassedOn {
	const listed = [...names].slice(0, MAX_EVENT_NAMES).map(quoted).join(', ');
	const reason =
		names.size > 1
			? `events such as ${listed} are not among Events`
			: `the event ${listed} is not among Events`;
	return {
		kind: 'notSelected',
		statusCode: 200,
		message: 'Event not selected',
		reason: names.size === 0 ? 'no event of Events is named in it, or the batch is empty' : reason,
	};
}

/** @param missing names of fields that no event has */
export function notMatching(missing: readonly string[]): NotPassedOn {
	const listed = missing.slice(0, MAX_EVENT_NAMES).map(quoted).join(', ');
	const why = missing.length === 0 ? '' : `: no event has the field ${listed}`;
	const reason = `Conditions do not match${why}`;
	return { kind: 'notSelected', statusCode: 200, message: 'Event not selected', reason };
}

export function repeated(id: string | number | null): NotPassedOn {
	const reason = `the event with the ID ${quoted(String(id))} was received before, and Ignore Repeats is on`;
	return { kind: 'repeat', statusCode: 200, message: 'Already received', reason };
}

/** Text of a sender, short and on one line, so that it makes no line of its own in a log. */
function quoted(text: string): string {
	const line = onOneLine(text.slice(0, MAX_QUOTED));
	return JSON.stringify(text.length > MAX_QUOTED ? `${line}…` : line);
}
