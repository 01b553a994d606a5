import type { Page, PageReader } from '../response/pageReader';
import { pageIgnoredFailure } from './failures';
import { type FirstPageNumber, readFirstPage } from './firstPage';
import { isWorthEnlarging, tryLargerPage } from './largerPage';
import {
	type EarlierReading,
	estimateEndPage,
	factsForLargerPages,
	indicatesMore,
	initialFacts,
	isMarkedLast,
	type ListFacts,
	withFullPageSize,
} from './listFacts';
import { ReadAhead } from './readAhead';
import type { RecordCollector } from './recordCollector';

export interface PageOptions {
	/** Page to start from, counted from 0. */
	startPage: number;
	/** Of a list that is read again from its start, to request no more pages than needed. */
	earlier?: EarlierReading;
	/** The number of the page with index 0, if an earlier reading has shown it. */
	firstPageNumber?: FirstPageNumber;
	/** Called when a page with records has shown that number. */
	onFirstPage?: (firstPageNumber: FirstPageNumber) => void;
	/**
	 * Called with each page of the list, in any order, and with the same page again if it was
	 * requested again. Not called for a page that is out of range or invalid.
	 */
	onPage?: (pageNumber: number, pageSize: number, page: Page) => void;
	pageSize: number;
	/** The size of later pages, and of the first one, if the service is found to return it. */
	largerPageSize?: number;
	/** Max number of pages in flight. */
	concurrency: number;
	/** 0 = no cap. */
	maxPages: number;
	/** Whether the user can set Page. */
	hasPage?: boolean;
}

/** Requests the pages of a list: by which numbers, in which sizes, and how many ahead. */
export class ListPages {
	/** What the pages that were added have shown. */
	facts: ListFacts;

	/**
	 * The number that the page with index 0 is requested by; undefined until a page has shown it,
	 * which a later start page cannot.
	 */
	firstPageNumber?: FirstPageNumber;

	readonly window: ReadAhead<Page>;

	constructor(
		private readonly options: PageOptions,
		private readonly reader: PageReader,
		private readonly collector: RecordCollector,
	) {
		const { concurrency, startPage, pageSize } = options;
		this.facts = initialFacts(options, pageSize);
		if (startPage > 0) this.firstPageNumber = options.firstPageNumber ?? 0;
		this.window = new ReadAhead<Page>(startPage, {
			concurrency,
			fetch: async (index) => await this.request(index),
			shouldContinue: ({ kind, metadata }) =>
				kind === 'records' && !isMarkedLast(this.facts, metadata),
			limitFor: (current) => (this.facts.pagesRead === 0 ? current : this.readAheadLimit(current)),
		});
	}

	/** Whether pages are larger than the first one was requested. */
	get isEnlarged(): boolean {
		return this.facts.requestedPageSize > this.options.pageSize;
	}

	/** The number that a page is requested by. */
	numberOf(index: number): number {
		return index + (this.firstPageNumber ?? 0);
	}

	/** The page to decide about, in a size that joins the pages before it. */
	async current(index: number): Promise<Page> {
		this.window.moveTo(index);
		const page = await this.window.get(index);
		const { fullPageSize, requestedPageSize, startPage } = this.facts;
		const isSecondOfShorter = index === startPage + 1 && fullPageSize < requestedPageSize;
		return isSecondOfShorter ? await this.resolvePageSize(page) : page;
	}

	/** Pages in the size of the first one join without a gap, whatever its length means. */
	adoptPageSize({ records }: Page): void {
		const size = records.length || this.facts.requestedPageSize;
		if (size !== this.facts.fullPageSize) this.window.discardFrom(1);
		this.facts = withFullPageSize(this.facts, size);
	}

	/**
	 * Requests the two pages again that held the first record which was repeated. If both still hold
	 * it, the list has no fixed order; otherwise it may have changed.
	 */
	async refetchFirstRepeat(): Promise<boolean> {
		const { firstRepeat, keys } = this.collector;
		if (firstRepeat === undefined || !keys.hasIds) return false;
		const { key, pageIndexes } = firstRepeat;
		const pages = Promise.all(pageIndexes.map(async (index) => await this.request(index)));
		return await pages.then(
			(all) => all.every(({ records }) => keys.keysOf(records).includes(key)),
			() => false,
		);
	}

	/**
	 * Whether a smaller page shows that the list goes on: at its end it holds the last record.
	 *
	 * @param pagesAfter the end to look. The next page but one is not the first one, whether the
	 *   service counts from 0 or 1
	 * @throws ServiceFailure if it is the first one all the same
	 */
	async goesOnInSmallerPages(pagesAfter: 0 | 1): Promise<boolean> {
		const { collector, facts, options, reader } = this;
		const { firstRecords, keys, lastRecords } = collector;
		const { receivedCount, surplusFirstPages } = facts;
		const size = this.isEnlarged ? options.pageSize : Math.ceil(receivedCount / 2);
		const index = Math.floor(receivedCount / size) + surplusFirstPages + pagesAfter;
		const { records } = await reader.read(this.numberOf(index), size);
		if (keys.overlap(records, firstRecords.slice(0, 1)) === 'all') throw pageIgnoredFailure();
		const hasNew = keys.hasIds
			? collector.compare(records).newRecords.length > 0
			: keys.overlap(firstRecords, records) !== 'all';
		const holdsLast = keys.overlap(records, lastRecords.slice(-1)) === 'all';
		return records.length > 0 && (hasNew || !holdsLast);
	}

