import { isRecord } from '../json/isRecord';
import { LISTED_RESOURCES } from '../listing/resources';
import type { HttpAnswer } from '../transport/httpMessage';
import { refusesToken } from '../transport/refusesToken';
import { type Conversation, isAnswered, type Reply } from './conversation';
import { type Finding, failed, ok, unknown, warning } from './finding';
import { findList } from './userPages';

/** No service issues it, and it tells whoever reads the service's log where it comes from. */
const BAD_TOKEN = 'not-a-token-but-a-diagnosis';
const UNKNOWN_SEGMENT = 'diagnosis-of-an-unknown-path';
const REPEATED_FAILURES = 2;

/** What a call with a token that was never issued gets. */
export async function checkBadToken(conversation: Conversation): Promise<Finding> {
	const reply = await conversation.askWith(BAD_TOKEN, LISTED_RESOURCES.user.segment, {
		pageSize: 1,
	});
	if (!isAnswered(reply)) return unknown('badTokenAnswer', reply.reason);
	const { answer } = reply;
	const meaning = `A call with a token that was never issued gets ${describeAnswer(answer)}.`;
	if (refusesToken(answer)) {
		const finding = `${meaning} The connector renews its token on it.`;
		return ok('badTokenAnswer', answer.statusCode, finding);
	}
	if (answer.statusCode === 403) {
		return warning(
			'badTokenAnswer',
			403,
			`${meaning} A lack of permission looks the same; the connector renews its token once before it speaks of one.`,
		);
	}
	if (answer.statusCode < 300) {
		const found = findList(answer, LISTED_RESOURCES.user.keys);
		return 'reason' in found
			? unknown('badTokenAnswer', `${meaning} ${found.reason}`)
			: failed('badTokenAnswer', answer.statusCode, `${meaning} Everybody may read the list.`);
	}
	return warning(
		'badTokenAnswer',
		answer.statusCode,
		`${meaning} The connector does not take that for a refused token, and renews it by its lifetime only.`,
	);
}

/** What a page number that makes no sense gets. It is a whole number, so that the request stays a published one. */
export async function checkBadParameter(conversation: Conversation): Promise<Finding> {
	const ask = async () =>
		await conversation.ask(LISTED_RESOURCES.user.segment, { page: -1, pageSize: 1 });
	let reply = await ask();
	if (!isAnswered(reply) && reply.statusCode === 500) {
		reply = await ask();
		if (!isAnswered(reply) && reply.statusCode === 500) {
			const meaning = 'Page -1 gets status 500 each time, as if the service had failed.';
			return warning('badParameterAnswer', 500, meaning);
		}
	}
	if (!isAnswered(reply)) return unknown('badParameterAnswer', reply.reason);
	const { answer } = reply;
	if (answer.statusCode === 401 || answer.statusCode === 403) {
		return unknown('badParameterAnswer', `The service answered ${answer.statusCode}.`);
	}
	if (answer.statusCode < 300) {
		const found = findList(answer, LISTED_RESOURCES.user.keys);
		return 'reason' in found
			? unknown('badParameterAnswer', found.reason)
			: warning(
					'badParameterAnswer',
					answer.statusCode,
					'Page -1 gets a page all the same: mistakes in parameters are not reported.',
				);
	}
	return ok('badParameterAnswer', answer.statusCode, `Page -1 gets ${describeAnswer(answer)}.`);
}

/** A failure is the answer to a parameter only where nothing else failed, before or after. */
export function checkFailureOfBadParameter(
	conversation: Conversation,
	finding: Finding | undefined,
): Finding[] {
	if (finding?.observed !== 500 || conversation.polite.failures <= REPEATED_FAILURES) return [];
	return [unknown('badParameterAnswer', 'Page -1 gets status 500, but other requests failed too.')];
}

/** What a path that does not exist gets; other paths are held against the reply. */
export async function checkUnknownPath(
	conversation: Conversation,
): Promise<{ reply: Reply; finding: Finding }> {
	const reply = await conversation.ask(UNKNOWN_SEGMENT, { pageSize: 1 });
	if (!isAnswered(reply)) return { reply, finding: unknown('unknownPathAnswer', reply.reason) };
	const { statusCode } = reply.answer;
	const meaning = `A path that does not exist gets ${describeAnswer(reply.answer)}.`;
	const finding =
		statusCode === 404 || statusCode === 410
			? ok('unknownPathAnswer', statusCode, meaning)
			: warning(
					'unknownPathAnswer',
					statusCode,
					`${meaning} A wrong Path Segment does not show as such.`,
				);
	return { reply, finding };
}

/** Status and shape of a body: names of fields only, never what they hold. */
function describeAnswer({ statusCode, body }: HttpAnswer): string {
	return `status ${statusCode} with ${describeBody(body)}`;
}

function describeBody(body: unknown): string {
	if (body === undefined || body === null || body === '') return 'no body';
	if (Array.isArray(body)) return 'a JSON list';
	if (isRecord(body)) return `a JSON object of ${describeFields(body)}`;
	if (typeof body !== 'string') return `a JSON ${typeof body}`;
	return /^\s*</.test(body) ? 'a web page' : 'a text';
}

function describeFields(body: Record<string, unknown>): string {
	const names = Object.keys(body).filter((name) => /^[A-Za-z_][\w-]{0,30}$/.test(name));
	if (names.length === 0) return 'no fields';
	return names
		.slice(0, 8)
		.map((name) => {
			const inner = body[name];
			return isRecord(inner) ? `"${name}" (${describeFields(inner)})` : `"${name}"`;
		})
		.join(', ');
}
