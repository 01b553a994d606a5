import type { ServiceFailure } from '../transport/serviceFailure';
import type { PagingMetadata } from './pagingMetadata';
import { RepeatedPages } from './repeatedPages';

/** What became of one page. */
export interface TakenPage {
	number: number;
	/** Records the page held; of these, how many came for the first and for a further time in this sweep. */
	came: number;
	fresh: number;
	repeated: number;
	/** Equal for pages that hold the same records. */
	fingerprint: string;
	metadata: PagingMetadata;
	/** The refusal that came instead of the page. */
	refusal?: ServiceFailure;
}

/** What is still to be found out where the pages alone do not tell whether the list was read to its end. */
export type Doubt =
	/** Every page held the records of the first: is `page` ignored, or is that one page the whole list? */
	| { kind: 'samePage' }
	/** A page was refused: is it the end of the list, or a fault? */
	| { kind: 'refusal'; page: number; shift: number; failure: ServiceFailure };

export interface ProgressRules {
	firstPage: number;
	pageSize: number;
	/** 0 = no cap. */
	maxPages: number;
}

/** Empty pages in a row that end a list: as a rule, where its total speaks of more, where the page itself does. */
const EMPTY_PAGES = { plain: 1, total: 2, more: 3 };

/**
 * How far to read one sweep over a list, and when it is over. Pages are taken in the order of their numbers, the
 * first one before any other is asked for.
 *
 * The sweep ends with an empty page, or where a page says that it is the last. A page is not the last because it
 * is short, nor because the total is reached; a total only plans how many pages to ask for at once.
 */
export class PageProgress {
	/** Nothing is asked for and nothing taken any more. */
	ended = false;

	/** Whether the cap on pages ended the sweep, and not the list. */
	capReached = false;

	/** To be settled once the sweep is over. */
	doubt?: Doubt;

	/** The total the service named last. */
	total?: number;

	/** Pages that brought records. */
	pages = 0;

	private readonly repetition = new RepeatedPages();

	/** Records that came, each counted once. */
	private count = 0;

	/** Pages taken, also empty ones. */
	private taken = 0;

	/** The page to be taken next. */
	private next: number;

	private pageSize: number;

	/** Of the last page taken. */
	private metadata: PagingMetadata = {};

	private wasShort = false;

	/** Whether a short page was followed by records, so that short pages say nothing. */
	private shortIsUsual = false;

	private emptyInARow = 0;

	/** An end was seen: only what was already asked for is looked at. */
	private exhausted = false;

	/** A page that failed behind that end. If records follow after all, it is missing. */
	private missing?: Error;

	/** The first page that was seen without records before its turn. */
	private expectedEnd = Infinity;

	constructor(private readonly rules: ProgressRules) {
		this.next = rules.firstPage;
		this.pageSize = rules.pageSize;
	}

	/** Records left out because they had come before, without the pages that were only repeated at the end. */
	get duplicates(): number {
		return this.repetition.duplicates;
	}

	/** After the first page: reads on from this page, and with this size. */
	continueAt(page: number, pageSize: number): void {
		this.next = page;
		if (pageSize !== this.pageSize) this.wasShort = false;
		this.pageSize = pageSize;
	}

	/**
	 * @param wanted records that are still to come before the limit
	 * @returns the first page that must not be asked for yet
	 */
	horizon(wanted: number): number {
		if (this.ended || this.exhausted) return this.next;
		return Math.min(
			this.plannedEnd(),
			Math.max(this.expectedEnd, this.next + 1),
			this.next + Math.ceil(wanted / this.pageSize),
			this.next + this.pagesBeforeCap(),
		);
	}

	/** A page without records, or one that failed, stops the asking for later ones before its turn comes. */
	expectNothingFrom(page: number): void {
		this.expectedEnd = Math.min(this.expectedEnd, page);
	}

	/** @throws Error of an earlier page, where this one shows that the list did not end there */
	take(page: TakenPage): void {
		this.taken++;
		this.next = page.number + 1;
		this.count += page.fresh;
		this.total = page.metadata.total ?? this.total;
		this.metadata = page.metadata;
		if (page.came === 0) this.takeEmpty(page);
		else this.takeRecords(page);
		if (this.saysItIsLast(page)) this.ended = true;
		if (this.ended || this.exhausted || this.pagesBeforeCap() > 0) return;
		this.capReached = true;
		this.ended = true;
	}

	/** A page could not be read. Behind the end, or what seems to be, that does no harm. @throws the error */
	takeFailure(page: number, error: Error): void {
		if (!this.exhausted) throw error;
		this.next = page + 1;
		this.missing ??= error;
	}

