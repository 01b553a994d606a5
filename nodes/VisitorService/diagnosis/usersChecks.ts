import { LISTED_RESOURCES } from '../listing/resources';
import { explainAnswer } from '../transport/answerFailure';
import { type Conversation, isAnswered, isSuccess, type Reply } from './conversation';
import { type Finding, failed, ok, unknown } from './finding';
import { findList, UserPages } from './userPages';

/**
 * What the first answer of the users list shows. Asks nothing.
 *
 * @param path of the list, for sentences
 * @returns without pages where the list cannot be read
 */
export function checkUsersList(
	conversation: Conversation,
	reply: Reply,
	path: string,
): { pages?: UserPages; findings: Finding[] } {
	if (!isAnswered(reply)) {
		const { reason, unreachable } = reply;
		const finding = unreachable === true ? unreadable(reason) : unknown('usersReadable', reason);
		return { findings: [finding] };
	}
	const { answer } = reply;
	const failure = explainAnswer(answer, path, conversation.secrets);
	if (failure !== undefined || !isSuccess(reply)) {
		const { message, description } = failure ?? {
			message: 'The service gave no list.',
			description: '',
		};
		return { findings: [unreadable(`${message} ${description}`)] };
	}
	const found = findList(answer, LISTED_RESOURCES.user.keys);
	if ('reason' in found) {
		const { reason, mayBeList } = found;
		return { findings: [mayBeList ? unknown('usersReadable', reason) : unreadable(reason)] };
	}
	const shown = found.records.length > 0 || Array.isArray(answer.body);
	return {
		pages: new UserPages(conversation, answer, found.path ?? '', found.records),
		findings: [
			ok('usersReadable', true, `The tenant is reachable, and ${path} can be read.`),
			describePath(shown ? found.path : undefined),
		],
	};
}

function unreadable(reason: string): Finding {
	return failed('usersReadable', false, reason);
}

function describePath(path: string | undefined): Finding {
	if (path === undefined) {
		return unknown('itemsPath', 'The list is empty, so its place in the answer is not certain.');
	}
	return path === ''
		? ok('itemsPath', '', 'The answer is the list itself.')
		: ok('itemsPath', path, `The list is at "${path}" of the answer.`, { itemsPath: path });
}
