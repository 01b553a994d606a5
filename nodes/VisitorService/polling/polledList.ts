import { ServiceFailure } from '../failure/serviceFailure';
import { readHttpDate } from '../http/backoff';
import type { HttpResponse } from '../http/message';
import type { FirstPageNumber } from '../listing/firstPage';
import { mayBeOfPageSize } from '../listing/largerPage';
import type { EarlierReading } from '../listing/listFacts';
import { listRecords } from '../listing/listRecords';
import { readId } from '../response/identity';
import type { ListTarget } from '../response/records';
import { SECOND } from '../values/instant';
import type { JsonObject } from '../values/json';
import type { RecordNames } from './fields';
import {
	inSmallerPages,
	isFailureOfKind,
	type ReadingProgress,
	type ReadingResult,
	type ResumePoint,
	resultOfInterrupted,
} from './readingResult';
import { MAX_ZONE_SPREAD_MS } from './timePrecision';

/** One list of one tenant, and how to read it. */
export interface ListSource extends ListTarget {
	/** As stored in `PollCursor`. */
	fingerprint: string;
	names: RecordNames;
	/** As in `SweepOptions`. */
	largerPageSize?: number;
	/** @throws ServiceFailure for everything but status 2xx other than 202 */
	fetchPage(
		page: number,
		pageSize: number,
		rules: { sinceAt?: number; trialTimeoutMs?: number },
	): Promise<HttpResponse>;
	/** The time of our clock. */
	now(): number;
	/** Whether there is time for another page. */
	canContinue(): boolean;
	pause(milliseconds: number): Promise<void>;
}

/** Called with the records of each page that is received: in any order, and maybe twice. */
type OnPage = (records: readonly JsonObject[], page: number, pageSize: number) => void;

/** Which records to request. */
interface ReadScope {
	/** Only those changed since. */
	sinceAt?: number;
	/** '' = detect. */
	idPath: string;
	/** 0 = no cap. */
	maxPages?: number;
	/** Of the whole list, if it is read from its start. */
	earlier?: EarlierReading;
}

/** Thrown instead of sending a request for which the poll has no time. */
export function outOfTimeFailure(): ServiceFailure {
	return new ServiceFailure(
		'The service did not respond within the time n8n allows for one poll.',
		'Lower Page Size in the options, or ask your service provider why it is slow.',
		{ kind: 'outOfTime' },
	);
}

/** Pages in flight. If a list does not state its end, up to this many requests are wasted. */
export const CONCURRENCY = 3;

/** The time of the service's clock, or of ours if the service does not state it. */
export interface ServiceClock {
	/** No later than any response of the poll was sent; Infinity without a response. */
	earliestAt: number;
	/** No earlier than any response of the poll was sent; 0 without a response. */
	latestAt: number;
	/** How far it was ahead of ours when the last response was received; undefined without `Date`. */
	offsetMs?: number;
}

/** Fetches pages of a list, and keeps track of the service's time. */
export class PolledList {
	clock: ServiceClock = { earliestAt: Infinity, latestAt: 0 };

	/** Undefined until a page with records has shown it. */
	firstPageNumber?: FirstPageNumber;

	/** Whether time ran out before a sample was complete. */
	ranOutOfTime = false;

	constructor(readonly source: ListSource) {}

	/** Later times than any clock may show were written by mistake. */
	get latestPlausibleAt(): number {
		return this.clock.latestAt + MAX_ZONE_SPREAD_MS;
	}

	/** The records of so many pages, or of as many as time allows, each once, in any order. */
	async fetchSample(
		maxPages: number,
		pageSize: number,
		sinceAt?: number,
		page = 0,
	): Promise<JsonObject[]> {
		const pages = new Map<number, readonly JsonObject[]>();
		const take: OnPage = (records, at) => pages.set(at, records);
		const rules = { sinceAt, idPath: '', maxPages };
		const end = await this.readOnce({ page, pageSize }, take, rules).catch((error: unknown) => {
			// The one page of a service that ignores `page` is enough for a sample.
			if (!isFailureOfKind(error, 'pageIgnored')) throw error;
		});
		this.ranOutOfTime ||= end?.kind === 'interrupted';
		// A record may have moved to the next page meanwhile.
		const earlier = new Set<string>();
		return [...pages.values()].flatMap((records) => {
			const texts = records.map((record) => JSON.stringify(record));
			const others = records.filter((_, index) => !earlier.has(texts[index] ?? ''));
			for (const text of texts) earlier.add(text);
			return others;
		});
	}

