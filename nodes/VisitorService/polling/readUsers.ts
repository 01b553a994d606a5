import { readDotPath } from '../json/dotPath';
import { isRecord } from '../json/isRecord';
import { findRecords, type JsonObject } from '../listing/findRecords';
import { listRecords } from '../listing/listRecords';
import { type FetchPage, isRefusal } from '../listing/pageReader';
import { LISTED_RESOURCES } from '../listing/resources';
import { ServiceFailure } from '../transport/serviceFailure';

export interface UserReading {
	/** Page to begin with; numbering starts at 0. */
	page: number;
	pageSize: number;
	fetchPage: FetchPage;
	/** Takes the users of a page as it arrives: in any order, and a page may come twice. */
	take(users: readonly JsonObject[]): void;
	/** Whether there is time for another page; the first one is read in any case. */
	mayReadOn(): boolean;
}

export interface ReadingEnd {
	/** Pages that were asked for. */
	requests: number;
	/** Where to go on, if the list was not read to its end. */
	next?: { page: number; pageSize: number };
}

/** Said by `fetchPage` where waiting for a page would take longer than the poll may. */
export class OutOfTime extends ServiceFailure {
	constructor() {
		super(
			'The service did not answer within the time n8n gives to one poll.',
			'Lower Page Size in the options, or ask the operator of the service why it is slow.',
			{ kind: 'connection' },
		);
	}
}

/** Few: where a list does not say where it ends, as many pages are asked for in vain. */
const CONCURRENCY = 3;

/**
 * Reads a list of users to its end, or as far as the time allows: where it runs out, or the service asks for a
 * pause, after a page has come, the rest is left to the next poll.
 *
 * @throws ServiceFailure where a page cannot be read for another reason
 */
export async function readUsers(reading: UserReading): Promise<ReadingEnd> {
	const { keys, name } = LISTED_RESOURCES.user;
	const pages = new ReadPages(reading);
	const listing = listRecords({
		resource: name,
		keys,
		itemsPath: '',
		firstPage: reading.page,
		pageSize: reading.pageSize,
		concurrency: CONCURRENCY,
		maxPages: 0,
		// The users are taken page by page; what the listing keeps of them would only fill the memory.
		keepAs: () => undefined,
		untilStable: false,
		fetchPage: async (page, pageSize) => await pages.read(page, pageSize),
	});
	return await listing
		.then(
			() => ({ requests: pages.requests }),
			(error: unknown) => {
				const next = isPause(error) ? pages.next() : pages.anew(error);
				if (next === undefined) throw error;
				return { requests: pages.requests, next };
			},
		)
		.finally(() => {
			pages.close();
		});
}

function isPause(error: unknown): boolean {
	return (
		error instanceof OutOfTime || (error instanceof ServiceFailure && error.kind === 'rateLimit')
	);
}

/** Hands over what the pages hold, and knows which were read. */
class ReadPages {
	requests = 0;

	private path?: string;

	private pageSize: number;

	private readonly done: Array<{ page: number; pageSize: number }> = [];

	private closed = false;

	constructor(private readonly reading: UserReading) {
		this.pageSize = reading.pageSize;
	}

	async read(page: number, pageSize: number) {
		const { reading } = this;
		if (this.requests > 0 && !reading.mayReadOn()) throw new OutOfTime();
		this.requests++;
		if (page > reading.page) this.pageSize = pageSize;
		const answer = await reading.fetchPage(page, pageSize);
		// A page that was still under way when the reading ended is read again.
		if (this.closed) return answer;
		const users = answer.statusCode === 204 ? [] : this.usersOf(answer.body);
		reading.take(users);
		this.done.push({ page, pageSize });
		this.notePageSize(users.length);
		return answer;
	}

	close(): void {
		this.closed = true;
	}

	/** The first page that was not read. */
	next(): ReadingEnd['next'] {
		const { pageSize, reading } = this;
		if (this.done.length === 0) return undefined;
		const pages = new Set(
			this.done.filter((one) => one.pageSize === pageSize).map(({ page }) => page),
		);
		// The first page of a list begins at the same place whatever its size.
		if (reading.page === 0) pages.add(0);
		let page = Math.min(...pages, pages.size === 0 ? reading.page : Infinity);
		while (pages.has(page)) page++;
		return { page, pageSize };
	}

	/** The first page, where the list became shorter than the place it was left at, which is refused now. */
	anew(error: unknown): ReadingEnd['next'] {
		const { page, pageSize } = this.reading;
		const wasRefused = this.done.length === 0 && isRefusal(error);
		return page > 0 && wasRefused ? { page: 0, pageSize } : undefined;
	}

	/** A first page of another size than asked for was clamped, or is the whole list: the size that came is safe. */
	private notePageSize(came: number): void {
		if (this.done.length === 1 && this.reading.page === 0 && came > 0) this.pageSize = came;
	}

	/** Whether the answer is a page at all is for the listing to judge. */
	private usersOf(body: unknown): JsonObject[] {
		if (this.path === undefined) {
			const { records, path } = findRecords(body, {
				keys: LISTED_RESOURCES.user.keys,
				itemsPath: '',
			});
			if (records.length > 0) this.path = path;
			return records;
		}
		const users = readDotPath(body, this.path);
		return Array.isArray(users) ? users.filter(isRecord) : [];
	}
}
