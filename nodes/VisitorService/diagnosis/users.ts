import { findIdentity } from '../answer/identity';
import { PAGE_REFUSALS } from '../answer/pageReader';
import { type PagingMetadata, readPagingMetadata } from '../answer/paging';
import { type AnswerShape, findRecords, requireRecords, shapeOf } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import { cleanServerText } from '../failure/serverText';
import type { HttpAnswer } from '../http/message';
import type { JsonObject } from '../values/json';
import { type Conversation, failureOf, type Query } from './conversation';

export interface UserPage {
	query: Query;
	records: JsonObject[];
	/** What tells the records apart, in the order of the page. */
	keys: string[];
	metadata: PagingMetadata;
}

/** What one question to the users list returned. */
export type Reading =
	| { kind: 'page'; page: UserPage }
	/** The service does not want the parameters. */
	| { kind: 'refused'; text: string }
	/** It says nothing about the parameters. */
	| { kind: 'unclear' };

/** Statuses by which services refuse parameters. */
const PARAMETER_REFUSALS: ReadonlySet<number> = new Set([400, 416, 422]);

/** Users by which a list may differ from one request to the next, because it changed meanwhile. */
export const MAX_CHANGES = 2;

const { segment, name, keys: listKeys } = LISTED_RESOURCES.user;

/** The users list, and all that was seen of it. */
export class Users {
	/** The page returned without parameters. */
	readonly first: UserPage;

	/** Every page returned without filter and order, the first one among them: what facts are derived from. */
	readonly seen: UserPage[] = [];

	/** The answers with these pages, by their queries as JSON. */
	readonly answers = new Map<string, HttpAnswer>();

	readonly keyOf: (record: JsonObject) => string;

	private readonly shape: AnswerShape;

	constructor(
		private readonly conversation: Conversation,
		firstAnswer: HttpAnswer,
		/** Dot path of the list. */
		private readonly path: string,
		records: JsonObject[],
	) {
		const identify = findIdentity(records, name)?.identify;
		this.keyOf = (record) => JSON.stringify(identify?.(record) ?? record);
		this.shape = shapeOf(firstAnswer.body);
		this.first = this.note({}, firstAnswer, records);
	}

	async read(query: Query): Promise<Reading> {
		const reply = await this.conversation.ask(segment, query);
		if (reply.kind === 'silence') return { kind: 'unclear' };
		const { statusCode, body } = reply.answer;
		if (statusCode >= 300) {
			const refusals = query.page === undefined ? PARAMETER_REFUSALS : PAGE_REFUSALS;
			const text = cleanServerText(body, this.conversation.secrets) ?? '';
			return refusals.has(statusCode) ? { kind: 'refused', text } : { kind: 'unclear' };
		}
		try {
			return { kind: 'page', page: this.take(query, reply.answer) };
		} catch (error) {
			failureOf(error);
			return { kind: 'unclear' };
		}
	}

	/**
	 * The users of a page, which is asked for unless it was seen.
	 *
	 * @param isNew whether it is asked for in any case
	 * @returns none of a page that is refused; undefined if the answer does not tell
	 */
	async keysOf(query: Query, isNew = false): Promise<readonly string[] | undefined> {
		const wanted = JSON.stringify(query);
		const seen = this.seen.find((page) => JSON.stringify(page.query) === wanted);
		if (seen !== undefined && !isNew) return seen.keys;
		const reading = await this.read(query);
		if (reading.kind === 'unclear') return undefined;
		return reading.kind === 'refused' ? [] : reading.page.keys;
	}

	/** Fetches a page as List Users does, and looks at it. @throws ServiceFailure as the nodes' connection */
	async fetch(query: Query): Promise<HttpAnswer> {
		const answer = await this.conversation.fetch(segment, query);
		try {
			this.take(query, answer);
		} catch (error) {
			// The listing judges an answer that is not a page.
			failureOf(error);
		}
		return answer;
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

	/** The largest page size for which a page was returned, at most the one wanted; undefined = leave it out. */
	acceptedSize(wanted: number): { pageSize?: number } {
		const sizes = this.seen
			.map(({ query, keys }) => (keys.length > 0 ? Number(query.pageSize ?? 0) : 0))
			.filter((size) => size > 0 && size <= wanted);
		return sizes.length === 0 ? {} : { pageSize: Math.max(...sizes) };
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

	/** @throws ServiceFailure if the answer holds no list */
	private take(query: Query, answer: HttpAnswer): UserPage {
		const sought = { keys: listKeys, itemsPath: this.path };
		return this.note(query, answer, requireRecords(findRecords(answer, sought, this.shape)));
	}

	private note(query: Query, answer: HttpAnswer, records: JsonObject[]): UserPage {
		const metadata = readPagingMetadata(answer.body, answer.headers);
		const page = { query, records, keys: records.map(this.keyOf), metadata };
		if (query.sort !== undefined || query.updatedSince !== undefined) return page;
		this.seen.push(page);
		this.answers.set(JSON.stringify(query), answer);
		return page;
	}
}
