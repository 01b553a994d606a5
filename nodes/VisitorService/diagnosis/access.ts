import type { IssuedToken } from '../authorization/exchange';
import { readHttpDate } from '../http/backoff';
import { parseQuota } from '../http/rateLimitHeaders';
import { DEFAULT_PAGE_SIZE } from '../listing/largerPage';
import { mayCountFromOne } from '../response/pageReader';
import { LISTED_RESOURCES } from '../response/resources';
import { CONFIRMATION_PAUSE_MS } from '../tenant/tokenSession';
import { SECOND } from '../values/instant';
import { formatCount } from '../values/scalar';
import { redactPath } from '../values/serverText';
import { type DiagnosisSession, isAccessDenied, type Reply } from './diagnosisSession';
import { type Check, type Finding, failed, failedBecause, ok, unknown, warning } from './finding';

/** No service issues such a token, and in its log it shows where the request is from. */
const BAD_TOKEN = 'not-a-token-but-a-diagnosis';
/** Seconds. A longer lifetime may be one in milliseconds. */
const MAY_BE_MILLISECONDS = 60_000;

const KEPT = 'A second exchange leaves the first token valid.';
const ENDED = 'A second exchange makes the first token invalid.';
const SHARED =
	'The nodes share one token, so they are not affected. Any other system needs a client ID of its own, or the two end each other’s tokens.';

/**
 * Gets two tokens before any is used: the first request then shows whether the second one has
 * revoked the first, and a token that is valid for few requests is not mistaken for a revoked one.
 *
 * @returns the first page of users, if it can be read
 */
export async function checkAccess(session: DiagnosisSession): Promise<Reply | undefined> {
	const { findings, tokens } = session;
	const exchanges = [await session.issueToken(), await session.issueToken()];
	const bad = await session.fetchListWith(BAD_TOKEN);
	const everybody = 'Everybody can read the list: a token that was never issued is accepted.';
	if (bad.records.length > 0) findings.push(failed('badTokenAnswer', 200, everybody));
	else findings.push(describeStatus('badTokenAnswer', 'A token that was never issued', bad));
	for (const exchange of exchanges) {
		if (exchange.kind === 'issued') findings.push(...describeToken(exchange.token));
		else if (tokens.length === 0)
			findings.unshift(failedBecause('tokenExchange', exchange.failure));
	}
	if (tokens.length === 0) return undefined;
	const replies = await readWithEachToken(session);
	const listed = replies.find(({ kind }) => kind === 'list');
	const [last] = replies.slice(-1);
	const users = mayNeedPage(last) ? await readPageOne(session, listed) : listed;
	if (users === undefined) {
		if (last?.kind === 'failed') findings.push(failedBecause('usersReadable', last.failure));
		return undefined;
	}
	findings.push(ok('usersReadable', true, 'The account can be reached, and users can be read.'));
	if (tokens.length > 1) await checkRevocation(session, replies, bad);
	return users;
}

/** Reads with the first token, then with the second; once more if both may be too new. */
async function readWithEachToken(session: DiagnosisSession): Promise<Reply[]> {
	const [former = '', last = former] = session.tokens;
	const read = async () => {
		const replies: Reply[] = [];
		for (const token of [former, last]) {
			replies.push(await session.fetchListWith(token));
			if (replies.at(-1)?.kind === 'list') break;
		}
		return replies;
	};
	const replies = await read();
	if (!replies.every(isAccessDenied)) return replies;
	await session.tenant.clock.sleep(CONFIRMATION_PAUSE_MS);
	return await read();
}

/** Without parameters, a service that counts from 1 may respond as for page 0, which it lacks. */
function mayNeedPage(reply?: Reply): boolean {
	if (reply?.kind === 'list') return reply.records.length === 0;
	return mayCountFromOne(reply?.failure);
}

async function readPageOne(session: DiagnosisSession, otherwise?: Reply) {
	const [token = ''] = session.tokens.slice(-1);
	const page = await session.fetchListWith(token, { page: 1, pageSize: DEFAULT_PAGE_SIZE });
	return page.records.length > 0 ? page : otherwise;
}

async function checkRevocation(
	session: DiagnosisSession,
	[reply]: readonly Reply[],
	bad: Reply,
): Promise<void> {
	const { findings, tokens } = session;
	if (reply?.kind === 'list') {
		findings.push(ok('tokenRevocation', false, KEPT));
		return;
	}
	const former = tokens.shift() ?? '';
	// A broken connection rejects no token.
	const isLikeBadToken = (other?: Reply) =>
		other?.kind === 'failed' &&
		bad.kind === 'failed' &&
		other.failure.kind !== 'connection' &&
		other.failure.message === bad.failure.message;
	if (isLikeBadToken(reply) && isLikeBadToken(await session.fetchListWith(former)))
		findings.push(warning('tokenRevocation', true, ENDED, SHARED));
}

