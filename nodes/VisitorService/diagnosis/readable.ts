import { readEnvelope } from '../answer/envelope';
import { findRecords } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import type { HttpAnswer } from '../http/message';
import { isRecord } from '../values/json';
import type { Conversation, Reply } from './conversation';
import { type Finding, type Found, failed, ok } from './finding';
import { Users } from './users';

const { segment, keys } = LISTED_RESOURCES.user;

/** @param itemsPath what Items Path has to be set to; '' if the nodes detect the list */
export type ReadUsers =
	| { kind: 'users'; findings: Found[]; users: Users; itemsPath: string }
	| { kind: 'unreadable'; findings: Found[] };

/**
 * What the first answer of the users list shows. An answer that is not a list is asked for again.
 *
 * @param itemsPath dot path set by the user; '' = detect
 */
export async function readUsers(
	conversation: Conversation,
	first: Reply,
	itemsPath: string,
): Promise<ReadUsers> {
	// A connection that broke was tried twice already.
	const isBroken = first.kind === 'silence' && UNREACHABLE.has(first.failure.kind);
	const isSure = first.kind === 'list' || isBroken;
	const reply = isSure ? first : await conversation.ask(segment, {}, { itemsPath });
	if (reply.kind === 'list') return await readList(conversation, reply.answer, itemsPath);
	const isBad = isLasting(first) && isLasting(reply);
	return { kind: 'unreadable', findings: isBad ? [describeFailure(reply)] : [] };
}

/** The URL or the network has to be mended. */
const UNREACHABLE = new Set(['connection', 'blocked']);

/** Whether the reply stays so until something is mended. */
function isLasting(reply: Reply): boolean {
	if (reply.kind !== 'silence') return true;
	return UNREACHABLE.has(reply.failure.kind) || reply.failure.kind === 'configuration';
}

async function readList(
	conversation: Conversation,
	answer: HttpAnswer,
	setPath: string,
): Promise<ReadUsers> {
	const users = await Users.readFrom(conversation, answer, setPath);
	const path = users.itemsPath ?? '';
	const detected = findRecords(answer, { keys, itemsPath: '' });
	const isDetected = detected.kind === 'records' && detected.path === users.itemsPath;
	const isCertain = users.itemsPath !== undefined || Array.isArray(answer.body);
	const pathname = conversation.pathOf(segment);
	return {
		kind: 'users',
		users,
		itemsPath: isDetected ? '' : setPath,
		findings: [
			ok('usersReadable', true, `The account can be reached, and ${pathname} can be read.`),
			isCertain ? ok('itemsPath', path, describePlace(path, isDetected)) : undefined,
		],
	};
}

function describeFailure(reply: Exclude<Reply, { kind: 'list' }>): Finding {
	const { message, description } = reply.failure;
	const places = reply.kind === 'noList' ? listsIn(reply.answer.body) : [];
	const hint = `Lists are at ${places.join(', ')}: set Items Path here to the one with the users.`;
	const sentences = [message, description, ...(places.length > 1 ? [hint] : [])];
	return failed('usersReadable', false, sentences.join(' '));
}

function describePlace(path: string, isDetected: boolean): string {
	if (path === '') return 'The response is the list itself.';
	const remark = isDetected ? '' : ' The nodes do not detect it, so set Items Path.';
	return `The list is at "${path}".${remark}`;
}

/** Dot paths of all lists of records in a body, whatever their names, in quotation marks. */
function listsIn(body: unknown): string[] {
	return readEnvelope(body).lists.flatMap(({ list, path }) =>
		list !== null && list.length > 0 && list.every(isRecord) ? [`"${path}"`] : [],
	);
}
