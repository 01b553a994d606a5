import { fieldsSeen } from '../answer/fieldNames';
import { LISTED_RESOURCES } from '../answer/resources';
import { readLimitSize } from '../http/announcedLimit';
import { readHttpDate } from '../http/retryTimes';
import { TOO_MANY_REQUESTS } from '../http/temporaryStatus';
import { isRecord } from '../values/json';
import { writeCount } from '../values/scalar';
import type { Attempt, Conversation, Reply } from './conversation';
import { type Check, type Finding, type Found, ok, unknown, warning } from './finding';

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
export async function checkBadParameter(conversation: Conversation): Promise<Found> {
	const check = 'badParameterAnswer';
	const reply = await conversation.ask({ page: -1 });
	const { statusCode = 300 } = reply.answer ?? {};
	if (statusCode >= 300) return describeAnswer(check, 'Page -1', reply);
	const page = 'Page -1 gets a page: wrong values of parameters are not reported.';
	return reply.failure === undefined ? ok(check, statusCode, page) : undefined;
}

export const OTHER_LISTS = [
	{ check: 'companiesPath', ...LISTED_RESOURCES.company },
	{ check: 'visitsPath', ...LISTED_RESOURCES.visit },
	{ check: 'tasksPath', ...LISTED_RESOURCES.task },
] as const;

/** What a path that does not exist gets, and the usual path of each list. */
export async function checkPaths(conversation: Conversation): Promise<Finding[]> {
	const ask = async (segment: string, keys: readonly string[]) =>
		await conversation.ask({}, undefined, { segment, keys });
	const none = await ask('diagnosis-of-an-unknown-path', []);
	const status = none.answer?.statusCode;
	const isClear = status === 404 || status === 410;
	const remark = isClear ? '' : 'A wrong Path Segment cannot be recognized.';
	const what = 'A path that does not exist';
	const findings = [describeAnswer('unknownPathAnswer', what, none, remark)];
	for (const { check, keys, plural, segment } of OTHER_LISTS) {
		const { answer, failure } = await ask(segment, keys);
		if (answer === undefined || (status ?? 300) < 300) {
			const reason = answer && 'Paths that do not exist return a success too.';
			findings.push(unknown(check, reason ?? failure?.message));
		} else if (failure === undefined) {
			findings.push(ok(check, segment, `There is a list at ${segment}.`));
		} else if (answer.statusCode === 403 && status !== undefined && status !== 403) {
			const there = `There is something at ${segment}, but this client ID is not allowed to read it.`;
			findings.push(
				warning(check, segment, `${there} Ask your service provider for the permission.`),
			);
		} else findings.push(unknown(check, `No list of ${plural} was found at ${segment}.`));
	}
	return findings;
}

/** What headers and statuses say about a limit of the rate. */
export function checkRateLimit(attempts: readonly Attempt[]): Finding {
	const check = 'rateLimit';
	const answers = attempts.flatMap(({ answer }) => answer ?? []);
	const limited = answers.filter(({ statusCode }) => statusCode === TOO_MANY_REQUESTS).length;
	const [limit = null] = answers.flatMap(({ headers }) => readLimitSize(headers) ?? []);
	if (limited > 1) {
		const what = `The service answered 429 ${limited} times.`;
		return warning(check, limit, `${what} The nodes slow down automatically.`);
	}
	if (limit === null) return unknown(check);
	return ok(check, limit, `The service names a limit of ${writeCount(limit, 'request')}.`);
}

/** Milliseconds between the least and the most that is possible: half of it may be wrong. */
const MAX_WIDTH = 2_000;
/** Seconds by which times of n8n and of the service differ so much that it shows. */
const NOTABLE_DIFFERENCE = 5;

/**
 * How far the clock of the service is ahead of ours. A `Date` has whole seconds, cut off, and was
 * written between the sending of a request and the receipt of its answer: all narrow it down.
 */
export function checkClockDifference(attempts: readonly Attempt[]): Finding {
	const check = 'clockDifference';
	let [least, most] = [-Infinity, Infinity];
	for (const { answer, sentAt, receivedAt } of attempts) {
		const date = readHttpDate(answer?.headers.date);
		if (date === undefined) continue;
		least = Math.max(least, date - receivedAt);
		most = Math.min(most, date + 1000 - sentAt);
	}
	// Of slow answers, and of dates that contradict each other.
	if (least > most || most - least > MAX_WIDTH) return unknown(check);
	const seconds = Math.round((least + most) / 2000);
	const size = Math.abs(seconds);
	if (size < NOTABLE_DIFFERENCE) {
		// A second is within what whole seconds can show.
		return ok(check, size <= 1 ? 0 : seconds, 'The clocks of the service and of n8n agree.');
	}
	const difference = `${writeCount(size, 'second')} ${seconds > 0 ? 'ahead of' : 'behind'}`;
	const what = `The clock of the service is ${difference} that of n8n.`;
	return warning(check, seconds, `${what} Tokens and polls allow for it automatically.`);
}
