import { readIdentity } from '../answer/identity';
import { pageKey } from '../listing/pageSize';
import { shortDigest } from '../values/digest';
import type { JsonObject } from '../values/json';

/** A page of a list; numbering starts at 0. */
export interface PageQuery {
	page: number;
	pageSize: number;
}

/**
 * Where a reading goes on in the next poll, and by what it notices there that the list only repeats
 * itself.
 */
export interface NextPage extends PageQuery {
	/** Digest of the last page that was read. */
	last?: string;
	/** The total the service said. */
	total?: number;
	/** The number of the list's first page, if that is 1. */
	first?: number;
}

/** Whether the list goes on with that page. */
export function reachesBeyond({ page, pageSize, first = 0 }: NextPage, total = 0): boolean {
	return total > (page - first) * pageSize;
}

function isSamePage(one: PageQuery, other: PageQuery): boolean {
	return one.page === other.page && one.pageSize === other.pageSize;
}

/** Enough to tell two pages of one list apart. */
const PAGE_DIGEST_LENGTH = 8;

/** Knows which pages were read. */
export class PagesRead {
	private pageSize: number;

	private readonly done: PageQuery[] = [];

	/** The total the service said last. */
	total?: number;

	/** Digests of pages with records, by number and size. */
	private readonly digests = new Map<string, string>();

	/** That of the first page of them. */
	private first?: { page: number; digest: string };

	/** That of page 1. */
	private digestOfOne?: string;

	/** The IDs of a list's first page as it is now, if this reading goes on after it. */
	private firstNow: ReadonlySet<string> = new Set();

	private readonly empty = new Set<string>();

	private readonly all = new Set<string>();

	/** How often pages were asked for. */
	requests = 0;

	/**
	 * @param idPath of records that have an ID there, which tells them apart whatever else differs in
	 *   each answer
	 */
	constructor(
		private readonly from: NextPage,
		private readonly idPath?: string,
	) {
		this.pageSize = from.pageSize;
		this.total = from.total;
	}

	asked(page: number, pageSize: number): void {
		this.requests++;
		// The second page of a list may be asked for only to find out how long pages are. Of one that
		// counts from 1 that is not found out: only pages of the size it returned are surely full.
		const isKnown = this.from.page > 0 || this.firstPage === 0;
		if (isKnown && page > Math.max(1, this.from.page)) this.pageSize = pageSize;
		this.all.add(pageKey(page, pageSize));
	}

	wasAsked(page: number, pageSize: number): boolean {
		return this.all.has(pageKey(page, pageSize));
	}

	/** Whether a list may have ended before the page it goes on with, or start over there. */
	get mayRepeat(): boolean {
		return this.from.page > 0 && !reachesBeyond(this.from, this.total);
	}

	/** Notes the first page of a list as it is now. */
	noteFirst(records: readonly JsonObject[]): void {
		this.firstNow = new Set(records.map((record) => this.idOf(record)));
	}

	/** Whether a page is one of an earlier poll, and nothing speaks of more. */
	isRepeated(page: number, pageSize: number, records: readonly JsonObject[]): boolean {
		if (page < this.from.page) return false;
		if (reachesBeyond({ page, pageSize, first: this.from.first }, this.total)) return false;
		// A few records may have moved since the first page was read.
		const again = records.filter((record) => this.firstNow.has(this.idOf(record)));
		return again.length * 2 > records.length || this.from.last === this.digestOf(records);
	}

	arrived(page: number, pageSize: number, shown: readonly JsonObject[]): void {
		const records = shown.length;
		const isFirst = this.first === undefined && this.from.page === 0;
		this.done.push({ page, pageSize });
		if (records === 0) this.empty.add(pageKey(page, pageSize));
		else this.noteDigest({ page, pageSize }, this.digestOf(shown));
		// A first page of another size than asked for was clamped, or is the whole list: the size it
		// returned is safe.
		if (isFirst && records > 0) this.pageSize = records;
	}

	/** How many pages were asked for that have records, as far as is known. */
	get withRecords(): number {
		return this.all.size - this.empty.size;
	}

	get isNone(): boolean {
		return this.done.length === 0;
	}

	/** The first page that was not read; none if it is the one this reading began with. */
	next(): NextPage | undefined {
		const { done, firstPage: first, from, pageSize } = this;
		if (done.length === 0) return undefined;
		const start = Math.max(0, from.page - first) * from.pageSize;
		const pages = new Set(done.flatMap((one) => (one.pageSize === pageSize ? one.page : [])));
		// The first page of a list begins at the same place whatever its size.
		if (from.page === 0) pages.add(first);
		let page = Math.floor(start / pageSize) + first;
		while (pages.has(page)) page++;
		if (isSamePage({ page, pageSize }, from)) return undefined;
		const last = this.digestBefore(page, pageSize) ?? from.last;
		return {
			page,
			pageSize,
			...(last !== undefined && { last }),
			...(this.total !== undefined && { total: this.total }),
			...(first > 0 && { first }),
		};
	}

	/** The number of the list's first page: 1 if page 0 is empty, or holds the same as page 1. */
	private get firstPage(): number {
		const { digestOfOne, first, from } = this;
		if (from.page > 0) return from.first ?? 0;
		return first?.page === 1 || (first !== undefined && first.digest === digestOfOne) ? 1 : 0;
	}

	private noteDigest({ page, pageSize }: PageQuery, digest: string): void {
		this.digests.set(pageKey(page, pageSize), digest);
		if (page === 1) this.digestOfOne = digest;
		if (page <= (this.first?.page ?? Infinity)) this.first = { page, digest };
	}

	/** Of the page before one; the first of a list may have been asked for in a larger size. */
	private digestBefore(page: number, pageSize: number): string | undefined {
		const known = this.digests.get(pageKey(page - 1, pageSize));
		return known ?? (page - 1 === this.first?.page ? this.first.digest : undefined);
	}

	private digestOf(records: readonly JsonObject[]): string {
		const ids = records.map((record) => this.idOf(record));
		return shortDigest(ids.join(), PAGE_DIGEST_LENGTH);
	}

	private idOf(record: JsonObject): string {
		const { idPath } = this;
		return JSON.stringify(idPath === undefined ? record : readIdentity(record, idPath));
	}
}
