import { findIdentity } from '../answer/identity';
import { findRecords } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import { findUpdatePath, findUpdateTimes } from '../answer/updateTimes';
import { concealSecrets } from '../failure/serverText';
import { ServiceFailure } from '../failure/serviceFailure';
import { listRecords } from '../listing/listRecords';
import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import { writeCount, writeNumber } from '../values/count';
import type { JsonObject } from '../values/json';
import {
	type Conversation,
	type ListReply,
	type Query,
	type Reply,
	requireFailure,
} from './conversation';
import { type Found, ok, unknown, warning } from './finding';

const { name, keys: listKeys } = LISTED_RESOURCES.user;

/** Users by which a list may differ from one request to the next, because it changed meanwhile. */
export const MAX_CHANGES = 2;

const MAX_LIST_PAGES = 3;

/** Parameters and options of List Users; what is not set has its default, but Return All is on. */
export type ListSettings = { readonly returnAll?: boolean; readonly itemsPath?: string } & {
	readonly [name in 'page' | 'limit' | 'pageSize' | 'maxPages']?: number;
};

/** What List Users read of the first pages, unless a failure ended it. */
export interface Trial {
	failure?: ServiceFailure;
	/** The records, as text, in their order. */
	keys: readonly string[];
	requests: number;
	/** Whether it reached the end of the list. */
	whole: boolean;
}

/** A record is told from others by all of its content. */
export const keyOf = (record: JsonObject | undefined) => JSON.stringify(record);

/** The records of a page; none if it is not a list. */
export const recordsOf = (reply: Reply) => (reply.kind === 'list' ? reply.records : []);

/** The list of users, of which the first page came. */
export class Users {
	constructor(
		readonly conversation: Conversation,
		readonly first: ListReply,
	) {}

	async ask(query: Query, isFresh = false): Promise<Reply> {
		// Where the list begins with page 1 if no number is asked for, 0 is refused.
		const { page } = this.first.query;
		return await this.conversation.ask({ ...(page && { page }), ...query }, { isFresh });
	}

	/** Whether a page begins as the first one does. */
	begins(reply: Reply): boolean {
		const [record] = recordsOf(reply);
		return record !== undefined && keyOf(record) === keyOf(this.first.records[0]);
	}

	/** All that begin as the first one does. */
	get beginnings(): ListReply[] {
		return this.conversation.pages.filter((page) => this.begins(page));
	}

	/** The longest known beginning of the list. */
	get longest(): ListReply {
		return [this.first, ...this.beginnings].reduce((most, page) =>
			page.records.length > most.records.length ? page : most,
		);
	}

	/** What Items Path has to be set to; '' if the nodes detect the list. */
	get pathToSet(): string {
		const { path, answer } = this.first;
		const detected = findRecords(answer, { keys: listKeys, itemsPath: '' });
		return path === undefined || (detected.kind === 'records' && detected.path === path)
			? ''
			: path;
	}

	/**
	 * As the node does, some pages only.
	 *
	 * @param noPage0 if it is known that page 0 gets no answer, so that it is not asked for again
	 */
	async list(settings: ListSettings, isFresh = false, noPage0?: ServiceFailure): Promise<Trial> {
		const { page = 0, limit, pageSize = USUAL_PAGE_SIZE, itemsPath = '', maxPages } = settings;
		let requests = 0;
		try {
			const { records: keys, report } = await listRecords({
				...{ resource: name, keys: listKeys, itemsPath, limit, pageSize },
				firstPage: page,
				concurrency: 1,
				maxPages: maxPages ?? MAX_LIST_PAGES,
				untilStable: false,
				keepAs: keyOf,
				fetchPage: async (number, size) => {
					if (number < page && noPage0 !== undefined) throw noPage0;
					requests++;
					const asked = { page: number, pageSize: size };
					const reply = await this.conversation.ask(asked, { isFresh });
					// What the listing makes of an answer without a list is tried, too.
					const isAnswer = reply.kind !== 'silence' && reply.answer.statusCode < 300;
					if (isAnswer) return reply.answer;
					throw reply.failure as ServiceFailure;
				},
			});
			if (keys.length === 0 && report.endedBy === 'nothingMore') throw nobodyShown();
			return { keys, requests, whole: report.endedBy !== 'maxPages' };
		} catch (error) {
			const failure = concealSecrets(requireFailure(error), this.conversation.secrets);
			return { failure, keys: [], requests, whole: false };
		}
	}
}

function nobodyShown(): ServiceFailure {
	return new ServiceFailure(
		'No users are returned, although the service says that there are some.',
		'Ask your service provider which users this client ID is allowed to see.',
		{ kind: 'service' },
	);
}

/** Whether a page holds several users, most of whom are not on the one before. */
export function isNew(reply: Reply, before: Reply): boolean {
	const known = new Set(recordsOf(before).map(keyOf));
	const records = recordsOf(reply);
	const others = records.filter((record) => !known.has(keyOf(record))).length;
	return records.length > MAX_CHANGES && 2 * others >= records.length;
}

/** What identifies the users known, when they were changed, and what a page says of the list. */
export function describeUsers({ first, longest, pathToSet }: Users): Found[] {
	const { records } = longest;
	const path = first.path ?? (Array.isArray(first.answer.body) ? '' : undefined);
	const remark = pathToSet === '' ? '' : ' The nodes do not detect it, so set Items Path.';
	const place = path ? `The list is at "${path}".${remark}` : 'The response is the list itself.';
	const found: Found[] = [path === undefined ? undefined : ok('itemsPath', path, place)];
	if (records.length === 0) return [...found, describeMetadata(first, longest)];
	const id = findIdentity(records, name)?.field;
	const updatedAt = findUpdatePath(records, name);
	const zone = findUpdateTimes(records, name)?.zone;
	const shown = {
		unset: 'is empty in all users seen, as if none was ever updated',
		none: 'has no time zone: ask your service provider which one is meant',
		offset: 'says when a user was changed, with the offset of its time zone',
		UTC: 'says when a user was changed, in UTC',
	}[zone ?? 'unset'];
	const ask = (what: string) => `The Polling Trigger needs it: if users have one, set ${what}.`;
	return [
		...found,
		describeMetadata(first, longest),
		id === undefined
			? unknown('idField', ask('ID Path'))
			: ok('idField', id, `"${id}" identifies the ${writeCount(records.length, 'user')} seen.`),
		updatedAt === undefined
			? unknown('updatedAtField', ask('Updated At Path'))
			: ok('updatedAtField', updatedAt, `"${updatedAt}" ${shown}.`),
	];
}

function describeMetadata({ records, metadata }: ListReply, longest: ListReply): Found {
	const check = 'pagingMetadata';
	const { total, totalPages, more } = metadata;
	const named = {
		...(total !== undefined && { total: `a total of ${writeNumber(total)}` }),
		...(totalPages !== undefined && { totalPages: writeCount(totalPages, 'page') }),
		...(more !== undefined && { more: more ? 'that pages follow' : 'that no page follows' }),
	};
	const observed = Object.keys(named).join(', ');
	const { total: counted = Infinity } = longest.metadata;
	if (longest.records.length > counted) {
		const what = `A page holds ${writeCount(longest.records.length, 'user')} and names a total of ${writeNumber(counted)}.`;
		return warning(check, observed, `${what} List Users may end too early.`);
	}
	if (observed !== '') {
		return ok(check, observed, `The first page names ${Object.values(named).join(', ')}.`);
	}
	const meaning = 'A page says nothing about further pages. List Users reads until one is empty.';
	return records.length === 0 ? undefined : ok(check, 'none', meaning);
}
