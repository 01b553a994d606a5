import type { IssuedToken } from '../../../credentials/authorization/exchange';
import { isOverload } from '../http/temporaryStatus';
import { mayMeanToken } from '../tenant/heldCredential';
import { writeCount, writeNumber } from '../values/count';
import { describeAnswer } from './answers';
import { type Conversation, type ListReply, type Reply, requireFailure } from './conversation';
import { type Finding, type Found, failed, ok, unknown, warning } from './finding';

/** No service issues it, and it tells whoever reads the service's log where it comes from. */
const BAD_TOKEN = 'not-a-token-but-a-diagnosis';

/** Kinds of failure after which the URL or the network has to be mended. */
const UNREACHABLE: ReadonlySet<string> = new Set(['connection', 'blocked']);

/**
 * Exchanges two tokens before any is used: whether the second one ends the first then shows in the
 * first question, and a token that is good for few requests is not mistaken for a revoked one.
 *
 * @returns the first page of users too, if it can be read
 */
export async function checkAccess(
	conversation: Conversation,
): Promise<{ findings: Found[]; isIssued: boolean; first?: ListReply }> {
	const tokens: IssuedToken[] = [];
	let refusal: Finding | undefined;
	for (let exchanges = 0; exchanges < 2; exchanges++) {
		try {
			tokens.push(await conversation.issue());
		} catch (error) {
			const { message, description } = requireFailure(error);
			refusal ??= failed('tokenExchange', false, `${message} ${description}`);
		}
	}
	const askWith = async (token: string) => await conversation.ask({}, { token });
	const [former] = tokens;
	const last = tokens.at(-1);
	// It needs no token, and shows whether the tenant can be reached.
	if (former === undefined || last === undefined) {
		const bad = await askWith(BAD_TOKEN);
		return { findings: [refusal, judgeBadToken(bad, bad)], isIssued: false };
	}
	const reply = await askWith(former.accessToken);
	const isOnly = reply.kind === 'list' || UNREACHABLE.has(reply.failure.kind);
	const again = isOnly ? reply : await askWith(last.accessToken);
	const bad = await askWith(BAD_TOKEN);
	const isBadTwice = bad.kind === 'list' || judgeBadToken(bad, bad)?.status === 'warning';
	const findings = [
		...describeToken(former),
		judgeBadToken(bad, isBadTwice ? await askWith(BAD_TOKEN) : bad),
	];
	if (again.kind !== 'list') {
		// Some services count pages from 1, and begin at 0 if no number is asked for.
		const one = await conversation.ask({ page: 1 });
		const isReadable = one.kind === 'list' && one.records.length > 0;
		if (!isReadable) return { findings: [...findings, judgeUnread(reply, again)], isIssued: true };
		return {
			findings: [...findings, readable(', but only from page 1 on')],
			isIssued: true,
			first: one,
		};
	}
	const isAlike = (one: Reply) => one.failure?.message === bad.failure?.message;
	const isEnded =
		reply.kind !== 'list' && isAlike(reply) && isAlike(await askWith(former.accessToken));
	if (former !== last) findings.push(describeRevocation(reply.kind === 'list', isEnded));
	return { findings: [...findings, readable()], isIssued: true, first: again };
}

const readable = (extent = '') =>
	ok('usersReadable', true, `The account can be reached, and users can be read${extent}.`);

function describeToken({ field, lifetime }: IssuedToken): Finding[] {
	const place = field === '' ? 'The response is the token itself.' : `The token is at "${field}".`;
	return [
		ok('tokenExchange', true, 'The authorization server accepts the client ID and secret.'),
		ok('tokenField', field, place),
		describeLifetime(lifetime),
	];
}

/** Longer than any usual lifetime in seconds, and what milliseconds look like. */
const WEEK = 604_800;
const MAY_BE_MILLISECONDS = 60_000;

function describeLifetime(lifetime?: number): Finding {
	const check = 'tokenLifetime';
	const renewal = 'The nodes renew the token when it is refused.';
	if (lifetime === undefined) return unknown(check, renewal);
	const seconds = Math.round(lifetime);
	if (seconds > WEEK || (seconds >= MAY_BE_MILLISECONDS && seconds % 1000 === 0)) {
		const doubt = `The token answer names ${writeNumber(seconds)}, which may be milliseconds.`;
		return unknown(check, `${doubt} ${renewal}`);
	}
	const length = writeCount(seconds, 'second');
	return ok(check, seconds, `Tokens are valid for ${length} and are renewed shortly before.`);
}

function describeRevocation(isKept: boolean, isEnded: boolean): Found {
	const check = 'tokenRevocation';
	if (isKept) return ok(check, false, 'A second exchange leaves the first token valid.');
	const meaning =
		'A second exchange makes the first token invalid. The nodes share one token, so they are not affected. Any other system needs a client ID of its own, or the two end each other’s tokens.';
	return isEnded ? warning(check, true, meaning) : undefined;
}

/** Whether users cannot be read: what was refused twice stays so until something is mended. */
function judgeUnread(reply: Reply, again: Reply): Finding {
	const check = 'usersReadable';
	const { message = '', description = '', statusCode } = again.failure ?? {};
	const isLasting = ({ kind, failure }: Reply) =>
		kind === 'refusal' || failure?.kind === 'configuration' || UNREACHABLE.has(failure?.kind ?? '');
	const isFault = statusCode !== undefined && !isOverload(statusCode);
	const isSame = isFault && reply.failure?.statusCode === statusCode;
	const said = `${message} ${description}`;
	return isSame || (isLasting(reply) && isLasting(again))
		? failed(check, false, said)
		: unknown(check, said);
}

/** What a token that was never issued gets. @param again a second answer, if it is needed */
function judgeBadToken(reply: Reply, again: Reply): Found {
	const check = 'badTokenAnswer';
	if (reply.kind === 'silence') return unknown(check, reply.failure.message);
	const { statusCode } = reply.answer;
	if (again.kind !== reply.kind || again.answer.statusCode !== statusCode) return undefined;
	const meaning = `A call with a token that was never issued gets ${describeAnswer(reply.answer)}`;
	if (reply.kind === 'list') {
		const what = 'Everybody can read the list, even with a bad token.';
		return failed(check, statusCode, `${what} ${meaning}`);
	}
	if (statusCode < 300) {
		return unknown(check, `${meaning} It does not show whether the token was refused.`);
	}
	if (mayMeanToken(reply.answer, 0)) {
		return ok(check, statusCode, `${meaning} The nodes get a new token then.`);
	}
	const remark =
		'The nodes cannot tell it from other answers, so they renew a token by its lifetime only.';
	return warning(check, statusCode, `${meaning} ${remark}`);
}
