import { isServerError, type Page, type PageReader } from '../answer/pageReader';
import {
	decide,
	type EndedBy,
	isFirst,
	isOnlyPageSaid,
	isRepeated,
	type LaterPages,
	saidWitnesses,
	type Turn,
} from './endOfList';
import { checkLaterPage, type Repeats, readLaterPage } from './laterPage';
import {
	hear,
	type ListFacts,
	learn,
	nothingKnown,
	plannedEnd,
	saysLast,
	withSize,
} from './listFacts';
import type { CollectionRules, Memory } from './memory';
import { ReadAhead } from './readAhead';

export interface SweepRules<Kept> extends CollectionRules<Kept> {
	/** Page to start from; numbering starts at 0. */
	firstPage: number;
	pageSize: number;
	/** Whether an earlier reading ended before that page, so that it begins there in any case. */
	isContinued?: boolean;
	/** Whether a first page that is refused may be one after the end, which holds nothing. */
	mayBeginAfterEnd?: boolean;
	/** Max number of pages in flight. */
	concurrency: number;
	/** As of `ReadAheadRules`. */
	maxAhead?: number;
	/** 0 = no cap. */
	maxPages: number;
}

/** A page whose turn it is, and what was asked to decide about it. */
interface Asked {
	number: number;
	page: Page;
	asked: number;
	ahead: LaterPages;
}

/** How many pages may be requested in vain if nothing speaks of more, beside one for each page. */
const IN_VAIN = 3;

/** One reading of a list from its first page to its end. */
export class Sweep<Kept> {
	known: ListFacts;

	endedBy: EndedBy = 'emptyPage';

	/** The page that ended the reading. */
	lastPage: number;

	/** Pages that held nothing new, and those whose records nothing tells from earlier ones. */
	private readonly repeated: number[] = [];

	private readonly equal: number[] = [];

	/** Whether two answers to the same question held different new records. */
	hasChanged = false;

	/** Whether each page equals the first one, and nothing says that it is the only one. */
	isOnlyPage = false;

	/** Whether the page to begin with is an earlier one again. */
	repeatsEarlier: Repeats = 'no';

	/** Whether pages of another size were read than those that the first one had. */
	private isSizeMixed = false;

	/** The last page that held something new. */
	private lastNew = 0;

	private pages: ReadAhead<Page>;

	constructor(
		private readonly rules: SweepRules<Kept>,
		private readonly reader: PageReader,
		private readonly memory: Memory<Kept>,
	) {
		const { firstPage, pageSize } = rules;
		this.known = nothingKnown(firstPage, pageSize);
		this.lastPage = firstPage;
		this.pages = this.readAheadFrom(firstPage, pageSize);
	}

	/** Pages that held nothing new, although later ones did. */
	get repeatedPages(): number[] {
		return this.repeated.filter((number) => number < this.lastNew);
	}

	/** Pages of records without an ID that equal earlier ones: they may be others. */
	get equalPages(): number[] {
		const { equal, lastNew, memory, repeated } = this;
		return memory.hasIds ? equal : [...equal, ...repeated.filter((number) => number > lastNew)];
	}

	/** Whether pages were short, and no ID shows that nothing is missing or doubled. */
	get isSizeDoubtful(): boolean {
		const { isLonger, pages, shortIsUsual } = this.known;
		if (pages === 0) return false;
		if (isLonger) return true;
		return this.memory.hasIds
			? shortIsUsual && this.memory.duplicates > 0
			: shortIsUsual || this.isSizeMixed;
	}

	/** @throws ServiceFailure if a page cannot be read, or the list does not end */
	async read(): Promise<void> {
		try {
			for (let number = this.rules.firstPage; ; number++) {
				this.lastPage = number;
				this.pages.moveTo(number);
				if (await this.readPage(number)) return;
			}
		} finally {
			this.pages.close();
		}
	}

	/** @returns whether the list ends with this page */
	private async readPage(number: number): Promise<boolean> {
		const { firstPage } = this.rules;
		let page = await this.getPage(number);
		if (number === firstPage) page = await this.begin(page);
		if (number === firstPage + 1) page = await this.join(page);
		let asked: Asked = { number, page, asked: 1, ahead: 'unknown' };
		for (;;) {
			const turn = this.turnOf(asked);
			const decision = decide(turn);
			switch (decision.kind) {
				case 'askAgain':
					asked = await this.askAgain(asked);
					break;
				case 'lookAhead':
					asked = { ...asked, ahead: await this.lookAhead(turn, decision.pages) };
					break;
				case 'fail':
					throw decision.failure;
				case 'end':
					this.end(turn, decision.by);
					return true;
				case 'countFromOne':
					await this.countFromOne(turn);
					return false;
				default:
					this.take(turn);
					return false;
			}
		}
	}