function describeToken({ path: found, expiresInSeconds = Infinity }: IssuedToken): Finding[] {
	const path = found && redactPath(found);
	const location = path === '' ? 'The response is the token itself.' : `The token is at "${path}".`;
	const seconds = Math.round(expiresInSeconds);
	const valid = `Tokens are valid for ${formatCount(seconds, 'second')} and are renewed shortly before.`;
	return [
		ok('tokenExchange', true, 'The authorization server accepts the client ID and secret.'),
		ok('tokenField', path, location),
		seconds < MAY_BE_MILLISECONDS
			? ok('tokenLifetime', seconds, valid)
			: unknown('tokenLifetime', 'The nodes renew the token when it is rejected.'),
	];
}

/** The status of the response to a wrong request. */
function describeStatus(check: Check, what: string, reply: Reply): Finding {
	const { statusCode = 200 } = reply.response ?? {};
	return statusCode < 300
		? unknown(check, reply.kind === 'failed' ? reply.failure.message : undefined)
		: ok(check, statusCode, `${what} gets status ${statusCode}.`);
}

export const OTHER_LISTS = [
	{ check: 'companiesPath', ...LISTED_RESOURCES.company },
	{ check: 'visitsPath', ...LISTED_RESOURCES.visit },
	{ check: 'tasksPath', ...LISTED_RESOURCES.task },
] as const;

/** The response to a path that does not exist, and the usual path of each list. */
export async function checkPaths(session: DiagnosisSession): Promise<void> {
	const { findings } = session;
	const missing = { segment: 'diagnosis-of-an-unknown-path', listNames: [] };
	const none = await session.fetchList({}, missing);
	const status = none.response?.statusCode ?? 200;
	findings.push(describeStatus('unknownPathAnswer', 'A path that does not exist', none));
	for (const { check, plural, ...list } of OTHER_LISTS) {
		const reply = await session.fetchList({}, list);
		const { segment } = list;
		const noList = `No list of ${plural} was found at ${segment}.`;
		const isConclusive = status >= 300 && reply.response !== undefined;
		if (reply.kind === 'list')
			findings.push(
				isConclusive ? ok(check, segment, `There is a list at ${segment}.`) : unknown(check),
			);
		else if (!isConclusive) findings.push(unknown(check, reply.failure.message));
		else if (reply.response?.statusCode === 403 && status !== 403)
			findings.push(warning(check, segment, reply.failure.message, reply.failure.remedy));
		else findings.push(unknown(check, noList));
	}
}

/** A slower response does not show the other clock to a second. */
const MAX_DURATION_MS = 1_000;
/** Seconds by which times of n8n and of the service differ so much that it shows. */
const NOTABLE_DIFFERENCE = 5;

/** The rate limit that headers name, and how far the clock of the service is ahead. */
export function checkHeaders({ responses, findings }: DiagnosisSession): void {
	const [limit] = responses.flatMap(({ headers }) => parseQuota(headers) ?? []);
	const named = `The service names a limit of ${formatCount(limit ?? 0, 'request')}.`;
	if (limit !== undefined) findings.push(ok('rateLimit', limit, named));
	const [seconds] = responses.flatMap(({ headers, sentAt, receivedAt }) => {
		const date = readHttpDate(headers.date);
		if (date === undefined || receivedAt - sentAt > MAX_DURATION_MS) return [];
		// `Date` is cut to whole seconds, and was written between sending and receiving.
		return [Math.round((date + SECOND / 2 - (sentAt + receivedAt) / 2) / SECOND)];
	});
	if (seconds === undefined) return;
	const shift = `${formatCount(Math.abs(seconds), 'second')} ${seconds < 0 ? 'behind' : 'ahead of'}`;
	const fact = `The clock of the service is ${shift} that of n8n.`;
	const agree = ok('clockDifference', seconds, 'The clocks of the service and of n8n agree.');
	const advice = 'Correct the clock that is wrong. Tokens and polls allow for it.';
	const isOff = Math.abs(seconds) >= NOTABLE_DIFFERENCE;
	findings.push(isOff ? warning('clockDifference', seconds, fact, advice) : agree);
}
