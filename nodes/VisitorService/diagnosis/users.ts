import { findIdentity } from '../answer/identity';
import { LISTED_RESOURCES } from '../answer/resources';
import { findUpdatePath, findUpdateTimes } from '../answer/updateTimes';
import type { JsonObject } from '../values/json';
import { writeCount } from '../values/scalar';
import type { Conversation, Query, Reply } from './conversation';
import { type Check, type Found, ok } from './finding';

/** Users by which a list may differ from one request to the next, because it changed meanwhile. */
export const MAX_CHANGES = 2;

/** A record is told from others by all of its content. */
export const keyOf = (record: JsonObject | undefined) => JSON.stringify(record);

/** The list of users, of which the first page came. */
export class Users {
	/** Known pages with users. */
	readonly pages: Reply[];

	constructor(
		readonly conversation: Conversation,
		readonly first: Reply,
	) {
		this.pages = [first];
	}

	/** A page that is known is not asked for again, unless it has to be a fresh one. */
	async ask(asked: Query, isFresh = false): Promise<Reply> {
		const known = this.pages.find(
			({ query: { page, pageSize } }) => page === asked.page && pageSize === asked.pageSize,
		);
		if (known !== undefined && !isFresh) return known;
		const reply = await this.conversation.ask(asked);
		if (reply.records.length > 0) this.pages.push(reply);
		return reply;
	}

	/** How many users are on a first page of this size. */
	async lengthAt(pageSize: number): Promise<number> {
		return (await this.ask({ pageSize })).records.length;
	}

	/** Whether a page begins as the first one does. */
	begins({ records: [record] }: Reply): boolean {
		return record !== undefined && keyOf(record) === keyOf(this.first.records[0]);
	}

	/** All known pages that begin as the first one does. */
	get beginnings(): Reply[] {
		return this.pages.filter((page) => this.begins(page));
	}

	/** The longest known beginning of the list. */
	get longest(): Reply {
		return this.beginnings.reduce(
			(most, page) => (page.records.length > most.records.length ? page : most),
			this.first,
		);
	}

	/** Whether more users are known than so many. */
	goesOn(length: number): boolean {
		const seen = new Set(this.pages.flatMap(({ records }) => records.map(keyOf)));
		return seen.size > length + MAX_CHANGES;
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
export function describeUsers({ first, longest: { records } }: Users): Found[] {
	const { metadata, path } = first;
	const place = path ? `The list is at "${path}".` : 'The response is the list itself.';
	const said = (['total', 'totalPages', 'more'] as const).filter(
		(one) => metadata[one] !== undefined,
	);
	const names = said.map((one) => SAID[one]).join(', ');
	const about = names ? `The first page names ${names}.` : NOTHING;
	const nothing = records.length > 0 ? 'none' : undefined;
	const { name } = LISTED_RESOURCES.user;
	const id = findIdentity(records, name)?.field;
	const seen = writeCount(records.length, 'user');
	const updatedAt = findUpdatePath(records, name);
	const shown = ZONES[findUpdateTimes(records, name)?.zone ?? 'unset'];
	const rows: ReadonlyArray<[Check, string | undefined, string]> = [
		['itemsPath', path, place],
		['pagingMetadata', said.join(', ') || nothing, about],
		['idField', id, `"${id}" identifies the ${seen} seen.`],
		['updatedAtField', updatedAt, `"${updatedAt}" ${shown}.`],
	];
	return rows.flatMap(([check, observed, fact]) =>
		observed === undefined ? [] : [ok(check, observed, fact)],
	);
}
