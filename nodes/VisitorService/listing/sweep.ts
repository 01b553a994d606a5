import type { ServiceFailure } from '../failure/serviceFailure';
import {
	EMPTY_PAGE,
	isPageOutOfRange,
	isServerError,
	type Page,
	type PageReader,
	pageOutOfRange,
} from '../response/pageReader';
import {
	completenessOfFirstPage,
	countStatedEndSignals,
	decide,
	type EndReason,
	isRepeated,
	type LaterPages,
	type PageDecisionInput,
} from './endOfList';
import { type FirstPageNumber, readFirstPage } from './firstPage';
import { isWorthEnlarging, mayBeOfPageSize, tryLargerPage } from './largerPage';
import {
	type EarlierReading,
	estimateEndPage,
	factsForLargerPages,
	indicatesMore,
	initialFacts,
	isMarkedLast,
	type ListFacts,
	mergeMetadata,
	mergePage,
	withFullPageSize,
} from './listFacts';
import { ReadAhead } from './readAhead';
import type { CollectOptions, RecordCollector } from './recordCollector';
import { verifyStartPage } from './startPage';
import {
	type ListingWarning,
	warningsOfAdded,
	warningsOfRejected,
	warningsOfRepeated,
} from './warnings';

export interface SweepOptions extends CollectOptions {
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
	/**
	 * Whether the start page is certainly part of the list, because an earlier reading has got there.
	 * Otherwise a start page that is rejected may be one after the end.
	 */
	isStartTrusted?: boolean;
	/** Max number of pages in flight. */
	concurrency: number;
	/** 0 = no cap. */
	maxPages: number;
	/** Whether the user can set Page. */
	hasPage?: boolean;
}

/** The current page, with what requests have shown to decide about it. */
type FetchedPage = Pick<PageDecisionInput, 'pageIndex' | 'page' | 'attempts' | 'laterPages'>;

type SweepEnd =
	| { kind: 'ended'; reason: EndReason }
	/** The list has to be read from its start again, because larger pages have failed. */
	| { kind: 'abandoned' };

const ended = (reason: EndReason): SweepEnd => ({ kind: 'ended', reason });
const ABANDONED: SweepEnd = { kind: 'abandoned' };

/** One reading of a list from its start page to its end. */
export class Sweep {
	facts: ListFacts;

	/** The page that ended the reading. */
	lastIndex: number;

	/** The number that the page with index 0 is requested by; undefined until a page has shown it. */
	firstPageNumber?: FirstPageNumber;

	/** Whether page 1 is the first page, and page 0 is either rejected, or empty, or repeats it. */
	countsFromOne: boolean;

	/** In the order of the pages that caused them. */
	readonly warnings: ListingWarning[] = [];

	/** The last page a look-ahead found new records on; the list extends at least that far. */
	private lastNewIndex = 0;

	private readonly pages: ReadAhead<Page>;

	constructor(
		private readonly options: SweepOptions,
		private readonly reader: PageReader,
		private readonly collector: RecordCollector,
	) {
		const { concurrency, startPage, pageSize } = options;
		this.facts = initialFacts(options, pageSize);
		this.lastIndex = startPage;
		this.countsFromOne = options.firstPageNumber === 1;
		if (startPage > 0) this.firstPageNumber = options.firstPageNumber ?? 0;
		this.pages = new ReadAhead<Page>(startPage, {
			concurrency,
			fetch: async (index) => await this.readPage(index),
			shouldContinue: ({ kind, metadata }) =>
				kind === 'records' && !isMarkedLast(this.facts, metadata),
			limitFor: (current) => (this.facts.pagesRead === 0 ? current : this.readAheadLimit(current)),
		});
	}

	/** @throws ServiceFailure if a page cannot be read, or the list does not end */
	async run(): Promise<SweepEnd> {
		const { collector, pages, options } = this;
		return await this.readPages()
			.catch((error: unknown) => {
				// What was received must be recognized when it is received again.
				const canReadAgain = collector.keys.hasIds && options.removeDuplicates !== false;
				if (!this.isEnlarged || !canReadAgain || !mayBeOfPageSize(error)) throw error;
				return ABANDONED;
			})
			.finally(() => pages.close());
	}

	private async readPages(): Promise<SweepEnd> {
		for (let index = this.options.startPage; ; index++) {
			this.lastIndex = index;
			this.pages.moveTo(index);
			const end = await this.processPage(index);
			if (end !== undefined) return end;
		}
	}

