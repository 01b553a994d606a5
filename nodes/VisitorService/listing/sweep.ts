import type { ServiceFailure } from '../failure/serviceFailure';
import {
	EMPTY_PAGE,
	isPageOutOfRange,
	isServerError,
	type Page,
	type PageReader,
	pageOutOfRange,
} from '../response/pageReader';
import { decide, type EndReason } from './endOfList';
import { mayBeOfPageSize } from './largerPage';
import { indicatesMore, mergeMetadata, mergePage, withFullPageSize } from './listFacts';
import { ListPages, type PageOptions } from './listPages';
import {
	completenessOfFirstPage,
	countStatedEndSignals,
	isRepeated,
	type LaterPages,
	type PageDecisionInput,
} from './pageEvidence';
import type { CollectOptions, RecordCollector } from './recordCollector';
import { verifyStartPage } from './startPage';
import { type ListingWarning, warningsOfAdded, warningsOfEnd } from './warnings';

export interface SweepOptions extends CollectOptions, PageOptions {
	/**
	 * Whether the start page is certainly part of the list, because an earlier reading has got there.
	 * Otherwise a start page that is rejected may be one after the end.
	 */
	isStartTrusted?: boolean;
}

/** The current page, with what requests have shown to decide about it. */
type FetchedPage = Pick<PageDecisionInput, 'pageIndex' | 'page' | 'attempts' | 'laterPages'>;

/** `abandoned`: it has to be read from its start again, because larger pages have failed. */
type SweepEnd = EndReason | 'abandoned';

/** One reading of a list from its start page to its end. */
export class Sweep {
	readonly pages: ListPages;

	/** The page that ended the reading. */
	lastIndex: number;

	/** Whether page 1 is the first page, and page 0 is either rejected, or empty, or repeats it. */
	countsFromOne = false;

	/** In the order of the pages that caused them. */
	readonly warnings: ListingWarning[] = [];

	/** The last page a look-ahead found new records on; the list extends at least that far. */
	private lastNewIndex = 0;

	/** Whether the list goes on where larger pages repeat the first one, as a smaller one shows. */
	private goesOnInSmallerPages = false;

	constructor(
		private readonly options: SweepOptions,
		reader: PageReader,
		private readonly collector: RecordCollector,
	) {
		this.lastIndex = options.startPage;
		this.pages = new ListPages(options, reader, collector);
	}

	/** @throws ServiceFailure if a page cannot be read, or the list does not end */
	async run(): Promise<SweepEnd> {
		const { collector, pages, options } = this;
		return await this.readPages()
			.catch((error: unknown): SweepEnd => {
				// What was received must be recognized when it is received again.
				const canReadAgain = collector.keys.hasIds && options.removeDuplicates !== false;
				if (!pages.isEnlarged || !canReadAgain || !mayBeOfPageSize(error)) throw error;
				return 'abandoned';
			})
			.finally(() => {
				this.countsFromOne ||= pages.firstPageNumber === 1;
				pages.window.close();
			});
	}

	private async readPages(): Promise<SweepEnd> {
		for (let index = this.options.startPage; ; index++) {
			this.lastIndex = index;
			const end = await this.processPage(index);
			if (end !== undefined) return end;
		}
	}

