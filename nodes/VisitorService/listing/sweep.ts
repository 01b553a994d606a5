import { isRefusal, isServerError, type Page, type PageReader } from '../answer/pageReader';
import { ServiceFailure } from '../failure/serviceFailure';
import {
	decide,
	type EndedBy,
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
	/** 0 = no cap. */
	maxPages: number;
}

/** What a reading found out that its user may want to know. */
export interface Findings {
	endedBy: EndedBy;
	/** The page that ended the reading. */
	lastPage: number;
	/** The first page that held nothing new, although others follow or once did. */
	repeatedPage?: number;
	/** The first page of records without an ID that equal earlier ones: they may be others. */
	equalPage?: number;
	/** Whether each page equals the first one, and nothing says that it is the only one. */
	isOnlyPage?: boolean;
	/** Whether the page to begin with is an earlier one again, so that it is after the end. */
	isAfterEnd?: boolean;
}

/** A page whose turn it is, and what was asked to decide about it. */
type Asked = Pick<Turn, 'number' | 'page' | 'asked' | 'ahead'>;

const NONE: Page = { kind: 'empty', records: [], metadata: {} };

/** One reading of a list from its first page to its end. */
export class Sweep<Kept> {
	known: ListFacts;

	readonly found: Findings;

	/** The size that pages after the first one are asked for. */
	private size: number;

	/** A page that held something new when it was looked at before its turn: the list goes so far. */
	private newsAt = 0;

	private readonly pages: ReadAhead<Page>;

