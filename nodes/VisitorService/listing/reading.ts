import {
	type FetchPage,
	isRefusal,
	type Page,
	type PageArrived,
	type PageReader,
} from '../answer/pageReader';
import type { RecordsSought } from '../answer/records';
import type { JsonObject } from '../values/json';
import { decide, type EndedBy } from './endOfList';
import {
	type Known,
	learn,
	leavingOut,
	nothingKnown,
	plannedEnd,
	speaksOfMore,
	withSize,
} from './known';
import { askForLaterPage, askForSecondPage } from './numbering';
import { type Continuation, findBeginning, type Questions, settlePageSize } from './pageSize';
import { ReadAhead } from './readAhead';
import type { CollectionRules, RecordCollector } from './recordCollector';
import { SeenPages } from './seenPages';
import { type Ahead, isShort, mayBeAnother, type Numbering, type Turn } from './turn';

export interface ListingRequest<Kept> extends RecordsSought, CollectionRules<Kept> {
	fetchPage: FetchPage;
	/** Page to start from; numbering starts at 0. */
	firstPage: number;
	/** Whether an earlier reading ended before that page, so that it begins there however long pages are. */
	isContinued?: boolean;
	pageSize: number;
	/** Max number of pages in flight. */
	concurrency: number;
	/** 0 = no cap. */
	maxPages: number;
	untilStable: boolean;
	/** Whether a first page that is refused may be one after the end, which holds nothing. */
	mayBeginAfterEnd?: boolean;
	/**
	 * Called with each page that was read, in any order, and with the same page again if it was asked for again.
	 * Not called for a refused page.
	 */
	pageArrived?: PageArrived;
}

/** One reading of a list from its first page to its end: takes the pages in order, and does what is decided. */
export class Reading<Kept> {
	known: Known;

	endedBy: EndedBy = 'emptyPage';

	/** The page that ended the reading. */
	lastPage: number;

	/** Pages that held nothing new, although later ones did. */
	readonly repeatedPages: number[] = [];

	/** Pages of records without an ID that equal earlier ones: they may be others. */
	readonly equalPages: number[] = [];

	/** Whether two answers to the same question held different new records. */
	private hasChanged = false;

	private repeatedLast: number[] = [];

	private readonly seen: SeenPages;

	/** Traces of the records that were seen on other pages, and have not come yet. */
	private awaited: Array<readonly string[]> = [];

	/** Pages that were read to find out where to begin, by number and size. */
	private readonly lookedAt = new Map<string, Page>();

	private ahead: ReadAhead<Page>;

	private readonly questions: Questions;

	/** @param continuation how to go on after the first page, if an earlier reading found it out */
	constructor(
		private readonly request: ListingRequest<Kept>,
		private readonly reader: PageReader,
		private readonly collector: RecordCollector<Kept>,
		public continuation?: Continuation,
	) {
		const { firstPage, pageSize } = request;
		this.known = nothingKnown(firstPage, pageSize);
		this.lastPage = firstPage;
		this.seen = new SeenPages(collector);
		this.questions = {
			read: async (page, size) => await reader.read(page, size),
			tracesOf: this.seen.tracesOf,
		};
		this.ahead = this.readAheadFrom(firstPage, async (number) =>
			number === firstPage ? await this.readFirst() : await reader.read(number, pageSize),
		);
	}

	/** Whether pages were short, or their size unclear, and no ID shows that nothing is missing or doubled. */
	get isSizeDoubtful(): boolean {
		const { collector, continuation, known, seen } = this;
		if (known.isLonger || this.hasChanged) return true;
		if (continuation?.isFirstCut === true) return true;
		if (seen.hasIds) return known.shortIsUsual && collector.duplicates > 0;
		return continuation?.isGuess === true || known.shortIsUsual;
	}

	/** @throws ServiceFailure if a page cannot be read, or the list does not end */
	async read(): Promise<void> {
		try {
			const begin = await this.findBeginning();
			let number = begin ?? this.request.firstPage;
			let isSettled = begin !== undefined;
			while (!(await this.takeTurn(number))) {
				number = isSettled ? number + 1 : await this.settle();
				isSettled = true;
				this.ahead.moveTo(number);
			}
			this.lastPage = number;
		} finally {
			this.ahead.close();
		}
	}

