import { findIdentity, type RecordIdentity } from '../answer/identity';
import { type Page, type PageAnswer, PageReader } from '../answer/pageReader';
import { LISTED_RESOURCES } from '../answer/resources';
import { ServiceFailure } from '../failure/serviceFailure';
import type { HttpAnswer } from '../http/message';
import { listRecords } from '../listing/listRecords';
import { lengthOf } from '../listing/pageLength';
import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import type { JsonObject } from '../values/json';
import { type Conversation, type Query, requireFailure } from './conversation';
import type { Values } from './finding';
import { findPage, MAX_CHANGES, Seen, type UserPage } from './seen';

/** What List Users does with some settings. */
export type Trial = {
	/** The pages that it asked for. */
	pages: readonly UserPage[];
	requests: number;
	/** What tells the records apart that it reads, in their order; none if it fails. */
	keys: readonly string[];
} /** The whole list or its beginning; its total only if the whole of it names one. */ & (
	| { kind: 'read'; whole: boolean; total?: number }
	/** It ends in this error. */
	| { kind: 'failed'; failure: ServiceFailure }
	/** It could not be tried: the tenant did not answer, or must not be asked any more. */
	| { kind: 'unclear' }
);

const MAX_PAGES = 3;

/** After so many requests a reading is stopped if it came beyond its first page: what it read is compared. */
const ENOUGH_REQUESTS = 6;
/** And after so many in any case. A listing may need them to see that a short list has no other page. */
const MAX_REQUESTS = 12;

/** Failures that say something about the settings, not about the state of the service. */
const TELLING = new Set(['badRequest', 'notFound', 'answer', 'noList', 'pageIgnored']);

const { segment, name, keys: listKeys } = LISTED_RESOURCES.user;

/** Asks for users: for single pages, or for the list as List Users does. */
export class Users {
	readonly seen: Seen;

	private readonly identify?: RecordIdentity;

	/** Tells records apart. */
	readonly keyOf = (record: JsonObject) => JSON.stringify(this.identify?.(record) ?? record);

	private constructor(
		private readonly conversation: Conversation,
		private readonly reader: PageReader,
		first: Page,
		answer: PageAnswer,
	) {
		this.identify = findIdentity(first.records, name)?.identify;
		this.seen = new Seen(this.pageOf({}, first, answer));
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
		try {
			const asked = this.conversation.get(segment, query);
			const page = await this.reader.read(0, Infinity, async () => await asked);
			if (page.kind === 'fault') return undefined;
			const answer = page.kind === 'refused' ? undefined : await asked;
			return this.seen.note(this.pageOf(query, page, answer));
		} catch (error) {
			requireFailure(error);
			return undefined;
		}
	}

	/**
	 * Lists users as the node does, some pages only.
	 *
	 * @param values parameters and options of List Users; Return All is on if it is not among them
	 * @param isAgain whether pages that came are to be asked for again
	 */
	async list(values: Values, isAgain = false): Promise<Trial> {
		const { returnAll, page, limit, pageSize, itemsPath, maxPages } = values;
		const pages: UserPage[] = [];
		let requests = 0;
		const read = () => [...new Set(pages.flatMap(({ keys }) => keys))];
		const goesOn = () => read().length > (pages[0]?.came ?? 0) + MAX_CHANGES;
		try {
			const { records: keys, report } = await listRecords({
				resource: name,
				keys: listKeys,
				itemsPath: typeof itemsPath === 'string' ? itemsPath : '',
				limit: returnAll === false ? Number(limit) : undefined,
				firstPage: returnAll === false ? Number(page) : 0,
				mayBeginAfterEnd: returnAll === false,
				pageSize: Number(pageSize ?? USUAL_PAGE_SIZE),
				concurrency: 1,
				maxPages: Number(maxPages ?? MAX_PAGES),
				untilStable: false,
				keepAs: this.keyOf,
				fetchPage: async (number, size) => {
					if (requests >= (goesOn() ? ENOUGH_REQUESTS : MAX_REQUESTS)) throw STOPPED;
					requests++;
					const query = { page: number, pageSize: size };
					// Whether an answer with users stays the same is not what is tried.
					const known = findPage(isAgain ? pages : this.seen.pages, query);
					if (known?.kind === 'records' && known.answer !== undefined) return known.answer;
					return await this.conversation.get(segment, query);
				},
				pageArrived: (number, size, arrived, answer) => {
					const page = this.pageOf({ page: number, pageSize: size }, arrived, answer);
					pages.push(this.seen.note(page));
				},
			});
			const whole = maxPages !== undefined || report.endedBy !== 'maxPages';
			return { kind: 'read', keys, requests, whole, total: report.total, pages };
		} catch (error) {
			const failure = requireFailure(error);
			if (failure === STOPPED && goesOn()) {
				return { kind: 'read', keys: read(), requests, whole: false, pages };
			}
			const none = { keys: [], requests, pages };
			return TELLING.has(failure.kind)
				? { kind: 'failed', failure, ...none }
				: { kind: 'unclear', ...none };
		}
	}

	private pageOf(query: Query, page: Page, answer: PageAnswer | undefined): UserPage {
		const keys = page.records.map(this.keyOf);
		return { ...page, ...lengthOf(page, Number(query.pageSize ?? 0)), query, keys, answer };
	}
}

const STOPPED = new ServiceFailure('The list took too many requests to be tried.', '', {
	kind: 'service',
});

/** How many of these records a reading lacks. */
export function missingIn(trial: Trial, keys: readonly string[]): number {
	const read = new Set(trial.keys);
	return keys.filter((key) => !read.has(key)).length;
}
