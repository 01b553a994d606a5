import { ServiceFailure } from '../failure/serviceFailure';
import {
	isPageOutOfRange,
	isServerError,
	type Page,
	type PageReader,
} from '../response/pageReader';
import {
	completenessOfFirstPage,
	countStatedEndSignals,
	decide,
	type EndReason,
	isRepeated,
	isSecondPageSameAsFirst,
	type LaterPages,
	type PageDecisionInput,
} from './endOfList';
import { pageIgnoredFailure, pageSizeMismatchFailure } from './failures';
import {
	estimateEndPage,
	initialFacts,
	isMarkedLast,
	type ListFacts,
	mergeMetadata,
	mergePage,
	withPageSize,
} from './listFacts';
import { ReadAhead } from './readAhead';
import type { CollectOptions, RecordCollector } from './recordCollector';

export interface SweepOptions<Kept> extends CollectOptions<Kept> {
	/** Page to start from; numbering starts at 0. */
	startPage: number;
	pageSize: number;
	/**
	 * Whether an earlier reading ended before that page, so that it begins there in any case. Else a
	 * page that is refused may be one after the end.
	 */
	isResumed?: boolean;
	/** Max number of pages in flight. */
	concurrency: number;
	/** 0 = no cap. */
	maxPages: number;
}

/** What a reading found out that its user may want to know. */
export interface SweepFindings {
	endedBy: EndReason;
	/** The page that ended the reading. */
	lastPage: number;
	/** The first page that held nothing new, although others follow or once did. */
	repeatedPage?: number;
	/** The first page of records without an ID that equal earlier ones: they may be others. */
	indistinguishablePage?: number;
	/** Whether each page equals the first one, and nothing says that it is the only one. */
	isPageParameterIgnored?: boolean;
	/** Whether the page to begin with is an earlier one again, so that it is after the end. */
	startsAfterEnd?: boolean;
}

/** A page whose turn it is, and what was asked to decide about it. */
type FetchedPage = Pick<PageDecisionInput, 'pageNumber' | 'page' | 'attempts' | 'laterPages'>;

const NONE: Page = { kind: 'empty', records: [], metadata: {} };

/** One reading of a list from its first page to its end. */
export class Sweep<Kept> {
	facts: ListFacts;

	readonly findings: SweepFindings;

	/** The size that pages after the first one are asked for. */
	private laterPageSize: number;

	/** A page that held something new when it was looked at before its turn: the list goes so far. */
	private lastNewPage = 0;

	private readonly pages: ReadAhead<Page>;

	constructor(
		private readonly rules: SweepOptions<Kept>,
		reader: PageReader,
		private readonly collector: RecordCollector<Kept>,
	) {
		const { concurrency, startPage, pageSize } = rules;
		this.facts = initialFacts(startPage, pageSize);
		this.findings = { endedBy: 'empty', lastPage: startPage };
		this.laterPageSize = pageSize;
		this.pages = new ReadAhead<Page>(startPage, {
			concurrency,
			fetch: async (number) =>
				await reader.read(number, number === startPage ? pageSize : this.laterPageSize),
			shouldContinue: ({ kind, metadata }) =>
				kind === 'records' && !isMarkedLast(this.facts, metadata),
			limitFor: (current) => (this.facts.pagesRead === 0 ? current : this.readAheadLimit(current)),
		});
	}

	/** @throws ServiceFailure if a page cannot be read, or the list does not end */
	async run(): Promise<void> {
		try {
			for (let number = this.rules.startPage; ; number++) {
				this.findings.lastPage = number;
				this.pages.moveTo(number);
				if (await this.processPage(number)) return;
			}
		} finally {
			this.pages.close();
		}
	}

	/** @returns whether the list ends with this page */
	private async processPage(pageNumber: number): Promise<boolean> {
		const laterPages = pageNumber < this.lastNewPage ? 'new' : 'unknown';
		let fetched: FetchedPage = {
			pageNumber,
			page: await this.fetchPage(pageNumber),
			attempts: 1,
			laterPages,
		};
		if (this.findings.startsAfterEnd) return true;
		for (;;) {
			const input = this.decisionInput(fetched);
			const decision = decide(input);
			if (decision instanceof ServiceFailure) throw decision;
			if (decision === 'refetch') fetched = await this.refetch(fetched);
			else if (typeof decision === 'object' && 'lookAhead' in decision) {
				fetched = { ...fetched, laterPages: await this.lookAhead(input, decision.lookAhead) };
			} else {
				if (decision === 'accept') this.accept(input);
				else if (decision === 'numberFromOne') await this.numberFromOne(input);
				else this.finish(input, decision.end);
				return typeof decision === 'object';
			}
		}
	}

