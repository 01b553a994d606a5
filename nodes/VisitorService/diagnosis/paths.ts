import { mayName } from '../answer/chooseList';
import { LISTED_RESOURCES } from '../answer/resources';
import type { Conversation, Query, Reply } from './conversation';
import {
	type Check,
	type Finding,
	type Found,
	ok,
	type SettingPlace,
	saidTwice,
	unknown,
	warning,
} from './finding';

interface OtherList {
	check: Check;
	place: SettingPlace;
	resource: 'company' | 'visit' | 'task';
	/** Other segments services use for the same list. */
	alternatives: readonly string[];
}

export const OTHER_LISTS: readonly OtherList[] = [
	{
		check: 'companiesPath',
		place: 'List Companies',
		resource: 'company',
		alternatives: ['company', 'organizations'],
	},
	{ check: 'visitsPath', place: 'List Visits', resource: 'visit', alternatives: ['visit'] },
	{ check: 'tasksPath', place: 'List Tasks', resource: 'task', alternatives: ['task', 'todos'] },
];

/** Whether a list is where the node looks for it by default, or elsewhere as long as the budget lasts. */
export class Paths {
	/**
	 * @param unknownPath what was found of a path that does not exist
	 * @param size a page size that the users list accepts
	 */
	constructor(
		private readonly conversation: Conversation,
		private readonly unknownPath: Finding,
		private readonly size: Query,
	) {}

	async check(list: OtherList, segment = LISTED_RESOURCES[list.resource].segment): Promise<Found> {
		return await saidTwice(async () => this.judge(list, segment, await this.ask(list, segment)));
	}

	async checkOthers(list: OtherList): Promise<Found> {
		for (const segment of list.alternatives) {
			if (this.conversation.stopReason !== undefined) return undefined;
			const found = await this.check(list, segment);
			if (found?.observed !== null) return found;
		}
		const { plural, segment } = LISTED_RESOURCES[list.resource];
		const tried = [segment, ...list.alternatives].join(', ');
		return unknown(list.check, `No list of ${plural} was found at ${tried}.`);
	}

	private async ask({ resource }: OtherList, segment: string): Promise<Reply> {
		const sought = LISTED_RESOURCES[resource];
		const reply = await this.conversation.ask(segment, this.size, sought);
		// The page size of another list is what this one may refuse.
		const isRefused = reply.failure?.kind === 'badRequest' && this.size.pageSize !== undefined;
		return isRefused ? await this.conversation.ask(segment, {}, sought) : reply;
	}

	private judge({ check, place, resource }: OtherList, segment: string, reply: Reply): Found {
		if (reply.kind === 'silence') return unknown(check, reply.failure.message);
		const { observed: unknownStatus } = this.unknownPath;
		if (unknownStatus !== null && Number(unknownStatus) < 300) {
			return unknown(
				check,
				'Paths that do not exist return a success too, so Diagnose cannot tell.',
			);
		}
		const { keys, plural, segment: usual } = LISTED_RESOURCES[resource];
		const { statusCode } = reply.answer;
		if (statusCode >= 300) {
			if (statusCode !== 403 || unknownStatus === null || unknownStatus === 403) {
				return unknown(check, `${segment} gets status ${statusCode}.`);
			}
			const what = `There is something at ${segment}, but this client ID is not allowed to read it.`;
			return warning(check, segment, `${what} Ask your service provider for the permission.`);
		}
		if (reply.kind !== 'list') return unknown(check, `${segment}: ${reply.failure.message}`);
		if (segment === usual) return ok(check, segment, `There is a list at ${segment}.`);
		// An answer that is not a list may hold one: a single company with its addresses.
		const name = reply.path?.split('.').at(-1) ?? '';
		if (name !== '' && !mayName(name, { keys })) {
			return unknown(check, `There is a list named "${name}" at ${segment}.`);
		}
		const meaning = `There is a list at ${segment}. Ask your service provider to confirm that it holds the ${plural}.`;
		return ok(check, segment, meaning, { [place]: { pathSegment: segment } });
	}
}