	/** Enough was read. */
	stop(): void {
		this.ended = true;
		this.capReached = false;
	}

	private pagesBeforeCap(): number {
		const { maxPages } = this.rules;
		return maxPages > 0 ? maxPages - this.taken : Infinity;
	}

	/** The first page behind the list, by what the service says. */
	private plannedEnd(): number {
		const { total, totalPages = 0, more } = this.metadata;
		let planned = 0;
		if (this.countsPages(this.metadata)) {
			// Behind the start, and until a second page brought something new, the service may count from 1.
			const mayCountFromOne = this.rules.firstPage > 0 || this.repetition.inARow > 0;
			const shift = Math.max(this.repetition.numberingShift, mayCountFromOne ? 1 : 0);
			planned = totalPages + shift;
		} else if (total !== undefined) {
			// Where pages do not say whether they are the last, only an empty one proves that the total is right.
			const full = total / this.pageSize;
			planned = more === undefined ? Math.floor(full) + 1 : Math.ceil(full);
		}
		if (planned > this.next) return planned;
		return this.endIsLikely() && more !== true ? this.next + 1 : Infinity;
	}

	/**
	 * A page count that does not hold the total was computed with another page size; where more records came than the
	 * total says, it lags behind with the total it was computed from.
	 */
	private countsPages({ total, totalPages = 0 }: PagingMetadata): boolean {
		if (total !== undefined && this.count > total) return false;
		return totalPages > 0 && totalPages * this.pageSize >= (total ?? 0);
	}

	private endIsLikely(): boolean {
		return this.wasShort && !this.shortIsUsual;
	}

	/** Records that lie on a page or behind it, by the total. */
	private remaining(number: number): number {
		return (this.total ?? 0) - number * this.pageSize;
	}

	private takeEmpty(page: TakenPage): void {
		this.emptyInARow++;
		if (page.refusal !== undefined) this.takeRefusal(page.number, page.refusal);
		else if (this.emptyInARow >= this.emptyPagesToEnd(page)) this.exhausted = true;
	}

	private takeRefusal(page: number, failure: ServiceFailure): void {
		if (!this.exhausted && !this.isCredibleEnd(page, failure)) {
			this.doubt = { kind: 'refusal', page, shift: this.repetition.likelyShift, failure };
		}
		this.missing ??= failure;
		this.exhausted = true;
	}

	private isCredibleEnd(page: number, { statusCode }: ServiceFailure): boolean {
		// 404 is also what gateways answer while a service is restarted; 400 concerns the page.
		if (this.remaining(page) > 0) return this.endIsLikely() && statusCode !== 404;
		return this.endIsLikely() || this.total !== undefined;
	}

	private emptyPagesToEnd({ number, metadata }: TakenPage): number {
		if (metadata.more === true) return EMPTY_PAGES.more;
		const speaksOfMore = this.remaining(number + 1) > 0 || (metadata.totalPages ?? 0) > number + 1;
		return speaksOfMore ? EMPTY_PAGES.total : EMPTY_PAGES.plain;
	}

	private takeRecords(page: TakenPage): void {
		if (this.missing !== undefined) throw this.missing;
		this.pages++;
		if (this.wasShort || this.emptyInARow > 0) this.shortIsUsual = true;
		this.wasShort = page.came < this.pageSize;
		const repetition = this.repetition.take({
			...page,
			isShort: this.wasShort,
			followsEmpty: this.emptyInARow > 0,
		});
		this.emptyInARow = 0;
		this.exhausted = false;
		if (this.expectedEnd <= page.number) this.expectedEnd = Infinity;
		if (repetition === 'none') return;
		this.ended = true;
		if (repetition === 'samePage') this.doubt = { kind: 'samePage' };
	}

	private saysItIsLast({ number, came, metadata }: TakenPage): boolean {
		const { total = 0, totalPages = 0, more } = metadata;
		if (more === true) return false;
		// Of a clamped first page `last` and page count may be computed from the size asked for.
		const isClamped = this.taken === 1 && came < this.pageSize;
		if (isClamped && total > number * this.pageSize + came) return false;
		if (more === false) return true;
		// A short page is the last one whichever number the first page of the list has.
		const isNumberKnown = this.rules.firstPage === 0 || this.wasShort;
		if (isNumberKnown && this.repetition.inARow === 0 && this.countsPages(metadata)) {
			return number + 1 - this.repetition.numberingShift >= totalPages;
		}
		// A total that agrees after a full page may lag behind; after a short one it confirms the end.
		const isWholeList = this.rules.firstPage === 0;
		return isWholeList && came > 0 && this.wasShort && metadata.total === this.count;
	}
}
