import { isServerError, type Page, type PageReader } from '../answer/pageReader';
import { decide, type EndedBy, type Verdict } from './endOfList';
import { JoinedPages, type PagesSought } from './joinedPages';
import {
	hear,
	knownAgain,
	type ListFacts,
	learn,
	nothingKnown,
	plannedEnd,
	saysLast,
	speaksOfMore,
} from './listFacts';
import { askForLaterPage, askForSecondPage } from './numbering';
import { isTooShortForMaximum } from './pageLength';
import type { Continuation } from './pageSize';
import type { CollectionRules, RecordCollector } from './recordCollector';
import type { RepeatedBeginning } from './repeatedBeginning';
import { SeenPages } from './seenPages';
import {
	type EqualPages,
	isMixed,
	isShort,
	type LaterPages,
	mayBeAnother,
	type Situation,
	type Turn,
} from './situation';

export interface ReadingRules<Kept> extends CollectionRules<Kept>, PagesSought {
	/** 0 = no cap. */
	maxPages: number;
}

/** A page whose turn it is, and the last of its answers. */
interface AskedTurn extends Turn {
	answer: Page;
}

/** What may be wrong with what was read, although nothing proves it. */
interface Doubts {
	/** Pages that held nothing new. */
	readonly repeated: number[];
	/** Pages of records without an ID that equal earlier ones: they may be others. */
	readonly equal: number[];
	/** Whether two answers to the same question held different new records. */
	hasChanged: boolean;
}

/**
 * How many pages may be requested in vain if nothing speaks of more, beside one for each page of
 * the list. With three, up to eight pages are in flight after two answers; with one it takes two
 * more.
 */
const IN_VAIN = 3;

/** Earlier pages that are asked for again because a later one repeats them. */
const MAX_CONFIRMED = 3;

/** What earlier readings of the list found out. */
export interface EarlierReading {
	/** How to read on after the first page. */
	continuation?: Continuation;
	/**
	 * Whether pages came in place of others each time, so that the list is not read from its first
	 * page again.
	 */
	isUnsteady?: boolean;
	/** What was known of the list when it had to be read from its first page again. */
	known?: ListFacts;
}

/**
 * One reading of a list from its first page to its end: takes the pages in order, and does what is
 * decided.
 */
export class Reading<Kept> {
	known: ListFacts;

	endedBy: EndedBy = 'emptyPage';

	/** The page that ended the reading. */
	lastPage: number;

	/**
	 * Whether the list has to be read from its first page again, because a page came in place of
	 * another one.
	 */
	isToBeginAgain = false;

	/** How often an earlier page was asked for again. */
	private confirmed = 0;

	private readonly doubts: Doubts = { repeated: [], equal: [], hasChanged: false };

	private readonly seen: SeenPages;

	private readonly pages: JoinedPages;

	constructor(
		private readonly rules: ReadingRules<Kept>,
		reader: PageReader,
		private readonly collector: RecordCollector<Kept>,
		private readonly earlier: EarlierReading = {},
	) {
		const { firstPage, pageSize } = rules;
		this.known = earlier.known
			? knownAgain(earlier.known, firstPage, pageSize)
			: nothingKnown(firstPage, pageSize);
		this.lastPage = rules.firstPage;
		this.seen = new SeenPages(collector);
		const plan = {
			end: (current: number) => this.plannedEnd(current),
			isLast: ({ metadata }: Page) => saysLast(this.known, metadata),
		};
		const { continuation } = earlier;
		this.pages = new JoinedPages(rules, { reader, seen: this.seen, plan, continuation });
	}

	/** How to read on after the first page. */
	get continuation(): Continuation | undefined {
		return this.pages.continuation;
	}

	/** Pages that held nothing new, although later ones did. */
	get repeatedPages(): number[] {
		return this.doubts.repeated.filter((number) => number < (this.seen.lastNumber ?? 0));
	}

	/** Pages of records without an ID that equal earlier ones: they may be others. */
	get equalPages(): readonly number[] {
		return this.doubts.equal;
	}

	/** Whether the page to begin with is an earlier one again. */
	get repeatedBeginning(): RepeatedBeginning {
		return this.pages.repeatedBeginning;
	}

	/** Whether a page held other records when it was asked for again. */
	get hasChanged(): boolean {
		return this.doubts.hasChanged;
	}

