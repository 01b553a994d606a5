import type { IssuedToken } from '../../../credentials/authorization/exchange';
import { writeCount, writeNumber } from '../values/count';
import { type Conversation, requireFailure } from './conversation';
import { type Finding, type Found, failed, ok, unknown } from './finding';

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
	let refusal = '';
	for (let exchanges = 0; exchanges < 2; exchanges++) {
		try {
			tokens.push(await conversation.issue());
		} catch (error) {
			const { message, description } = requireFailure(error);
			refusal ||= `${message} ${description}`;
		}
	}
	const [issued] = tokens;
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

/** A token that is refused during the diagnosis lives shorter than was announced. */
export function checkEarlyRefusal({ earlyRefusals }: Conversation): Found {
	if (earlyRefusals === 0) return undefined;
	const often = earlyRefusals === 1 ? 'once' : `${earlyRefusals} times`;
	const reason = `A token was refused ${often} during the diagnosis, so it is not valid as long as announced. The nodes renew a token that is refused.`;
	return unknown('tokenLifetime', reason);
}

/** Longer than any usual lifetime in seconds, and what milliseconds look like. */
const WEEK = 604_800;
const MAY_BE_MILLISECONDS = 60_000;

function describeLifetime({ lifetime }: IssuedToken): Finding {
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
