import { type FailureKind, ServiceFailure } from '../failure/serviceFailure';
import { readHttpDate } from '../http/backoff';
import type { HttpResponse } from '../http/message';
import type { FirstPageNumber } from '../listing/firstPage';
import { listRecords } from '../listing/listRecords';
import { readId } from '../response/identity';
import { isPageOutOfRange } from '../response/pageReader';
import type { ListTarget } from '../response/records';
import { SECOND } from '../values/instant';
import type { JsonObject } from '../values/json';
import type { RecordNames } from './fields';

/** One list of one tenant, as the trigger reaches it. */
export interface ListSource extends ListTarget {
	/** As `PollCursor` stores it. */
	fingerprint: string;
	names: RecordNames;
	/** @throws ServiceFailure for everything but status 2xx other than 202 */
	fetchPage(page: number, pageSize: number, updatedSince?: number): Promise<HttpResponse>;
	/** Our time. */
	now(): number;
	/** Whether there is time for another page, and no other poll was faster. */
	canContinue(): boolean;
	pause(milliseconds: number): Promise<void>;
}

/** Where a reading begins, or goes on in the next poll. */
export interface ResumePoint {
	page: number;
	pageSize: number;
	/** The number of the list's first page, if that is 1. */
	first?: FirstPageNumber;
}

/** Gets the records of a page as it arrives: in any order, and a page may come twice. */
type OnPage = (records: readonly JsonObject[], page: number) => void;

/** What is asked for. */
interface ReadScope {
	/** Only what changed since; milliseconds since 1970. */
	sinceAt?: number;
	/** `''` if none is known. */
	idPath: string;
	/** 0 = no cap. */
	maxPages?: number;
}

/** How a reading ended. */
export type ReadingResult = { requestCount: number } & (
	| {
			/** Nothing indicates more records than were received. */
			kind: 'complete';
			/** Whether records moved from page to page meanwhile, so that others may be out of sight. */
			haveRecordsMoved: boolean;
			total?: number;
	  }
	/** It ended, and other records may be there. */
	| { kind: 'uncertain' }
	/** By a failure; the next poll goes on there. */
	| { kind: 'interrupted'; resumePoint: ResumePoint }
);

/** Instead of a request that would take longer than the poll may. */
export function outOfTimeFailure(): ServiceFailure {
	return new ServiceFailure(
		'The service did not respond within the time n8n allows for one poll.',
		'Lower Page Size in the options, or ask your service provider why it is slow.',
		{ kind: 'outOfTime' },
	);
}

/** Pages in flight. If a list does not state its end, up to this many requests are wasted. */
export const CONCURRENCY = 3;

/** The service's time, or ours if it says none. Milliseconds since 1970. */
export interface ServiceClock {
	/** No later than any response of the poll was sent; Infinity without a response. */
	earliestAt: number;
	/** No earlier than any response of the poll was sent; 0 without a response. */
	latestAt: number;
	/** Whether the last response has `Date`. */
	isReported: boolean;
}

/** Fetches pages of a list, and keeps the service's time of each response. */
export class PolledList {
	clock: ServiceClock = { earliestAt: Infinity, latestAt: 0, isReported: false };

	/** Undefined until a page with records has shown it. */
	firstPageNumber?: FirstPageNumber;

	/** Whether time ended a look before it saw all that it looked for. */
	ranOutOfTime = false;

	constructor(readonly source: ListSource) {}

	/** The records of so many first pages, or of as many as time allows, in any order. */
	async fetchSample(maxPages: number, pageSize: number, sinceAt?: number): Promise<JsonObject[]> {
		const pages = new Map<number, readonly JsonObject[]>();
		const take: OnPage = (records, page) => pages.set(page, records);
		const rules = { sinceAt, idPath: '', maxPages };
		const end = await this.readOnce({ page: 0, pageSize }, take, rules).catch((error: unknown) => {
			// What a service that ignores `page` has sent is enough for a look.
			if (!isFailureOfKind(error, 'pageIgnored')) throw error;
		});
		this.ranOutOfTime ||= end?.kind === 'interrupted';
		return [...pages.values()].flat();
	}

	/**
	 * Reads to the end of the list, or as far as it comes: if the time runs out, or a page cannot be
	 * read, the rest is left to the next poll.
	 *
	 * @throws ServiceFailure if it comes no further than before, or something is wrong with the list
	 */
	async read(...reading: Parameters<PolledList['readOnce']>): Promise<ReadingResult> {
		return await this.readOnce(...reading).catch(async (error: unknown) => {
			// Of a list that moves, each page may be the first one again, but not in two readings.
			if (!isFailureOfKind(error, 'pageIgnored')) throw error;
			return await this.readOnce(...reading);
		});
	}

	private async readOnce(
		from: ResumePoint,
		take: OnPage,
		scope: ReadScope,
	): Promise<ReadingResult> {
		const read: ReadingProgress = {
			receivedPages: new Map(),
			laterPageSize: from.pageSize,
			requestCount: 0,
			receivedCount: 0,
		};
		return await this.listPages(from, take, scope, read).then(
			({ report: { duplicatesAcrossPages, endedBy, total } }): ReadingResult => {
				const { requestCount } = read;
				const mayHaveMore = endedBy === 'noNewRecords' || endedBy === 'noListAtAll';
				if (mayHaveMore) return { requestCount, kind: 'uncertain' };
				const haveRecordsMoved = duplicatesAcrossPages > 0;
				return { requestCount, kind: 'complete', haveRecordsMoved, total };
			},
			(error: unknown) => {
				// A look that a failed page cuts short would show too little.
				if ((scope.maxPages ?? 0) > 0 && !isFailureOfKind(error, 'outOfTime')) throw error;
				const resumed = { first: this.firstPageNumber || undefined, ...from };
				return resultOfInterrupted(error, resumed, read);
			},
		);
	}

