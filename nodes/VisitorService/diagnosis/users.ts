import { findIdentity } from '../answer/identity';
import { type Page, type PageAnswer, PageReader } from '../answer/pageReader';
import { findRecords } from '../answer/records';
import { LISTED_RESOURCES } from '../answer/resources';
import { ServiceFailure } from '../failure/serviceFailure';
import type { HttpAnswer } from '../http/message';
import { listRecords } from '../listing/listRecords';
import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import type { JsonObject } from '../values/json';
import { type Conversation, type Query, requireFailure } from './conversation';
import { lengthOf, type PageLength } from './pageLength';

/** Parameters and options of List Users; what is not set has its default, but Return All is on. */
export type ListSettings = { readonly returnAll?: boolean; readonly itemsPath?: string } & {
	readonly [name in 'page' | 'limit' | 'pageSize' | 'maxPages']?: number;
};

export interface Trial {
	/** `unclear`: the service had no time for a request, or is not asked any more. */
	kind: 'read' | 'failed' | 'unclear';
	failure?: ServiceFailure;
	/** Users on the longest page. */
	longest: number;
	requests: number;
	/** What tells the records apart that it reads, in their order; none if it fails. */
	keys: readonly string[];
	/** Whether it reached the end of the list. */
	whole: boolean;
}

const MAX_LIST_PAGES = 3;

const { segment, name, keys: listKeys } = LISTED_RESOURCES.user;

/** What came when users were asked for: a page of the listing. */
export type UserPage = Page &
	PageLength & {
		query: Query;
		/** What tells the records apart, in the order of the page. */
		keys: readonly string[];
		/** None if the page was refused. */
		answer?: PageAnswer;
	};

/** One more than the largest page size in common use, and than any that is recommended. */
export const MAX_SIZE_ASKED = 1001;
/** Users by which a list may differ from one request to the next, because it changed meanwhile. */
export const MAX_CHANGES = 2;

/** Asks for users, for single pages or for the list as List Users does, and knows what came. */
export class Users {
	/** The page returned without a size. */
	readonly first: UserPage;

	/** All that show how the list goes: none that was refused, filtered or sorted. */
	readonly pages: UserPage[] = [];

	readonly keyOf: (record: JsonObject) => string;

	private readonly isFirst = ({ keys }: UserPage) => keys[0] === this.first.keys[0];

	private constructor(
		private readonly conversation: Conversation,
		/** Knows where the list is. */
		readonly reader: PageReader,
		first: Page,
		answer: PageAnswer,
		/** What Items Path has to be set to; '' if the nodes detect the list. */
		readonly pathToSet: string,
		/** How the beginning of the list is asked for. */
		readonly start: Query,
	) {
		const identity = findIdentity(first.records, name);
		this.keyOf = (record) => JSON.stringify(identity?.identify(record) ?? record);
		this.first = this.note(start, first, answer);
	}

	/** @param answer to a request for `start` @throws ServiceFailure if it holds no list */
	static async readFrom(
		conversation: Conversation,
		answer: HttpAnswer,
		itemsPath: string,
		start: Query = {},
	): Promise<Users> {
		const sought = { keys: listKeys, itemsPath };
		const reader = new PageReader(async () => await Promise.resolve(answer), sought);
		const first = await reader.read(0, Infinity);
		const detected = findRecords(answer, { ...sought, itemsPath: '' });
		const isDetected = detected.kind === 'records' && detected.path === reader.itemsPath;
		return new Users(conversation, reader, first, answer, isDetected ? '' : itemsPath, start);
	}

	/** The page as it came before, or else as `read` returns it now. */
	async know(query: Query): Promise<UserPage | undefined> {
		return this.findKnown({ ...this.start, ...query }) ?? (await this.read(query));
	}

	/** @returns undefined if the answer says nothing about the parameters */
	async read(asked: Query): Promise<UserPage | undefined> {
		const query = { ...this.start, ...asked };
		try {
			const fetched = this.conversation.get(segment, query);
			const page = await this.reader.read(0, Infinity, async () => await fetched);
			if (page.kind === 'fault') return undefined;
			const answer = page.kind === 'refused' ? undefined : await fetched;
			return this.note(query, page, answer);
		} catch (error) {
			requireFailure(error);
			return undefined;
		}
	}

