import type { IssuedToken } from '../../../credentials/authorization/exchange';
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
	const [former, last = former] = tokens;
	const bad = await askWith(BAD_TOKEN);
	const isOpen = bad.kind === 'list' && (await askWith(BAD_TOKEN)).kind === 'list';
	const findings: Found[] = [describeBadToken(bad, isOpen)];
	if (former === undefined || last === undefined) {
		return { findings: [refusal, ...findings], isIssued: false };
	}
	const { field, lifetime } = former;
	const place = field === '' ? 'The response is the token itself.' : `The token is at "${field}".`;
	findings.push(
		ok('tokenExchange', true, 'The authorization server accepts the client ID and secret.'),
		ok('tokenField', field, place),
		describeLifetime(lifetime),
	);
	const reply = await askWith(former.accessToken);
	const isOnly = reply.kind === 'list' || UNREACHABLE.has(reply.failure.kind);
	const again = isOnly ? reply : await askWith(last.accessToken);
	if (again.kind === 'list') {
		const isAlike = (one: Reply) => one.failure?.message === bad.failure?.message;
		const isKept = reply.kind === 'list';
		const isEnded = !isKept && isAlike(reply) && isAlike(await askWith(former.accessToken));
		if (former !== last && isKept !== isEnded) findings.push(describeRevocation(isEnded));
		return { findings: [...findings, readable()], isIssued: true, first: again };
	}
	// Some services count pages from 1, and begin at 0 if no number is asked for.
	const one = await conversation.ask({ page: 1 });
	if (one.kind === 'list' && one.records.length > 0) {
		findings.push(readable(', but only from page 1 on'));
		return { findings, isIssued: true, first: one };
	}
	// What was refused twice stays so until something is mended.
	const { message, description } = again.failure;
	const isRefused = reply.kind === 'refusal' && again.kind === 'refusal';
	const isSame = isRefused || reply.failure?.message === message;
	const said = `${message} ${description}`;
	findings.push(isSame ? failed('usersReadable', false, said) : unknown('usersReadable', said));
	return { findings, isIssued: true };
}

const readable = (extent = '') =>
	ok('usersReadable', true, `The account can be reached, and users can be read${extent}.`);

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

function describeRevocation(isEnded: boolean): Finding {
	const check = 'tokenRevocation';
	if (!isEnded) return ok(check, false, 'A second exchange leaves the first token valid.');
	const meaning =
		'A second exchange makes the first token invalid. The nodes share one token, so they are not affected. Any other system needs a client ID of its own, or the two end each other’s tokens.';
	return warning(check, true, meaning);
}

/** @param isOpen whether a bad token reads the list, each time: once may be an accident */
function describeBadToken(reply: Reply, isOpen: boolean): Finding {
	const check = 'badTokenAnswer';
	if (reply.kind === 'silence') return unknown(check, reply.failure.message);
	const { statusCode } = reply.answer;
	const meaning = `A call with a token that was never issued gets ${describeAnswer(reply.answer)}`;
	if (isOpen) return failed(check, statusCode, `Everybody can read the list. ${meaning}`);
	if (statusCode < 300) {
		return unknown(check, `${meaning} It does not show whether the token was refused.`);
	}
	const remark = mayMeanToken(reply.answer, 0)
		? 'The nodes get a new token then.'
		: 'The nodes cannot tell it from other answers, so they renew a token by its lifetime only.';
	return ok(check, statusCode, `${meaning} ${remark}`);
}
