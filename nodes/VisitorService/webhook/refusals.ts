import { onOneLine } from '../failure/serverText';
import { MAX_ELEMENTS } from './events';
import type { NamePlace } from './selection';
import { describeRefusal, type RefusalReason } from './signature/verdict';

/**
 * A delivery that starts nothing. `reason` is part of a sentence, and only for whoever runs n8n.
 */
export interface NotPassedOn {
	kind: 'notSelected' | 'repeat' | 'undecided' | 'refused' | 'failed';
	statusCode: number;
	message: string;
	reason: string;
}

const MAX_QUOTED = 100;
const MAX_EVENT_NAMES = 3;

const REMEDIES: Record<NamePlace['kind'], string> = {
	field: 'set Event Path to it if that is the name',
	list: 'set Items Path to it if it is a list of events',
	header: 'set Event Header to it if that is the name',
};

export function notSelected(reason: string): NotPassedOn {
	return { kind: 'notSelected', statusCode: 200, message: 'Event not selected', reason };
}

export function repeated(reason: string): NotPassedOn {
	return { kind: 'repeat', statusCode: 200, message: 'Already received', reason };
}

export function undecided(): NotPassedOn {
	const reason = 'it repeats one that n8n is still handling, and the sender must try again';
	return { kind: 'undecided', statusCode: 503, message: 'Service Unavailable', reason };
}

/** @param problem one sentence */
export function couldNotHandle(problem: string): NotPassedOn {
	const reason = problem.replace(/\.$/, '');
	return { kind: 'failed', statusCode: 503, message: 'Service Unavailable', reason };
}

export function unauthorized(reason: RefusalReason): NotPassedOn {
	return refused(401, 'Unauthorized', describeRefusal(reason));
}

export function refusedAddress(ipAddress: string | undefined): NotPassedOn {
	const reason = `the IP address ${quoted(ipAddress ?? 'unknown')} is not on the IP allowlist`;
	return refused(403, 'Forbidden', reason);
}

export function refusedMethod(): NotPassedOn {
	return refused(405, 'Method Not Allowed', 'its method is not POST');
}

export function refusedContent(): NotPassedOn {
	const reason =
		'its content is multipart/form-data or in a content coding or charset that cannot be read';
	return refused(415, 'Unsupported Media Type', reason);
}

export function refusedBody(kind: 'cutOff' | 'tooLarge'): NotPassedOn {
	return kind === 'cutOff'
		? refused(400, 'Bad Request', 'its body was cut off, or is not in the content coding it names')
		: refused(413, 'Content Too Large', 'its body is larger than N8N_PAYLOAD_SIZE_MAX allows');
}

export function tooManyElements(): NotPassedOn {
	const reason = `the batch has more than ${MAX_ELEMENTS} elements, and n8n could not hold them`;
	return refused(413, 'Content Too Large', reason);
}

/**
 * @param names of the events that were left out; null for one without a name
 * @param namedAt where in them a selected name stands all the same
 */
export function describeNotSelected(
	names: ReadonlySet<string | null>,
	namedAt: NamePlace | undefined,
): string {
	if (names.size === 0) return 'the batch is empty';
	const known = [...names].filter((name) => name !== null);
	if (known.length === 0) {
		return 'no event name was found, and Events is set: set Event Path or Event Header to where the name is';
	}
	const listed = known.slice(0, MAX_EVENT_NAMES).map(quoted).join(', ');
	const problem =
		known.length === 1
			? `the event ${listed} is not among Events`
			: `events such as ${listed} are not among Events`;
	if (namedAt === undefined) return problem;
	const found = `${problem}, but the ${namedAt.kind} ${quoted(namedAt.path)} has one of them`;
	return `${found}: ${REMEDIES[namedAt.kind]}`;
}

export function describeRepeat(id: string | number | null | undefined): string {
	return `the event with the ID ${quoted(String(id ?? ''))} was received before, and Ignore Repeats is on`;
}

function refused(statusCode: number, message: string, reason: string): NotPassedOn {
	return { kind: 'refused', statusCode, message, reason };
}

/** Text of a sender, short and on one line, so that it makes no line of its own in a log. */
function quoted(text: string): string {
	const line = onOneLine(text.slice(0, MAX_QUOTED));
	return JSON.stringify(text.length > MAX_QUOTED ? `${line}…` : line);
}