	private async request(index: number, laterPageSize = this.facts.fullPageSize): Promise<Page> {
		const { collector, reader } = this;
		const { startPage } = this.options;
		// `readFirst` may request the first page in the larger size.
		const sizeOf = () => (index === startPage ? this.facts.requestedPageSize : laterPageSize);
		const page =
			this.firstPageNumber === undefined
				? await this.readFirst()
				: await reader.read(this.numberOf(index), sizeOf());
		collector.detectKeys(page.records);
		// Earlier pages than the first one only show where that begins.
		if (index >= startPage) collector.noteReceived(page);
		this.report(page, index, sizeOf());
		return page;
	}

	private report(page: Page, index: number, pageSize: number): void {
		if (page.kind !== 'outOfRange' && page.kind !== 'invalid')
			this.options.onPage?.(this.numberOf(index), pageSize, page);
	}

	private async readFirst(): Promise<Page> {
		const { collector, reader, options } = this;
		const first = await readFirstPage(reader, {
			...options,
			remembered: options.firstPageNumber,
			areEnough: (zero) => collector.selection.remainingWith(zero) <= 0,
			beginAlike: (zero, one) => {
				collector.detectKeys(zero);
				return collector.keys.beginAlike(zero, one);
			},
		});
		this.firstPageNumber = first.number;
		const page = await this.enlarge(first.page, first.number);
		this.adoptPageSize(page);
		const { next, surplus } = first;
		const length = next?.records.length ?? 0;
		// Page 1 was requested in the first size, and does not join if later pages have another one.
		const isUsable =
			length === 0 || length > options.pageSize || this.facts.fullPageSize === options.pageSize;
		if (next !== undefined) collector.noteReceived(next, page.records);
		if (surplus !== undefined) collector.noteReceived(surplus);
		if (next !== undefined && isUsable && !this.isEnlarged) {
			this.window.put(1, next);
			this.report(next, 1, options.pageSize);
		}
		if (page.kind === 'records') options.onFirstPage?.(first.number);
		return page;
	}

	/** The first page, or the same one in the larger size in which the list is read then. */
	private async enlarge(first: Page, pageNumber: number): Promise<Page> {
		const { collector, reader, options } = this;
		const { largerPageSize: pageSize = 0 } = options;
		collector.detectKeys(first.records);
		if (!isWorthEnlarging(first, options, collector)) return first;
		const page = await tryLargerPage(first, { pageNumber, pageSize }, collector, reader);
		if (page !== undefined) this.facts = factsForLargerPages(first, options, pageSize);
		return page ?? first;
	}

	/**
	 * The second page shows why the first one was shorter than requested. If it begins with the last
	 * of its records, the service leaves records out of pages, and pages of the requested size join.
	 * They are also requested if the service rejects the shorter size.
	 */
	private async resolvePageSize(page: Page): Promise<Page> {
		const { facts, collector, window } = this;
		const { fullPageSize, requestedPageSize } = facts;
		const { keys, firstRecords: first } = collector;
		const isSizeRejected =
			page.kind === 'outOfRange' && [400, 422].includes(page.failure.statusCode ?? 0);
		// Without an ID, compare by a field that is not volatile.
		const [field] = keys.hasIds ? [] : keys.stableFields;
		const overlap = keys.overlap(first, page.records, field);
		if (!isSizeRejected && overlap !== 'some') {
			// It is a maximum of the service, which is as good as a size that was set.
			if (this.isEnlarged && overlap === 'none' && page.kind === 'records')
				this.facts = { ...facts, requestedPageSize: fullPageSize };
			return page;
		}
		const other = await this.request(1, requestedPageSize);
		const holdsLast = keys.overlap(page.records, first.slice(-1), field) === 'all';
		const doesRequestedSizeJoin = isSizeRejected
			? other.kind === 'records'
			: holdsLast && keys.overlap([...first, ...other.records], page.records) === 'all';
		if (!doesRequestedSizeJoin) {
			// Without an ID, it stays unclear which of the two sizes joins.
			this.facts = { ...facts, pageLengths: isSizeRejected || keys.hasIds ? 'full' : 'varying' };
			return page;
		}
		this.facts = { ...withFullPageSize(facts, requestedPageSize), pageLengths: 'varying' };
		window.discardFrom(1);
		window.put(1, other);
		return other;
	}

	/** The first page that must not be read ahead. */
	private readAheadLimit(current: number): number {
		const { facts, collector, options } = this;
		const pagesLeft = options.maxPages > 0 ? options.maxPages - facts.pagesRead : Infinity;
		const pagesWanted = Math.ceil(
			collector.selection.estimateToRead(collector.uniqueCount) / facts.fullPageSize,
		);
		// A list may have few larger pages, of which each that is wasted costs more than a smaller one.
		const isUnsure = this.isEnlarged && !indicatesMore(facts, current);
		const pagesLikely = isUnsure ? facts.pagesRead : Infinity;
		const most = current + Math.min(pagesWanted, pagesLeft, pagesLikely);
		return Math.min(estimateEndPage(facts, current), most);
	}
}
