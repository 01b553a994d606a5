import type { Page, PageAnswer } from '../answer/pageReader';
import type { PageLength } from '../listing/pageLength';
import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import type { Query } from './conversation';

/** What came when users were asked for: a page of the listing. */
export type UserPage = Page &
	PageLength & {
		query: Query;
		/** What tells the records apart, in the order of the page. */
		keys: readonly string[];
		/** None if the page was refused. */
		answer?: PageAnswer;
	};

export function findPage(pages: readonly UserPage[], query: Query): UserPage | undefined {
	const wanted = JSON.stringify(query);
	return pages.find((page) => JSON.stringify(page.query) === wanted);
}

/** One more than the largest page size in common use, and than any that is recommended. */
export const LARGEST_SIZE_ASKED = 1001;

/** Users by which a list may differ from one request to the next, because it changed meanwhile. */
export const MAX_CHANGES = 2;

/** The pages returned of the users list, each once. */
export class Seen {
	readonly pages: UserPage[];

	/** @param first the page returned without parameters */
	constructor(readonly first: UserPage) {
		this.pages = [first];
	}

	/** A page that was refused, filtered or sorted does not show how the list goes. */
	note(page: UserPage): UserPage {
		const { answer, query } = page;
		const isPlain = query.updatedSince === undefined && query.sort === undefined;
		const isNew = this.pages.every((known) => known.answer !== answer);
		if (answer !== undefined && isPlain && isNew) this.pages.push(page);
		return page;
	}

	/** The longest known beginning of the list. */
	get beginning(): UserPage {
		return this.pages
			.filter(({ query, keys }) => query.page === undefined || keys[0] === this.first.keys[0])
			.reduce((most, page) => (page.keys.length > most.keys.length ? page : most));
	}

	/** Whether records come after those of the known beginning: more than a change of the list explains. */
	get goesOn(): boolean {
		const known = new Set(this.beginning.keys);
		return this.pages.some(
			({ keys }) => keys.filter((key) => !known.has(key)).length > MAX_CHANGES,
		);
	}

	/** Whether records follow a page of the known beginning, so that no end of the list shortened it. */
	isFollowed({ keys }: UserPage): boolean {
		const known = this.beginning.keys;
		const place = known.indexOf(keys.at(-1) ?? '');
		return place >= 0 && (place < known.length - 1 || this.goesOn);
	}

	/** Asks for pages of the size List Users asks for, if the service accepts it. */
	get usualSize(): { pageSize?: number } {
		const isAccepted = this.pages.some(({ asked, came }) => asked === USUAL_PAGE_SIZE && came > 0);
		return isAccepted ? { pageSize: USUAL_PAGE_SIZE } : {};
	}

	/** Whether pages can be told apart, and the list keeps its order: by its first page and the largest one. */
	get isComparable(): boolean {
		const { beginning, first } = this;
		if (first.came === 0 || new Set(beginning.keys).size < beginning.came) return false;
		const other = findPage(this.pages, { pageSize: LARGEST_SIZE_ASKED }) ?? first;
		const places = new Map(other.keys.map((key, place) => [key, place]));
		const found = first.keys.flatMap((key) => places.get(key) ?? []);
		const outOfOrder = found.filter((place, index) => place < (found[index - 1] ?? -1)).length;
		// A change of the list moves its records, but leaves most of them.
		return found.length * 2 >= Math.min(first.came, other.came) && outOfOrder <= found.length / 10;
	}
}