	private turnOf({ number, page, asked, ahead }: Asked): Turn {
		const { known, memory, rules } = this;
		const compared = memory.compare(page.records);
		const { metadata, records } = page;
		return {
			...{ number, page, asked, ...compared },
			before: known,
			after: learn(known, { metadata, came: records.length, fresh: compared.fresh }),
			ahead: () => (ahead === 'unknown' && this.hasNewsAhead(page) ? 'new' : ahead),
			wanted: memory.wanted - compared.forLimit,
			maxPages: rules.maxPages,
		};
	}

	private async getPage(number: number): Promise<Page> {
		return await this.pages.get(number).catch((error: unknown) => {
			// Some services fail at a page after the one that they called the last.
			if (this.known.witnesses === 0 || !isServerError(error)) throw error;
			return { kind: 'empty' as const, records: [], metadata: {} };
		});
	}

	/** A later page to begin with has to be at its offset. */
	private async begin(page: Page): Promise<Page> {
		const { memory, reader, rules } = this;
		const { firstPage, isContinued, pageSize } = rules;
		if (firstPage === 0) {
			this.setSizeOf(page);
			return page;
		}
		if (isContinued || page.kind === 'refused') return page;
		const later = { ...page, number: firstPage, pageSize };
		const next = async () => await this.pages.get(firstPage + 1);
		this.repeatsEarlier = await checkLaterPage(later, { reader, memory, next });
		memory.begin(page.records);
		return this.repeatsEarlier === 'afterEnd' ? { ...page, kind: 'empty', records: [] } : page;
	}

	/** Pages as long as the first one join without a gap, whatever its length means. */
	private setSizeOf({ records }: Page): void {
		const { firstPage, pageSize } = this.rules;
		this.pages.close();
		this.pages = this.readAheadFrom(firstPage + 1, records.length || pageSize);
	}

	/**
	 * The second page shows what the size means: if it holds some records of the first one, records
	 * are left out of pages, and those of the size asked for join. So do they if the other size is
	 * refused.
	 */
	private async join(page: Page): Promise<Page> {
		const { known, memory, reader } = this;
		const { asked, firstPage, size } = known;
		if (size >= asked || known.pages === 0) return page;
		const first = memory.firstRecords;
		const isRefused = page.kind === 'refused' && [400, 422].includes(page.failure.statusCode ?? 0);
		const isOverlap = memory.overlaps(page.records, first);
		if (!isRefused && !isOverlap) return page;
		const other = await reader.read(firstPage + 1, asked);
		const isGap = !memory.areIn(page.records, [...first, ...other.records]);
		if (other.kind !== 'records' || isGap) return page;
		this.isSizeMixed = true;
		this.known = { ...withSize(known, asked), shortIsUsual: true };
		this.pages.close();
		this.pages = this.readAheadFrom(firstPage + 1, asked);
		this.pages.put(firstPage + 1, other);
		return other;
	}

	private async askAgain(turn: Asked): Promise<Asked> {
		const { memory } = this;
		const { number, page } = turn;
		const again = await (isFirstOf(this.known, number)
			? this.reader.read(number, this.known.size)
			: this.pages.getAgain(number));
		const areOthers =
			page.kind === 'records' &&
			again.kind === 'records' &&
			memory.compareAnswers(page.records, again.records);
		const areNew = [page, again].every(({ records }) => memory.compare(records).fresh > 0);
		if (areOthers && areNew && !memory.areIn(page.records, again.records)) this.hasChanged = true;
		const better = this.better(page, again);
		if (isFirstOf(this.known, number) && number === 0 && better !== page) this.setSizeOf(better);
		return { ...turn, page: better, asked: turn.asked + 1 };
	}

	/** Of two answers to the same question the one that holds more that is new. */
	private better(one: Page, other: Page): Page {
		if (other.kind === 'records') {
			const [before, after] = [one, other].map(({ records }) => this.memory.compare(records).fresh);
			return (after ?? 0) >= (before ?? 0) ? other : one;
		}
		if (one.kind === 'records' || one.kind === 'empty') return other.kind === 'empty' ? other : one;
		return one.kind === 'refused' && other.kind !== 'empty' ? one : other;
	}