	private decisionInput(fetched: FetchedPage): PageDecisionInput {
		const { facts, collector, rules } = this;
		const compared = collector.compare(fetched.page.records);
		return {
			...fetched,
			...compared,
			before: facts,
			after: mergePage(facts, fetched.page, compared.newCount),
			remaining: collector.remaining - compared.newTowardsLimit,
			maxPages: rules.maxPages,
		};
	}

	private async fetchPage(number: number): Promise<Page> {
		const { facts } = this;
		const { startPage, isResumed = false } = this.rules;
		const mayBeAfterEnd = number === startPage && number > 0 && !isResumed;
		const page = await this.pages.get(number).catch((error: unknown): Page => {
			if (mayBeAfterEnd && isPageOutOfRange(error))
				return { ...NONE, kind: 'outOfRange', failure: error };
			// Some services fail at a page after the one that they called the last.
			if (facts.endSignals === 0 || !isServerError(error)) throw error;
			return NONE;
		});
		if (number === 0) this.adoptPageSize(page);
		if (mayBeAfterEnd) await this.verifyStartPage(page);
		return number === startPage + 1 && this.laterPageSize < facts.requestedPageSize
			? await this.resolvePageSize(page)
			: page;
	}

	/**
	 * A later page to begin with has to be at its offset, so that Page 0, 1, 2 join, and must not be
	 * an earlier one again, as services repeat their last page.
	 *
	 * @throws ServiceFailure if pages are of another size than asked for, or all the first one
	 */
	private async verifyStartPage(page: Page): Promise<void> {
		const { collector, pages, rules } = this;
		const { startPage, pageSize } = rules;
		const receivedCount = page.records.length;
		const number = receivedCount === 0 ? 0 : startPage - 1;
		const { records, metadata } = await pages.refetch(number).catch(async (error: unknown) => {
			// There is no page 0 if the service counts from 1.
			if (number > 0) throw error;
			return receivedCount > 0 ? NONE : await pages.refetch(1);
		});
		const { more, total = 0 } = metadata;
		if (page.kind === 'outOfRange' && total > startPage * pageSize) throw page.failure;
		collector.compare(records);
		const isOther = collector.keys.overlap(records, page.records) !== 'all';
		// What differs may do so in each answer.
		if (isOther && collector.keys.mayRepeat(page.records, records)) {
			collector.compareResponses(page.records, (await pages.refetch(startPage)).records);
		}
		const { keys } = collector;
		const isRepeat = receivedCount > 0 && keys.isSamePage(records, page.records);
		const other = isRepeat ? (await pages.refetch(startPage === 1 ? 2 : 0)).records : records;
		const isEveryPage = isRepeat && keys.isSamePage(other, page.records);
		// Page 1 is page 0 if the service counts from 1.
		const isAtOffset = !isRepeat || (startPage === 1 && !isEveryPage);
		// After the end only what page 0 says of other pages shows that it is not all.
		const goesOn = isAtOffset && (receivedCount > 0 || total > records.length || more === true);
		const longest = Math.max(receivedCount, records.length, other.length);
		if (longest > pageSize || (goesOn && longest < pageSize && other.length > 0)) {
			throw pageSizeMismatchFailure(startPage, pageSize, longest);
		}
		if (isAtOffset) return;
		const isFull = receivedCount === pageSize && receivedCount !== page.metadata.total;
		if (isFull && isEveryPage && keys.hasIds) throw pageIgnoredFailure();
		this.findings.startsAfterEnd = true;
	}

	/** Pages as long as the first one join without a gap, whatever its length means. */
	private adoptPageSize({ records }: Page): void {
		const size = records.length || this.rules.pageSize;
		if (size !== this.laterPageSize) this.pages.discardFrom(1);
		this.laterPageSize = size;
	}

	/**
	 * The second page shows what the size means: if it holds some records of the first one, records
	 * are left out of pages, and those of the size asked for join. So do they if the other size is
	 * refused.
	 */
	private async resolvePageSize(page: Page): Promise<Page> {
		const { facts, collector, pages, laterPageSize } = this;
		const { keys, firstRecords: first } = collector;
		const isSizeRejected =
			page.kind === 'outOfRange' && [400, 422].includes(page.failure.statusCode ?? 0);
		// Without an ID, what else a record holds may differ in each answer.
		const [field] = keys.hasIds ? [] : keys.stableFields;
		if (!isSizeRejected && keys.overlap(first, page.records, field) !== 'some') return page;
		this.laterPageSize = facts.requestedPageSize;
		pages.discardFrom(1);
		const other = await pages.get(1);
		const isJoined = isSizeRejected
			? other.kind === 'records'
			: keys.overlap([...first, ...other.records], page.records) === 'all';
		if (isJoined) {
			this.facts = { ...withPageSize(facts, facts.requestedPageSize), areShortPagesUsual: true };
			return other;
		}
		this.laterPageSize = laterPageSize;
		this.facts = { ...facts, areShortPagesUsual: !isSizeRejected && !keys.hasIds };
		pages.discardFrom(2);
		return page;
	}

