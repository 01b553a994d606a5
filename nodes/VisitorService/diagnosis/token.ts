import type { IssuedToken } from '../../../credentials/authorization/exchange';
import { mayMeanToken } from '../tenant/heldCredential';
import { writeCount } from '../values/scalar';
import { describeAnswer } from './answers';
import { type Conversation, type Reply, requireFailure } from './conversation';
import { type Finding, type Found, failed, ok, unknown, warning } from './finding';

/** No service issues it, and it tells whoever reads the service's log where it comes from. */
const BAD_TOKEN = 'not-a-token-but-a-diagnosis';

const KEPT = 'A second exchange leaves the first token valid.';
const ENDED =
	'A second exchange makes the first token invalid. The nodes share one token, so they are not affected. Any other system needs a client ID of its own, or the two end each other’s tokens.';

interface Access {
	findings: Found[];
	isIssued: boolean;
	/** The first page of users, if it can be read. */
	first?: Reply;
}

/**
 * Exchanges two tokens before any is used: whether the second one ends the first then shows in the
 * first question, and a token that is good for few requests is not mistaken for a revoked one.
 */
export async function checkAccess(conversation: Conversation): Promise<Access> {
	const tokens: IssuedToken[] = [];
	let refusal: Found;
	for (let exchanges = 0; exchanges < 2; exchanges++) {
		try {
			tokens.push(await conversation.issue());
		} catch (error) {
			const { message, description } = requireFailure(error);
			refusal ??= failed('tokenExchange', false, `${message} ${description}`);
		}
	}
	const askWith = async (token: string) => await conversation.ask({}, token);
	const [former, last = former] = tokens;
	const bad = await askWith(BAD_TOKEN);
	const isOpen = bad.failure === undefined && (await askWith(BAD_TOKEN)).failure === undefined;
	const findings: Found[] = [describeBadToken(bad, isOpen)];
	if (former === undefined || last === undefined) {
		return { findings: [refusal, ...findings], isIssued: false };
	}
	findings.push(...describeToken(former));
	const reply = await askWith(former.accessToken);
	const isKept = reply.failure === undefined;
	const again = isKept ? reply : await askWith(last.accessToken);
	if (again.failure === undefined) {
		const isAlike = ({ failure }: Reply) => failure?.message === bad.failure?.message;
		const isEnded = !isKept && isAlike(reply) && isAlike(await askWith(former.accessToken));
		if (former !== last && isEnded) findings.push(warning('tokenRevocation', true, ENDED));
		if (former !== last && isKept) findings.push(ok('tokenRevocation', false, KEPT));
		return { findings: [...findings, readable('')], isIssued: true, first: again };
	}
	// Some services count pages from 1, and begin at 0 if no number is asked for.
	const first = await conversation.ask({ page: 1 });
	if (first.records.length > 0) {
		return {
			findings: [...findings, readable(', but only from page 1 on')],
			isIssued: true,
			first,
		};
	}
	// What was refused twice stays so until something is mended.
	const { message, description } = again.failure;
	const isRefused = reply.answer !== undefined && again.answer !== undefined;
	const isSame = isRefused || reply.failure?.message === message;
	const said = `${message} ${description}`;
	findings.push(isSame ? failed('usersReadable', false, said) : unknown('usersReadable', said));
	return { findings, isIssued: true };
}

const readable = (extent: string) =>
	ok('usersReadable', true, `The account can be reached, and users can be read${extent}.`);

/** From here on a lifetime in seconds may be one in milliseconds. */
const MAY_BE_MILLISECONDS = 60_000;

function describeToken({ field, lifetime = Infinity }: IssuedToken): Finding[] {
	const place = field === '' ? 'The response is the token itself.' : `The token is at "${field}".`;
	const seconds = Math.round(lifetime);
	const valid = `Tokens are valid for ${writeCount(seconds, 'second')} and are renewed shortly before.`;
	return [
		ok('tokenExchange', true, 'The authorization server accepts the client ID and secret.'),
		ok('tokenField', field, place),
		seconds < MAY_BE_MILLISECONDS
			? ok('tokenLifetime', seconds, valid)
			: unknown('tokenLifetime', 'The nodes renew the token when it is refused.'),
	];
}

/** @param isOpen whether a bad token reads the list, each time: once may be an accident */
function describeBadToken(reply: Reply, isOpen: boolean): Finding {
	const check = 'badTokenAnswer';
	const { answer } = reply;
	const remark =
		answer !== undefined && mayMeanToken(answer, 0)
			? 'The nodes get a new token then.'
			: 'The nodes cannot tell it from other answers, so they renew a token by its lifetime only.';
	const found = describeAnswer(check, 'A call with a token that was never issued', reply, remark);
	const { meaning, observed } = found;
	if (isOpen) return failed(check, observed, `Everybody can read the list. ${meaning}`);
	return Number(observed ?? 300) < 300 ? unknown(check, meaning) : found;
}
