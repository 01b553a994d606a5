import { readIdentity } from '../answer/identity';
import { isRefusal, type PageAnswer, PageReader } from '../answer/pageReader';
import type { RecordsSought } from '../answer/records';
import { type FailureKind, ServiceFailure } from '../failure/serviceFailure';
import { readHttpDate } from '../http/retryTimes';
import { type EndedBy, listRecords } from '../listing/listRecords';
import { SECOND } from '../values/instant';
import type { JsonObject } from '../values/json';
import type { RecordNames } from './fields';

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

/** Where a reading goes on in the next poll. */
export interface NextPage extends PageQuery {
	/** The number of the list's first page, if that is 1. */
	first?: number;
}

/** Gets the records of a page as it arrives: in any order, and a page may come twice. */
type TakePage = (records: readonly JsonObject[]) => void;

/** How a reading ended. */
export interface ReadingEnd {
	requests: number;
	/** Whether nothing speaks of more than what came. */
	isComplete: boolean;
	/** Whether records moved from page to page meanwhile, so that others may be out of sight. */
	hasMoved: boolean;
	total?: number;
	/** Where the next poll goes on because of a failure; none if the list was read to its end. */
	next?: NextPage;
	failure?: ServiceFailure;
}

/** Instead of asking for a page if waiting for it would take longer than the poll may. */
export function outOfTime(): ServiceFailure {
	return new ServiceFailure(
		'The service did not answer within the time n8n allows for one poll.',
		'Lower Page Size in the options, or ask your service provider why it is slow.',
		{ kind: 'outOfTime' },
	);
}

/**
 * What is wrong with a list, or with what was set, is so on every page. Any other failure is one of
 * a page, which the next poll asks for again.
 */
const OF_WHOLE_LIST: ReadonlySet<FailureKind> = new Set([
	'configuration',
	'pageIgnored',
	'endless',
]);

/**
 * Pages at the same time. Few: if a list does not say where it ends, as many are asked for in vain.
 */
export const CONCURRENCY = 3;

/** Ends that prove nothing: what follows may only not have come. */
const DOUBTFUL_ENDS: ReadonlySet<EndedBy> = new Set(['nothingMore', 'nobody', 'maxPages', 'limit']);

/** The service's time, or ours if it says none. Milliseconds since 1970. */
export interface ServiceClock {
	/** No later than the moment the first answer of the poll shows. */
	start: number;
	/** No earlier than the moment any answer shows. */
	shown: number;
	/** Whether the service says it. */
	isSaid: boolean;
}

/** Asks for pages of a list, and notes the service's time on each answer. */
export class PolledList {
	clock: ServiceClock = { start: 0, shown: 0, isSaid: false };

	/** The number of the list's first page. */
	first = 0;

	private readonly reader: PageReader;

	constructor(readonly source: ListSource) {
		const { keys, itemsPath } = source;
		const fetch = async (page: number, size: number) => await this.fetchPage(page, size);
		this.reader = new PageReader(fetch, { keys, itemsPath });
	}

	/** The records of the first page, whatever its number is. */
	async firstPage(pageSize: number, since?: number): Promise<JsonObject[]> {
		const records = await this.page({ page: this.first, pageSize }, since);
		if (records.length > 0 || since !== undefined || this.first > 0) return records;
		const next = await this.page({ page: 1, pageSize }).catch(noneIfRefused);
		if (next.length > 0) this.first = 1;
		return next;
	}

	/** @throws ServiceFailure also if it is refused, unless that says that nothing is found */
	async page({ page, pageSize }: PageQuery, since?: number): Promise<JsonObject[]> {
		const fetch = async () => await this.fetchPage(page, pageSize, since);
		const read = await this.reader.read(page, pageSize, fetch);
		const isNone = read.kind === 'refused' && read.failure.kind !== 'badRequest';
		if ('failure' in read && !isNone) throw read.failure;
		return read.records;
	}

	/** The records of so many first pages, or of as many as there are, or as the time allows. */
	async some(maxPages: number, pageSize: number, since?: number): Promise<JsonObject[]> {
		const first = await this.firstPage(pageSize, since);
		const records = [...first];
		let last = first;
		for (let page = this.first + 1; page < this.first + maxPages; page++) {
			if (last.length === 0 || last.length < first.length || !this.source.mayReadOn()) break;
			last = await this.page({ page, pageSize }, since).catch(noneIfRefused);
			records.push(...last);
		}
		return records;
	}

	/**
	 * Reads to the end of the list, or as far as it comes: if the time runs out, or a page cannot be
	 * read, the rest is left to the next poll.
	 *
	 * @throws ServiceFailure if it comes no further than before, or something is wrong with the list
	 */
	async read(...reading: Parameters<PolledList['readOnce']>): Promise<ReadingEnd> {
		return await this.readOnce(...reading).catch(async (error: unknown) => {
			// Of a list that moves, each page may be the first one again, but not in two readings.
			if (!(error instanceof ServiceFailure) || error.kind !== 'pageIgnored') throw error;
			return await this.readOnce(...reading);
		});
	}