	/**
	 * Reads to the end of the list. If time runs out or a page cannot be read, the next poll reads
	 * the rest.
	 *
	 * @throws ServiceFailure if the reading got no further than before, or the list cannot be read
	 */
	async read(...reading: Parameters<PolledList['readOnce']>): Promise<ReadingResult> {
		return await this.readOnce(...reading).catch(async (error: unknown) => {
			// If records move, each page may repeat the first one by chance, but hardly in two readings.
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
			({ report: { duplicatesAcrossPages, earlier, endedBy, total, warnings } }): ReadingResult => {
				const { requestCount } = read;
				const hadMore = warnings.some(({ kind }) => kind === 'unusedPagesHeldMore');
				if (hadMore || endedBy === 'noNewRecords' || endedBy === 'noListAtAll')
					return { requestCount, kind: 'uncertain' };
				if (warnings.some(({ kind }) => kind === 'orderNotFixed'))
					return { requestCount, kind: 'unordered' };
				if (duplicatesAcrossPages > 0) return { requestCount, kind: 'moved' };
				return { requestCount, kind: 'complete', total, earlier };
			},
			(error: unknown) => {
				// A sample without the failed page would show too little.
				if ((scope.maxPages ?? 0) > 0 && !isFailureOfKind(error, 'outOfTime')) throw error;
				const resumed = { first: this.firstPageNumber || undefined, ...from };
				// Only a reading that begins at the first page can begin again in smaller ones.
				const isAutomatic = this.source.largerPageSize !== undefined && from.page > 0;
				const smaller = isAutomatic && mayBeOfPageSize(error) && inSmallerPages(resumed, read);
				return smaller || resultOfInterrupted(error, resumed, read);
			},
		);
	}

	private async listPages(
		from: ResumePoint,
		take: OnPage,
		{ earlier, sinceAt, idPath, maxPages = 0 }: ReadScope,
		read: ReadingProgress,
	) {
		const { source } = this;
		const { itemsPath, listNames, names } = source;
		const first = from.first ?? this.firstPageNumber;
		return await listRecords({
			...{ resource: names.name, listNames, itemsPath, earlier },
			// If a reading is resumed, nothing else shows whether pages count from 1.
			startPage: Math.max(0, from.page - (first ?? 0)),
			firstPageNumber: first,
			onFirstPage: (number) => {
				this.firstPageNumber = number;
			},
			...{ isStartTrusted: true, pageSize: from.pageSize, concurrency: CONCURRENCY, maxPages },
			largerPageSize: maxPages === 0 && earlier === undefined ? source.largerPageSize : undefined,
			// Keeps nothing, to save memory: `onPage` gets the records.
			transform: () => undefined,
			untilStable: false,
			fetchPage: async (page, pageSize, trialTimeoutMs) => {
				// The next poll has to request this size, even if time runs out before this request.
				if (page > from.page) read.laterPageSize = pageSize;
				// An empty page 0 is not the first one if the service counts from 1.
				const hasPage = read.receivedCount > 0 || trialTimeoutMs !== undefined;
				if (hasPage && !source.canContinue()) throw outOfTimeFailure();
				read.requestCount++;
				return await this.fetchPage(page, pageSize, { sinceAt, trialTimeoutMs });
			},
			onPage: (page, pageSize, { records }) => {
				take(records, page, pageSize);
				read.receivedCount += records.length;
				const [record] = records;
				const id = record ? JSON.stringify(readId(record, idPath)) : '';
				read.receivedPages.set(page, { pageSize, id });
			},
		});
	}

	private async fetchPage(...request: Parameters<ListSource['fetchPage']>): Promise<HttpResponse> {
		const { source } = this;
		const sentAt = source.now();
		const response = await source.fetchPage(...request);
		const receivedAt = source.now();
		const durationMs = Math.max(0, receivedAt - sentAt);
		const reportedAt = readHttpDate(response.headers.date);
		const dateAt = reportedAt ?? sentAt + durationMs;
		this.clock = {
			earliestAt: Math.min(this.clock.earliestAt, dateAt - durationMs),
			// `Date` is cut to whole seconds (RFC 9110 section 5.6.7).
			latestAt: Math.max(this.clock.latestAt, dateAt + durationMs + SECOND),
			// Not by the duration, which may hold long waits between attempts.
			offsetMs: reportedAt === undefined ? undefined : reportedAt - receivedAt,
		};
		return response;
	}
}

/** Statuses with which a service may reject a time that is too long ago. */
const REJECTED_TIME_STATUSES = [400, 403, 404, 410, 416, 422, 501];

/** Whether a request may have failed because the service does not look back as far. */
export function mayRejectTime(error: unknown): boolean {
	return error instanceof ServiceFailure && REJECTED_TIME_STATUSES.includes(error.statusCode ?? 0);
}
