import type { IssuedToken } from '../../../credentials/authorization/exchange';
import { LISTED_RESOURCES } from '../answer/resources';
import { writeCount, writeNumber } from '../values/count';
import { type Conversation, type Reply, requireFailure } from './conversation';
import { type Finding, type Found, failed, ok, unknown, warning } from './finding';

/**
 * Exchanges twice before any token is used: whether the second exchange revokes the first token then shows in the
 * first question to the list, and a token that is good for few requests cannot be mistaken for a revoked one.
 *
 * @returns the tokens that were issued, too
 */
export async function exchangeTwice(
	conversation: Conversation,
): Promise<{ findings: Finding[]; tokens: IssuedToken[] }> {
	const tokens: IssuedToken[] = [];
	const refusals: string[] = [];
	for (let exchanges = 0; exchanges < 2; exchanges++) {
		try {
			tokens.push(await conversation.issue());
		} catch (error) {
			const { message, description } = requireFailure(error);
			refusals.push(`${message} ${description}`);
		}
	}
	const [issued] = tokens;
	const [refusal = ''] = refusals;
	if (issued === undefined) {
		return { tokens, findings: [failed('tokenExchange', false, refusal)] };
	}
	const { field } = issued;
	const place = field === '' ? 'The response is the token itself.' : `The token is at "${field}".`;
	return {
		tokens,
		findings: [
			ok('tokenExchange', true, 'The authorization server accepts the client ID and secret.'),
			ok('tokenField', field, place),
			describeLifetime(issued),
		],
	};
}

/** Asks the users list for its default page with the first token, and with the second if that one does not work. */
export async function askForUsers(
	conversation: Conversation,
	[first, second]: readonly [IssuedToken, IssuedToken?],
	itemsPath: string,
): Promise<{ reply: Reply; revocation?: Found }> {
	const askWith = async ({ accessToken: token }: IssuedToken) =>
		await conversation.ask(LISTED_RESOURCES.user.segment, {}, { token, itemsPath });
	conversation.use(first);
	const reply = await askWith(first);
	if (second === undefined) return { reply };
	if (reply.kind === 'list') {
		const isSame = first.accessToken === second.accessToken;
		const meaning = isSame
			? 'A second exchange returns the same token again.'
			: 'A second exchange leaves the first token valid.';
		return { reply, revocation: ok('tokenRevocation', false, meaning) };
	}
	if (!mayRefuseToken(reply)) return { reply };
	conversation.use(second);
	const repeated = await askWith(second);
	if (repeated.kind !== 'list' || !mayRefuseToken(await askWith(first))) return { reply: repeated };
	return {
		reply: repeated,
		revocation: warning(
			'tokenRevocation',
			true,
			'A second exchange makes the first token invalid. The nodes share one token, so they are not affected. Any other system needs a client ID of its own, or the two end each other’s tokens.',
		),
	};
}

/** A token that is refused during the diagnosis lives shorter than was announced. */
export function checkEarlyRefusal({ earlyRefusals }: Conversation): Found {
	if (earlyRefusals === 0) return undefined;
	const often = earlyRefusals === 1 ? 'once' : `${earlyRefusals} times`;
	return unknown(
		'tokenLifetime',
		`A token was refused ${often} during the diagnosis, so it is not valid as long as announced. The nodes renew a token that is refused.`,
	);
}

/** Services refuse tokens in many ways: by any status below 500, by a redirect to a login page, by an error with a status of success. */
function mayRefuseToken(reply: Reply): boolean {
	if (reply.kind === 'silence') return (reply.failure.statusCode ?? 500) < 400;
	return reply.kind === 'refusal' || reply.kind === 'fault';
}

/** Longer than any usual lifetime in seconds, and what milliseconds look like. */
const WEEK = 604_800;
const MAY_BE_MILLISECONDS = 60_000;

function describeLifetime({ lifetime }: IssuedToken): Finding {
	const check = 'tokenLifetime';
	if (lifetime === undefined)
		return unknown(check, 'The nodes renew the token when it is refused.');
	const seconds = Math.round(lifetime);
	if (seconds > WEEK || (seconds >= MAY_BE_MILLISECONDS && seconds % 1000 === 0)) {
		return unknown(
			check,
			`The token answer names ${writeNumber(seconds)}, which may be milliseconds. The nodes renew the token when it is refused.`,
		);
	}
	return ok(
		check,
		seconds,
		`Tokens are valid for ${writeCount(seconds, 'second')} and are renewed shortly before.`,
	);
}
