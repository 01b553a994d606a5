import type { IssuedToken } from '../../../credentials/authorization/exchange';
import { LISTED_RESOURCES } from '../answer/resources';
import { writeCount, writeNumber } from '../values/count';
import type { Conversation, Exchange, Reply } from './conversation';
import { type Finding, type Found, failed, ok, unknown, warning } from './finding';
import { findList } from './readable';

/** Neither token was used yet. */
export type Exchanges =
	| { kind: 'issued'; findings: Finding[]; first: IssuedToken; second: Exchange }
	| { kind: 'failed'; findings: Finding[] };

/**
 * Exchanges twice before any token is used: whether the second exchange revokes the first token then shows in the
 * first question to the list, and a token that is good for few requests cannot be mistaken for a revoked one.
 */
export async function exchangeTwice(conversation: Conversation): Promise<Exchanges> {
	const one = await conversation.exchange();
	const other = await conversation.exchange();
	const issued = one.kind === 'issued' ? one : other;
	if (issued.kind === 'failed') {
		const { message, description } = one.kind === 'failed' ? one.failure : issued.failure;
		const finding = failed('tokenExchange', false, `${message} ${description}`);
		return { kind: 'failed', findings: [finding] };
	}
	const { field } = issued.token;
	const place = field === '' ? 'The response is the token itself.' : `The token is at "${field}".`;
	return {
		kind: 'issued',
		first: issued.token,
		second: issued === one ? other : one,
		findings: [
			ok('tokenExchange', true, 'The authorization server accepts the client ID and secret.'),
			ok('tokenField', field, place),
			describeLifetime(issued.token),
		],
	};
}

/** Asks the users list for its default page with the first token, and with the second if that one does not work. */
export async function askForUsers(
	conversation: Conversation,
	{ first, second }: Exchanges & { kind: 'issued' },
	itemsPath: string,
): Promise<{ reply: Reply; revocation: Found }> {
	const askWith = async ({ accessToken }: IssuedToken) =>
		await conversation.ask(LISTED_RESOURCES.user.segment, {}, accessToken);
	const isList = (reply: Reply) => findList(reply, undefined, itemsPath).kind === 'list';

	conversation.use(first);
	const reply = await askWith(first);
	if (second.kind === 'failed') return { reply, revocation: undefined };
	if (isList(reply)) {
		const isSame = first.accessToken === second.token.accessToken;
		const meaning = isSame
			? 'A second exchange returns the same token again.'
			: 'A second exchange leaves the first token valid.';
		return { reply, revocation: ok('tokenRevocation', false, meaning) };
	}
	if (!mayRefuseToken(reply)) return { reply, revocation: undefined };
	conversation.use(second.token);
	const repeated = await askWith(second.token);
	if (!isList(repeated)) return { reply: repeated, revocation: undefined };
	const again = await askWith(first);
	if (isList(again) || !mayRefuseToken(again)) return { reply: repeated, revocation: undefined };
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
	return ['refusal', 'fault'].includes(findList(reply).kind);
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