	private hasNewsAhead(current: Page): boolean {
		for (const page of this.pages.arrivedAhead()) if (this.isNews(page, current)) return true;
		return false;
	}

	/** Whether a later page holds something new, beside what the current one holds. */
	private isNews({ records }: Page, current: Page): boolean {
		const { memory } = this;
		if (records.length === 0 || memory.compare(records).fresh === 0) return false;
		return memory.compare(current.records).fresh === 0 || !memory.areIn(records, current.records);
	}

	private async lookAhead({ number, page: current }: Turn, count: number): Promise<LaterPages> {
		let found: LaterPages = 'none';
		// If each page is the first one, the next ones are as well.
		const isFirstAgain = current.kind === 'records' && count > 1;
		for (let later = number + 1; later <= number + count; later++) {
			const page = await this.pages.get(later);
			if (current.kind !== 'records' && this.known.pages === 0) {
				this.known = hear(this.known, page.metadata);
			}
			if (this.isNews(page, current)) return 'new';
			if (page.kind === 'records') found = 'old';
			else if (isFirstAgain && found === 'old') return 'new';
		}
		return found;
	}

	private end(turn: Turn, by: EndedBy): void {
		const { hasIds, page, repeats } = turn;
		this.endedBy = by;
		if (!isRepeated(turn) || (repeats === 'otherPages' && by !== 'startsOver')) {
			this.take(turn);
			return;
		}
		const isWhole = this.known.total === this.known.count;
		if (!hasIds && (!turn.areTold || page.records.length >= turn.before.size) && !isWhole) {
			this.equal.push(turn.number);
		}
		const isFirstAgain = turn.before.pages === 1 && turn.before.firstPage === 0;
		this.isOnlyPage = isFirstAgain && turn.ahead() === 'old' && !isOnlyPageSaid(turn);
	}

	private take(turn: Turn): void {
		const { memory, rules } = this;
		const { after, before, number, page } = turn;
		this.known = { ...after, witnesses: saidWitnesses(turn) };
		if (page.kind !== 'records') {
			if (number === 0 && before.pages === 0) this.known = { ...after, shift: 1 };
			return;
		}
		if (isRepeated(turn)) this.repeated.push(number);
		else this.lastNew = number;
		memory.take(page.records, isRepeated(turn));
		if (isFirst(turn) && rules.firstPage === 0) {
			this.known = withSize(this.known, page.records.length);
		}
	}

	/** If page 0 holds others by now, its first answer was not that page. */
	private async countFromOne(turn: Turn): Promise<void> {
		const { after, before, number, page } = turn;
		// Rows that are equal on one page may be so on two.
		if (!turn.hasIds && !turn.areTold && page.records.length > 1) this.equal.push(number);
		const { total, totalPages, totalPagesSize, more } = after;
		this.known = { ...before, total, totalPages, totalPagesSize, more, shift: 1 };
		const first = await this.reader.read(0, before.size);
		this.hasChanged ||= first.kind === 'records' && this.isNews(first, page);
	}

	private readAheadFrom(first: number, size: number): ReadAhead<Page> {
		const { concurrency, firstPage, maxAhead, mayBeginAfterEnd = false } = this.rules;
		return new ReadAhead<Page>(first, {
			concurrency,
			maxAhead,
			read: async (number) =>
				number === firstPage && number > 0
					? await readLaterPage({ number, pageSize: size }, this.reader, mayBeginAfterEnd)
					: await this.reader.read(number, size),
			isPromising: ({ kind, metadata }) => kind === 'records' && !saysLast(this.known, metadata),
			horizon: (current) => (this.known.pages === 0 ? first : this.plannedEnd(current)),
		});
	}

	/** The first page that must not be asked for before its turn. */
	private plannedEnd(current: number): number {
		const { known, memory, rules } = this;
		const pagesLeft = rules.maxPages > 0 ? rules.maxPages - known.pages : Infinity;
		const planned = plannedEnd(known, current);
		return Math.min(
			planned === Infinity && known.more !== true ? current + IN_VAIN + known.pages : planned,
			current + Math.ceil(memory.wantedToRead / known.size),
			current + pagesLeft,
		);
	}
}

function isFirstOf({ firstPage, pages }: ListFacts, number: number): boolean {
	return number === firstPage && pages === 0;
}