	/** @returns the end of the sweep, if it ends with this page */
	private async processPage(pageIndex: number): Promise<SweepEnd | undefined> {
		let fetched = await this.fetch(pageIndex);
		if (this.isUncertainStart(pageIndex) && (await this.endedBeforeStart(fetched.page)))
			return 'afterEnd';
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
					return this.end(input, decision.reason);
				case 'fail':
					return await this.fail(input, decision.failure);
			}
		}
	}

	private async fetch(pageIndex: number): Promise<FetchedPage> {
		const laterPages = pageIndex < this.lastNewIndex ? 'goOn' : 'unknown';
		const { facts } = this.pages;
		const page = await this.pages.current(pageIndex).catch((error: unknown): Page => {
			if (this.isUncertainStart(pageIndex) && isPageOutOfRange(error)) return pageOutOfRange(error);
			// Some services fail at a page after the one that they called the last.
			if (facts.endSignals === 0 || !isServerError(error)) throw error;
			return EMPTY_PAGE;
		});
		return await this.lookInSmallerPages({ pageIndex, page, attempts: 1, laterPages });
	}

	/** Where larger pages seem to end, one smaller page tells, and costs less than more of them. */
	private async lookInSmallerPages(fetched: FetchedPage): Promise<FetchedPage> {
		const { collector, pages } = this;
		const { page, pageIndex } = fetched;
		const isRejected = page.kind === 'outOfRange';
		const isFirstRepeated =
			pages.facts.pagesRead === 1 && collector.compare(page.records).repeatOf === 'previousPage';
		if (pageIndex === 0 || !pages.isEnlarged || !(isRejected || isFirstRepeated)) return fetched;
		const goesOn = await pages.goesOnInSmallerPages(isRejected ? 0 : 1);
		if (isRejected && goesOn) throw page.failure;
		this.goesOnInSmallerPages = goesOn;
		return goesOn ? fetched : { ...fetched, attempts: 2, laterPages: 'none' };
	}

	private isUncertainStart(pageIndex: number): boolean {
		const { startPage, isStartTrusted = false } = this.options;
		return pageIndex === startPage && pageIndex > 0 && !isStartTrusted;
	}

	/** Requests the pages that show whether the list ended before the start page. */
	private async endedBeforeStart(page: Page): Promise<boolean> {
		const { collector, pages, options } = this;
		const { startPage, pageSize } = options;
		const refetch = async (pageIndex: number) => await pages.window.refetch(pageIndex);
		const start = { page, startPage, pageSize, refetch, collector };
		const { verdict, total, totalPages } = await verifyStartPage(start);
		const { facts } = pages;
		const counted = mergeMetadata(facts, { total, totalPages });
		if (verdict === 'first') {
			this.countsFromOne = true;
			// Otherwise what is stated would seem to be reached a page too early.
			pages.facts = { ...facts, startPage: 0, surplusFirstPages: 1 };
		} else if (page.records.length === 0) pages.facts = counted;
		if (verdict !== 'afterEnd') return false;
		// With an ID, a page above 1 that repeats an earlier one is after the end, unless it denies it.
		const stated = mergeMetadata(counted, page.metadata, page.records.length);
		if (!collector.keys.hasIds || startPage === 1 || indicatesMore(stated, startPage))
			this.warnings.push({ kind: 'startsAfterEnd', page: startPage });
		return true;
	}

	private decisionInput(fetched: FetchedPage): PageDecisionInput {
		const { collector, options, pages } = this;
		const { page, pageIndex } = fetched;
		const compared = collector.compare(page.records);
		// Page 0 is compared with what was requested; later pages are as long as it is.
		const facts =
			pageIndex === 0 ? withFullPageSize(pages.facts, pages.facts.requestedPageSize) : pages.facts;
		return {
			requestedNumber: pages.numberOf(pageIndex),
			before: facts,
			after: mergePage(facts, page, compared.newRecords.length),
			// Only here, because it compares each record with all that is searched for.
			remaining: collector.remainingWith(compared.newRecords),
			maxPages: options.maxPages,
			// Last, because V8 is slow to add further properties to a copy.
			...fetched,
			...compared,
		};
	}

	private async refetch(input: FetchedPage): Promise<FetchedPage> {
		const { collector, pages } = this;
		const { pageIndex, page } = input;
		const again = await pages.window.refetch(pageIndex);
		const isRead = again.kind === 'records';
		if (isRead && page.kind === 'records') collector.compareResponses(page.records, again.records);
		// If a page is sometimes empty and sometimes not, a short page does not mean the end.
		else if (isRead && page.kind !== 'invalid')
			pages.facts = { ...pages.facts, pageLengths: 'varying' };
		const isList = ({ kind }: Page) => kind === 'records' || kind === 'empty';
		const newCountOf = ({ records }: Page) => collector.compare(records).newRecords.length;
		const isKept = isList(page) && (!isList(again) || newCountOf(page) > newCountOf(again));
		if (pageIndex === 0 && !isKept) pages.adoptPageSize(again);
		return { ...input, page: isKept ? page : again, attempts: input.attempts + 1 };
	}

	/** Whether a later page holds records that neither earlier pages nor the current one hold. */
	private hasNewRecords({ records }: Page, current: Page): boolean {
		const { collector } = this;
		if (records.length === 0 || collector.compare(records).newRecords.length === 0) return false;
		const isCurrentOld = collector.compare(current.records).newRecords.length === 0;
		return isCurrentOld || collector.keys.overlap(current.records, records) !== 'all';
	}

	private async lookAhead(
		{ pageIndex, page: current }: PageDecisionInput,
		count: number,
	): Promise<LaterPages> {
		const { pages } = this;
		let found: LaterPages = 'none';
		const isListShown = current.kind === 'records' || pages.facts.pagesRead > 0;
		for (let later = pageIndex + 1; later <= pageIndex + count; later++) {
			const page = await pages.window.get(later);
			if (!isListShown) pages.facts = mergeMetadata(pages.facts, page.metadata);
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

	/** Fails, unless smaller pages show that it is the last page that is repeated, not the first. */
	private async fail(input: PageDecisionInput, failure: ServiceFailure): Promise<SweepEnd> {
		const { pages } = this;
		const mayBeOnlyPage = failure.kind === 'pageIgnored';
		const isMoreStated = !pages.isEnlarged && completenessOfFirstPage(input) === 'more';
		if (!mayBeOnlyPage || isMoreStated || (await pages.goesOnInSmallerPages(1))) throw failure;
		return this.end({ ...input, laterPages: 'none' }, 'lastPageRepeated');
	}

	private end(input: PageDecisionInput, reason: EndReason): SweepEnd {
		if (this.goesOnInSmallerPages && isRepeated(input) && input.before.pagesRead === 1)
			return 'abandoned';
		if (!isRepeated(input) || input.repeatOf === 'earlierRecords') this.accept(input);
		this.warnings.push(...warningsOfEnd(input, reason));
		return reason;
	}

	private accept(input: PageDecisionInput): void {
		const { after, pageIndex, page } = input;
		const { length } = page.records;
		const facts = { ...after, endSignals: countStatedEndSignals(input) };
		const isEmptyStart = pageIndex === 0 && length === 0;
		this.pages.facts = isEmptyStart
			? { ...after, surplusFirstPages: 1 }
			: pageIndex === 0
				? withFullPageSize(facts, length)
				: facts;
		if (length === 0) return;
		this.warnings.push(...warningsOfAdded(input));
		const isAllNew = input.newRecords === page.records;
		this.collector.addPage(page.records, pageIndex, isRepeated(input), isAllNew);
	}

	/** Also requests page 0 again: if it now holds other records, its first response was wrong. */
	private async numberFromOne(input: PageDecisionInput): Promise<void> {
		const { before, page, identifiedBy, requestedNumber } = input;
		const { pages, warnings } = this;
		// If one page holds equal records, two pages may hold them too.
		this.countsFromOne = identifiedBy !== 'nothing';
		if (identifiedBy === 'nothing')
			warnings.push({ kind: 'indistinguishable', page: requestedNumber });
		pages.facts = {
			...mergeMetadata(before, page.metadata, page.records.length),
			surplusFirstPages: 1,
		};
		const first = await pages.window.refetch(0);
		if (first.kind === 'records' && this.hasNewRecords(first, page))
			warnings.push({ kind: 'repeatedPage', page: requestedNumber });
	}
}
