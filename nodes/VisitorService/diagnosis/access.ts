import type { IssuedToken } from '../authorization/exchange';
import { ServiceFailure } from '../failure/serviceFailure';
import { readHttpDate } from '../http/backoff';
import { parseQuota } from '../http/rateLimitHeaders';
import { describeFields } from '../response/fieldNames';
import { LISTED_RESOURCES } from '../response/resources';
import { SECOND } from '../values/instant';
import { isJsonObject } from '../values/json';
import { formatCount } from '../values/scalar';
import { type DiagnosisSession, type Reply, requireFailure } from './diagnosisSession';
import { type Check, type Finding, failed, failedBecause, ok, unknown, warning } from './finding';

/** No service issues it, and it tells whoever reads the service's log where it comes from. */
const BAD_TOKEN = 'not-a-token-but-a-diagnosis';
/** From here on a lifetime in seconds may be one in milliseconds. */
const MAY_BE_MILLISECONDS = 60_000;

const KEPT = 'A second exchange leaves the first token valid.';
const ENDED = 'A second exchange makes the first token invalid.';
const SHARED =
	'The nodes share one token, so they are not affected. Any other system needs a client ID of its own, or the two end each other’s tokens.';

/**
 * Exchanges two tokens before any is used: whether the second one ends the first then shows in the
 * first question, and a token that is good for few requests is not mistaken for a revoked one.
 *
 * @returns the first page of users, if it can be read
 */
export async function checkAccess(conversation: DiagnosisSession): Promise<Reply | undefined> {
	const { findings, tokens } = conversation;
	const issue = async () => await conversation.issue().catch(requireFailure);
	const issued = [await issue(), await issue()];
	const [former, last] = tokens;
	const bad = await conversation.fetchListWith(BAD_TOKEN);
	const everybody = 'Everybody can read the list: a token that was never issued is accepted.';
	if (bad.records.length > 0) findings.push(failed('badTokenAnswer', 200, everybody));
	else findings.push(describeAnswer('badTokenAnswer', 'A token that was never issued', bad));
	for (const one of issued) {
		if (!(one instanceof ServiceFailure)) findings.push(...describeToken(one));
		else if (former === undefined) findings.unshift(failedBecause('tokenExchange', one));
	}
	if (former === undefined) return undefined;
	const reply = await conversation.fetchListWith(former);
	const isKept = reply.failure === undefined;
	const first = isKept ? reply : await conversation.fetchListWith(last ?? former);
	if (first.failure !== undefined) {
		findings.push(failedBecause('usersReadable', first.failure));
		return undefined;
	}
	findings.push(ok('usersReadable', true, 'The account can be reached, and users can be read.'));
	if (last === undefined) return first;
	if (isKept) findings.push(ok('tokenRevocation', false, KEPT));
	else tokens.shift();
	// A connection that breaks refuses nothing.
	const isAlike = ({ failure }: Reply) =>
		failure?.kind !== 'connection' && failure?.message === bad.failure?.message;
	if (!isKept && isAlike(reply) && isAlike(await conversation.fetchListWith(former)))
		findings.push(warning('tokenRevocation', true, ENDED, SHARED));
	return first;
}

function describeToken({ path, expiresInSeconds = Infinity }: IssuedToken): Finding[] {
	const place = path === '' ? 'The response is the token itself.' : `The token is at "${path}".`;
	const seconds = Math.round(expiresInSeconds);
	const valid = `Tokens are valid for ${formatCount(seconds, 'second')} and are renewed shortly before.`;
	return [
		ok('tokenExchange', true, 'The authorization server accepts the client ID and secret.'),
		ok('tokenField', path, place),
		seconds < MAY_BE_MILLISECONDS
			? ok('tokenLifetime', seconds, valid)
			: unknown('tokenLifetime', 'The nodes renew the token when it is refused.'),
	];
}

/** Status and shape of what a wrong request gets: names of fields only, never what they hold. */
function describeAnswer(check: Check, what: string, { response, failure }: Reply): Finding {
	if (response === undefined || response.statusCode < 300) return unknown(check, failure?.message);
	const { statusCode, body } = response;
	const shape = isJsonObject(body) ? describeFields(body) : 'The answer is not a JSON object.';
	return ok(check, statusCode, `${what} gets status ${statusCode}.`, shape);
}

/** A whole page number without sense, so that the request stays documented. */
export async function checkBadParameter(conversation: DiagnosisSession): Promise<void> {
	const check = 'badParameterAnswer';
	const reply = await conversation.fetchList({ page: -1 });
	const page = 'Page -1 gets a page: wrong values of parameters are not reported.';
	conversation.findings.push(
		reply.failure ? describeAnswer(check, 'Page -1', reply) : ok(check, 200, page),
	);
}

export const OTHER_LISTS = [
	{ check: 'companiesPath', ...LISTED_RESOURCES.company },
	{ check: 'visitsPath', ...LISTED_RESOURCES.visit },
	{ check: 'tasksPath', ...LISTED_RESOURCES.task },
] as const;

/** What a path that does not exist gets, and the usual path of each list. */
export async function checkPaths(conversation: DiagnosisSession): Promise<void> {
	const { findings } = conversation;
	const none = await conversation.fetchList(
		{},
		{ segment: 'diagnosis-of-an-unknown-path', listNames: [] },
	);
	const status = none.response?.statusCode ?? 200;
	findings.push(describeAnswer('unknownPathAnswer', 'A path that does not exist', none));
	for (const { check, plural, ...list } of OTHER_LISTS) {
		const { response, failure } = await conversation.fetchList({}, list);
		const { segment } = list;
		const isForbidden = response?.statusCode === 403 && status !== 403;
		if (status < 300 || response === undefined) findings.push(unknown(check, failure?.message));
		else if (!failure) findings.push(ok(check, segment, `There is a list at ${segment}.`));
		else if (isForbidden) findings.push(warning(check, segment, failure.message, failure.remedy));
		else findings.push(unknown(check, `No list of ${plural} was found at ${segment}.`));
	}
}

/** Milliseconds. A slower answer does not tell the other clock to a second. */
const MAX_DURATION = 1_000;
/** Seconds by which times of n8n and of the service differ so much that it shows. */
const NOTABLE_DIFFERENCE = 5;

/** The limit of the rate that headers name, and how far the clock of the service is ahead. */
export function checkHeaders({ responses, findings }: DiagnosisSession): void {
	const [limit] = responses.flatMap(({ headers }) => parseQuota(headers) ?? []);
	const named = `The service names a limit of ${formatCount(limit ?? 0, 'request')}.`;
	if (limit !== undefined) findings.push(ok('rateLimit', limit, named));
	const [seconds] = responses.flatMap(({ headers, sentAt, receivedAt }) => {
		const date = readHttpDate(headers.date);
		if (date === undefined || receivedAt - sentAt > MAX_DURATION) return [];
		// It has whole seconds, cut off, and was written on the way.
		return [Math.round((date + SECOND / 2 - (sentAt + receivedAt) / 2) / SECOND)];
	});
	if (seconds === undefined) return;
	const shift = `${formatCount(Math.abs(seconds), 'second')} ${seconds < 0 ? 'behind' : 'ahead of'}`;
	const what = `The clock of the service is ${shift} that of n8n.`;
	const agree = ok('clockDifference', seconds, 'The clocks of the service and of n8n agree.');
	const advice = 'Correct the clock that is wrong. Tokens and polls allow for it.';
	const isOff = Math.abs(seconds) >= NOTABLE_DIFFERENCE;
	findings.push(isOff ? warning('clockDifference', seconds, what, advice) : agree);
}