	constructor(
		private readonly rules: SweepRules<Kept>,
		reader: PageReader,
		private readonly memory: Memory<Kept>,
	) {
		const { concurrency, firstPage, pageSize } = rules;
		this.known = nothingKnown(firstPage, pageSize);
		this.found = { endedBy: 'empty', lastPage: firstPage };
		this.size = pageSize;
		this.pages = new ReadAhead<Page>(firstPage, {
			concurrency,
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
		const ahead = number < this.newsAt ? 'new' : 'unknown';
		let asked: Asked = { number, page: await this.getPage(number), asked: 1, ahead };
		if (this.found.isAfterEnd) return true;
		for (;;) {
			const turn = this.turnOf(asked);
			const decision = decide(turn);
			if (decision instanceof ServiceFailure) throw decision;
			if (decision === 'askAgain') asked = await this.askAgain(asked);
			else if (typeof decision === 'object' && 'lookAhead' in decision) {
				asked = { ...asked, ahead: await this.lookAhead(turn, decision.lookAhead) };
			} else {
				if (decision === 'take') this.take(turn);
				else if (decision === 'countFromOne') await this.countFromOne(turn);
				else this.end(turn, decision.end);
				return typeof decision === 'object';
			}
		}
	}

	private turnOf(asked: Asked): Turn {
		const { known, memory, rules } = this;
		const compared = memory.compare(asked.page.records);
		return {
			...asked,
			...compared,
			before: known,
			after: learn(known, asked.page, compared.fresh),
			wanted: memory.wanted - compared.forLimit,
			maxPages: rules.maxPages,
		};
	}

	private async getPage(number: number): Promise<Page> {
		const { known } = this;
		const { firstPage, isContinued = false } = this.rules;
		const mayBeAfterEnd = number === firstPage && number > 0 && !isContinued;
		const page = await this.pages.get(number).catch((error: unknown): Page => {
			if (mayBeAfterEnd && isRefusal(error)) return { ...NONE, kind: 'refused', failure: error };
			// Some services fail at a page after the one that they called the last.
			if (known.witnesses === 0 || !isServerError(error)) throw error;
			return NONE;
		});
		if (number === 0) this.setSizeOf(page);
		if (mayBeAfterEnd) await this.place(page);
		return number === firstPage + 1 && this.size < known.askedSize ? await this.join(page) : page;
	}

	/**
	 * A later page to begin with has to be at its offset, so that Page 0, 1, 2 join, and must not be
	 * an earlier one again, as services repeat their last page.
	 *
	 * @throws ServiceFailure if pages are of another size than asked for, or all the first one
	 */
	private async place(page: Page): Promise<void> {
		const { memory, pages, rules } = this;
		const { firstPage, pageSize } = rules;
		const came = page.records.length;
		const number = came === 0 ? 0 : firstPage - 1;
		const { records, metadata } = await pages.getAgain(number).catch(async (error: unknown) => {
			// There is no page 0 if the service counts from 1.
			if (number > 0) throw error;
			return came > 0 ? NONE : await pages.getAgain(1);
		});
		const { more, total = 0 } = metadata;
		if (page.kind === 'refused' && total > firstPage * pageSize) throw page.failure;
		memory.compare(records);
		const isOther = memory.keys.among(records, page.records) !== 'all';
		// What differs may do so in each answer.
		if (isOther && memory.keys.beginsLike(page.records, records)) {
			memory.compareAnswers(page.records, (await pages.getAgain(firstPage)).records);
		}
		const { keys } = memory;
		const isAgain = came > 0 && keys.areSame(records, page.records);
		const other = isAgain ? (await pages.getAgain(firstPage === 1 ? 2 : 0)).records : records;
		const isEveryPage = isAgain && keys.areSame(other, page.records);
		// Page 1 is page 0 if the service counts from 1.
		const isPlaced = !isAgain || (firstPage === 1 && !isEveryPage);
		// After the end only what page 0 says of other pages shows that it is not all.
		const goesOn = isPlaced && (came > 0 || total > records.length || more === true);
		const longest = Math.max(came, records.length, other.length);
		if (longest > pageSize || (goesOn && longest < pageSize && other.length > 0)) {
			throw otherPageSize(firstPage, pageSize, longest);
		}
		if (isPlaced) return;
		const isFull = came === pageSize && came !== page.metadata.total;
		if (isFull && isEveryPage && keys.hasIds) throw pageIgnored();
		this.found.isAfterEnd = true;
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
		// Without an ID, what else a record holds may differ in each answer.
		const [field] = keys.hasIds ? [] : keys.steady;
		if (!isRefused && keys.among(first, page.records, field) !== 'some') return page;
		this.size = known.askedSize;
		pages.forgetFrom(1);
		const other = await pages.get(1);
		const isJoined = isRefused
			? other.kind === 'records'
			: keys.among([...first, ...other.records], page.records) === 'all';
		if (isJoined) {
			this.known = { ...withSize(known, known.askedSize), shortIsUsual: true };
			return other;
		}
		this.size = size;
		this.known = { ...known, shortIsUsual: !isRefused && !keys.hasIds };
		pages.forgetFrom(2);
		return page;
	}

	private async askAgain(turn: Asked): Promise<Asked> {
		const { memory } = this;
		const { number, page } = turn;
		const again = await this.pages.getAgain(number);
		const isRead = again.kind === 'records';
		if (isRead && page.kind === 'records') memory.compareAnswers(page.records, again.records);
		// What is empty and filled in turn has no size that shows the end.
		else if (isRead && page.kind !== 'fault') this.known = { ...this.known, shortIsUsual: true };
		const isList = ({ kind }: Page) => kind === 'records' || kind === 'empty';
		const freshOf = ({ records }: Page) => memory.compare(records).fresh;
		const isKept = isList(page) && (!isList(again) || freshOf(page) > freshOf(again));
		if (number === 0 && !isKept) this.setSizeOf(again);
		return { ...turn, page: isKept ? page : again, asked: turn.asked + 1 };
	}

	/** Whether a later page holds something new, beside what the current one holds. */
	private isNews({ records }: Page, current: Page): boolean {
		const { memory } = this;
		if (records.length === 0 || memory.compare(records).fresh === 0) return false;
		const isCurrentOld = memory.compare(current.records).fresh === 0;
		return isCurrentOld || memory.keys.among(current.records, records) !== 'all';
	}

	private async lookAhead({ number, page: current }: Turn, count: number): Promise<LaterPages> {
		let found: LaterPages = 'none';
		const isHeard = current.kind === 'records' || this.known.pages > 0;
		for (let later = number + 1; later <= number + count; later++) {
			const page = await this.pages.get(later);
			if (!isHeard) this.known = hear(this.known, page.metadata);
			if (this.isNews(page, current)) {
				this.newsAt = later;
				return 'new';
			}
			if (page.kind === 'records') found = 'old';
			// If each page is an earlier one, the next ones are as well.
			else if (current.kind === 'records' && found === 'old') return 'new';
		}
		return found;
	}

	private end(turn: Turn, by: EndedBy): void {
		const { ahead, before, hasIds, number, page, repeats } = turn;
		const { found } = this;
		found.endedBy = by;
		if (!isRepeated(turn) || repeats === 'earlierRecords') this.take(turn);
		else if (before.total !== before.count) {
			const isTold = hasIds || (turn.areTold && page.records.length < before.size);
			if (!isTold) found.equalPage ??= number;
			const isSecond = isSecondLikeFirst(turn);
			const isOnly = isSecond && before.firstPage === 0 && ahead === 'old';
			found.isOnlyPage = isOnly && saysOfAll(turn) !== 'all';
			// A last page that is repeated is so for ever, and so is a list that starts over.
			if (by !== 'nothingMore' && ahead === 'none' && !isSecond) found.repeatedPage ??= number;
		}
	}

	private take(turn: Turn): void {
		const { after, number, page } = turn;
		const { length } = page.records;
		this.known = { ...after, witnesses: saidWitnesses(turn) };
		if (number === 0)
			this.known = length > 0 ? withSize(this.known, length) : { ...after, shift: 1 };
		if (length === 0) return;
		if (turn.ahead === 'new' && isRepeated(turn)) this.found.repeatedPage ??= number;
		this.memory.take(page.records, isRepeated(turn));
	}

	/** If page 0 holds others by now, its first answer was not that page. */
	private async countFromOne(turn: Turn): Promise<void> {
		const { before, number, page } = turn;
		// Rows that are equal on one page may be so on two.
		if (!turn.areTold) this.found.equalPage ??= number;
		this.known = { ...hear(before, page.metadata, page.records.length), shift: 1 };
		const first = await this.pages.getAgain(0);
		if (first.kind === 'records' && this.isNews(first, page)) this.found.repeatedPage ??= number;
	}

	/** The first page that must not be asked for before its turn. */
	private plannedEnd(current: number): number {
		const { known, memory, rules } = this;
		const pagesLeft = rules.maxPages > 0 ? rules.maxPages - known.pages : Infinity;
		const pagesWanted = Math.ceil(memory.wantedToRead / known.size);
		return Math.min(plannedEnd(known, current), current + pagesWanted, current + pagesLeft);
	}
}
