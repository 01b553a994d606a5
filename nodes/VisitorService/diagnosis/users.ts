import { findIdentity } from '../answer/identity';
import { LISTED_RESOURCES } from '../answer/resources';
import { findUpdatePath, findUpdateTimes } from '../answer/updateTimes';
import type { JsonObject } from '../values/json';
import { writeCount } from '../values/scalar';
import type { Conversation, Query, Reply } from './conversation';
import { type Check, type Finding, ok } from './finding';

/** Users by which a list may differ from one request to the next, because it changed meanwhile. */
export const MAX_CHANGES = 2;

/** A record is told from others by all of its content. */
export const keyOf = (record: JsonObject | undefined) => JSON.stringify(record);

/** The list of users, of which the first page came. */
export class Users {
	/** All users that came. */
	readonly seen = new Map<string, JsonObject>();

	private readonly pages: Reply[] = [];

	constructor(
		readonly conversation: Conversation,
		readonly first: Reply,
	) {
		this.know(first);
	}

	/** A page that is known is not asked for again, unless it has to be a fresh one. */
	async ask(asked: Query, isFresh = false): Promise<Reply> {
		const known = this.pages.find(
			({ query: { page, pageSize } }) => page === asked.page && pageSize === asked.pageSize,
		);
		return known === undefined || isFresh ? this.know(await this.conversation.ask(asked)) : known;
	}

	private know(page: Reply): Reply {
		for (const record of page.records) this.seen.set(keyOf(record), record);
		if (page.records.length > 0) this.pages.push(page);
		return page;
	}

	/** Whether a page begins as the first one does. */
	begins({ records: [record] }: Reply): boolean {
		return record !== undefined && keyOf(record) === keyOf(this.first.records[0]);
	}

	/** Whether more users are known than so many. */
	goesOn(length: number): boolean {
		return this.seen.size > length + MAX_CHANGES;
	}
}

const SAID = { total: 'the total', totalPages: 'the page count', more: 'whether more follow' };
const NOTHING = 'A page says nothing about further pages. List Users reads until one is empty.';
const ZONES = {
	unset: 'is empty in all users seen, as if none was ever updated',
	none: 'has no time zone: ask your service provider which one is meant',
	offset: 'says when a user was changed',
	UTC: 'says when a user was changed',
};

/** Where the list is, what its pages say, what identifies the users known, when they changed. */
export function describeUsers({ first, seen }: Users): Finding[] {
	const { metadata, path } = first;
	const records = [...seen.values()];
	const place = path ? `The list is at "${path}".` : 'The response is the list itself.';
	const said = (['total', 'totalPages', 'more'] as const).filter(
		(one) => metadata[one] !== undefined,
	);
	const names = said.map((one) => SAID[one]).join(', ');
	const about = names ? `The first page names ${names}.` : NOTHING;
	const nothing = records.length > 0 ? 'none' : undefined;
	const { name } = LISTED_RESOURCES.user;
	const id = findIdentity(records, name)?.field;
	const updatedAt = findUpdatePath(records, name);
	const shown = ZONES[findUpdateTimes(records, name)?.zone ?? 'unset'];
	const rows: ReadonlyArray<[Check, string | undefined, string]> = [
		['itemsPath', path, place],
		['pagingMetadata', said.join(', ') || nothing, about],
		['idField', id, `"${id}" identifies the ${writeCount(records.length, 'user')} seen.`],
		['updatedAtField', updatedAt, `"${updatedAt}" ${shown}.`],
	];
	return rows.flatMap(([check, observed, fact]) =>
		observed === undefined ? [] : [ok(check, observed, fact)],
	);
}
