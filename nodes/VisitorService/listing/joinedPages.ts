import type { Page, PageReader } from '../answer/pageReader';
import type { JsonObject } from '../values/json';
import { hear, type ListFacts, leavingOut, nothingKnown, withSize } from './listFacts';
import { ListStart, type StartSought } from './listStart';
import { type Continuation, nextPage, type PageSource, settlePageSize } from './pageSize';
import { ReadAhead } from './readAhead';
import type { RepeatedBeginning } from './repeatedBeginning';
import { areAlike, isOneOf } from './sameRecords';
import type { SeenPages } from './seenPages';

export interface PagesSought extends StartSought {
	/** Max number of pages in flight. */
	concurrency: number;
	/** As of `ReadAheadRules`. */
	maxAhead?: number;
}

/** What is known of the list, for reading ahead. */
export interface Plan {
	/** The first page that must not be asked for before its turn. */
	end: (current: number) => number;
	/** Whether a page says that it is the last one. */
	isLast: (page: Page) => boolean;
}

export interface Joining {
	reader: PageReader;
	seen: SeenPages;
	plan: Plan;
	/** How to read on after the first page, if an earlier reading found it out. */
	continuation?: Continuation;
}

/**
 * The pages of a list in their order, without gaps and overlaps: begins where the user set it, and
 * reads on at the size that the service returns.
 */
export class JoinedPages {
	/** How to read on after the first page. */
	continuation?: Continuation;

	/**
	 * Whether the next pages join with the current one: before the first page was taken that is not
	 * known.
	 */
	areJoined = false;

	/** Whether the reading may begin with another record than it should. */
	isBeginningGuess = false;

	/**
	 * With which page the list begins: the first one, or where an earlier reading ended; a later one
	 * that was set, and held records or none; or one that the length of pages led to.
	 */
	beginning: 'first' | 'later' | 'laterEmpty' | 'found' = 'first';

	/** Whether the page to begin with is an earlier one again. */
	repeatedBeginning: RepeatedBeginning = { kind: 'none' };

	readonly source: PageSource;

	private readonly start: ListStart;

	private ahead: ReadAhead<Page>;

	/** The page whose turn comes next. */
	private next: number;

	private pageSize: number;

	/** Reads a page of those that are joined, without what is before the records to be read. */
	private readInPlace = async (number: number): Promise<Page> =>
		await this.joining.reader.read(number, this.pageSize);

	constructor(
		private readonly sought: PagesSought,
		private readonly joining: Joining,
	) {
		const { firstPage } = sought;
		const { reader, seen } = joining;
		this.next = firstPage;
		this.pageSize = sought.pageSize;
		this.continuation = joining.continuation;
		this.start = new ListStart(sought, reader);
		this.source = {
			read: async (page, size) => await reader.read(page, size),
			fingerprintsOf: seen.fingerprintsOf,
		};
		this.ahead = this.readAheadFrom(firstPage, async (number) =>
			number === firstPage
				? await this.start.readBeginning()
				: await reader.read(number, sought.pageSize),
		);
	}

	/**
	 * @returns what is known then: the page to begin with, and its size, may be others than the user
	 *   set
	 */
	async begin(known: ListFacts): Promise<ListFacts> {
		const start = await this.start.find(async () => await this.get(this.next));
		const { at: begin, isGuess, repeated } = start;
		this.repeatedBeginning = repeated;
		this.isBeginningGuess = isGuess;
		if (repeated.kind === 'afterEnd') {
			this.ahead.put(this.next, { kind: 'empty', records: [], metadata: {} });
			return known;
		}
		if (begin === undefined) {
			const { next: page, pageSize } = this;
			const read = this.start.pageAt({ page, pageSize });
			if (read !== undefined) {
				this.ahead.put(page, read);
				this.beginning = read.kind === 'empty' ? 'laterEmpty' : 'later';
			}
			return known;
		}
		this.beginning = 'found';
		this.joining.seen.seenBefore = begin.seen;
		this.goOnWith(begin, () => true);
		const { total } = this.start;
		const found = withSize(nothingKnown(begin.page, this.sought.pageSize), begin.pageSize);
		return hear({ ...found, wasShort: this.start.isShortBefore(begin) }, { total });
	}

