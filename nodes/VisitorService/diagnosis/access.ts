import type { IssuedToken } from '../../../credentials/authorization/exchange';
import { LISTED_RESOURCES } from '../answer/resources';
import { isOverload } from '../http/temporaryStatus';
import { writeCount, writeNumber } from '../values/count';
import { type Conversation, type Reply, requireFailure } from './conversation';
import { type Finding, type Found, failed, ok, unknown, warning } from './finding';
import { BAD_TOKEN } from './refusals';
import { Users } from './users';

const { segment } = LISTED_RESOURCES.user;

/** Kinds of failure after which the URL or the network has to be mended. */
const UNREACHABLE: ReadonlySet<string> = new Set(['connection', 'blocked']);

/**
 * Twice before any token is used: whether the second exchange revokes the first token then shows in
 * the first question, and a token that is good for few requests is not mistaken for a revoked one.
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
	if (issued === undefined) return { tokens, findings: [failed('tokenExchange', false, refusal)] };
	const { field } = issued;
	const place = field === '' ? 'The response is the token itself.' : `The token is at "${field}".`;
	const accepted = 'The authorization server accepts the client ID and secret.';
	const exchange = ok('tokenExchange', true, accepted);
	return { tokens, findings: [exchange, ok('tokenField', field, place), describeLifetime(issued)] };
}

/** A token that is refused during the diagnosis lives shorter than was announced. */
export function checkLifetime({ earlyRefusals }: Pick<Conversation, 'earlyRefusals'>): Found {
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

/**
 * Asks the users list for its default page with the first token. Anything else than a list counts
 * only if the second token gets it too, and page 1 has no users. Services refuse tokens in many
 * ways: one that is ended is answered like one that was never issued, again and again.
 *
 * @returns the users too, if they can be read, and what a bad token got, if it was tried
 */
export async function readUsers(
	conversation: Conversation,
	[first, second = first]: readonly IssuedToken[],
	itemsPath: string,
): Promise<{ findings: Found[]; users?: Users; badToken?: Reply }> {
	if (first === undefined || second === undefined) return { findings: [] };
	const askAs = async (token: string) => await conversation.ask(segment, {}, { token, itemsPath });
	const reply = await askAs(first.accessToken);
	// A connection that broke was tried twice already.
	const isOnly = reply.kind === 'list' || UNREACHABLE.has(reply.failure.kind);
	const again = isOnly ? reply : await askAs(second.accessToken);
	const users = await readBeginning(conversation, again, second.accessToken, itemsPath);
	if (users === undefined) return { findings: [describeUnreadable(reply, again)] };
	const isAlike = ({ failure }: Reply) => failure?.message === reply.failure?.message;
	const badToken = isOnly || !isLasting(reply) ? undefined : await askAs(BAD_TOKEN);
	const isEnded = badToken && isAlike(badToken) && isAlike(await askAs(first.accessToken));
	const path = users.reader.itemsPath ?? (Array.isArray(users.first.answer?.body) ? '' : undefined);
	const remark = users.pathToSet === '' ? '' : ' The nodes do not detect it, so set Items Path.';
	const place = path ? `The list is at "${path}".${remark}` : 'The response is the list itself.';
	const { pathname } = new URL(`${conversation.tenant.apiUrl}/${segment}`);
	const isWhole = again.kind === 'list';
	const where = isWhole ? '' : ', but only from page 1 on';
	const readable = `The account can be reached, and ${pathname} can be read${where}.`;
	const findings = [
		second === first || !isWhole ? undefined : describeRevocation(reply, isEnded),
		ok('usersReadable', true, readable),
		path === undefined ? undefined : ok('itemsPath', path, place),
	];
	return { findings, users, badToken };
}

function describeRevocation({ kind }: Reply, isEnded = false): Found {
	const check = 'tokenRevocation';
	if (kind === 'list') return ok(check, false, 'A second exchange leaves the first token valid.');
	const meaning =
		'A second exchange makes the first token invalid. The nodes share one token, so they are not affected. Any other system needs a client ID of its own, or the two end each other’s tokens.';
	return isEnded ? warning(check, true, meaning) : undefined;
}

/** The users of the default page, or else those of page 1, where some services begin. */
async function readBeginning(
	conversation: Conversation,
	reply: Reply,
	token: string,
	itemsPath: string,
): Promise<Users | undefined> {
	if (reply.kind === 'list') return await Users.readFrom(conversation, reply.answer, itemsPath);
	const start = { page: 1 };
	const one = await conversation.ask(segment, start, { token, itemsPath });
	if (one.kind !== 'list') return undefined;
	const users = await Users.readFrom(conversation, one.answer, itemsPath, start);
	return users.first.came > 0 ? users : undefined;
}

function describeUnreadable(reply: Reply, again: Reply): Finding {
	const check = 'usersReadable';
	const { message = '', description = '', statusCode } = again.failure ?? {};
	const said = `${message} ${description}`;
	// A fault may be over with the next request, unless that has the same one.
	const isFault = statusCode !== undefined && !isOverload(statusCode);
	const isSameFault = isFault && reply.failure?.statusCode === statusCode;
	const isBad = isSameFault || (isLasting(reply) && isLasting(again));
	return isBad ? failed(check, false, said) : unknown(check, said);
}

/** Whether the reply stays so until something is mended. */
function isLasting(reply: Reply): boolean {
	const { kind, failure } = reply;
	return kind !== 'silence' || UNREACHABLE.has(failure.kind) || failure.kind === 'configuration';
}