	private async listPages(
		from: ResumePoint,
		take: OnPage,
		{ sinceAt, idPath, maxPages = 0 }: ReadScope,
		read: ReadingProgress,
	) {
		const { source } = this;
		const { itemsPath, listNames, names } = source;
		const first = from.first ?? this.firstPageNumber;
		return await listRecords({
			...{ resource: names.name, listNames, itemsPath },
			// In a list that is read on, nothing else shows from which number it counts.
			startPage: Math.max(0, from.page - (first ?? 0)),
			firstPageNumber: first,
			onFirstPage: (number) => {
				this.firstPageNumber = number;
			},
			...{ isStartTrusted: true, pageSize: from.pageSize },
			...{ concurrency: CONCURRENCY, maxPages },
			// What the listing keeps of records would only fill the memory.
			transform: () => undefined,
			untilStable: false,
			fetchPage: async (page, pageSize) => {
				// The next poll has to request this size, even if time is up before this request.
				if (page > from.page) read.laterPageSize = pageSize;
				// An empty page 0 is not the first one if the service counts from 1.
				if (read.receivedCount > 0 && !source.canContinue()) throw outOfTimeFailure();
				read.requestCount++;
				return await this.fetchPage(page, pageSize, sinceAt);
			},
			onPage: (page, pageSize, { records }) => {
				take(records, page);
				read.receivedCount += records.length;
				const [record] = records;
				const id = record ? JSON.stringify(readId(record, idPath)) : '';
				read.receivedPages.set(page, { pageSize, id });
			},
		});
	}

	private async fetchPage(page: number, size: number, sinceAt?: number): Promise<HttpResponse> {
		const { source } = this;
		const sentAt = source.now();
		const response = await source.fetchPage(page, size, sinceAt);
		const durationMs = Math.max(0, source.now() - sentAt);
		const reportedAt = readHttpDate(response.headers.date);
		const dateAt = reportedAt ?? sentAt + durationMs;
		this.clock = {
			earliestAt: Math.min(this.clock.earliestAt, dateAt - durationMs),
			// `Date` is cut to whole seconds (RFC 9110 section 5.6.7).
			latestAt: Math.max(this.clock.latestAt, dateAt + durationMs + SECOND),
			isReported: reportedAt !== undefined,
		};
		return response;
	}
}

/** Not of a token or a limit: what the service says to a time that is too long ago for it. */
const REJECTED_TIME_STATUSES = [400, 410, 422];

/** Whether a request may have failed because the service does not look back as far. */
export function mayRejectTime(error: unknown): boolean {
	return error instanceof ServiceFailure && REJECTED_TIME_STATUSES.includes(error.statusCode ?? 0);
}

function isFailureOfKind(error: unknown, kind: FailureKind): boolean {
	return error instanceof ServiceFailure && error.kind === kind;
}

/** How far one reading has come. */
interface ReadingProgress {
	/** The size each page was requested in, and the ID of its first record; empty if it has none. */
	receivedPages: Map<number, { pageSize: number; id: string }>;
	/** The size of the pages after the one it began with. */
	laterPageSize: number;
	requestCount: number;
	receivedCount: number;
}

/** @throws the error, if it is one of the whole list, or the reading came no further */
function resultOfInterrupted(
	failure: unknown,
	from: ResumePoint,
	read: ReadingProgress,
): ReadingResult {
	if (!(failure instanceof ServiceFailure)) throw failure;
	const { requestCount } = read;
	// After the end of the list as it is by now, pages are out of range, or repeated.
	const isRepeated = failure.kind === 'pageIgnored' || failure.kind === 'endless';
	if (from.page > 0 && (read.receivedPages.size === 0 ? isPageOutOfRange(failure) : isRepeated))
		return { requestCount, kind: 'uncertain' };
	const resumePoint = findResumePoint(from, read);
	// Any other failure is one of a page, which the next poll requests again.
	const startPage = Math.max(from.page, resumePoint.first ?? 0);
	if (isRepeated || failure.kind === 'configuration' || resumePoint.page === startPage)
		throw failure;
	return { requestCount, kind: 'interrupted', resumePoint };
}

/** The first page that was not received. */
function findResumePoint(
	from: ResumePoint,
	{ receivedPages, laterPageSize }: ReadingProgress,
): ResumePoint {
	const [zero, one] = [receivedPages.get(0)?.id, receivedPages.get(1)?.id];
	// Page 1 is the first one if page 0 is empty, or the same.
	const countsFromOne = zero === '' || (zero !== undefined && zero === one);
	const first = from.first ?? (countsFromOne ? 1 : 0);
	let page = Math.max(from.page, first);
	while (
		page <= first ? receivedPages.has(page) : receivedPages.get(page)?.pageSize === laterPageSize
	)
		page++;
	return { page, pageSize: laterPageSize, ...(first > 0 && { first }) };
}
