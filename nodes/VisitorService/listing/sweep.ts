import { isRefusal, isServerError, type Page, type PageReader } from '../answer/pageReader';
import {
	decide,
	type EndedBy,
	isFirst,
	isRepeated,
	isSecondLikeFirst,
	type LaterPages,
	saidWitnesses,
	saysOfAll,
	type Turn,
} from './endOfList';
import { otherPageSize, pageIgnored } from './failures';
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
	/**
	 * Whether an earlier reading ended before that page, so that it begins there in any case. Else a
	 * page that is refused may be one after the end.
	 */
	isContinued?: boolean;
	/** Max number of pages in flight. */
	concurrency: number;
	/** As of `ReadAheadRules`. */
	maxAhead?: number;
	/** 0 = no cap. */
	maxPages: number;
}

/** What a reading found out that its user may want to know. */
export interface Findings {
	endedBy: EndedBy;
	/** The page that ended the reading. */
	lastPage: number;
	/** Pages that held nothing new, although others follow or once did. */
	repeatedPages: number[];
	/** Pages of records without an ID that equal earlier ones: they may be others. */
	equalPages: number[];
	/** Whether two answers to the same question held different new records. */
	hasChanged: boolean;
	/** Whether each page equals the first one, and nothing says that it is the only one. */
	isOnlyPage: boolean;
	/** Whether the page to begin with is an earlier one again, so that it is after the end. */
	isAfterEnd: boolean;
}

/** A page whose turn it is, and what was asked to decide about it. */
type Asked = Pick<Turn, 'number' | 'page' | 'asked' | 'looked'>;

/** How many pages may be requested in vain if nothing speaks of more, beside one for each page. */
const IN_VAIN = 3;
const STOPPED: Page = { kind: 'stopped', records: [], metadata: {} };
const NONE: Page = { kind: 'empty', records: [], metadata: {} };

/** One reading of a list from its first page to its end. */
export class Sweep<Kept> {
	known: ListFacts;

	readonly found: Findings;

	/** The size that pages after the first one are asked for. */
	private size: number;

	private readonly pages: ReadAhead<Page>;

	constructor(
		private readonly rules: SweepRules<Kept>,
		reader: PageReader,
		private readonly memory: Memory<Kept>,
	) {
		const { concurrency, firstPage, maxAhead, pageSize } = rules;
		this.known = nothingKnown(firstPage, pageSize);
		const doubts = { hasChanged: false, isOnlyPage: false, isAfterEnd: false };
		const pages = { lastPage: firstPage, repeatedPages: [], equalPages: [] };
		this.found = { endedBy: 'emptyPage', ...pages, ...doubts };
		this.size = pageSize;
		this.pages = new ReadAhead<Page>(firstPage, {
			concurrency,
			maxAhead,
			read: async (number) =>
				await reader.read(number, number === firstPage ? pageSize : this.size),
			isPromising: ({ kind, metadata }) => kind === 'records' && !saysLast(this.known, metadata),
			horizon: (current) => (this.known.pages === 0 ? current : this.plannedEnd(current)),
		});
	}

	/** @throws ServiceFailure if a page cannot be read, or the list does not end */
	async read(): Promise<void> {
		try {
			for (let number = this.rules.firstPage; ; number++) {
				this.found.lastPage = number;
				this.pages.moveTo(number);
				if (await this.readPage(number)) return;
			}
		} finally {
			this.pages.close();
		}
	}