	/** Whether pages are larger than the first one was requested. */
	get isEnlarged(): boolean {
		return this.facts.requestedPageSize > this.options.pageSize;
	}

	/**
	 * Requests the two pages again that held the first record which was repeated. If both still hold
	 * it, the list has no fixed order; otherwise it may have changed.
	 */
	async refetchFirstRepeat(): Promise<boolean> {
		const { firstRepeat, keys } = this.collector;
		if (firstRepeat === undefined || !keys.hasIds) return false;
		const { key, pageIndexes } = firstRepeat;
		const pages = Promise.all(pageIndexes.map(async (index) => await this.readPage(index)));
		return await pages.then(
			(all) => all.every(({ records }) => keys.keysOf(records).includes(key)),
			() => false,
		);
	}

	private async readPage(
		pageIndex: number,
		laterPageSize = this.facts.fullPageSize,
	): Promise<Page> {
		const { collector, firstPageNumber, reader, options } = this;
		const { onPage, startPage } = options;
		// `readFirst` may request the first page in the larger size.
		const sizeOf = () => (pageIndex === startPage ? this.facts.requestedPageSize : laterPageSize);
		const page =
			firstPageNumber === undefined
				? await this.readFirst()
				: await reader.read(pageIndex + firstPageNumber, sizeOf());
		collector.detectKeys(page.records);
		if (page.kind !== 'outOfRange' && page.kind !== 'invalid')
			onPage?.(pageIndex + (this.firstPageNumber ?? 0), sizeOf(), page);
		return page;
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
		this.countsFromOne = first.number === 1;
		const page = await this.enlarge(first.page, first.number);
		this.adoptPageSize(page);
		const { next } = first;
		const length = next?.records.length ?? 0;
		// Page 1 was requested in the first size, and does not join if later pages have another one.
		const isUsable =
			length === 0 || length > options.pageSize || this.facts.fullPageSize === options.pageSize;
		if (next !== undefined && isUsable && !this.isEnlarged) this.pages.put(1, next);
		else if (next !== undefined) collector.noteUnused(page, next);
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

	/** @returns the end of the sweep, if it ends with this page */
	private async processPage(pageIndex: number): Promise<SweepEnd | undefined> {
		const laterPages = pageIndex < this.lastNewIndex ? 'goOn' : 'unknown';
		const page = await this.fetchPage(pageIndex);
		if (this.isUncertainStart(pageIndex) && (await this.endedBeforeStart(page)))
			return ended('afterEnd');
		let fetched: FetchedPage = { pageIndex, page, attempts: 1, laterPages };
		for (;;) {
			const input = this.decisionInput(fetched);
			const decision = decide(input);
			switch (decision.kind) {
				case 'refetch':
					fetched = await this.refetch(fetched);
					break;
				case 'lookAhead':
					fetched = { ...fetched, laterPages: await this.lookAhead(input, decision.count) };
					break;
				case 'accept':
					this.accept(input);
					return undefined;
				case 'numberFromOne':
					await this.numberFromOne(input);
					return undefined;
				case 'end':
					return await this.end(input, decision.reason);
				case 'fail':
					if (!this.isOnlyLargerPage(input) && !(await this.fillsOnePage(input, decision.failure)))
						throw decision.failure;
					return await this.end(input, 'lastPageRepeated');
			}
		}
	}

	private isUncertainStart(pageIndex: number): boolean {
		const { startPage, isStartTrusted = false } = this.options;
		return pageIndex === startPage && pageIndex > 0 && !isStartTrusted;
	}

	/** Requests the pages that show whether the list ended before the start page. */
	private async endedBeforeStart(page: Page): Promise<boolean> {
		const { collector, pages, options } = this;
		const { startPage, pageSize } = options;
		const refetch = async (pageIndex: number) => await pages.refetch(pageIndex);
		const verdict = await verifyStartPage({ page, startPage, pageSize, refetch, collector });
		this.countsFromOne ||= verdict === 'first';
		if (verdict !== 'afterEnd') return false;
		// With an ID, a page above 1 that repeats an earlier one is certainly after the end.
		if (!collector.keys.hasIds || startPage === 1)
			this.warnings.push({ kind: 'startsAfterEnd', page: startPage });
		return true;
	}

	private decisionInput(fetched: FetchedPage): PageDecisionInput {
		const { collector, options } = this;
		const compared = collector.compare(fetched.page.records);
		// Page 0 is compared with what was requested; later pages are as long as it is.
		const facts =
			fetched.pageIndex === 0
				? withFullPageSize(this.facts, this.facts.requestedPageSize)
				: this.facts;
		return {
			...fetched,
			requestedNumber: fetched.pageIndex + (this.firstPageNumber ?? 0),
			...compared,
			before: facts,
			after: mergePage(facts, fetched.page, compared.newCount),
			// Only here, because it compares each record with all that is searched for.
			remaining: collector.remainingWith(compared.newRecords),
			maxPages: options.maxPages,
		};
	}

	private async fetchPage(pageIndex: number): Promise<Page> {
		const { facts } = this;
		const page = await this.pages.get(pageIndex).catch((error: unknown): Page => {
			if (this.isUncertainStart(pageIndex) && isPageOutOfRange(error)) return pageOutOfRange(error);
			// Some services fail at a page after the one that they called the last.
			if (facts.endSignals === 0 || !isServerError(error)) throw error;
			return EMPTY_PAGE;
		});
		if (pageIndex > 0 && this.isEnlarged && page.kind === 'outOfRange') {
			if (await this.mayGoOnInSmallerPages()) throw page.failure;
			return page;
		}
		return pageIndex === facts.startPage + 1 && facts.fullPageSize < facts.requestedPageSize
			? await this.resolvePageSize(page)
			: page;
	}

	/** Pages in the size of the first one join without a gap, whatever its length means. */
	private adoptPageSize({ records }: Page): void {
		const size = records.length || this.facts.requestedPageSize;
		if (size !== this.facts.fullPageSize) this.pages.discardFrom(1);
		this.facts = withFullPageSize(this.facts, size);
	}

	/**
	 * The second page shows why the first one was shorter than requested. If it repeats some of its
	 * records, the service leaves records out of pages, and pages of the requested size join. They
	 * are also requested if the service rejects the shorter size.
	 */
	private async resolvePageSize(page: Page): Promise<Page> {
		const { facts, collector, pages } = this;
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
		const other = await this.readPage(1, requestedPageSize);
		const doesRequestedSizeJoin = isSizeRejected
			? other.kind === 'records'
			: keys.overlap([...first, ...other.records], page.records) === 'all';
		if (!doesRequestedSizeJoin) {
			// Without an ID, it stays unclear which of the two sizes joins.
			this.facts = { ...facts, pageLengths: isSizeRejected || keys.hasIds ? 'full' : 'varying' };
			return page;
		}
		this.facts = { ...withFullPageSize(facts, requestedPageSize), pageLengths: 'varying' };
		pages.discardFrom(1);
		pages.put(1, other);
		return other;
	}

	private async refetch(input: FetchedPage): Promise<FetchedPage> {
		const { collector } = this;
		const { pageIndex, page } = input;
		const again = await this.pages.refetch(pageIndex);
		const isRead = again.kind === 'records';
		if (isRead && page.kind === 'records') collector.compareResponses(page.records, again.records);
		// If a page is sometimes empty and sometimes not, a short page does not mean the end.
		else if (isRead && page.kind !== 'invalid')
			this.facts = { ...this.facts, pageLengths: 'varying' };
		const isList = ({ kind }: Page) => kind === 'records' || kind === 'empty';
		const newCountOf = ({ records }: Page) => collector.compare(records).newCount;
		const isKept = isList(page) && (!isList(again) || newCountOf(page) > newCountOf(again));
		if (pageIndex === 0 && !isKept) this.adoptPageSize(again);
		return { ...input, page: isKept ? page : again, attempts: input.attempts + 1 };
	}

	/** Whether a later page holds records that neither earlier pages nor the current one hold. */
	private hasNewRecords({ records }: Page, current: Page): boolean {
		const { collector } = this;
		if (records.length === 0 || collector.compare(records).newCount === 0) return false;
		const isCurrentOld = collector.compare(current.records).newCount === 0;
		return isCurrentOld || collector.keys.overlap(current.records, records) !== 'all';
	}

	private async lookAhead(
		{ pageIndex, page: current }: PageDecisionInput,
		count: number,
	): Promise<LaterPages> {
		let found: LaterPages = 'none';
		const isListShown = current.kind === 'records' || this.facts.pagesRead > 0;
		for (let later = pageIndex + 1; later <= pageIndex + count; later++) {
			const page = await this.pages.get(later);
			if (!isListShown) this.facts = mergeMetadata(this.facts, page.metadata);
			if (this.hasNewRecords(page, current)) {
				this.lastNewIndex = later;
				return 'goOn';
			}
			if (page.kind === 'records') found = 'seen';
			// A service that repeats pages after the end never returns an empty one: the list went on.
			else if (current.kind === 'records' && found === 'seen') return 'goOn';
		}
		return found;
	}

	/**
	 * Whether the list may go on where larger pages end, as a page of the first size shows. Then the
	 * sweep is abandoned, and the next one reads smaller pages.
	 *
	 * @param offset from the page that would be next
	 */
	private async mayGoOnInSmallerPages(offset = 0): Promise<boolean> {
		const { collector, facts, firstPageNumber = 0, reader, options } = this;
		const nextIndex =
			Math.floor(facts.receivedCount / options.pageSize) + facts.surplusFirstPages + offset;
		const { records } = await reader.read(nextIndex + firstPageNumber, options.pageSize);
		if (records.length === 0) return false;
		// At the end of the list it holds the last record; a service that ignores `page` returns the
		// first page.
		const { firstRecords, keys, lastRecords } = collector;
		const holdsLast = keys.overlap(records, lastRecords.slice(-1)) === 'all';
		const isFirst = keys.beginAlike(firstRecords, records);
		return !holdsLast || isFirst || collector.compare(records).newCount > 0;
	}

	/** Whether larger pages show only one: a short list, or a service that ignores `page`. */
	private isOnlyLargerPage(input: PageDecisionInput): boolean {
		return this.isEnlarged && isRepeated(input) && input.before.pagesRead === 1;
	}

	/** Whether smaller pages show that the service repeats its last page, not its first one. */
	private async fillsOnePage(input: PageDecisionInput, { kind }: ServiceFailure): Promise<boolean> {
		if (kind !== 'pageIgnored' || completenessOfFirstPage(input) === 'more') return false;
		const { collector, firstPageNumber = 0, reader } = this;
		const { firstRecords, keys } = collector;
		// The second half of the list, whether the service counts from 0 or 1.
		const { records } = await reader.read(firstPageNumber + 2, Math.ceil(firstRecords.length / 2));
		const isNotFirst = keys.overlap(firstRecords.slice(0, 1), records) === 'none';
		return isNotFirst && keys.overlap(firstRecords, records) === 'all';
	}

	private async end(input: PageDecisionInput, reason: EndReason): Promise<SweepEnd> {
		const isOnlyPage = this.isOnlyLargerPage(input);
		// The next page but one is not the first one, whether the service counts from 0 or 1.
		if (isOnlyPage && (await this.mayGoOnInSmallerPages(1))) return ABANDONED;
		this.finish(isOnlyPage ? { ...input, laterPages: 'none' } : input, reason);
		return ended(reason);
	}

	private finish(input: PageDecisionInput, reason: EndReason): void {
		this.warnings.push(...warningsOfRejected(input));
		if (!isRepeated(input) || input.repeatOf === 'earlierRecords') this.accept(input);
		else this.warnings.push(...warningsOfRepeated(input, reason));
	}

	private accept(input: PageDecisionInput): void {
		const { after, pageIndex, page } = input;
		const { length } = page.records;
		this.facts = { ...after, endSignals: countStatedEndSignals(input) };
		if (pageIndex === 0)
			this.facts =
				length > 0 ? withFullPageSize(this.facts, length) : { ...after, surplusFirstPages: 1 };
		if (length === 0) return;
		this.warnings.push(...warningsOfAdded(input));
		const isAllNew = input.newRecords === page.records;
		this.collector.addPage(page.records, pageIndex, isRepeated(input), isAllNew);
	}

	/** Also requests page 0 again: if it now holds other records, its first response was wrong. */
	private async numberFromOne(input: PageDecisionInput): Promise<void> {
		const { before, page, identifiedBy, requestedNumber } = input;
		// If one page holds equal records, two pages may hold them too.
		this.countsFromOne = identifiedBy !== 'nothing';
		if (identifiedBy === 'nothing')
			this.warnings.push({ kind: 'indistinguishable', page: requestedNumber });
		this.facts = {
			...mergeMetadata(before, page.metadata, page.records.length),
			surplusFirstPages: 1,
		};
		const first = await this.pages.refetch(0);
		if (first.kind === 'records' && this.hasNewRecords(first, page))
			this.warnings.push({ kind: 'repeatedPage', page: requestedNumber });
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
