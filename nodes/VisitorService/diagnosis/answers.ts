import { fieldsSeen } from '../answer/fieldNames';
import { LISTED_RESOURCES } from '../answer/resources';
import { readLimitSize } from '../http/announcedLimit';
import { readHttpDate } from '../http/retryTimes';
import { SECOND } from '../values/instant';
import { isRecord } from '../values/json';
import { writeCount } from '../values/scalar';
import type { Conversation, Reply, TimedAnswer } from './conversation';
import { type Check, type Finding, ok, unknown, warning } from './finding';

/** Status and shape of what a wrong request gets: names of fields only, never what they hold. */
export function describeAnswer(
	check: Check,
	what: string,
	{ answer, failure }: Reply,
	remark = '',
): Finding {
	if (answer === undefined) return unknown(check, failure?.message);
	const { statusCode, body } = answer;
	const shape = isRecord(body) ? fieldsSeen(body) : 'The answer is not a JSON object.';
	return ok(check, statusCode, `${what} gets status ${statusCode}. ${shape} ${remark}`.trim());
}

/** A whole page number without sense, so that the request stays documented. */
export async function checkBadParameter(conversation: Conversation): Promise<Finding> {
	const check = 'badParameterAnswer';
	const reply = await conversation.ask({ page: -1 });
	const { statusCode = 300 } = reply.answer ?? {};
	if (statusCode >= 300) return describeAnswer(check, 'Page -1', reply);
	const page = 'Page -1 gets a page: wrong values of parameters are not reported.';
	return reply.failure ? unknown(check, reply.failure.message) : ok(check, statusCode, page);
}

export const OTHER_LISTS = [
	{ check: 'companiesPath', ...LISTED_RESOURCES.company },
	{ check: 'visitsPath', ...LISTED_RESOURCES.visit },
	{ check: 'tasksPath', ...LISTED_RESOURCES.task },
] as const;

/** What a path that does not exist gets, and the usual path of each list. */
export async function checkPaths(conversation: Conversation): Promise<Finding[]> {
	const ask = async (segment: string, keys: readonly string[]) =>
		await conversation.ask({}, { segment, keys });
	const none = await ask('diagnosis-of-an-unknown-path', []);
	const status = none.answer?.statusCode ?? 200;
	const isClear = status === 404 || status === 410;
	const remark = isClear ? '' : 'A wrong Path Segment cannot be recognized.';
	const found = [describeAnswer('unknownPathAnswer', 'A path that does not exist', none, remark)];
	for (const { check, keys, plural, segment } of OTHER_LISTS) {
		const { answer, failure } = await ask(segment, keys);
		const isForbidden = answer?.statusCode === 403 && status !== 403;
		if (status < 300 || answer === undefined) found.push(unknown(check, failure?.message));
		else if (failure === undefined) {
			found.push(ok(check, segment, `There is a list at ${segment}.`));
		} else if (isForbidden) {
			found.push(warning(check, segment, failure.message, failure.remedy));
		} else found.push(unknown(check, `No list of ${plural} was found at ${segment}.`));
	}
	return found;
}

/** The limit of the rate that headers name, and how far the clock of the service is ahead. */
export function checkHeaders(answers: readonly TimedAnswer[]): Finding[] {
	const [limit] = answers.flatMap(({ headers }) => readLimitSize(headers) ?? []);
	const clock = checkClockDifference(answers);
	if (limit === undefined) return clock;
	const named = `The service names a limit of ${writeCount(limit, 'request')}.`;
	return [ok('rateLimit', limit, named), ...clock];
}

/** Milliseconds. A slower answer does not tell the other clock to a second. */
const MAX_DURATION = 1_000;
/** Seconds by which times of n8n and of the service differ so much that it shows. */
const NOTABLE_DIFFERENCE = 5;

/** By a quick answer. Its `Date` has whole seconds, cut off, and was written on the way. */
function checkClockDifference(answers: readonly TimedAnswer[]): Finding[] {
	const check = 'clockDifference';
	const [difference] = answers
		.filter(({ sentAt, receivedAt }) => receivedAt - sentAt <= MAX_DURATION)
		.flatMap(({ headers, sentAt, receivedAt }) => {
			const date = readHttpDate(headers.date);
			return date === undefined ? [] : [date + SECOND / 2 - (sentAt + receivedAt) / 2];
		});
	if (difference === undefined) return [];
	const seconds = Math.round(difference / SECOND);
	const size = Math.abs(seconds);
	if (size < NOTABLE_DIFFERENCE)
		return [ok(check, seconds, 'The clocks of the service and of n8n agree.')];
	const shift = `${writeCount(size, 'second')} ${seconds > 0 ? 'ahead of' : 'behind'}`;
	const what = `The clock of the service is ${shift} that of n8n.`;
	return [warning(check, seconds, what, 'Tokens and polls allow for it automatically.')];
}