	/** @returns whether the list ends with this page */
	private async readPage(number: number): Promise<boolean> {
		let asked: Asked = { number, page: await this.getPage(number), asked: 1, looked: 'unknown' };
		for (;;) {
			const turn = this.turnOf(asked);
			const decision = decide(turn);
			switch (decision.kind) {
				case 'askAgain':
					asked = await this.askAgain(asked);
					break;
				case 'lookAhead':
					asked = { ...asked, looked: await this.lookAhead(turn, decision.pages) };
					break;
				case 'fail':
					throw decision.failure;
				case 'end':
					await this.end(turn, decision.by);
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

	private turnOf(asked: Asked): Turn {
		const { known, memory, rules } = this;
		const { looked, page } = asked;
		const compared = memory.compare(page.records);
		const { metadata, records } = page;
		return {
			...asked,
			...compared,
			before: known,
			after: learn(known, { metadata, came: records.length, fresh: compared.fresh }),
			ahead: () => (looked === 'unknown' && this.hasNewsAhead(page) ? 'new' : looked),
			wanted: memory.wanted - compared.forLimit,
			maxPages: rules.maxPages,
		};
	}

	private async getPage(number: number): Promise<Page> {
		const { known, rules } = this;
		if (number === rules.firstPage) return await this.getFirst();
		const page = await this.pages.get(number).catch((error: unknown) => {
			// Some services fail at a page after the one that they called the last.
			if (known.witnesses === 0 || !isServerError(error)) throw error;
			return NONE;
		});
		return number === rules.firstPage + 1 && this.size < known.asked ? await this.join(page) : page;
	}

	private async getFirst(): Promise<Page> {
		const { firstPage, isContinued = false } = this.rules;
		const page = await this.pages.get(firstPage).catch((error: unknown): Page => {
			if (firstPage === 0 || isContinued || !isRefusal(error)) throw error;
			return { ...NONE, kind: 'refused', failure: error };
		});
		if (firstPage === 0) this.setSizeOf(page);
		return firstPage === 0 || isContinued ? page : await this.placed(page);
	}

	/**
	 * A later page to begin with has to be at its offset, so that Page 0, 1, 2 join, and must not be
	 * an earlier one again, as services repeat their last page.
	 *
	 * @throws ServiceFailure if pages are of another size than asked for, or all the first one
	 */
	private async placed(page: Page): Promise<Page> {
		const { memory, pages, rules } = this;
		const { firstPage, pageSize } = rules;
		const { keys } = memory;
		const came = page.records.length;
		const before = await pages.getAgain(came === 0 ? 0 : firstPage - 1).catch((error: unknown) => {
			// There is no page 0 if the service counts from 1.
			if (firstPage > 1 || came === 0) throw error;
			return NONE;
		});
		const { records, metadata } = before;
		const isWithin = (metadata.total ?? 0) > firstPage * pageSize;
		if (page.kind === 'refused' && isWithin) throw page.failure;
		memory.compare(records);
		let isAgain = came > 0 && keys.areSame(records, page.records);
		// Few records may share what tells pages apart; IDs that last do not.
		if (isAgain && keys.hasIds && !keys.areIn(records, page.records)) {
			const again = await pages.getAgain(firstPage);
			isAgain = !keys.areIn(page.records, again.records);
		}
		// After the end only what page 0 says of other pages shows that it is not all.
		const goesOn = came > 0 || (metadata.total ?? 0) > records.length || metadata.more === true;
		const areShort = Math.max(came, records.length) < pageSize && records.length > 0;
		const isOther = goesOn && areShort && !isAgain;
		const longest = Math.max(came, records.length);
		if (isOther || longest > pageSize) {
			throw otherPageSize(firstPage, pageSize, isOther ? records.length : longest);
		}
		if (!isAgain) return page;
		const other = (await pages.getAgain(firstPage === 1 ? 2 : 0)).records;
		const isEveryPage = keys.areSame(other, page.records);
		// Page 1 is page 0 if the service counts from 1.
		const isFromOne = firstPage === 1 && !isEveryPage;
		if (other.length > pageSize || (isFromOne && came < pageSize && other.length > 0)) {
			throw otherPageSize(firstPage, pageSize, Math.max(came, other.length));
		}
		if (isFromOne) return page;
		const isFull = came === pageSize && came !== page.metadata.total;
		if (isFull && isEveryPage && keys.areTold(page.records)) throw pageIgnored();
		this.found.isAfterEnd = true;
		return STOPPED;
	}

	/** Pages as long as the first one join without a gap, whatever its length means. */
	private setSizeOf({ records }: Page): void {
		const size = records.length || this.rules.pageSize;
		if (size !== this.size) this.pages.forgetFrom(1);
		this.size = size;
	}

	/**
	 * The second page shows what the size means: if it holds some records of the first one, records
	 * are left out of pages, and those of the size asked for join. So do they if the other size is
	 * refused.
	 */
	private async join(page: Page): Promise<Page> {
		const { known, memory, pages, size } = this;
		const { keys, firstRecords: first } = memory;
		const isRefused = page.kind === 'refused' && [400, 422].includes(page.failure.statusCode ?? 0);
		if (!isRefused && !keys.overlaps(page.records, first)) return page;
		this.size = known.asked;
		pages.forgetFrom(1);
		const other = await pages.get(1);
		if (other.kind === 'records' && keys.areIn(page.records, [...first, ...other.records])) {
			this.known = { ...withSize(known, known.asked), shortIsUsual: true };
			return other;
		}
		this.size = size;
		this.known = { ...known, shortIsUsual: !isRefused && !keys.hasIds };
		pages.forgetFrom(2);
		return page;
	}

	private async askAgain(turn: Asked): Promise<Asked> {
		const { found, memory } = this;
		const { number, page } = turn;
		const again = await this.pages.getAgain(number);
		const areBoth = page.kind === 'records' && again.kind === 'records';
		const areOthers = areBoth && memory.compareAnswers(page.records, again.records);
		const [fresh = 0, freshAgain = 0] = [page, again].map(
			({ records }) => memory.compare(records).fresh,
		);
		const areNew = areOthers && fresh > 0 && freshAgain > 0;
		found.hasChanged ||= areNew && !memory.keys.areIn(page.records, again.records);
		const isKept = areBoth ? fresh > freshAgain : rankOf(page) > rankOf(again);
		if (number === 0 && !isKept) this.setSizeOf(again);
		return { ...turn, page: isKept ? page : again, asked: turn.asked + 1 };
	}

	private hasNewsAhead(current: Page): boolean {
		for (const page of this.pages.arrivedAhead()) if (this.isNews(page, current)) return true;
		return false;
	}

	/** Whether a later page holds something new, beside what the current one holds. */
	private isNews({ records }: Page, current: Page): boolean {
		const { memory } = this;
		if (records.length === 0 || memory.compare(records).fresh === 0) return false;
		const isCurrentOld = memory.compare(current.records).fresh === 0;
		return isCurrentOld || !memory.keys.areIn(records, current.records);
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

	private async end(turn: Turn, by: EndedBy): Promise<void> {
		const { before, hasIds, looked, number, page, repeats } = turn;
		const { found } = this;
		found.endedBy = by;
		if (!isRepeated(turn) || repeats === 'earlierRecords') {
			this.take(turn);
			return;
		}
		const isTold = hasIds || (turn.areTold && page.records.length < before.size);
		if (!isTold && before.total !== before.count) found.equalPages.push(number);
		const isFirstAgain = before.pages === 1 && before.firstPage === 0;
		found.isOnlyPage = isFirstAgain && turn.ahead() === 'old' && saysOfAll(turn) !== 'all';
		// A last page that is repeated is so for ever; a list starts over in its own order.
		const isDoubtful =
			by === 'lastPageAgain'
				? looked === 'none' && !isSecondLikeFirst(turn)
				: by === 'startsOver' && !(await this.startsOver(turn));
		if (isDoubtful && before.total !== before.count) found.repeatedPages.push(number);
	}

	private async startsOver({ number, page }: Turn): Promise<boolean> {
		const next = await this.pages.get(number + 1);
		const [place, placeOfNext] = [page, next].map(({ records }) => this.memory.placeOf(records));
		return place === 0 && placeOfNext === 1;
	}

	private take(turn: Turn): void {
		const { memory, rules } = this;
		const { after, before, number, page } = turn;
		this.known = { ...after, witnesses: saidWitnesses(turn) };
		if (page.kind !== 'records') {
			if (number === 0 && before.pages === 0) this.known = { ...after, shift: 1 };
			return;
		}
		if (turn.ahead() === 'new' && isRepeated(turn)) this.found.repeatedPages.push(number);
		memory.take(page.records, isRepeated(turn));
		if (isFirst(turn) && rules.firstPage === 0) {
			this.known = withSize(this.known, page.records.length);
		}
	}

	/** If page 0 holds others by now, its first answer was not that page. */
	private async countFromOne(turn: Turn): Promise<void> {
		const { after, before, number, page } = turn;
		// Rows that are equal on one page may be so on two.
		if (!turn.hasIds && !turn.areTold && page.records.length > 1)
			this.found.equalPages.push(number);
		const { total, totalPages, totalPagesSize, more } = after;
		this.known = { ...before, total, totalPages, totalPagesSize, more, shift: 1 };
		const first = await this.pages.getAgain(0);
		this.found.hasChanged ||= first.kind === 'records' && this.isNews(first, page);
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

/** Which of two answers to the same question is likelier the page; if neither is, the later one. */
function rankOf({ kind }: Page): number {
	if (kind === 'records' || kind === 'empty') return 2;
	return kind === 'refused' ? 1 : 0;
}