	/**
	 * Whether pages were short, or their size unclear, and no ID shows that nothing is missing or
	 * doubled.
	 */
	get isSizeDoubtful(): boolean {
		const { collector, continuation, known, pages, seen } = this;
		if (pages.isBeginningGuess) return true;
		if (known.pages === 0) return false;
		if (known.isLonger) return true;
		if (continuation?.mayMiss === true) return true;
		if (pages.beginning === 'laterEmpty') return true;
		// Pages before the one to begin with may be short as well: then it is another one.
		if (pages.beginning === 'found' && known.shortIsUsual) return true;
		if (pages.beginning === 'later' && known.firstWasShort && known.pages > 1) return true;
		if (seen.hasIds) return known.shortIsUsual && collector.duplicates > 0;
		return continuation?.isGuess === true || known.shortIsUsual;
	}

	/** @throws ServiceFailure if a page cannot be read, or the list does not end */
	async read(): Promise<void> {
		const { pages } = this;
		try {
			this.known = await pages.begin(this.known);
			let number = pages.moveOn();
			while (!(await this.readPage(number))) {
				if (!pages.areJoined) this.known = pages.joinFirst(this.known);
				number = pages.moveOn();
			}
			this.lastPage = number;
		} finally {
			pages.close();
		}
	}

	/** @returns whether the list ends with this page */
	private async readPage(number: number): Promise<boolean> {
		const { pages } = this;
		const page = await pages.get(number);
		let turn: AskedTurn = {
			number,
			page,
			answer: page,
			asked: 1,
			isCompared: false,
			isSizeKnown: pages.areJoined || pages.continuation !== undefined,
			ahead: 'unknown',
			numbering: 'unasked',
			earlierAgain: this.confirmed < MAX_CONFIRMED ? 'unasked' : 'same',
		};
		for (;;) {
			const situation = this.situationOf(turn);
			const decision = decide(situation);
			switch (decision.kind) {
				case 'askAgain':
					turn = await this.askAgain(turn);
					break;
				case 'lookAhead':
					turn = { ...turn, ahead: await this.lookAhead(turn, decision) };
					break;
				case 'askForNumbering':
					turn = this.withNumbering(turn, await this.askForNumbering(decision.by));
					break;
				case 'askEarlierAgain':
					turn = { ...turn, earlierAgain: await this.askEarlierAgain(situation) };
					break;
				case 'settleSize':
					turn = await this.settleSize(turn, situation);
					break;
				default:
					return this.conclude(decision, situation);
			}
		}
	}

	private situationOf(turn: AskedTurn): Situation {
		const { collector, known, rules, seen } = this;
		const { metadata, records, skipped, statedSize } = turn.page;
		const compared = seen.compareWithEarlier(records, turn.isCompared);
		const { fresh, forLimit } = compared;
		return {
			...turn,
			...compared,
			before: known,
			after: learn(known, { metadata, came: records.length, fresh, skipped, statedSize }),
			ahead: () => (turn.ahead === 'unknown' ? this.arrivedAhead(turn.page) : turn.ahead),
			wanted: collector.wanted - forLimit,
			maxPages: rules.maxPages,
		};
	}

	private async askAgain(turn: AskedTurn): Promise<AskedTurn> {
		const { doubts, seen } = this;
		const again = await this.pages.getAgain(turn.number);
		const isCompared = turn.isCompared || seen.compare(turn.answer, again, turn.asked > 1);
		doubts.hasChanged ||= isCompared && seen.contradict(turn.answer, again);
		return {
			...turn,
			page: seen.better(turn.page, again),
			answer: again,
			asked: turn.asked + 1,
			isCompared,
		};
	}

	private arrivedAhead(current: Page): LaterPages {
		for (const page of this.pages.arrivedAhead()) {
			if (this.seen.goesOnWith(page, current)) return 'records';
		}
		return 'unknown';
	}

	private async lookAhead(
		{ number, page: current }: Turn,
		{ pages: count, mayFail = false }: { pages: number; mayFail?: boolean },
	): Promise<LaterPages> {
		const { pages, seen } = this;
		let found: LaterPages = 'nothing';
		for (let later = number + 1; later <= number + count; later++) {
			const page = await pages.get(later).catch((error: unknown) => {
				if (mayFail && isServerError(error)) return undefined;
				throw error;
			});
			if (page === undefined) continue;
			if (current.kind !== 'records') this.known = hear(this.known, page.metadata);
			seen.begin(page.records);
			if (seen.goesOnWith(page, current)) return 'records';
			if (page.kind === 'records') {
				found = seen.isFirst(page.records) ? 'firstPageAgain' : 'repeated';
			}
		}
		return found;
	}