	private async refetch(input: FetchedPage): Promise<FetchedPage> {
		const { collector } = this;
		const { pageNumber, page } = input;
		const again = await this.pages.refetch(pageNumber);
		const isRead = again.kind === 'records';
		if (isRead && page.kind === 'records') collector.compareResponses(page.records, again.records);
		// What is empty and filled in turn has no size that shows the end.
		else if (isRead && page.kind !== 'invalid')
			this.facts = { ...this.facts, areShortPagesUsual: true };
		const isList = ({ kind }: Page) => kind === 'records' || kind === 'empty';
		const newCountOf = ({ records }: Page) => collector.compare(records).newCount;
		const isKept = isList(page) && (!isList(again) || newCountOf(page) > newCountOf(again));
		if (pageNumber === 0 && !isKept) this.adoptPageSize(again);
		return { ...input, page: isKept ? page : again, attempts: input.attempts + 1 };
	}

	/** Whether a later page holds something new, beside what the current one holds. */
	private hasNewRecords({ records }: Page, current: Page): boolean {
		const { collector } = this;
		if (records.length === 0 || collector.compare(records).newCount === 0) return false;
		const isCurrentOld = collector.compare(current.records).newCount === 0;
		return isCurrentOld || collector.keys.overlap(current.records, records) !== 'all';
	}

	private async lookAhead(
		{ pageNumber, page: current }: PageDecisionInput,
		count: number,
	): Promise<LaterPages> {
		let found: LaterPages = 'none';
		const isMetadataMerged = current.kind === 'records' || this.facts.pagesRead > 0;
		for (let later = pageNumber + 1; later <= pageNumber + count; later++) {
			const page = await this.pages.get(later);
			if (!isMetadataMerged) this.facts = mergeMetadata(this.facts, page.metadata);
			if (this.hasNewRecords(page, current)) {
				this.lastNewPage = later;
				return 'new';
			}
			if (page.kind === 'records') found = 'seen';
			// If each page is an earlier one, the next ones are as well.
			else if (current.kind === 'records' && found === 'seen') return 'new';
		}
		return found;
	}

	private finish(input: PageDecisionInput, by: EndReason): void {
		const { laterPages, before, hasIds, pageNumber, page, repeatOf } = input;
		const { findings } = this;
		findings.endedBy = by;
		if (!isRepeated(input) || repeatOf === 'earlierRecords') this.accept(input);
		else if (before.total !== before.uniqueCount) {
			const isTold = hasIds || (input.areDistinguishable && page.records.length < before.pageSize);
			if (!isTold) findings.indistinguishablePage ??= pageNumber;
			const isSecond = isSecondPageSameAsFirst(input);
			const isOnly = isSecond && before.startPage === 0 && laterPages === 'seen';
			findings.isPageParameterIgnored = isOnly && completenessOfFirstPage(input) !== 'all';
			// A last page that is repeated is so for ever, and so is a list that starts over.
			if (by !== 'noNewRecords' && laterPages === 'none' && !isSecond)
				findings.repeatedPage ??= pageNumber;
		}
	}

	private accept(input: PageDecisionInput): void {
		const { after, pageNumber, page } = input;
		const { length } = page.records;
		this.facts = { ...after, endSignals: countStatedEndSignals(input) };
		if (pageNumber === 0)
			this.facts = length > 0 ? withPageSize(this.facts, length) : { ...after, numberingOffset: 1 };
		if (length === 0) return;
		if (input.laterPages === 'new' && isRepeated(input)) this.findings.repeatedPage ??= pageNumber;
		this.collector.addPage(page.records, isRepeated(input));
	}

	/** If page 0 holds others by now, its first answer was not that page. */
	private async numberFromOne(input: PageDecisionInput): Promise<void> {
		const { before, pageNumber, page } = input;
		// Rows that are equal on one page may be so on two.
		if (!input.areDistinguishable) this.findings.indistinguishablePage ??= pageNumber;
		this.facts = {
			...mergeMetadata(before, page.metadata, page.records.length),
			numberingOffset: 1,
		};
		const first = await this.pages.refetch(0);
		if (first.kind === 'records' && this.hasNewRecords(first, page))
			this.findings.repeatedPage ??= pageNumber;
	}

	/** The first page that must not be asked for before its turn. */
	private readAheadLimit(current: number): number {
		const { facts, collector, rules } = this;
		const pagesLeft = rules.maxPages > 0 ? rules.maxPages - facts.pagesRead : Infinity;
		const pagesWanted = Math.ceil(collector.estimatedToRead / facts.pageSize);
		return Math.min(estimateEndPage(facts, current), current + pagesWanted, current + pagesLeft);
	}
}