	private async readOnce(
		from: NextPage,
		take: TakePage,
		{ since, idPath }: { since?: number; idPath: string },
	): Promise<ReadingEnd> {
		const { first = 0 } = from;
		const { source } = this;
		const pages = new PagesRead(from, idPath);
		let isClosed = false;
		const listing = listRecords({
			resource: source.names.name,
			keys: source.keys,
			itemsPath: source.itemsPath,
			// In a list that is read on, nothing else shows from which number it counts.
			firstPage: from.page - first,
			isContinued: true,
			pageSize: from.pageSize,
			concurrency: CONCURRENCY,
			maxPages: 0,
			// The records are taken page by page; what the listing keeps of them would only fill the
			// memory.
			keepAs: () => undefined,
			untilStable: false,
			fetchPage: async (number, pageSize) => {
				if (pages.haveRecords && !source.mayReadOn()) throw outOfTime();
				const page = number + first;
				pages.ask({ page, pageSize });
				return await this.fetchPage(page, pageSize, since);
			},
			pageArrived: (number, pageSize, { records }) => {
				// A page that was still under way when the reading ended is read again.
				if (isClosed) return 'stop';
				take(records);
				pages.note({ page: number + first, pageSize }, records);
				return 'goOn';
			},
		});
		return await listing
			.then(
				({ report: { cameAgain, endedBy, total } }) => ({
					requests: pages.requests,
					isComplete: !DOUBTFUL_ENDS.has(endedBy),
					hasMoved: cameAgain > 0,
					total,
				}),
				(error: unknown) => pages.interruptedBy(error),
			)
			.finally(() => {
				isClosed = true;
			});
	}

	private async fetchPage(page: number, size: number, since?: number): Promise<PageAnswer> {
		const { source } = this;
		const sentAt = source.now();
		const answer = await source.fetchPage(page, size, since);
		const receivedAt = source.now();
		const said = readHttpDate(answer.headers.date);
		const date = said ?? receivedAt;
		const duration = Math.max(0, receivedAt - sentAt);
		// `Date` is cut to whole seconds (RFC 9110 section 5.6.7).
		const shown = date + duration + SECOND;
		this.clock = {
			start: this.clock.start || date - duration,
			shown: Math.max(this.clock.shown, shown),
			isSaid: said !== undefined,
		};
		return answer;
	}
}

/** A page after the end. */
function noneIfRefused(error: unknown): JsonObject[] {
	if (isRefusal(error)) return [];
	throw error;
}

/** Knows which pages were read. */
class PagesRead {
	requests = 0;

	/** In which size each page came, and the ID of its first record; empty if it has none. */
	private readonly arrived = new Map<number, { pageSize: number; first: string }>();

	/** Of the pages after the first one. */
	private pageSize: number;

	/** @param idPath by which records are told apart */
	constructor(
		private readonly from: NextPage,
		private readonly idPath: string,
	) {
		this.pageSize = from.pageSize;
	}

	/** An empty page 0 is not the first one if the service counts from 1. */
	get haveRecords(): boolean {
		return [...this.arrived.values()].some(({ first }) => first !== '');
	}

	ask({ page, pageSize }: PageQuery): void {
		this.requests++;
		if (page > this.from.page) this.pageSize = pageSize;
	}

	note({ page, pageSize }: PageQuery, [record]: readonly JsonObject[]): void {
		const first = record === undefined ? '' : JSON.stringify(readIdentity(record, this.idPath));
		this.arrived.set(page, { pageSize, first });
	}

	/** @throws the error, if it is one of the whole list, or the reading came no further */
	interruptedBy(failure: unknown): ReadingEnd {
		const { arrived, from, requests } = this;
		if (!(failure instanceof ServiceFailure)) throw failure;
		const isOfList = OF_WHOLE_LIST.has(failure.kind);
		const end = { requests, isComplete: false, hasMoved: false };
		// After the end of the list as it is by now, pages are refused, or come again.
		const isAtEnd = isOfList && failure.kind !== 'configuration';
		if (from.page > 0 && (arrived.size === 0 ? isRefusal(failure) : isAtEnd)) return end;
		const next = isOfList ? undefined : this.next();
		if (next === undefined) throw failure;
		return { ...end, next, failure };
	}

	/** The first page that was not read; none if it is the one this reading began with. */
	private next(): NextPage | undefined {
		const { arrived, from, pageSize } = this;
		const [zero, one] = [arrived.get(0)?.first, arrived.get(1)?.first];
		// Page 1 is the first one if page 0 is empty, or the same.
		const countsFromOne = one !== undefined && (zero === '' || zero === one);
		const first = from.first ?? (countsFromOne ? 1 : 0);
		let { page } = from;
		while (page === 0 ? arrived.has(0) : arrived.get(page)?.pageSize === pageSize) page++;
		return page === from.page ? undefined : { page, pageSize, ...(first > 0 && { first }) };
	}
}