	/** Finds out how long the pages after the first one are. */
	async settleSize(records: readonly JsonObject[], isMoreKnown: boolean): Promise<void> {
		const { firstPage: number, pageSize } = this.sought;
		const first = { number, pageSize, records, isMoreKnown };
		this.continuation = await settlePageSize(first, this.source);
	}

	/** Reads on after the first page. @returns what is known then */
	joinFirst(known: ListFacts): ListFacts {
		const { joining, sought } = this;
		const { seen } = joining;
		const { continuation = nextPage(sought.firstPage, sought.pageSize) } = this;
		const { page, pageSize, overlap } = continuation;
		const first = seen.lastNumber === sought.firstPage ? seen.firstRecords : [];
		this.goOnWith(continuation, isOneOf(first.slice(-overlap), seen.fingerprintsOf));
		const read = continuation.read ?? this.start.pageAt(continuation);
		if (continuation !== joining.continuation) {
			seen.expect(continuation.seen);
			if (read !== undefined) this.ahead.put(page, read);
		}
		// Records follow a short page at the size asked for: the service leaves records out of its
		// pages.
		const leavesOut = pageSize === known.size && read?.kind === 'records';
		return withSize(leavesOut ? leavingOut(known) : known, pageSize);
	}

	/** @returns the page whose turn it is now */
	moveOn(): number {
		this.ahead.moveTo(this.next);
		return this.next++;
	}

	async get(number: number): Promise<Page> {
		return await this.ahead.get(number);
	}

	/** Whether it is known that pages are not all the same, whatever follows the first one. */
	get arePagesDifferent(): boolean {
		return this.start.arePagesDifferent;
	}

	/** Asks for the page once more; the earlier answer is forgotten. */
	async getAgain(number: number): Promise<Page> {
		return await this.ahead.getAgain(number);
	}

	/** Asks once more for a page before the current one. */
	async getEarlierAgain(number: number): Promise<Page> {
		return await this.readInPlace(number);
	}

	/** Pages after the current one that are there already, be it from finding out where to begin. */
	*arrivedAhead(): Iterable<Page> {
		yield* this.ahead.arrivedAhead();
		// After the end the page that follows repeats an earlier one, too.
		if (this.repeatedBeginning.kind === 'afterEnd') return;
		const following = this.start.pageAt({ page: this.next, pageSize: this.pageSize });
		if (following !== undefined) yield following;
	}

	close(): void {
		this.ahead.close();
	}

	/** @param isKnown whether a record has come, where a page overlaps with the one before it */
	private goOnWith(
		{ page: from, pageSize, overlap }: Continuation,
		isKnown: (record: JsonObject) => boolean,
	): void {
		this.ahead.close();
		this.areJoined = true;
		this.next = from;
		this.pageSize = pageSize;
		const { reader } = this.joining;
		const begin = this.start.pageAt({ page: from, pageSize });
		let there = begin;
		this.readInPlace = async (number) => {
			const page = (number === from && there) || (await reader.read(number, pageSize));
			if (number === from) there = undefined;
			if (page.kind !== 'records') return page;
			// Repeated after the end, it holds again what is before the records to be read.
			const isBegin =
				overlap > 0 &&
				begin !== undefined &&
				areAlike(page.records, begin.records, this.start.keysOf);
			if (number !== from && !isBegin) return page;
			// With other content they may be others, and the ID none.
			this.isBeginningGuess ||=
				number !== from && JSON.stringify(page.records) !== JSON.stringify(begin?.records);
			const end = page.records.findIndex((one, place) => place >= overlap || !isKnown(one));
			const records = end === -1 ? [] : page.records.slice(end);
			this.isBeginningGuess ||= end === -1;
			if (records.length > 0) return { ...page, records, skipped: end };
			return { kind: 'empty', records, metadata: page.metadata };
		};
		this.ahead = this.readAheadFrom(from, this.readInPlace);
	}

	private readAheadFrom(first: number, read: (number: number) => Promise<Page>): ReadAhead<Page> {
		const { plan } = this.joining;
		return new ReadAhead<Page>(first, {
			concurrency: this.sought.concurrency,
			maxAhead: this.sought.maxAhead,
			read,
			isPromising: (page) => page.kind === 'records' && !plan.isLast(page),
			horizon: (current) => (this.areJoined ? plan.end(current) : first),
		});
	}
}
