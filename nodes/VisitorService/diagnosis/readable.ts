import type { IssuedToken } from '../../../credentials/authorization/exchange';
import { findRecords } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import type { Conversation, Reply } from './conversation';
import { type Found, failed, ok, warning } from './finding';
import { Users } from './users';

const { segment, keys } = LISTED_RESOURCES.user;

export interface ReadUsers {
	findings: Found[];
	/** Undefined if they cannot be read. */
	users?: Users;
	/** What Items Path has to be set to; '' if the nodes detect the list. */
	itemsPath: string;
}

/**
 * Asks the users list for its default page with the first token. Anything else than a list counts only if the second
 * token gets it too.
 *
 * @param itemsPath dot path set by the user; '' = detect
 */
export async function readUsers(
	conversation: Conversation,
	[first, second = first]: readonly IssuedToken[],
	itemsPath: string,
): Promise<ReadUsers> {
	if (first === undefined || second === undefined) return { itemsPath, findings: [] };
	const askWith = async ({ accessToken: token }: IssuedToken) =>
		await conversation.ask(segment, {}, { token, itemsPath });
	const reply = await askWith(first);
	// A connection that broke was tried twice already.
	const isOnly = reply.kind === 'list' || isUnreachable(reply);
	const again = isOnly ? reply : await askWith(second);
	if (again.kind !== 'list') {
		const { message, description } = again.failure;
		const isSure = isLasting(reply) && isLasting(again);
		const found = isSure ? failed('usersReadable', false, `${message} ${description}`) : undefined;
		return { itemsPath, findings: [found] };
	}
	const isEnded = mayRefuseToken(reply) && mayRefuseToken(await askWith(first));
	const users = await Users.readFrom(conversation, again.answer, itemsPath);
	const path = users.itemsPath ?? '';
	const isCertain = users.itemsPath !== undefined || Array.isArray(again.answer.body);
	const detected = findRecords(again.answer, { keys, itemsPath: '' });
	const isDetected =
		itemsPath === '' || (detected.kind === 'records' && detected.path === users.itemsPath);
	const remark = isDetected ? '' : ' The nodes do not detect it, so set Items Path.';
	const place =
		path === '' ? 'The response is the list itself.' : `The list is at "${path}".${remark}`;
	const { pathname } = new URL(conversation.urlOf(segment));
	return {
		users,
		itemsPath: isDetected ? '' : itemsPath,
		findings: [
			second === first ? undefined : describeRevocation(reply, isEnded),
			ok('usersReadable', true, `The account can be reached, and ${pathname} can be read.`),
			isCertain ? ok('itemsPath', path, place) : undefined,
		],
	};
}

function describeRevocation({ kind }: Reply, isEnded: boolean): Found {
	const check = 'tokenRevocation';
	if (kind === 'list') return ok(check, false, 'A second exchange leaves the first token valid.');
	const meaning =
		'A second exchange makes the first token invalid. The nodes share one token, so they are not affected. Any other system needs a client ID of its own, or the two end each other’s tokens.';
	return isEnded ? warning(check, true, meaning) : undefined;
}

/** Services refuse tokens in many ways: by any status below 500, by a redirect to a login page, by an error with a status of success. */
function mayRefuseToken(reply: Reply): boolean {
	if (reply.kind === 'silence') return (reply.failure.statusCode ?? 500) < 400;
	return reply.kind === 'refusal' && reply.failure.kind !== 'noList';
}

/** Whether the URL or the network has to be mended. */
function isUnreachable({ failure }: Reply): boolean {
	return failure?.kind === 'connection' || failure?.kind === 'blocked';
}

/** Whether the reply stays so until something is mended. */
function isLasting(reply: Reply): boolean {
	const isRedirect = reply.failure?.kind === 'configuration';
	return reply.kind !== 'silence' || isUnreachable(reply) || isRedirect;
}