	private async askForNumbering(by: 'secondPage' | 'laterPage'): Promise<EqualPages> {
		const { pages, rules, seen } = this;
		if (by === 'laterPage' && pages.arePagesDifferent) return 'singlePage';
		return by === 'secondPage'
			? await askForSecondPage(seen.firstRecords, pages.source)
			: await askForLaterPage(rules.firstPage, seen.firstRecords, pages.source);
	}

	private withNumbering(turn: AskedTurn, numbering: EqualPages): AskedTurn {
		return numbering === 'longer' ? { ...turn, ahead: 'records' } : { ...turn, numbering };
	}

	private async askEarlierAgain({
		page,
		repeatedPage = 0,
	}: Situation): Promise<Turn['earlierAgain']> {
		const { doubts, earlier, pages, seen } = this;
		this.confirmed++;
		const again = await pages.getEarlierAgain(repeatedPage);
		doubts.hasChanged ||= seen.hasChanged(repeatedPage, again);
		if (!seen.holdsOthers(again, page)) {
			seen.checkIds(page, again);
			seen.expectNew(again.records);
			return 'same';
		}
		if (earlier.isUnsteady !== true) return 'other';
		doubts.hasChanged = true;
		return 'same';
	}

	/**
	 * A first page that was cut short once shows the size of no other: if it is too short for a
	 * maximum, it is requested again.
	 */
	private async settleSize(turn: AskedTurn, situation: Situation): Promise<AskedTurn> {
		const { pages, rules } = this;
		const { after, page } = situation;
		const { firstPage, count, total = 0 } = after;
		const { records } = page;
		const isMoreKnown = speaksOfMore(after, firstPage + 1) || (firstPage === 0 && total > count);
		await pages.settleSize(records, isMoreKnown);
		const settled = { ...turn, isSizeKnown: true };
		const { pageSize = rules.pageSize } = pages.continuation ?? {};
		if (turn.asked > 1 || !isTooShortForMaximum(rules.pageSize, pageSize)) return settled;
		const again = await this.askAgain(turn);
		return again.page.records.length > records.length ? again : settled;
	}

	/** @returns whether the list ends with this page */
	private conclude(verdict: Verdict, situation: Situation): boolean {
		const { doubts } = this;
		const { number } = situation;
		switch (verdict.kind) {
			case 'goOn':
				this.take(situation);
				return false;
			case 'keepEqual':
				if (verdict.isDoubtful) doubts.equal.push(number);
				this.keepEqual(situation);
				return false;
			case 'countFromOne':
				if (verdict.isDoubtful) doubts.equal.push(number);
				this.countFromOne(situation);
				return false;
			case 'end':
				if (situation.repeats === 'no') this.take(situation);
				else if (mayBeAnother(situation)) doubts.equal.push(number);
				else if (isMixed(situation) && verdict.by !== 'startsOver') this.take(situation);
				this.endedBy = verdict.by;
				return true;
			case 'beginAgain':
				this.isToBeginAgain = true;
				return true;
			case 'fail':
				throw verdict.failure;
		}
	}

	private take(situation: Situation): void {
		const { collector, doubts, rules, seen } = this;
		const { number, page, after, isCompared, isEqual } = situation;
		const { records } = page;
		this.known = after;
		if (records.length === 0) {
			if (number === 0) this.known = { ...after, shift: 1 };
			return;
		}
		if (isEqual || (isShort(situation) && seen.areEqual(records))) doubts.equal.push(number);
		const isRepeated = situation.repeats !== 'no';
		if (isRepeated) doubts.repeated.push(number);
		if (isRepeated && !seen.hasIds && rules.removeDuplicates !== false) {
			collector.skip(records);
			return;
		}
		seen.take(number, records, isRepeated);
		if (isCompared && after.wasShort) this.known = { ...this.known, shortIsUsual: true };
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

	private plannedEnd(current: number): number {
		const { collector, known, rules } = this;
		const pagesLeft = rules.maxPages > 0 ? rules.maxPages - known.pages : Infinity;
		const end = plannedEnd(known, current);
		return Math.min(
			end === Infinity && known.more !== true ? current + IN_VAIN + known.pages : end,
			current + Math.ceil(collector.wantedToRead / known.size),
			current + pagesLeft,
		);
	}
}
