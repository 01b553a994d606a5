import { type Continuation, choosePageSize } from './choosePageSize';
import { confirmEnd } from './confirmEnd';
import type { JsonObject, RecordsSought } from './findRecords';
import { PageProgress } from './pageProgress';
import { type FetchPage, isRefusal, type Page, PageReader } from './pageReader';
import { readInOrder } from './readInOrder';
import { type CollectionRules, RecordCollector } from './recordCollector';

export interface ListingRequest<Kept> extends RecordsSought, CollectionRules<Kept> {
	fetchPage: FetchPage;
	/** Page to start from; numbering starts at 0. */
	firstPage: number;
	pageSize: number;
	/** Most pages in flight. */
	concurrency: number;
	/** 0 = no cap. */
	maxPages: number;
	untilStable: boolean;
	/** Whether a first page that is refused may be one behind the end, which holds nothing. */
	mayBeginBehindEnd?: boolean;
}

export interface ListingReport {
	/** Pages that brought records, those of every sweep. */
	pages: number;
	/** Records left out because they had come before in the same sweep. */
	duplicates: number;
	/** The total the service named last. */
	total?: number;
	/** Whether the cap of `maxPages` ended the listing before its end. */
	capReached: boolean;
	/** Records each sweep brought anew; one number without `untilStable`. */
	sweeps: number[];
	/** Items per page that came, where the listing went on at that size instead of the one asked for. */
	pageSizeThatCame?: number;
	itemsPath?: string;
	idField?: string;
}

export interface Listing<Kept> {
	records: Kept[];
	report: ListingReport;
}

const MOST_SWEEPS = 3;

/**
 * Reads a list to its end, each record once, in the order of the pages.
 *
 * @throws ServiceFailure where a page cannot be read, or the service ignores `page`
 */
export async function listRecords<Kept>(request: ListingRequest<Kept>): Promise<Listing<Kept>> {
	return await new ListReader(request).readAll();
}

class ListReader<Kept> {
	private readonly reader: PageReader;

	private readonly collector: RecordCollector<Kept>;

	private readonly report: ListingReport = {
		pages: 0,
		duplicates: 0,
		capReached: false,
		sweeps: [],
	};

	/** How every sweep goes on behind the first page; found out in the first one. */
	private continuation?: Continuation;

	constructor(private readonly request: ListingRequest<Kept>) {
		this.reader = new PageReader(request.fetchPage, request);
		this.collector = new RecordCollector(request);
	}

	async readAll(): Promise<Listing<Kept>> {
		const { collector, reader, report } = this;
		await this.sweep();
		while (this.wantsAnotherSweep()) {
			collector.sweepAgain();
			await this.sweep();
		}
		report.itemsPath = reader.itemsPath;
		report.idField = collector.idField;
		return { records: collector.records, report };
	}

	private wantsAnotherSweep(): boolean {
		const { collector, report, request } = this;
		return (
			request.untilStable &&
			collector.idField !== undefined &&
			collector.wanted > 0 &&
			report.sweeps.length < MOST_SWEEPS &&
			report.sweeps.at(-1) !== 0
		);
	}

	private async sweep(): Promise<void> {
		const { collector, reader, report, request } = this;
		const { firstPage, pageSize } = request;
		const before = collector.records.length;
		const progress = new PageProgress(request);

		const first = await this.readFirst();
		this.take(progress, first, firstPage);
		if (first.refusal !== undefined) progress.stop();
		if (!progress.ended) {
			await this.readOn(progress, first);
			if (progress.doubt !== undefined) {
				await confirmEnd(progress.doubt, {
					firstPage,
					firstRecords: first.records,
					pageSize: this.continuation?.pageSize ?? pageSize,
					hasIds: collector.idField !== undefined,
					read: async (page, size) => await reader.read(page, size),
					keyOf: collector.keyOf,
					isKnown: collector.isKnown,
				});
			}
		}

		report.pages += progress.pages;
		report.duplicates += progress.duplicates;
		report.total = progress.total ?? report.total;
		report.capReached ||= progress.capReached;
		report.sweeps.push(collector.records.length - before);
	}

	/** Some services refuse a page behind the end, also where the listing begins there. */
	private async readFirst(): Promise<Page> {
		const { firstPage, mayBeginBehindEnd = false, pageSize } = this.request;
		return await this.reader.read(firstPage, pageSize).catch(async (error: unknown) => {
			if (mayBeginBehindEnd && isRefusal(error) && (await this.mayEndBefore(firstPage))) {
				return { records: [], metadata: {}, refusal: error };
			}
			throw error;
		});
	}

	/** Whether the list can be read at all, and does not say that it reaches so far. */
	private async mayEndBefore(page: number): Promise<boolean> {
		const { pageSize } = this.request;
		const start = await this.reader.read(0, pageSize).catch(() => undefined);
		return start !== undefined && (start.metadata.total ?? 0) <= page * pageSize;
	}

	/** Reads everything behind the first page. */
	private async readOn(progress: PageProgress, { records }: Page): Promise<void> {
		const { collector, reader, report, request } = this;
		const isFirstSweep = this.continuation === undefined;
		this.continuation ??= await choosePageSize(
			{ number: request.firstPage, pageSize: request.pageSize, records },
			{
				read: async (page, size) => await reader.read(page, size),
				hasIds: collector.idField !== undefined,
				keyOf: collector.keyOf,
			},
		);
		const { page: from, pageSize, overlap, read } = this.continuation;
		if (pageSize !== request.pageSize) report.pageSizeThatCame = pageSize;

		const known = new Set(overlap > 0 ? records.slice(-overlap).map(collector.keyOf) : []);
		const withoutOverlap = (page: Page, number: number): JsonObject[] => {
			if (number !== from || overlap === 0) return page.records;
			const begin = page.records.findIndex(
				(record, place) => place >= overlap || !known.has(collector.keyOf(record)),
			);
			return begin === -1 ? [] : page.records.slice(begin);
		};

		progress.continueAt(from, pageSize);
		let next = from;
		if (isFirstSweep && read !== undefined) this.take(progress, read, next++);
		await readInOrder<Page>(next, {
			concurrency: request.concurrency,
			horizon: () => progress.horizon(collector.wanted),
			ended: () => progress.ended,
			read: async (number) => await reader.read(number, pageSize),
			arrived: (outcome, number) => {
				const hasRecords = 'page' in outcome && outcome.page.records.length > 0;
				if (!hasRecords) progress.expectNothingFrom(number);
			},
			take: (outcome, number) => {
				if ('error' in outcome) progress.takeFailure(number, outcome.error);
				else this.take(progress, outcome.page, number, withoutOverlap(outcome.page, number));
			},
		});
	}

	private take(
		progress: PageProgress,
		{ records, metadata, refusal }: Page,
		number: number,
		wanted: readonly JsonObject[] = records,
	): void {
		const { collector } = this;
		const { fresh, repeated } = collector.add(wanted);
		progress.take({
			number,
			came: records.length,
			fresh,
			repeated,
			fingerprint: collector.fingerprint(records),
			metadata,
			refusal,
		});
		if (collector.wanted <= 0) progress.stop();
	}
}
