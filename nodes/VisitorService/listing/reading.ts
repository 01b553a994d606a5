import { type FetchPage, type Page, type PageArrived, type PageReader } from '../answer/pageReader';
import type { RecordsSought } from '../answer/records';
import type { JsonObject } from '../values/json';
import { decide, type EndedBy } from './endOfList';
import {
	type ListFacts,
	learn,
	leavingOut,
	nothingKnown,
	plannedEnd,
	speaksOfMore,
	withSize,
} from './listFacts';
import { ListStart } from './listStart';
import { askForLaterPage, askForSecondPage } from './numbering';
import { type Continuation, type PageSource, settlePageSize } from './pageSize';
import { ReadAhead } from './readAhead';
import type { CollectionRules, RecordCollector } from './recordCollector';
import { SeenPages } from './seenPages';
import {
	type EqualPages,
	isShort,
	type LaterPages,
	mayBeAnother,
	type Situation,
} from './situation';

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
	known: ListFacts;

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

	/** Fingerprints of the records that were seen on other pages, and have not come yet. */
	private awaited: Array<readonly string[]> = [];

	private readonly start: ListStart;

	private ahead: ReadAhead<Page>;

	private readonly source: PageSource;

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
		this.start = new ListStart(request, reader);
		this.seen = new SeenPages(collector);
		this.source = {
			read: async (page, size) => await reader.read(page, size),
			fingerprintsOf: this.seen.fingerprintsOf,
		};
		this.ahead = this.readAheadFrom(firstPage, async (number) =>
			number === firstPage ? await this.start.readFirst() : await reader.read(number, pageSize),
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
			const begin = await this.begin();
			let number = begin ?? this.request.firstPage;
			let isSettled = begin !== undefined;
			while (!(await this.readPage(number))) {
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
	private async readPage(number: number): Promise<boolean> {
		let page = await this.ahead.get(number);
		let answer = page;
		let asked = 1;
		let isCompared = false;
		let ahead: LaterPages | undefined;
		let numbering: EqualPages = 'unasked';
		for (;;) {
			const situation = this.situationOf(number, page, { asked, isCompared, ahead, numbering });
			const decision = decide(situation);
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
					this.take(situation);
					return false;
				case 'keepEqual':
					if (decision.isDoubtful) this.equalPages.push(number);
					this.keepEqual(situation);
					return false;
				case 'countFromOne':
					if (decision.isDoubtful) this.equalPages.push(number);
					this.countFromOne(situation);
					return false;
				case 'askForNumbering':
					numbering = await this.askForNumbering(decision.by);
					break;
				case 'end':
					if (situation.repeats === 'no') this.take(situation);
					else if (mayBeAnother(situation)) this.equalPages.push(number);
					this.endedBy = decision.by;
					return true;
				case 'fail':
					throw decision.failure;
			}
		}
	}

	private async askForNumbering(by: 'secondPage' | 'laterPage'): Promise<EqualPages> {
		const { source, request, seen } = this;
		return by === 'secondPage'
			? await askForSecondPage(seen.firstRecords, source)
			: await askForLaterPage(request.firstPage, seen.firstRecords, source);
	}

	private situationOf(
		number: number,
		page: Page,
		{
			ahead,
			...learnt
		}: Pick<Situation, 'asked' | 'isCompared' | 'numbering'> & { ahead?: LaterPages },
	): Situation {
		const { collector, known, request, seen } = this;
		const { repeats, fresh, forLimit, differs, isEqual } = seen.compareWithEarlier(
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
			after: learn(known, { metadata, came: records.length, fresh, statedSize }),
			repeats,
			differs,
			isEqual,
			// Looked at only if it decides: comparing pages takes time.
			get ahead() {
				return ahead ?? arrived();
			},
			isSeenMissing: this.isSeenMissing(records),
			hasIds: seen.hasIds,
			wanted: collector.wanted - forLimit,
			maxPages: request.maxPages,
		};
	}

	private isSeenMissing(records: readonly JsonObject[]): boolean {
		return this.awaitedAfter(records).length > 0;
	}

	private awaitedAfter(records: readonly JsonObject[]): Array<readonly string[]> {
		if (this.awaited.length === 0) return this.awaited;
		const here = new Set(records.flatMap(this.seen.fingerprintsOf));
		return this.awaited.filter(
			(fingerprints) => !fingerprints.some((fingerprint) => here.has(fingerprint)),
		);
	}

	private take(situation: Situation): void {
		const { collector, request, seen } = this;
		const { number, page, after, repeats, asked, isEqual } = situation;
		const { records } = page;
		this.known = after;
		if (records.length === 0) {
			if (number === 0) this.known = { ...after, shift: 1 };
			return;
		}
		const isRepeated = repeats !== 'no';
		if (isEqual || (isShort(situation) && seen.areEqual(records))) this.equalPages.push(number);
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
	private keepEqual(situation: Situation): void {
		const { metadata, records, statedSize } = situation.page;
		const came = records.length;
		const after = learn(situation.before, { metadata, came, fresh: came, statedSize });
		this.take({ ...situation, repeats: 'no', after });
	}

	private countFromOne({ before, after }: Situation): void {
		const { total, totalPages, totalPagesSize, more } = after;
		this.known = { ...before, total, totalPages, totalPagesSize, more, shift: 1 };
	}

	private arrivedAhead(current: Page): LaterPages {
		for (const page of this.ahead.arrivedAhead()) {
			if (this.seen.goesOnWith(page, current)) return 'records';
		}
		return 'unknown';
	}

	private async lookAhead(number: number, current: Page, pages: number): Promise<LaterPages> {
		const { seen } = this;
		let found: LaterPages = 'nothing';
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

	/** @returns the page to begin with, if it is another one than the user set */
	private async begin(): Promise<number | undefined> {
		const begin = await this.start.find(async () => await this.ahead.get(this.request.firstPage));
		if (begin === undefined) return undefined;
		this.known = nothingKnown(begin.page, begin.pageSize);
		this.goOnWith(begin, ({ records }) => records.slice(begin.overlap));
		return begin.page;
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
		const { request, seen, source } = this;
		const isFound = this.continuation !== undefined;
		const hasBegun = seen.lastNumber === request.firstPage;
		const firstRecords = hasBegun ? seen.firstRecords : [];
		this.continuation ??= await settlePageSize(this.firstPageOf(firstRecords), source);
		const { page, pageSize, overlap } = this.continuation;
		const read = this.continuation.read ?? this.start.pageAt(this.continuation);
		// Records follow a short page at the size asked for: the service leaves records out of its pages.
		const leavesOut = pageSize === this.known.size && read?.kind === 'records';
		this.known = withSize(leavesOut ? leavingOut(this.known) : this.known, pageSize);
		if (!isFound) this.awaited = this.continuation.seen.map(seen.fingerprintsOf);
		this.awaited = this.awaitedAfter(firstRecords);
		const known = new Set(firstRecords.slice(-overlap).flatMap(seen.fingerprintsOf));
		this.goOnWith(this.continuation, ({ records }) => {
			const isKnown = (record: JsonObject) =>
				seen.fingerprintsOf(record).some((one) => known.has(one));
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
