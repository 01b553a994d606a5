import { readIdentity } from '../answer/identity';
import { isRefusal, type PageAnswer } from '../answer/pageReader';
import type { RecordsSought } from '../answer/records';
import { ServiceFailure } from '../failure/serviceFailure';
import { type EndedBy, listRecords } from '../listing/listRecords';
import { shortDigest } from '../values/digest';
import type { JsonObject } from '../values/json';
import type { RecordNames } from './fields';
import type { ServiceTime } from './serviceTime';

/** One list of one tenant, as the trigger reaches it. */
export interface ListSource extends RecordsSought {
	/** Tells tenants, clients, lists and ways to read them apart. */
	service: string;
	names: RecordNames;
	/**
	 * @param updatedSince milliseconds since 1970. @throws ServiceFailure for everything but status
	 *   2xx
	 */
	fetchPage(page: number, pageSize: number, updatedSince?: number): Promise<PageAnswer>;
	/** Our time. */
	now(): number;
	/** Whether there is time for another page. */
	mayReadOn(): boolean;
	pause(milliseconds: number): Promise<void>;
}

/** A page of a list; numbering starts at 0. */
export interface PageQuery {
	page: number;
	pageSize: number;
}

/**
 * Where a reading goes on in the next poll, and by what it notices there that the list only repeats
 * itself.
 */
export interface ReadingPlace extends PageQuery {
	/** Digests of the first and the last page that was read. */
	first?: string;
	last?: string;
	/** The total the service said. */
	total?: number;
}

export interface PageOfRecords {
	records: readonly JsonObject[];
	query: PageQuery;
}

/** How a reading ended. `requests`: pages that were asked for. */
export type ReadingEnd =
	/**
	 * At the end of the list, complete if nothing speaks of more than what came. If records moved
	 * from page to page meanwhile, others may have moved out of sight. `total`: the one the service
	 * said last.
	 */
	| { kind: 'ended'; requests: number; isComplete: boolean; hasMoved: boolean; total?: number }
	/** Before that; the next poll goes on there. */
	| { kind: 'interrupted'; requests: number; next: ReadingPlace };

/** Thrown instead of asking for a page if waiting for it would take longer than the poll may. */
export class OutOfTime extends ServiceFailure {
	constructor() {
		super(
			'The service did not answer within the time n8n allows for one poll.',
			'Lower Page Size in the options, or ask your service provider why it is slow.',
			{ kind: 'connection' },
		);
	}
}

/**
 * Pages at the same time. Few: if a list does not say where it ends, as many are asked for in vain.
 */
export const CONCURRENCY = 3;

/** Ends that prove nothing: what follows may only not have come. */
const DOUBTFUL_ENDS: ReadonlySet<EndedBy> = new Set(['nothingMore', 'nobody', 'maxPages', 'limit']);

/** Asks for pages of a list, and notes the service's time on each answer. */
export class PolledList {
	constructor(
		readonly source: ListSource,
		private readonly clock: ServiceTime,
		private readonly maxPages = Infinity,
	) {}

	/**
	 * The same list, of which one reading asks for so many pages at most, those without records
	 * apart.
	 */
	upTo(maxPages: number): PolledList {
		return new PolledList(this.source, this.clock, maxPages);
	}

	private async fetchPage(
		page: number,
		pageSize: number,
		updatedSince?: number,
	): Promise<PageAnswer> {
		const { source } = this;
		const sentAt = source.now();
		const answer = await source.fetchPage(page, pageSize, updatedSince);
		this.clock.observe(answer.headers, sentAt, source.now());
		return answer;
	}

	/**
	 * The records of one page, or of the first one after it that has some; the first of all if none
	 * is named.
	 */
	async readPage(
		{ page = 0, pageSize }: Partial<PageQuery> & { pageSize: number },
		updatedSince?: number,
	): Promise<JsonObject[]> {
		return await this.upTo(1).readAll({ page, pageSize }, updatedSince);
	}

	/** The records of all pages, or of as many as the time and `upTo` allow. */
	async readAll(from: PageQuery, updatedSince?: number): Promise<JsonObject[]> {
		const pages = new Map<string, readonly JsonObject[]>();
		const take = (records: readonly JsonObject[], { page, pageSize }: PageQuery) =>
			void pages.set(keyOf(page, pageSize), records);
		await this.read(from, take, updatedSince);
		return [...pages.values()].flat();
	}