	/** As the node does, some pages only. @param isAgain whether to ask again for those that came */
	async list(settings: ListSettings, isAgain = false): Promise<Trial> {
		const { page = 0, limit, pageSize = USUAL_PAGE_SIZE, itemsPath = '', maxPages } = settings;
		const before = isAgain ? this.pages.length : 0;
		const trial = { longest: 0, requests: 0, keys: [], whole: false };
		try {
			const { records: keys, report } = await listRecords({
				resource: name,
				keys: listKeys,
				itemsPath,
				limit,
				firstPage: page,
				pageSize,
				concurrency: 1,
				maxPages: maxPages ?? MAX_LIST_PAGES,
				untilStable: false,
				keepAs: this.keyOf,
				fetchPage: async (number, size) => {
					trial.requests++;
					const query = { page: number, pageSize: size };
					// Whether an answer with users stays the same is not what is tried.
					const known = this.findKnown(query, before)?.answer;
					return known ?? (await this.conversation.get(segment, query));
				},
				pageArrived: (number, size, arrived, answer) => {
					const { came } = this.note({ page: number, pageSize: size }, arrived, answer);
					trial.longest = Math.max(trial.longest, came);
					return 'goOn';
				},
			});
			if (keys.length === 0 && report.endedBy === 'nothingMore') throw nobodyShown();
			const whole = maxPages !== undefined || report.endedBy !== 'maxPages';
			return { ...trial, kind: 'read', keys, whole };
		} catch (error) {
			const failure = requireFailure(error);
			const isOver = this.conversation.stopReason !== undefined || failure.kind === 'rateLimit';
			return { ...trial, kind: isOver ? 'unclear' : 'failed', failure };
		}
	}

	/** A page with users. One without a number is page 0 if that was seen to be the first page. */
	private findKnown(query: Query, from = 0): UserPage | undefined {
		const pages = this.pages.slice(from).filter(({ kind }) => kind === 'records');
		const hasFirst = pages.some((page) => page.query.page === 0 && this.isFirst(page));
		const usual = hasFirst ? 0 : undefined;
		const isSame = ({ page = usual, pageSize }: Query) =>
			page === (query.page ?? usual) && pageSize === query.pageSize;
		return pages.find((page) => isSame(page.query));
	}

	/** The longest known beginning of the list. */
	get beginning(): UserPage {
		return this.pages
			.filter((page) => page.query.page === this.start.page || this.isFirst(page))
			.reduce((most, page) => (page.keys.length > most.keys.length ? page : most));
	}

	/** Whether the list is longer than its known beginning, by more than a change explains. */
	get goesOn(): boolean {
		const { beginning } = this;
		return this.pages.some(({ keys }) => missingIn(beginning, keys) > MAX_CHANGES);
	}

	/** The page size of List Users, if the service accepts it. */
	get size(): Query {
		const isAccepted = this.pages.some(({ asked, came }) => asked === USUAL_PAGE_SIZE && came > 0);
		return isAccepted ? { pageSize: USUAL_PAGE_SIZE } : {};
	}

	private note(query: Query, page: Page, answer: PageAnswer | undefined): UserPage {
		const length = lengthOf(page, query.pageSize ?? 0);
		const noted = { ...page, ...length, query, keys: page.records.map(this.keyOf), answer };
		const isPlain = query.updatedSince === undefined && query.sort === undefined;
		const isNew = answer !== undefined && !this.pages.some((one) => one.answer === answer);
		if (isPlain && isNew) this.pages.push(noted);
		return noted;
	}
}

/** What all other questions about the list build on. */
export class ListedUsers {
	constructor(
		readonly users: Users,
		/** What List Users reads with the defaults. */
		readonly standard: Trial,
		/** The answer to the largest size asked for, be it refused. */
		readonly largest?: UserPage,
	) {}

	static async read(users: Users): Promise<ListedUsers> {
		const standard = await users.list({});
		if (users.first.came === 0) return new ListedUsers(users, standard);
		return new ListedUsers(users, standard, await users.read({ pageSize: MAX_SIZE_ASKED }));
	}

	/** Whether users can be told apart: not by the row on a page, by which some of them are alike. */
	get areTold(): boolean {
		const readings = [this.users.beginning, this.standard];
		return readings.every(({ keys }) => new Set(keys).size === keys.length);
	}

	/** Whether they keep their order too, by the first and the largest page. */
	get isComparable(): boolean {
		const { first, start } = this.users;
		if (first.came === 0 || !this.areTold) return false;
		const other = this.largest?.answer === undefined ? first : this.largest;
		// Of the second page a larger one begins elsewhere.
		const isFirst = other.keys[0] === first.keys[0] && other.came > first.came;
		if (start.page !== undefined && !isFirst) return false;
		const places = new Map(other.keys.map((key, place) => [key, place]));
		const found = first.keys.flatMap((key) => places.get(key) ?? []);
		const outOfOrder = found.filter((place, index) => place < (found[index - 1] ?? -1)).length;
		// A change of the list moves its records, but leaves most of them.
		return found.length * 2 >= Math.min(first.came, other.came) && outOfOrder <= found.length / 10;
	}
}

function nobodyShown(): ServiceFailure {
	return new ServiceFailure(
		'No users are returned, although the service says that there are some.',
		'Ask your service provider which users this client ID is allowed to see.',
		{ kind: 'service' },
	);
}

/** How many of these records a reading or a page lacks. */
export function missingIn(read: Pick<Trial, 'keys'>, keys: readonly string[]): number {
	const known = new Set(read.keys);
	return keys.filter((key) => !known.has(key)).length;
}