	/** @returns whether the list ends with this page */
	private async takeTurn(number: number): Promise<boolean> {
		let page = await this.ahead.get(number);
		let answer = page;
		let asked = 1;
		let isCompared = false;
		let ahead: Ahead | undefined;
		let numbering: Numbering = 'unasked';
		for (;;) {
			const turn = this.turnOf(number, page, { asked, isCompared, ahead, numbering });
			const decision = decide(turn);
			switch (decision.kind) {
				case 'askAgain': {
					const again = await this.ahead.getAgain(number);
					this.hasChanged ||= this.seen.contradict(answer, again);
					isCompared ||= this.seen.compare(answer, again, asked > 1);
					page = this.seen.better(page, again);
					answer = again;
					asked++;
					break;
				}
				case 'lookAhead':
					ahead = await this.lookAhead(number, page, decision.pages);
					break;
				case 'goOn':
					this.take(turn);
					return false;
				case 'keepEqual':
					if (decision.isDoubtful) this.equalPages.push(number);
					this.keepEqual(turn);
					return false;
				case 'countFromOne':
					if (decision.isDoubtful) this.equalPages.push(number);
					this.countFromOne(turn);
					return false;
				case 'askForNumbering':
					numbering = await this.askForNumbering(decision.by);
					break;
				case 'end':
					if (turn.repeats === 'no') this.take(turn);
					else if (mayBeAnother(turn)) this.equalPages.push(number);
					this.endedBy = decision.by;
					return true;
				case 'fail':
					throw decision.failure;
			}
		}
	}

	private async askForNumbering(by: 'secondPage' | 'laterPage'): Promise<Numbering> {
		const { questions, request, seen } = this;
		return by === 'secondPage'
			? await askForSecondPage(seen.firstRecords, questions)
			: await askForLaterPage(request.firstPage, seen.firstRecords, questions);
	}

	private turnOf(
		number: number,
		page: Page,
		{ ahead, ...learnt }: Pick<Turn, 'asked' | 'isCompared' | 'numbering'> & { ahead?: Ahead },
	): Turn {
		const { collector, known, request, seen } = this;
		const { repeats, isNew, wanted, differs, isEqual } = seen.weigh(
			page.records,
			learnt.isCompared,
		);
		const { metadata, records, statedSize } = page;
		const arrived = () => this.arrivedAhead(page);
		return {
			number,
			page,
			...learnt,
			before: known,
			after: learn(known, { metadata, came: records.length, fresh: isNew, statedSize }),
			repeats,
			differs,
			isEqual,
			// Looked at only if it decides: comparing pages takes time.
			get ahead() {
				return ahead ?? arrived();
			},
			isSeenMissing: this.isSeenMissing(records),
			hasIds: seen.hasIds,
			wanted: collector.wanted - wanted,
			maxPages: request.maxPages,
		};
	}

	private isSeenMissing(records: readonly JsonObject[]): boolean {
		return this.awaitedAfter(records).length > 0;
	}

	private awaitedAfter(records: readonly JsonObject[]): Array<readonly string[]> {
		if (this.awaited.length === 0) return this.awaited;
		const here = new Set(records.flatMap(this.seen.tracesOf));
		return this.awaited.filter((traces) => !traces.some((trace) => here.has(trace)));
	}

	private take(turn: Turn): void {
		const { collector, request, seen } = this;
		const { number, page, after, repeats, asked, isEqual } = turn;
		const { records } = page;
		this.known = after;
		if (records.length === 0) {
			if (number === 0) this.known = { ...after, shift: 1 };
			return;
		}
		const isRepeated = repeats !== 'no';
		if (isEqual || (isShort(turn) && seen.areEqual(records))) this.equalPages.push(number);
		if (isRepeated) this.repeatedLast.push(number);
		else this.repeatedPages.push(...this.repeatedLast.splice(0));
		if (isRepeated && !seen.hasIds && request.removeDuplicates !== false) {
			collector.skip(records);
			return;
		}
		seen.take(number, records, isRepeated);
		if (asked > 1 && after.wasShort) this.known = { ...this.known, shortIsUsual: true };
		this.awaited = this.awaitedAfter(records);
	}

	/** The records are others than the equal ones that came before. */
	private keepEqual(turn: Turn): void {
		const { metadata, records, statedSize } = turn.page;
		const came = records.length;
		const after = learn(turn.before, { metadata, came, fresh: came, statedSize });
		this.take({ ...turn, repeats: 'no', after });
	}

	private countFromOne({ before, after }: Turn): void {
		const { total, totalPages, totalPagesSize, more } = after;
		this.known = { ...before, total, totalPages, totalPagesSize, more, shift: 1 };
	}

	private arrivedAhead(current: Page): Ahead {
		for (const page of this.ahead.arrivedAhead()) {
			if (this.seen.goesOnWith(page, current)) return 'records';
		}
		return 'unknown';
	}

	private async lookAhead(number: number, current: Page, pages: number): Promise<Ahead> {
		const { seen } = this;
		let found: Ahead = 'nothing';
		for (let later = number + 1; later <= number + pages; later++) {
			const page = await this.ahead.get(later);
			seen.begin(page.records);
			if (seen.goesOnWith(page, current)) return 'records';
			if (page.kind === 'records') {
				found = seen.isFirst(page.records) ? 'firstPageAgain' : 'repeated';
			}
		}
		return found;
	}

