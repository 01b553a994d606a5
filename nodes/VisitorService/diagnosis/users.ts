import { DEFAULT_PAGE_SIZE } from '../listing/largerPage';
import { findIdField, readId } from '../response/identity';
import { LISTED_RESOURCES } from '../response/resources';
import { findUpdatedAtField, findUpdatedAtPath } from '../response/updateTimes';
import type { JsonObject } from '../values/json';
import { formatCount } from '../values/scalar';
import { redactPath } from '../values/serverText';
import type { DiagnosisSession, Query, Reply } from './diagnosisSession';
import { type Check, type Finding, failed, ok } from './finding';

/** By how many users a list may differ between two requests because it changed meanwhile. */
export const MAX_CHANGES = 2;

/** From which number pages are counted. `ignored`: every page is the first one. */
type Numbering = 'fromZero' | 'fromOne' | 'ignored' | 'unclear';

const FIRST_NUMBERS: Partial<Record<Numbering, 0 | 1>> = { fromZero: 0, fromOne: 1 };

/** The list of users, whose first page was read. */
export class Users {
	/** All users received, by key. */
	readonly seen = new Map<string, JsonObject>();

	numbering: Numbering = 'unclear';

	/** Whether users were repeated on later pages. */
	hasRepeats = false;

	private readonly pages: Reply[] = [];

	/** '' = users are distinguished by their whole content. */
	readonly idField: string;

	constructor(
		readonly session: DiagnosisSession,
		/** The response without parameters; page 1 if that holds nobody. */
		readonly first: Reply,
	) {
		const found = findIdField(first.records, LISTED_RESOURCES.user.name);
		this.idField = found?.isCertain === true ? found.field : '';
		this.remember(first);
	}

	/** Whether each page number returns other users. */
	get isPaged(): boolean {
		return this.firstPageNumber !== undefined;
	}

	/** Undefined if it was not found out. */
	get firstPageNumber(): 0 | 1 | undefined {
		return FIRST_NUMBERS[this.numbering];
	}

	/** A page that was read before is returned as it was, unless it has to be requested again. */
	async fetchPage(query: Query, mustRefetch = false): Promise<Reply> {
		const cached = this.pages.find(
			({ query: { page, pageSize } }) => page === query.page && pageSize === query.pageSize,
		);
		return cached === undefined || mustRefetch
			? this.remember(await this.session.fetchList(query))
			: cached;
	}

	/** The first page in this size, by its number if that was found out. */
	async fetchFirst(pageSize: number): Promise<Reply> {
		const { firstPageNumber: page } = this;
		return await this.fetchPage({ ...(page !== undefined && { page }), pageSize });
	}

	/** All first pages received, of any size. */
	get firstPages(): readonly Reply[] {
		const { firstPageNumber } = this;
		return this.pages.filter(({ query: { page = firstPageNumber } }) => page === firstPageNumber);
	}

	/** A page as List Users requests it. Without parameters a list may have another form. */
	get typicalPage(): Reply {
		const isTypical = ({ query }: Reply) => query.pageSize === DEFAULT_PAGE_SIZE;
		return this.firstPages.find(isTypical) ?? this.pages.find(isTypical) ?? this.first;
	}

	private remember(page: Reply): Reply {
		for (const record of page.records) this.seen.set(this.keyOf(record), record);
		if (page.records.length > 0) this.pages.push(page);
		return page;
	}

	/** The ID, because other fields may be volatile; without an ID the whole content. */
	readonly keyOf = (record: JsonObject): string =>
		JSON.stringify((this.idField && readId(record, this.idField)) || record);

	/** Whether a page begins as the first one does. */
	startsLikeFirstPage({ records: [record] }: Reply): boolean {
		const [first] = this.first.records;
		return !!record && !!first && this.keyOf(record) === this.keyOf(first);
	}

	/** Whether more users than this were received. */
	hasMoreThan(length: number): boolean {
		return this.seen.size > length + MAX_CHANGES;
	}

	/** How many users there are at least: as many as received, or as each page states. */
	get userCount(): number {
		const totals = this.pages.map(({ metadata: { total = 0 } }) => total);
		return Math.max(this.seen.size, Math.min(...totals));
	}
}

