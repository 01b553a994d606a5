import { isRefusal, type PageAnswer } from '../answer/pageReader';
import type { RecordsSought } from '../answer/records';
import { type FailureKind, ServiceFailure } from '../failure/serviceFailure';
import { pageMissing } from '../listing/failures';
import { type EndedBy, type ListingReport, listRecords } from '../listing/listRecords';
import { pageKey } from '../listing/pageSize';
import type { JsonObject } from '../values/json';
import type { RecordNames } from './fields';
import { type NextPage, type PageQuery, PagesRead, reachesBeyond } from './pagesRead';
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

export interface PageOfRecords {
	records: readonly JsonObject[];
	query: PageQuery;
}

/**
 * Gets the records of a page as it arrives: in any order, and a page may come twice.
 *
 * @returns `stop` if nothing is wanted from this page on
 */
export type TakePage = (records: readonly JsonObject[], query: PageQuery) => 'goOn' | 'stop';

/** How a reading ended. `requests`: pages that were asked for. */
export type ReadingEnd =
	/**
	 * At the end of the list, complete if nothing speaks of more than what came. If records moved
	 * from page to page meanwhile, others may have moved out of sight. `total`: the one the service
	 * said last.
	 */
	| { kind: 'ended'; requests: number; isComplete: boolean; hasMoved: boolean; total?: number }
	/** Before that, because of a failure; the next poll goes on there. */
	| { kind: 'interrupted'; requests: number; next: NextPage; failure: ServiceFailure };

/** Instead of asking for a page if waiting for it would take longer than the poll may. */
export function outOfTime(): ServiceFailure {
	return new ServiceFailure(
		'The service did not answer within the time n8n allows for one poll.',
		'Lower Page Size in the options, or ask your service provider why it is slow.',
		{ kind: 'outOfTime' },
	);
}

/** What says nothing of the service: a shorter reading has to do. */
const PAUSES: ReadonlySet<FailureKind> = new Set(['outOfTime', 'rateLimit']);

/** Why a page could not be read before which a reading was interrupted; not if time ran out. */
export function failureOfPage(end: ReadingEnd): ServiceFailure | undefined {
	return end.kind === 'interrupted' && !PAUSES.has(end.failure.kind) ? end.failure : undefined;
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

	/**
	 * The records of all pages, or of as many as the time and `upTo` allow.
	 *
	 * @throws ServiceFailure if a page cannot be read, or none that has records before time ran out
	 */
	async readAll(from: PageQuery, updatedSince?: number): Promise<JsonObject[]> {
		const pages = new Map<string, readonly JsonObject[]>();
		const take: TakePage = (records, { page, pageSize }) => {
			pages.set(pageKey(page, pageSize), records);
			return 'goOn';
		};
		const end = await this.read(from, take, updatedSince);
		const records = [...pages.values()].flat();
		const isUnknown = end.kind === 'interrupted' && records.length === 0;
		const failure = isUnknown ? end.failure : failureOfPage(end);
		if (failure !== undefined) throw failure;
		return records;
	}

	/**
	 * Reads to the end of the list, or as far as it comes: if the time runs out, or a page cannot be
	 * read, the rest is left to the next poll.
	 *
	 * @throws ServiceFailure if it comes no further than before, or something is wrong with the list
	 */
	async read(
		from: NextPage,
		take: TakePage,
		updatedSince?: number,
		idPath?: string,
	): Promise<ReadingEnd> {
		const pages = new PagesRead(from, idPath);
		// As a page read by an earlier poll it may be another one by now.
		if (idPath !== undefined && pages.mayRepeat) {
			const { pageSize } = from;
			pages.noteFirst(await this.readPage({ pageSize }, updatedSince));
		}
		const listing = await this.list(from, pages, take, updatedSince).then(
			(report) => ({ kind: 'listed' as const, report }),
			(error: unknown) => ({ kind: 'failed' as const, error }),
		);
		const { requests } = pages;
		if (listing.kind === 'listed') {
			const { cameAgain, endedBy } = listing.report;
			const isComplete = !DOUBTFUL_ENDS.has(endedBy);
			const { total = pages.total } = endedBy === 'stopped' ? pages : listing.report;
			return { kind: 'ended', requests, isComplete, hasMoved: cameAgain > 0, total };
		}
		const { error } = listing;
		if (!(error instanceof ServiceFailure)) throw error;
		if (from.page > 0 && pages.isNone && isRefusal(error)) {
			// As an empty page would be there.
			const total = reachesBeyond(from, pages.total)
				? await this.totalNow(from, error, take, updatedSince)
				: pages.total;
			return { kind: 'ended', requests, isComplete: true, hasMoved: false, total };
		}
		const next = OF_WHOLE_LIST.has(error.kind) ? undefined : pages.next();
		if (next === undefined) throw error;
		return { kind: 'interrupted', requests, next, failure: error };
	}

	/** @throws ServiceFailure if a page cannot be read, or the time is over */
	private async list(
		from: NextPage,
		pages: PagesRead,
		take: TakePage,
		updatedSince?: number,
	): Promise<ListingReport> {
		const { maxPages, source } = this;
		const { first = 0 } = from;
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
				const page = number + first;
				const isAllowed = pages.withRecords < maxPages || pages.wasAsked(page, pageSize);
				// An empty page 0 is not the first one if the service counts from 1.
				if (pages.withRecords > 0 && !(isAllowed && source.mayReadOn())) throw outOfTime();
				pages.asked(page, pageSize);
				return await this.fetchPage(page, pageSize, updatedSince);
			},
			pageArrived: (number, pageSize, { records, metadata: { total } }) => {
				const page = number + first;
				// A page that was still under way when the reading ended is read again.
				if (isClosed) return 'stop';
				pages.total = total ?? pages.total;
				if (pages.isRepeated(page, pageSize, records)) return 'stop';
				const verdict = take(records, { page, pageSize });
				pages.arrived(page, pageSize, records);
				return verdict;
			},
		}).finally(() => {
			isClosed = true;
		});
		const { report } = await listing;
		return report;
	}

	/**
	 * A page that is refused may be one after the end by now. The page before it shows that.
	 *
	 * @returns the total it says
	 * @throws ServiceFailure if the list goes on
	 */
	private async totalNow(
		from: NextPage,
		failure: ServiceFailure,
		take: TakePage,
		updatedSince?: number,
	): Promise<number | undefined> {
		const { first, page: number, pageSize } = from;
		const before = { page: number - 1, pageSize, first };
		const end = await this.upTo(1).read(before, take, updatedSince);
		const total = end.kind === 'ended' ? end.total : end.next.total;
		if (!reachesBeyond(from, total)) return total;
		throw pageMissing({ number, page: { kind: 'refused', records: [], metadata: {}, failure } });
	}
}