	private readAheadFrom(
		first: number,
		read: (number: number) => Promise<Page>,
		isSettled = false,
	): ReadAhead<Page> {
		const { concurrency, maxPages } = this.request;
		return new ReadAhead<Page>(first, {
			concurrency,
			read,
			isPromising: ({ kind, metadata }) => kind === 'records' && metadata.more !== false,
			horizon: (current) => {
				if (!isSettled) return first;
				const { known, collector } = this;
				const pagesLeft = maxPages > 0 ? maxPages - known.pages : Infinity;
				return Math.min(
					plannedEnd(known, current),
					current + Math.ceil(collector.wantedToRead / known.size),
					current + pagesLeft,
				);
			},
		});
	}

	/** Some services refuse a page after the end, even if the listing begins there. */
	private async readFirst(): Promise<Page> {
		const { firstPage, mayBeginAfterEnd = false, pageSize } = this.request;
		return await this.reader.read(firstPage, pageSize).catch(async (error: unknown) => {
			if (mayBeginAfterEnd && isRefusal(error) && (await this.mayEndBefore(firstPage))) {
				return { kind: 'refused' as const, records: [], metadata: {}, failure: error };
			}
			throw error;
		});
	}

	/** Whether the list can be read at all, and does not say that it reaches so far. */
	private async mayEndBefore(page: number): Promise<boolean> {
		const { pageSize } = this.request;
		const start = await this.lookAt(0, pageSize).catch(() => undefined);
		return start !== undefined && (start.metadata.total ?? 0) <= page * pageSize;
	}

	/** @returns the page to begin with, if it is another one than the user set */
	private async findBeginning(): Promise<number | undefined> {
		const { firstPage, isContinued = false, pageSize } = this.request;
		if (firstPage === 0 || isContinued) return undefined;
		const first = await this.ahead.get(firstPage);
		this.lookedAt.set(keyOf(firstPage, pageSize), first);
		const { records, metadata } = first;
		const begin = await findBeginning(
			{ number: firstPage, pageSize, records, metadata },
			{
				read: async (page, size) => await this.lookAt(page, size),
				tracesOf: (record) => [JSON.stringify(record)],
			},
		);
		if (begin === undefined) return undefined;
		this.known = nothingKnown(begin.page, begin.pageSize);
		this.goOnWith(begin, ({ records }) => records.slice(begin.overlap));
		return begin.page;
	}

	private async lookAt(page: number, pageSize: number): Promise<Page> {
		const key = keyOf(page, pageSize);
		const found = this.lookedAt.get(key) ?? (await this.reader.read(page, pageSize));
		this.lookedAt.set(key, found);
		return found;
	}

	private firstPageOf(records: readonly JsonObject[]) {
		const { firstPage, pageSize } = this.request;
		const { count, total = 0 } = this.known;
		const isMoreKnown =
			speaksOfMore(this.known, firstPage + 1) || (firstPage === 0 && total > count);
		return { number: firstPage, pageSize, records, isMoreKnown };
	}

	/** Finds out how to read on after the first page. @returns the page whose turn comes next */
	private async settle(): Promise<number> {
		const { request, seen, questions } = this;
		const isFound = this.continuation !== undefined;
		const hasBegun = seen.lastNumber === request.firstPage;
		const firstRecords = hasBegun ? seen.firstRecords : [];
		this.continuation ??= await settlePageSize(this.firstPageOf(firstRecords), questions);
		const { page, pageSize, overlap } = this.continuation;
		const read = this.continuation.read ?? this.lookedAt.get(keyOf(page, pageSize));
		// Records follow a short page at the size asked for: the service leaves records out of its pages.
		const leavesOut = pageSize === this.known.size && read?.kind === 'records';
		this.known = withSize(leavesOut ? leavingOut(this.known) : this.known, pageSize);
		if (!isFound) this.awaited = this.continuation.seen.map(seen.tracesOf);
		this.awaited = this.awaitedAfter(firstRecords);
		const known = new Set(firstRecords.slice(-overlap).flatMap(seen.tracesOf));
		this.goOnWith(this.continuation, ({ records }) => {
			const isKnown = (record: JsonObject) => seen.tracesOf(record).some((one) => known.has(one));
			const begin = records.findIndex((one, place) => place >= overlap || !isKnown(one));
			return begin === -1 ? [] : records.slice(begin);
		});
		if (read !== undefined && !isFound) this.ahead.put(page, read);
		return page;
	}

	/** @param rest what has not come yet of a page that overlaps with the one before it */
	private goOnWith(
		{ page: from, pageSize, overlap }: Continuation,
		rest: (page: Page) => JsonObject[],
	): void {
		this.ahead.close();
		this.ahead = this.readAheadFrom(
			from,
			async (number) => {
				const page = await this.reader.read(number, pageSize);
				if (number !== from || overlap === 0 || page.kind !== 'records') return page;
				const records = rest(page);
				if (records.length > 0) return { ...page, records };
				return { kind: 'empty', records, metadata: page.metadata };
			},
			true,
		);
	}
}

function keyOf(page: number, pageSize: number): string {
	return `${page} of ${pageSize}`;
}
