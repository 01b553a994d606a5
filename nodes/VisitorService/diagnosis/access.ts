import type { IssuedToken } from '../../../credentials/authorization/exchange';
import { ServiceFailure } from '../failure/serviceFailure';
import { mayMeanToken } from '../tenant/heldCredential';
import { writeCount } from '../values/scalar';
import { describeAnswer } from './answers';
import { type Conversation, type Reply, requireFailure } from './conversation';
import { type Finding, failed, ok, unknown, warning } from './finding';

/** No service issues it, and it tells whoever reads the service's log where it comes from. */
const BAD_TOKEN = 'not-a-token-but-a-diagnosis';

const KEPT = ok('tokenRevocation', false, 'A second exchange leaves the first token valid.');
const ENDED = warning(
	...(['tokenRevocation', true, 'A second exchange makes the first token invalid.'] as const),
	'The nodes share one token, so they are not affected. Any other system needs a client ID of its own, or the two end each other’s tokens.',
);

/**
 * Exchanges two tokens before any is used: whether the second one ends the first then shows in the
 * first question, and a token that is good for few requests is not mistaken for a revoked one.
 *
 * @returns what was found, and the first page of users if it can be read
 */
export async function checkAccess(
	conversation: Conversation,
): Promise<{ found: Finding[]; first?: Reply }> {
	const issue = async () => await conversation.issue().catch(requireFailure);
	const issued = [await issue(), await issue()];
	const [former, last = former] = issued.filter((one) => 'accessToken' in one);
	const askWith = async (token: string) => await conversation.askWith(token);
	const bad = await askWith(BAD_TOKEN);
	const found = [describeBadToken(bad)];
	if (former === undefined || last === undefined) {
		const [, refusal] = issued.filter((one) => one instanceof ServiceFailure);
		const { message = '', description = '' } = refusal ?? {};
		return { found: [...found, failed('tokenExchange', false, message, description)] };
	}
	found.push(...describeToken(former));
	const reply = await askWith(former.accessToken);
	const isKept = reply.failure === undefined;
	const first = isKept ? reply : await askWith(last.accessToken);
	if (first.failure !== undefined) {
		const { message, description } = first.failure;
		return { found: [...found, failed('usersReadable', false, message, description)] };
	}
	found.push(ok('usersReadable', true, 'The account can be reached, and users can be read.'));
	if (former === last) return { found, first };
	if (!isKept) conversation.tokens.shift();
	const isAlike = ({ failure }: Reply) => failure?.message === bad.failure?.message;
	const isEnded = !isKept && isAlike(reply) && isAlike(await askWith(former.accessToken));
	return { found: [...found, ...(isKept ? [KEPT] : isEnded ? [ENDED] : [])], first };
}

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

function describeBadToken(reply: Reply): Finding {
	const check = 'badTokenAnswer';
	const isKnown = reply.answer !== undefined && mayMeanToken(reply.answer, 0);
	const remark = isKnown ? 'The nodes get a new token then.' : '';
	const found = describeAnswer(check, 'A call with a token that was never issued', reply, remark);
	const { meaning, observed } = found;
	if (reply.records.length > 0)
		return failed(check, observed, 'Everybody can read the list.', meaning);
	return Number(observed ?? 300) < 300 ? unknown(check, meaning) : found;
}
