import { findIdentity } from '../answer/identity';
import { isRefusal, type Page, type PageReader } from '../answer/pageReader';
import { type BeginningSource, findBeginning, type ListBeginning } from './beginning';
import type { IdSought } from './distinction';
import { type Continuation, longer } from './pageSize';
import { findRepeatedBeginning, type RepeatedBeginning } from './repeatedBeginning';
import { areAlike, type FingerprintsOf, fieldsAsText } from './sameRecords';

export interface StartSought extends IdSought {
	/** Page to start from; numbering starts at 0. */
	firstPage: number;
	pageSize: number;
	/**
	 * Whether an earlier reading ended before that page, so that it begins there however long pages
	 * are.
	 */
	isContinued?: boolean;
	/** Whether a first page that is refused may be one after the end, which holds nothing. */
	mayBeginAfterEnd?: boolean;
}

type PagePlace = Pick<Continuation, 'page' | 'pageSize'>;

export interface FoundBeginning extends ListBeginning {
	repeated: RepeatedBeginning;
}

/**
 * Reads the page a listing is to start from, and finds out whether the pages before it end there.
 */
export class ListStart {
	/** Pages that were read on the way, by number and size. */
	private readonly pages = new Map<string, PagePlace & { answer: Page }>();

	/** The ID of a record, if records seem to have one. */
	private idOf?: FingerprintsOf;

	constructor(
		private readonly start: StartSought,
		private readonly reader: PageReader,
	) {}

	/** The page, if finding out took reading it. */
	pageAt({ page, pageSize }: PagePlace): Page | undefined {
		return this.pages.get(pageKey(page, pageSize))?.answer;
	}

	/** What tells records apart: their ID if they have one, else all of their content. */
	get keysOf(): FingerprintsOf {
		return this.idOf ?? ((record) => [JSON.stringify(record)]);
	}

	/** Whether pages with different numbers showed different IDs, so that the number counts. */
	get arePagesDifferent(): boolean {
		const { idOf } = this;
		if (idOf === undefined) return false;
		const held = [...this.pages.values()].filter(({ answer }) => answer.records.length > 0);
		return held.some(({ page, pageSize, answer }) =>
			held.some(
				(other) =>
					other.pageSize === pageSize &&
					other.page !== page &&
					!areAlike(answer.records, other.answer.records, idOf),
			),
		);
	}

	/** Whether a page before that one was shorter than it should be. */
	isShortBefore(begin: PagePlace): boolean {
		return [...this.pages.values()].some(
			({ page, answer }) => page > 0 && page < begin.page && answer.records.length < begin.pageSize,
		);
	}

	/** The total that pages said which were read on the way. */
	get total(): number | undefined {
		const totals = [...this.pages.values()].flatMap(({ answer }) => answer.metadata.total ?? []);
		return totals.length === 0 ? undefined : Math.max(...totals);
	}

	/** Some services refuse a page after the end, even if the listing begins there. */
	async readBeginning(): Promise<Page> {
		const { firstPage, mayBeginAfterEnd = false, pageSize } = this.start;
		return await this.reader.read(firstPage, pageSize).catch(async (error: unknown) => {
			if (mayBeginAfterEnd && isRefusal(error) && (await this.mayEndBefore(firstPage))) {
				return { kind: 'refused' as const, records: [], metadata: {}, failure: error };
			}
			throw error;
		});
	}

