import { mayName } from '../answer/chooseList';
import { LISTED_RESOURCES } from '../answer/resources';
import type { Conversation, Reply } from './conversation';
import { type Found, type Observed, ok, saidTwice, unknown, warning } from './finding';

export const OTHER_LISTS = [
	{ check: 'companiesPath', place: 'List Companies', ...LISTED_RESOURCES.company },
	{ check: 'visitsPath', place: 'List Visits', ...LISTED_RESOURCES.visit },
	{ check: 'tasksPath', place: 'List Tasks', ...LISTED_RESOURCES.task },
] as const;

export type OtherList = (typeof OTHER_LISTS)[number];

/** @param usual what was found at the usual paths, if they were tried: then others are */
export async function findPaths(
	conversation: Conversation,
	unknownStatus: Observed,
	usual?: readonly Found[],
): Promise<Found[]> {
	const paths: Found[] = [];
	for (const [place, list] of OTHER_LISTS.entries()) {
		const known = usual?.[place];
		const isOpen = known === undefined || known.observed === null;
		const names = usual === undefined ? 'usual' : 'others';
		const found = isOpen ? await findPath(conversation, list, names, unknownStatus) : known;
		paths.push(found ?? known);
	}
	return paths;
}

/** @param unknownStatus what a path that does not exist gets; null if that is not known */
export async function findPath(
	conversation: Conversation,
	list: OtherList,
	names: 'usual' | 'others',
	unknownStatus: Observed,
): Promise<Found> {
	const isAnyPath = unknownStatus !== null && Number(unknownStatus) < 300;
	const reason = 'Paths that do not exist return a success too, so Diagnose cannot tell.';
	if (isAnyPath) return unknown(list.check, reason);
	for (const segment of names === 'usual' ? [list.segment] : list.keys.slice(1)) {
		if (conversation.stopReason !== undefined) return undefined;
		const found = await saidTwice(async () =>
			judge(list, segment, await conversation.ask(segment, {}, list), unknownStatus),
		);
		if (names === 'usual' || found?.observed !== null) return found;
	}
	const tried = list.keys.join(', ');
	return unknown(list.check, `No list of ${list.plural} was found at ${tried}.`);
}

function judge(list: OtherList, segment: string, reply: Reply, unknownStatus: Observed): Found {
	const { check, place, plural } = list;
	if (reply.kind === 'silence') return unknown(check, reply.failure.message);
	const { statusCode } = reply.answer;
	if (statusCode === 403 && unknownStatus !== null && unknownStatus !== 403) {
		const what = `There is something at ${segment}, but this client ID is not allowed to read it.`;
		return warning(check, segment, `${what} Ask your service provider for the permission.`);
	}
	if (statusCode >= 300) return unknown(check, `${segment} gets status ${statusCode}.`);
	if (reply.kind !== 'list') return unknown(check, `${segment}: ${reply.failure.message}`);
	if (segment === list.segment) return ok(check, segment, `There is a list at ${segment}.`);
	// An answer that is not a list may hold one: a single company with its addresses.
	const name = reply.path?.split('.').at(-1) ?? '';
	if (name !== '' && !mayName(name, list)) {
		return unknown(check, `There is a list named "${name}" at ${segment}.`);
	}
	const meaning = `There is a list at ${segment}. Ask your service provider to confirm that it holds the ${plural}.`;
	return ok(check, segment, meaning, { [place]: { pathSegment: segment } });
}
