import { fieldsSeen } from '../answer/fieldNames';
import { LISTED_RESOURCES } from '../answer/resources';
import type { HttpAnswer } from '../http/message';
import { isTemporary } from '../http/temporaryStatus';
import { mayMeanToken } from '../tenant/heldCredential';
import { isRecord } from '../values/json';
import type { Conversation, Reply } from './conversation';
import { type Finding, type Found, failed, ok, saidTwice, unknown, warning } from './finding';

/** No service issues it, and it tells whoever reads the service's log where it comes from. */
export const BAD_TOKEN = 'not-a-token-but-a-diagnosis';
const UNKNOWN_SEGMENT = 'diagnosis-of-an-unknown-path';
const { segment } = LISTED_RESOURCES.user;

/** What a call with a token that was never issued gets. @param known what one got already */
export async function checkBadToken(conversation: Conversation, known?: Reply): Promise<Found> {
	const replies = known === undefined ? [] : [known];
	const ask = async () => await conversation.ask(segment, {}, { token: BAD_TOKEN });
	return await saidTwice(async () => judgeBadToken(replies.pop() ?? (await ask())));
}

function judgeBadToken(reply: Reply): Found {
	const check = 'badTokenAnswer';
	if (reply.kind === 'silence') return unknown(check, reply.failure.message);
	const { statusCode } = reply.answer;
	const meaning = `A call with a token that was never issued gets ${describeAnswer(reply.answer)}`;
	if (reply.kind === 'list') {
		return failed(
			check,
			statusCode,
			`Everybody can read the list, even with a bad token. ${meaning}`,
		);
	}
	if (statusCode < 300) {
		return unknown(check, `${meaning} It does not show whether the token was refused.`);
	}
	if (mayMeanToken(reply.answer, 0))
		return ok(check, statusCode, `${meaning} The nodes get a new token then.`);
	const remark =
		'The nodes cannot tell it from other answers, so they renew a token by its lifetime only.';
	return warning(check, statusCode, `${meaning} ${remark}`);
}

/** What a page number without sense gets; a whole one, so that the request stays documented. */
export async function checkBadParameter(conversation: Conversation): Promise<Found> {
	const check = 'badParameterAnswer';
	const hasFailed = conversation.polite.attempts.some(
		({ answer }) => answer === undefined || isTemporary(answer.statusCode),
	);
	const ask = async () => await conversation.ask(segment, { page: -1 });
	const isError = ({ failure }: Reply) => failure?.statusCode === 500;
	const first = await ask();
	const reply = isError(first) ? await ask() : first;
	if (reply.kind === 'silence') {
		// A failure is the answer to the parameter only if nothing else failed.
		return isError(reply) && !hasFailed
			? ok(check, 500, 'Page -1 gets status 500 each time, as if the service had failed.')
			: unknown(check, reply.failure.message);
	}
	const { statusCode } = reply.answer;
	if (statusCode === 401 || statusCode === 403) return undefined;
	const meaning = `Page -1 gets ${describeAnswer(reply.answer)}`;
	if (statusCode >= 300) return ok(check, statusCode, meaning);
	const page = 'Page -1 gets a page: wrong values of parameters are not reported.';
	return reply.kind === 'list' ? ok(check, statusCode, page) : undefined;
}

/** What a path that does not exist gets. */
export async function checkUnknownPath(conversation: Conversation): Promise<Finding> {
	const check = 'unknownPathAnswer';
	const reply = await conversation.ask(UNKNOWN_SEGMENT, {});
	if (reply.kind === 'silence') return unknown(check, reply.failure.message);
	const { statusCode } = reply.answer;
	const isClear = statusCode === 404 || statusCode === 410;
	const remark = isClear ? '' : ' A wrong Path Segment cannot be recognized.';
	const meaning = `A path that does not exist gets ${describeAnswer(reply.answer)}${remark}`;
	return ok(check, statusCode, meaning);
}

/** Status and shape of a body: names of fields only, never what they hold. */
function describeAnswer({ statusCode, body }: HttpAnswer): string {
	return `status ${statusCode}. ${isRecord(body) ? fieldsSeen(body) : 'The answer is not a JSON object.'}`;
}