	async find(readPage: () => Promise<Page>): Promise<FoundBeginning> {
		const { firstPage, isContinued = false, pageSize } = this.start;
		if (firstPage === 0 || isContinued) return { isGuess: false, repeated: { kind: 'none' } };
		const first = await this.certainly(
			{ page: firstPage, pageSize },
			readPage,
			async () => await this.readBeginning(),
		);
		this.keep({ page: firstPage, pageSize }, first);
		const { resource, idPath } = this.start;
		const identity = findIdentity(first.records, resource, idPath);
		const idOf: FingerprintsOf | undefined =
			identity?.isDoubtful === false
				? (record) => [JSON.stringify(identity.identify(record))]
				: undefined;
		this.idOf = idOf;
		const source: BeginningSource = {
			read: async (page, size) => await this.read(page, size),
			readAgain: async (page, size) => await this.readAgain(page, size),
			fingerprintsOf: fieldsAsText,
			idOf,
		};
		const { at, isGuess } = await findBeginning({ number: firstPage, pageSize, ...first }, source);
		const place = { page: at?.page ?? firstPage, pageSize: at?.pageSize ?? pageSize };
		// A service with an empty page there repeats none.
		if (place.page === 0 || first.records.length === 0) {
			return { at, isGuess, repeated: { kind: 'none' } };
		}
		const begin = await this.read(place.page, place.pageSize);
		const later = { number: place.page, pageSize: place.pageSize, ...begin };
		const repeated = await findRepeatedBeginning(later, source);
		if (repeated.kind === 'replaced') {
			// The page after it may have come in the same wrong way.
			this.pages.clear();
			this.keep(place, repeated.by);
		}
		return { at, isGuess, repeated };
	}

	/** Whether the list can be read at all, and does not say that it reaches so far. */
	private async mayEndBefore(page: number): Promise<boolean> {
		const { pageSize } = this.start;
		const start = await this.read(0, pageSize).catch(() => undefined);
		return start !== undefined && (start.metadata.total ?? 0) <= page * pageSize;
	}

	/**
	 * A page that decides where the listing begins is asked for again if it is none, has no records
	 * although others speak of some, or those of a later one.
	 *
	 * @throws ServiceFailure if the answer is not a page, twice
	 */
	private async certainly(
		place: PagePlace,
		ask: () => Promise<Page>,
		askAgain: () => Promise<Page>,
	): Promise<Page> {
		const found = await ask();
		const isWithout = found.kind !== 'records';
		if (isWithout && this.pages.size === 0 && place.page > 0) await this.read(0, place.pageSize);
		const isDoubtful = isWithout ? this.speaksOf(place) : this.isLater(place, found);
		if (found.kind !== 'nothing' && found.kind !== 'fault' && !isDoubtful) return found;
		const again = await askAgain();
		if (again.kind === 'fault') throw again.failure;
		return again;
	}

	/**
	 * Whether a page holds the records of a later one, which may have come in its place. Page 1 is
	 * like page 0 if the service counts from 1.
	 */
	private isLater(place: PagePlace, { records }: Page): boolean {
		return [...this.pages.values()].some(
			({ page, pageSize, answer }) =>
				page > Math.max(place.page, 1) &&
				pageSize === place.pageSize &&
				areAlike(answer.records, records, this.keysOf),
		);
	}

	/**
	 * Whether a page that was read speaks of records on that one, is full and the one before it, or
	 * holds some and is after it. Page 0 with records may be page 1 of a service that counts from 1.
	 */
	private speaksOf(place: PagePlace): boolean {
		const offset = place.page * place.pageSize;
		return [...this.pages.values()].some(({ page, pageSize, answer: { records, metadata } }) => {
			const { total = 0, totalPages = 0 } = metadata;
			const isCounted = totalPages > place.page && pageSize === place.pageSize;
			const isAfter = records.length > 0 && (offset === 0 || page * pageSize > offset);
			const fewest = page === 0 ? 1 : place.pageSize;
			const isBefore = page === place.page - 1 && records.length >= fewest;
			return total > offset || isCounted || isAfter || isBefore;
		});
	}

	private async read(page: number, pageSize: number): Promise<Page> {
		const place = { page, pageSize };
		const ask = async () => await this.reader.read(page, pageSize);
		return this.pageAt(place) ?? this.keep(place, await this.certainly(place, ask, ask));
	}

	/** Keeps the answer if the one before it was cut short. */
	private async readAgain(page: number, pageSize: number): Promise<Page> {
		const place = { page, pageSize };
		const again = await this.reader.read(page, pageSize);
		this.keep(place, longer(this.pageAt(place) ?? again, again));
		return again;
	}

	private keep(place: PagePlace, answer: Page): Page {
		this.pages.set(pageKey(place.page, place.pageSize), { ...place, answer });
		return answer;
	}
}

/** What tells a page of one size from others. */
export function pageKey(page: number, pageSize: number): string {
	return `${page} of ${pageSize}`;
}
