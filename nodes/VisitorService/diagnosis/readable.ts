import { readEnvelope } from '../answer/envelope';
import { findRecords, meansNoRecords } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import type { ServiceFailure } from '../failure/serviceFailure';
import { isRecord } from '../values/json';
import { type Conversation, type Reply, requireFailure } from './conversation';
import { type Finding, type Found, failed, ok } from './finding';
import type { Seen } from './seen';
import { Users } from './users';

/** What a reply holds in place of a list, or as one. */
export type FoundList =
	/** Without a path if the answer only shows that the list is empty. */
	| { kind: 'list'; path?: string }
	/** Another JSON answer than a list that can be found. */
	| { kind: 'noList'; failure: ServiceFailure }
	/** No JSON, or an error with a status of success. */
	| { kind: 'fault'; failure: ServiceFailure }
	/** No status of success. */
	| { kind: 'refusal' };

const { segment, keys: userKeys } = LISTED_RESOURCES.user;

/** @param keys the list may have by the name of its resource */
export function findList(reply: Reply, keys = userKeys, itemsPath = ''): FoundList {
	if (reply.kind === 'silence' || reply.answer.statusCode >= 300) return { kind: 'refusal' };
	const reading = findRecords(reply.answer, { keys, itemsPath });
	if (reading.kind === 'records') return { kind: 'list', path: reading.path };
	if (reading.kind === 'nothing' || meansNoRecords(reading)) return { kind: 'list' };
	return { kind: reading.kind === 'fault' ? 'fault' : 'noList', failure: reading.failure };
}

/** @param itemsPath what Items Path has to be set to; '' if the nodes detect the list */
export type ReadUsers =
	| { kind: 'users'; findings: Found[]; users: Users; seen: Seen; itemsPath: string }
	| { kind: 'unreadable'; findings: Found[] };

/**
 * What the first answer of the users list shows. An answer that is not a list is asked for again.
 *
 * @param setPath dot path set by the user; '' = detect
 */
export async function readUsers(
	conversation: Conversation,
	reply: Reply,
	setPath: string,
): Promise<ReadUsers> {
	const first = await judge(conversation, reply, setPath);
	// A connection that broke was tried twice already.
	const isSure = reply.kind === 'silence' && UNREACHABLE.has(reply.failure.kind);
	if (first.kind === 'users' || isSure) return first;
	const second = await judge(conversation, await conversation.ask(segment, {}), setPath);
	const isBad = first.findings.length + second.findings.length === 2;
	return second.kind === 'users' || isBad ? second : { kind: 'unreadable', findings: [] };
}

/** The URL or the network has to be mended. */
const UNREACHABLE = new Set(['connection', 'blocked']);

async function judge(
	conversation: Conversation,
	reply: Reply,
	setPath: string,
): Promise<ReadUsers> {
	const without = (findings: Found[]): ReadUsers => ({ kind: 'unreadable', findings });
	if (reply.kind === 'silence') {
		const { kind } = reply.failure;
		const isToBeMended = UNREACHABLE.has(kind) || kind === 'configuration';
		return without(isToBeMended ? [unreadable(reply.failure)] : []);
	}
	const { answer, failure } = reply;
	if (failure !== undefined) return without([unreadable(failure)]);
	const detected = findList(reply);
	try {
		const { users, seen } = await Users.readFrom(conversation, answer, setPath);
		const path = users.itemsPath ?? '';
		const isDetected = detected.kind === 'list' && detected.path === users.itemsPath;
		const isCertain = users.itemsPath !== undefined || Array.isArray(answer.body);
		const pathname = conversation.pathOf(segment);
		return {
			kind: 'users',
			users,
			seen,
			itemsPath: isDetected ? '' : setPath,
			findings: [
				ok('usersReadable', true, `The account can be reached, and ${pathname} can be read.`),
				isCertain ? ok('itemsPath', path, describePlace(path, isDetected)) : undefined,
			],
		};
	} catch (error) {
		const places = detected.kind === 'noList' ? listsIn(answer.body) : [];
		const hint = `Lists are at ${places.join(', ')}: set Items Path here to the one with the users.`;
		return without([unreadable(requireFailure(error), ...(places.length > 1 ? [hint] : []))]);
	}
}

function unreadable({ message, description }: ServiceFailure, ...hints: string[]): Finding {
	return failed('usersReadable', false, [message, description, ...hints].join(' '));
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