const NAMED = ['total', 'totalPages', 'more'] as const;
const NOTHING = 'A page says nothing about further pages. List Users reads until one is empty.';
const CHANGED = 'says when a user was changed';
const NO_ZONE = 'has no time zone: ask your service provider which one is meant';

/** Where the list is, what its pages say, what identifies users, and when they were changed. */
export function describeUsers({ session, seen, typicalPage }: Users): void {
	const records = [...seen.values()];
	const shown = (found?: string) => found && redactPath(found);
	const path = typicalPage.kind === 'list' ? shown(typicalPage.path) : undefined;
	const location = path ? `The list is at "${path}".` : 'The response is the list itself.';
	const named = NAMED.filter((name) => typicalPage.metadata[name] !== undefined).join(', ');
	const about = named ? `The first page names ${named}.` : NOTHING;
	const { name } = LISTED_RESOURCES.user;
	const id = shown(findIdField(records, name)?.field);
	const updatedAt = shown(findUpdatedAtPath(records, name));
	const means = findUpdatedAtField(records, name)?.hasZone === false ? NO_ZONE : CHANGED;
	const rows: ReadonlyArray<[Check, string | undefined, string]> = [
		['itemsPath', path, location],
		['pagingMetadata', named || (records.length > 0 ? 'none' : undefined), about],
		['idField', id, `"${id}" identifies the ${formatCount(records.length, 'user')} seen.`],
		['updatedAtField', updatedAt, `"${updatedAt}" ${means}.`],
	];
	for (const [check, observed, fact] of rows)
		if (observed !== undefined) session.findings.push(ok(check, observed, fact));
}

const FOLLOWS = ok('pageHonoured', true, 'Another page number returns other users.');
const SAME =
	'Every page holds the same users: the service ignores "page", so only the users of one page can be read.';

const NUMBERINGS: Readonly<Record<Numbering, readonly Finding[]>> = {
	fromZero: [ok('firstPageNumber', 0, 'Page 1 is the second page, as documented.'), FOLLOWS],
	fromOne: [ok('firstPageNumber', 1, 'Numbering starts at 1.'), FOLLOWS],
	ignored: [failed('pageHonoured', false, SAME)],
	unclear: [],
};

/** Finds out how pages are numbered. */
export async function checkNumbering(users: Users): Promise<void> {
	users.numbering = await findNumbering(users);
	users.session.findings.push(...NUMBERINGS[users.numbering]);
}

/** Compares small pages: page 1 is the first page, or the one after page 0. */
async function findNumbering(users: Users): Promise<Numbering> {
	const { records } = users.first;
	// Smaller pages cannot be distinguished from a change of the list.
	const third = Math.max(MAX_CHANGES + 1, Math.floor(records.length / 3));
	const pageSize = users.hasMoreThan(DEFAULT_PAGE_SIZE) ? DEFAULT_PAGE_SIZE : third;
	const fetch = async (page: number, mustRefetch = false) =>
		await users.fetchPage({ page, pageSize }, mustRefetch);
	const one = await fetch(1);
	const start = users.startsLikeFirstPage(one) ? 1 : 0;
	const before = start === 1 ? one : await fetch(0);
	const after = start === 1 ? await fetch(2) : one;
	// Page 1 may be page 0 by accident. If users are left out of pages, a new one moves all of them.
	if (!users.startsLikeFirstPage(await fetch(start, true))) return 'unclear';
	const earlierKeys = new Set(before.records.map(users.keyOf));
	const newCount = after.records.filter((record) => !earlierKeys.has(users.keyOf(record))).length;
	const { length } = after.records;
	const counted = start === 0 ? 'fromZero' : 'fromOne';
	if (length > MAX_CHANGES && 2 * newCount > length) return counted;
	// In a list that one page holds, every page may be the last one.
	const isLong = records.length > before.records.length && users.hasMoreThan(before.records.length);
	// An ID may be the position on the page.
	const isSame = JSON.stringify(after.records) === JSON.stringify(before.records);
	return isLong && users.startsLikeFirstPage(after) && isSame ? 'ignored' : 'unclear';
}
