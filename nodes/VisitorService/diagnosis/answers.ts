import { mayName } from '../answer/chooseList';
import { fieldsSeen } from '../answer/fieldNames';
import { LISTED_RESOURCES } from '../answer/resources';
import { isLimitHeader, readLimitSize } from '../http/announcedLimit';
import type { HttpAnswer } from '../http/message';
import { readHttpDate } from '../http/retryTimes';
import { TOO_MANY_REQUESTS } from '../http/temporaryStatus';
import { writeCount } from '../values/count';
import { isRecord } from '../values/json';
import type { Attempt, Conversation, Reply } from './conversation';
import { type Finding, type Found, type Observed, ok, unknown, warning } from './finding';

/** Status and shape of a body: names of fields only, never what they hold. */
export function describeAnswer({ statusCode, body }: HttpAnswer): string {
	return `status ${statusCode}. ${isRecord(body) ? fieldsSeen(body) : 'The answer is not a JSON object.'}`;
}

/** What a page number without sense gets; a whole one, so that the request stays documented. */
export async function checkBadParameter(conversation: Conversation): Promise<Found> {
	const check = 'badParameterAnswer';
	const reply = await conversation.ask({ page: -1 });
	if (reply.kind === 'silence') return unknown(check, reply.failure.message);
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
	const reply = await conversation.ask({}, { segment: 'diagnosis-of-an-unknown-path', keys: [] });
	if (reply.kind === 'silence') return unknown(check, reply.failure.message);
	const { statusCode } = reply.answer;
	const isClear = statusCode === 404 || statusCode === 410;
	const remark = isClear ? '' : ' A wrong Path Segment cannot be recognized.';
	const meaning = `A path that does not exist gets ${describeAnswer(reply.answer)}${remark}`;
	return ok(check, statusCode, meaning);
}

export const OTHER_LISTS = [
	{ check: 'companiesPath', place: 'List Companies', ...LISTED_RESOURCES.company },
	{ check: 'visitsPath', place: 'List Visits', ...LISTED_RESOURCES.visit },
	{ check: 'tasksPath', place: 'List Tasks', ...LISTED_RESOURCES.task },
] as const;

type OtherList = (typeof OTHER_LISTS)[number];

/**
 * @param unknownPath what a path that does not exist gets
 * @param found at the usual paths: then others are tried for those that are missing
 */
export async function findPaths(
	conversation: Conversation,
	{ observed: unknownStatus }: Finding,
	found?: readonly Finding[],
): Promise<Finding[]> {
	const paths: Finding[] = [];
	for (const [place, list] of OTHER_LISTS.entries()) {
		let path = found?.[place] ?? unknown(list.check, conversation.stopReason);
		for (const segment of found === undefined ? [list.segment] : list.keys.slice(1)) {
			if (path.observed !== null || conversation.stopReason !== undefined) continue;
			const reply = await conversation.ask({}, { segment, keys: list.keys });
			path = judgePath(list, segment, reply, unknownStatus);
		}
		paths.push(path);
	}
	return paths;
}

function judgePath(
	list: OtherList,
	segment: string,
	reply: Reply,
	unknownStatus: Observed,
): Finding {
	const { check, place, plural } = list;
	if (reply.kind === 'silence') return unknown(check, reply.failure.message);
	const { statusCode } = reply.answer;
	if (unknownStatus !== null && Number(unknownStatus) < 300) {
		return unknown(check, 'Paths that do not exist return a success too.');
	}
	if (statusCode === 403 && unknownStatus !== null && unknownStatus !== 403) {
		const what = `There is something at ${segment}, but this client ID is not allowed to read it.`;
		return warning(check, segment, `${what} Ask your service provider for the permission.`);
	}
	if (reply.kind !== 'list') return unknown(check, `No list of ${plural} was found.`);
	if (segment === list.segment) return ok(check, segment, `There is a list at ${segment}.`);
	// An answer that is not a list may hold one: a single company with its addresses.
	const name = reply.path?.split('.').at(-1) ?? '';
	if (name !== '' && !mayName(name, list)) {
		// The name may be that of a person, whose list it is.
		return unknown(check, `There is a list of another name at ${segment}.`);
	}
	const meaning = `There is a list at ${segment}. Ask your service provider to confirm that it holds the ${plural}.`;
	return ok(check, segment, meaning, { [place]: { pathSegment: segment } });
}

/** What headers and statuses say about a limit of the rate. */
export function checkRateLimit(attempts: readonly Attempt[]): Finding {
	const check = 'rateLimit';
	const answers = attempts.flatMap(({ answer }) => answer ?? []);
	const limited = answers.filter(({ statusCode }) => statusCode === TOO_MANY_REQUESTS).length;
	const names = answers.flatMap(({ headers }) => Object.keys(headers)).filter(isLimitHeader);
	const [limit] = answers.flatMap(({ headers }) => readLimitSize(headers) ?? []);
	const seen = [...new Set(names)].sort().join(', ');
	const headers = seen === '' ? '' : ` Headers seen: ${seen}.`;
	const times = limited === 1 ? 'once' : `${limited} times`;
	const answered = `The service answered 429 ${times}.${headers} The nodes slow down automatically.`;
	if (limited > 1) return warning(check, limit ?? null, answered);
	if (limit === undefined) {
		return unknown(check, limited === 1 ? answered : `No answer was a 429.${headers}`);
	}
	const size = writeCount(limit, 'request');
	return ok(check, limit, `The service names a limit of ${size}.${headers}`);
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
	const dated = attempts.flatMap((attempt) => {
		const date = readHttpDate(attempt.answer?.headers.date);
		return date === undefined ? [] : [{ ...attempt, date }];
	});
	const least = Math.max(...dated.map(({ date, receivedAt }) => date - receivedAt));
	const most = Math.min(...dated.map(({ date, sentAt }) => date + 1000 - sentAt));
	// Of slow answers, and of dates that contradict each other.
	if (!(least <= most && most - least <= MAX_WIDTH)) return unknown(check);
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
