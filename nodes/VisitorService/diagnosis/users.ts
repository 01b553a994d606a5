import { findIdentity } from '../answer/identity';
import { LISTED_RESOURCES } from '../answer/resources';
import { findUpdatePath, findUpdateTimes } from '../answer/updateTimes';
import type { JsonObject } from '../values/json';
import { writeCount, writeNumber } from '../values/scalar';
import type { Conversation, Query, Reply } from './conversation';
import { type Found, ok, unknown, warning } from './finding';

const { name } = LISTED_RESOURCES.user;

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
	async ask(query: Pick<Query, 'page' | 'pageSize'>, isFresh = false): Promise<Reply> {
		const asked = { ...this.first.query, ...query };
		const known = this.pages.find(
			({ query: { page, pageSize } }) => page === asked.page && pageSize === asked.pageSize,
		);
		if (known !== undefined && !isFresh) return known;
		const reply = await this.conversation.ask(asked);
		if (reply.records.length > 0) this.pages.push(reply);
		return reply;
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

	/** How many users are known. */
	get seen(): number {
		return new Set(this.pages.flatMap(({ records }) => records.map(keyOf))).size;
	}
}

/** Whether a page holds several users, most of whom are not on the one before. */
export function isNew({ records }: Reply, before: Reply): boolean {
	const known = new Set(before.records.map(keyOf));
	const others = records.filter((record) => !known.has(keyOf(record))).length;
	return records.length > MAX_CHANGES && 2 * others >= records.length;
}

/** Where the list is, what identifies the users known, and when they were changed. */
export function describeUsers({ first, longest: { records } }: Users): Found[] {
	const path = first.path ?? (Array.isArray(first.answer?.body) ? '' : undefined);
	const place = path ? `The list is at "${path}".` : 'The response is the list itself.';
	const found = path === undefined ? undefined : ok('itemsPath', path, place);
	if (records.length === 0) return [found];
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
		found,
		id === undefined
			? unknown('idField', ask('ID Path'))
			: ok('idField', id, `"${id}" identifies the ${writeCount(records.length, 'user')} seen.`),
		updatedAt === undefined
			? unknown('updatedAtField', ask('Updated At Path'))
			: ok('updatedAtField', updatedAt, `"${updatedAt}" ${shown}.`),
	];
}

/** What a page says of the list. */
export function describeMetadata({ first, longest: { metadata, records } }: Users): Found {
	const check = 'pagingMetadata';
	const named = (['total', 'totalPages', 'more'] as const).filter(
		(name) => first.metadata[name] !== undefined,
	);
	const { total = Infinity } = metadata;
	if (records.length > total) {
		const size = writeCount(records.length, 'user');
		const what = `A page holds ${size} and names a total of ${writeNumber(total)}.`;
		return warning(check, named.join(', '), `${what} List Users may end too early.`);
	}
	if (named.length > 0) {
		const facts = { total: 'the total', totalPages: 'the page count', more: 'whether more follow' };
		return ok(
			check,
			named.join(', '),
			`The first page names ${named.map((name) => facts[name]).join(', ')}.`,
		);
	}
	const meaning = 'A page says nothing about further pages. List Users reads until one is empty.';
	return records.length === 0 ? undefined : ok(check, 'none', meaning);
}