	/**
	 * Reads to the end of the list, or as far as the time allows: if it runs out, or the service asks
	 * for a pause, after a page has come, the rest is left to the next poll.
	 *
	 * @param take gets the records of a page as it arrives: in any order, and a page may come twice
	 * @throws ServiceFailure if a page cannot be read for another reason
	 */
	async read(
		from: ReadingPlace,
		take: (records: readonly JsonObject[], query: PageQuery) => void,
		updatedSince?: number,
		idPath?: string,
	): Promise<ReadingEnd> {
		const { maxPages, source } = this;
		const pages = new PagesRead(from, idPath);
		let requests = 0;
		let isClosed = false;
		const listing = listRecords({
			resource: source.names.name,
			keys: source.keys,
			itemsPath: source.itemsPath,
			firstPage: from.page,
			isContinued: true,
			pageSize: from.pageSize,
			concurrency: CONCURRENCY,
			maxPages: 0,
			// The records are taken page by page; what the listing keeps of them would only fill the
			// memory.
			keepAs: () => undefined,
			untilStable: false,
			fetchPage: async (page, pageSize) => {
				const isAllowed = pages.withRecords < maxPages || pages.wasAsked(page, pageSize);
				if (requests > 0 && !(isAllowed && source.mayReadOn())) throw new OutOfTime();
				requests++;
				pages.asked(page, pageSize);
				return await this.fetchPage(page, pageSize, updatedSince);
			},
			pageArrived: (page, pageSize, { records, metadata: { total } }) => {
				// A page that was still under way when the reading ended is read again.
				if (isClosed) return;
				pages.total = total ?? pages.total;
				if (pages.isRepeated(page, pageSize, records)) throw new ListRepeated();
				take(records, { page, pageSize });
				pages.arrived(page, pageSize, records);
			},
		});
		return await listing
			.then(
				({ report: { cameAgain, endedBy, total = pages.total } }): ReadingEnd => {
					const isComplete = !DOUBTFUL_ENDS.has(endedBy);
					return { kind: 'ended', requests, isComplete, hasMoved: cameAgain > 0, total };
				},
				(error: unknown): ReadingEnd => {
					// As an empty page would be there.
					const isRefused = from.page > 0 && pages.isNone && isRefusal(error);
					if (isRefused || error instanceof ListRepeated)
						return {
							kind: 'ended',
							requests,
							isComplete: true,
							hasMoved: false,
							total: pages.total,
						};
					const next = isPause(error) ? pages.next() : undefined;
					if (next === undefined) throw error;
					return { kind: 'interrupted', requests, next };
				},
			)
			.finally(() => {
				isClosed = true;
			});
	}
}

function isPause(error: unknown): boolean {
	return (
		error instanceof OutOfTime || (error instanceof ServiceFailure && error.kind === 'rateLimit')
	);
}

/**
 * Thrown in place of reading on if a list that is continued only repeats what an earlier poll has
 * read.
 */
class ListRepeated extends Error {}

/** Enough to tell two pages of one list apart. */
const PAGE_DIGEST_LENGTH = 8;

/** Knows which pages were read. */
class PagesRead {
	private pageSize: number;

	private readonly done: PageQuery[] = [];

	/** The total the service said last. */
	total?: number;

	/** Digests of pages with records. */
	private readonly digests = new Map<number, string>();

	private readonly empty = new Set<string>();

	private readonly all = new Set<string>();

	/**
	 * @param idPath of records that have an ID there, which tells them apart whatever else differs in
	 *   each answer
	 */
	constructor(
		private readonly from: ReadingPlace,
		private readonly idPath?: string,
	) {
		this.pageSize = from.pageSize;
		this.total = from.total;
	}

	asked(page: number, pageSize: number): void {
		if (page > this.from.page) this.pageSize = pageSize;
		this.all.add(keyOf(page, pageSize));
	}

	wasAsked(page: number, pageSize: number): boolean {
		return this.all.has(keyOf(page, pageSize));
	}

	/** Whether a page is one of an earlier poll, and nothing speaks of more. */
	isRepeated(page: number, pageSize: number, records: readonly JsonObject[]): boolean {
		const { first, last } = this.from;
		if (records.length === 0 || page < this.from.page || (this.total ?? 0) > page * pageSize)
			return false;
		return [first, last].includes(this.digestOf(records));
	}

	arrived(page: number, pageSize: number, shown: readonly JsonObject[]): void {
		const records = shown.length;
		this.done.push({ page, pageSize });
		if (records === 0) this.empty.add(keyOf(page, pageSize));
		else this.digests.set(page, this.digestOf(shown));
		// A first page of another size than asked for was clamped, or is the whole list: the size it
		// returned is safe.
		if (this.done.length === 1 && this.from.page === 0 && records > 0) this.pageSize = records;
	}

	/** How many pages were asked for that have records, as far as is known. */
	get withRecords(): number {
		return this.all.size - this.empty.size;
	}

	get isNone(): boolean {
		return this.done.length === 0;
	}

	/** The first page that was not read. */
	next(): ReadingPlace | undefined {
		const { done, from, pageSize } = this;
		if (done.length === 0) return undefined;
		// A listing looks at pages before its first one only to compare them with others.
		const start = from.page * from.pageSize;
		const isAhead = (one: PageQuery) =>
			one.pageSize === pageSize && (one.page + 1) * pageSize > start;
		const pages = new Set(done.filter(isAhead).map(({ page }) => page));
		// The first page of a list begins at the same place whatever its size.
		if (from.page === 0) pages.add(0);
		let page = Math.min(...pages, pages.size === 0 ? from.page : Infinity);
		while (pages.has(page)) page++;
		const first = from.first ?? this.digests.get(Math.min(...this.digests.keys()));
		const last = this.digests.get(page - 1) ?? from.last;
		return {
			page,
			pageSize,
			...(first !== undefined && { first }),
			...(last !== undefined && { last }),
			...(this.total !== undefined && { total: this.total }),
		};
	}

	private digestOf(records: readonly JsonObject[]): string {
		const { idPath } = this;
		const ids = records.map((record) =>
			idPath === undefined ? record : readIdentity(record, idPath),
		);
		return shortDigest(JSON.stringify(ids), PAGE_DIGEST_LENGTH);
	}
}

function keyOf(page: number, pageSize: number): string {
	return `${page} of ${pageSize}`;
}
