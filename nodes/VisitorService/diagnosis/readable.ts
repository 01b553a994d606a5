import { readEnvelope } from '../answer/envelope';
import { findRecords } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import type { ServiceFailure } from '../failure/serviceFailure';
import type { HttpAnswer } from '../http/message';
import { isRecord, type JsonObject } from '../values/json';
import type { Conversation, Reply } from './conversation';
import { type Found, failed, ok } from './finding';
import { Users } from './users';

export type FoundList =
	/** Without a path if the answer only shows that the list is empty. */
	| { kind: 'list'; records: JsonObject[]; path?: string }
	/** Another JSON answer than a list that can be found. */
	| { kind: 'noList'; failure: ServiceFailure }
	/** No JSON, or an error with a status of success. */
	| { kind: 'fault'; failure: ServiceFailure };

/**
 * The list in an answer of status 2xx.
 *
 * @param keys the list may have by the name of its resource
 */
export function findList(answer: HttpAnswer, keys: readonly string[], itemsPath = ''): FoundList {
	const reading = findRecords(answer, { keys, itemsPath });
	switch (reading.kind) {
		case 'records':
			return { kind: 'list', records: reading.records, path: reading.path };
		case 'nothing':
			return { kind: 'list', records: [] };
		case 'noData':
			return reading.meansEmpty ? { kind: 'list', records: [] } : { ...reading, kind: 'noList' };
		default:
			return reading;
	}
}

const { segment, keys } = LISTED_RESOURCES.user;

/** The list of users in a reply; undefined if the reply is not a success. */
export function findUserList(reply: Reply, itemsPath = ''): FoundList | undefined {
	if (reply.kind === 'silence' || reply.answer.statusCode >= 300) return undefined;
	return findList(reply.answer, keys, itemsPath);
}

export interface ReadableUsers {
	findings: Found[];
	/** Undefined if they cannot be read. */
	users?: Users;
	/** What Items Path has to be set to; '' if the nodes detect the list. */
	itemsPath: string;
}

/**
 * What the first answer of the users list shows. An answer that is not a list is asked for again.
 *
 * @param setPath dot path set by the user; '' = detect
 */
export async function readUsers(
	conversation: Conversation,
	reply: Reply,
	setPath: string,
): Promise<ReadableUsers> {
	const first = judge(conversation, reply, setPath);
	// A connection that broke was tried twice already.
	const isSure = reply.kind === 'silence' && reply.unreachable && reply.statusCode === undefined;
	if (first.users !== undefined || isSure) return first;
	const second = judge(conversation, await conversation.ask(segment, {}), setPath);
	const isBad = [first, second].every(({ findings: [found] }) => found?.status === 'failed');
	return second.users !== undefined || isBad ? second : { findings: [], itemsPath: '' };
}

function judge(conversation: Conversation, reply: Reply, setPath: string): ReadableUsers {
	const unreadable = (what: string) => ({
		findings: [failed('usersReadable', false, what)],
		itemsPath: '',
	});
	if (reply.kind === 'silence') {
		return reply.unreachable ? unreadable(reply.reason) : { findings: [], itemsPath: '' };
	}
	const { answer } = reply;
	const failure = conversation.explain(answer, segment);
	if (failure !== undefined) return unreadable(`${failure.message} ${failure.description}`);
	const detected = findList(answer, keys);
	const places = detected.kind === 'noList' ? listsIn(answer.body) : [];
	const onlyPlace = places.length === 1 ? places[0] : undefined;
	const itemsPath = setPath === '' ? (onlyPlace ?? '') : setPath;
	const list = findList(answer, keys, itemsPath);
	if (list.kind !== 'list') {
		const { message, description } = list.failure;
		const hint = `Lists are at ${places.map((place) => `"${place}"`).join(', ')}: set Items Path here to the one with the users.`;
		return unreadable(`${message} ${description} ${places.length > 1 ? hint : ''}`.trim());
	}
	const { path = '', records } = list;
	const isDetected = detected.kind === 'list' && detected.path === list.path;
	const isCertain = records.length > 0 || Array.isArray(answer.body);
	const pathname = conversation.pathOf(segment);
	return {
		users: new Users(conversation, answer, path, records),
		itemsPath: isDetected ? '' : itemsPath,
		findings: [
			ok('usersReadable', true, `The account can be reached, and ${pathname} can be read.`),
			isCertain ? ok('itemsPath', path, describePlace(path, isDetected)) : undefined,
		],
	};
}

function describePlace(path: string, isDetected: boolean): string {
	if (path === '') return 'The response is the list itself.';
	const remark = isDetected ? '' : ' The nodes do not detect it, so set Items Path.';
	return `The list is at "${path}".${remark}`;
}

/** Dot paths of all lists of records in a body, whatever their names. */
function listsIn(body: unknown): string[] {
	return readEnvelope(body).lists.flatMap(({ list, path }) =>
		list !== null && list.length > 0 && list.every(isRecord) ? [path] : [],
	);
}
