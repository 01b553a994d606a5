import type { IssuedToken } from '../../../credentials/authorization/tokenExchange';
import { LISTED_RESOURCES } from '../listing/resources';
import { ServiceFailure } from '../transport/serviceFailure';
import { type Conversation, isAnswered, isSuccess, type Reply } from './conversation';
import { type Finding, failed, ok, unknown, warning } from './finding';
import { findList } from './userPages';

/** Neither of them was used yet. */
export interface ExchangedTokens {
	first: IssuedToken;
	second: IssuedToken | ServiceFailure;
}

/**
 * Exchanges twice before any token is used: whether the second exchange revokes the first token then shows in the
 * first question to the list, and a token that is good for few requests cannot be mistaken for a revoked one.
 */
export async function checkTokenExchange(
	conversation: Conversation,
): Promise<{ tokens?: ExchangedTokens; findings: Finding[] }> {
	const first = await conversation.exchange();
	if (first instanceof ServiceFailure) {
		return { findings: [failed('tokenExchange', false, `${first.message} ${first.remedy}`)] };
	}
	return {
		tokens: { first, second: await conversation.exchange() },
		findings: [
			ok(
				'tokenExchange',
				true,
				'The authorization server is reachable and accepts the client ID and secret.',
			),
			describeField(first),
			describeLifetime(first),
		],
	};
}

/** Asks the users list for its default page with the first token, and with the second where that is refused. */
export async function checkTokenRevocation(
	conversation: Conversation,
	{ first, second }: ExchangedTokens,
): Promise<{ reply: Reply; finding: Finding }> {
	const ask = async (token: IssuedToken) => {
		conversation.use(token.accessToken);
		return await conversation.askWith(token.accessToken, LISTED_RESOURCES.user.segment, {});
	};
	const reply = await ask(first);
	const unclear = (reason: string) => ({ reply, finding: unknown('tokenRevocation', reason) });
	if (second instanceof ServiceFailure)
		return unclear(`A second exchange failed. ${second.message}`);
	if (bringsList(reply)) {
		const meaning =
			first.accessToken === second.accessToken
				? 'A second exchange gives the same token again.'
				: 'A second exchange leaves the first token valid.';
		return { reply, finding: ok('tokenRevocation', false, meaning) };
	}
	if (!isAnswered(reply) || ![401, 403].includes(reply.answer.statusCode)) {
		return unclear('The users list did not answer to the first token.');
	}
	const repeated = await ask(second);
	const finding = bringsList(repeated)
		? warning(
				'tokenRevocation',
				true,
				'A second exchange makes the first token invalid. The connector shares one token and renews it; another system with the same client would end its tokens, so give each system a client of its own.',
			)
		: unknown('tokenRevocation', 'The users list accepts neither of two tokens.');
	return { reply: repeated, finding };
}

/** A success of whatever stands in between, such as a web page, says nothing about the token. */
function bringsList(reply: Reply): boolean {
	if (!isAnswered(reply) || !isSuccess(reply)) return false;
	return !('reason' in findList(reply.answer, LISTED_RESOURCES.user.keys));
}

/** A token that is refused in mid-diagnosis lives shorter than was announced. */
export function checkEarlyDeath({ deaths }: Conversation): Finding[] {
	if (deaths === 0) return [];
	const often = deaths === 1 ? 'once' : `${deaths} times`;
	return [
		unknown(
			'tokenLifetime',
			`A token was refused ${often} during the diagnosis, so what is announced is not the whole truth. The connector renews a token that is refused.`,
		),
	];
}

function describeField({ field }: IssuedToken): Finding {
	const where = field === '' ? 'The answer is the token itself.' : `The token is at "${field}".`;
	const standard = field === '' || field === 'access_token';
	return ok(
		'tokenField',
		field,
		`${where} Its type is Bearer, or not named.`,
		standard ? null : { tokenField: field },
	);
}

function describeLifetime({ lifetime }: IssuedToken): Finding {
	if (lifetime === undefined) {
		return unknown(
			'tokenLifetime',
			'The answer names no usable lifetime. The connector renews the token when it is refused.',
		);
	}
	const seconds = Math.round(lifetime);
	if (seconds % 60_000 === 0) {
		return unknown(
			'tokenLifetime',
			`The answer names a lifetime of ${seconds}, which may be milliseconds instead of seconds. The connector renews the token when it is refused.`,
		);
	}
	return ok(
		'tokenLifetime',
		seconds,
		`A token is announced to live ${seconds} seconds, and is renewed shortly before it ends.`,
	);
}
