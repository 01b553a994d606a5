import { findIdentity } from '../answer/identity';
import { type Page, PageReader } from '../answer/pageReader';
import { LISTED_RESOURCES } from '../answer/resources';
import type { HttpAnswer } from '../http/message';
import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import type { JsonObject } from '../values/json';
import { type Conversation, type Query, requireFailure } from './conversation';

/** What came when users were asked for. */
export type UserPage = Page & {
	query: Query;
	/** What tells the records apart, in the order of the page. */
	keys: readonly string[];
};

/** Users by which a list may differ from one request to the next, because it changed meanwhile. */
export const MAX_CHANGES = 2;

const { segment, name, keys: listKeys } = LISTED_RESOURCES.user;

/** The users list, and all that was seen of it. */
export class Users {
	/** Every page returned without filter and order, the one without parameters first: what facts are derived from. */
	readonly seen: UserPage[] = [];

	/** The answers with these pages, by their queries as JSON. */
	readonly answers = new Map<string, HttpAnswer>();

	/** Tells records apart. */
	readonly keyOf: (record: JsonObject) => string;

	/** The page returned without parameters. */
	readonly first: UserPage;

	private constructor(
		private readonly conversation: Conversation,
		private readonly reader: PageReader,
		page: Page,
		answer: HttpAnswer,
	) {
		const identify = findIdentity(page.records, name)?.identify;
		this.keyOf = (record) => JSON.stringify(identify?.(record) ?? record);
		this.first = this.withKeys({}, page);
		this.note(this.first, answer);
	}

	/**
	 * @param answer to a request without parameters
	 * @param itemsPath dot path of the list; '' = detect
	 * @throws ServiceFailure if the answer holds no list
	 */
	static async readFrom(
		conversation: Conversation,
		answer: HttpAnswer,
		itemsPath: string,
	): Promise<Users> {
		const reader = new PageReader(async () => await Promise.resolve(answer), {
			keys: listKeys,
			itemsPath,
		});
		return new Users(conversation, reader, await reader.read(0, Infinity), answer);
	}

	/** Dot path of the list; undefined if the list is empty. */
	get itemsPath(): string | undefined {
		return this.reader.itemsPath;
	}

	/** @returns undefined if the answer says nothing about the parameters */
	async read(query: Query): Promise<UserPage | undefined> {
		return await this.take(query, this.conversation.get(segment, query));
	}

	/** Fetches a page as List Users does, and looks at it. @throws ServiceFailure as the nodes' connection */
	async fetch(query: Query): Promise<HttpAnswer> {
		const asked = this.conversation.get(segment, query);
		await this.take(query, asked);
		return await asked;
	}

	/**
	 * The users of a page, which is asked for unless it was seen: none if it is refused.
	 *
	 * @param isNew whether it is asked for in any case
	 * @returns undefined if the answer does not tell
	 */
	async keysOf(query: Query, isNew = false): Promise<readonly string[] | undefined> {
		const wanted = JSON.stringify(query);
		const known = this.seen.find((page) => JSON.stringify(page.query) === wanted);
		return (isNew ? undefined : known?.keys) ?? (await this.read(query))?.keys;
	}

	/** The longest known beginning of the list. */
	get beginning(): UserPage {
		return this.seen
			.filter(({ query, keys }) => query.page === undefined || keys[0] === this.first.keys[0])
			.reduce((most, page) => (page.keys.length > most.keys.length ? page : most), this.first);
	}

	/** Whether records come after those of the known beginning: more than a change of the list explains. */
	get goesOn(): boolean {
		const known = new Set(this.beginning.keys);
		return this.seen.some(({ keys }) => keys.filter((key) => !known.has(key)).length > MAX_CHANGES);
	}

	/** Whether records follow a page of the known beginning, so that no end of the list shortened it. */
	isFollowed({ keys }: UserPage): boolean {
		const known = this.beginning.keys;
		const place = known.indexOf(keys.at(-1) ?? '');
		return place >= 0 && (place < known.length - 1 || this.goesOn);
	}

	/** Whether a page holds all that is known of the list, but for a change. */
	isWhole({ keys, query }: UserPage): boolean {
		const isAll = keys.length + MAX_CHANGES >= this.beginning.keys.length;
		return query.pageSize !== undefined && isAll && !this.goesOn;
	}

	/** Asks for pages of the size List Users asks for, if the service accepts it. */
	get usualSize(): { pageSize?: number } {
		const isAccepted = this.seen.some(
			({ query, keys }) => query.pageSize === USUAL_PAGE_SIZE && keys.length > 0,
		);
		return isAccepted ? { pageSize: USUAL_PAGE_SIZE } : {};
	}

	/**
	 * Whether pages can be told apart, and the list keeps its order.
	 *
	 * @param other another beginning of the list; undefined if there is none
	 */
	isComparable(other: UserPage | undefined): boolean {
		const { beginning, first } = this;
		if (first.keys.length === 0) return false;
		if (new Set(beginning.keys).size < beginning.keys.length) return false;
		if (other === undefined) return true;
		const places = new Map(other.keys.map((key, place) => [key, place]));
		const found = first.keys.flatMap((key) => places.get(key) ?? []);
		const outOfOrder = found.filter((place, index) => place < (found[index - 1] ?? -1)).length;
		// A change of the list moves its records, but leaves most of them.
		const shorter = Math.min(first.keys.length, other.keys.length);
		return found.length * 2 >= shorter && outOfOrder <= found.length / 10;
	}

	private async take(query: Query, asked: Promise<HttpAnswer>): Promise<UserPage | undefined> {
		try {
			const page = await this.reader.read(0, Infinity, async () => await asked);
			if (page.kind === 'fault') return undefined;
			const taken = this.withKeys(query, page);
			if (page.kind !== 'refused') this.note(taken, await asked);
			return taken;
		} catch (error) {
			requireFailure(error);
			return undefined;
		}
	}

	private withKeys(query: Query, page: Page): UserPage {
		return { ...page, query, keys: page.records.map(this.keyOf) };
	}

	private note(page: UserPage, answer: HttpAnswer): void {
		if (page.query.sort !== undefined || page.query.updatedSince !== undefined) return;
		this.seen.push(page);
		this.answers.set(JSON.stringify(page.query), answer);
	}
}
