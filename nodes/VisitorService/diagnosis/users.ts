import { DEFAULT_PAGE_SIZE } from '../listing/endOfList';
import { findIdField, readId } from '../response/identity';
import { LISTED_RESOURCES } from '../response/resources';
import { findUpdatedAtField, findUpdatedAtPath } from '../response/updateTimes';
import type { JsonObject } from '../values/json';
import { formatCount } from '../values/scalar';
import type { DiagnosisSession, Query, Reply } from './diagnosisSession';
import { type Check, type Finding, failed, ok, warning } from './finding';

/** Users by which a list may differ from one request to the next, because it changed meanwhile. */
export const MAX_CHANGES = 2;
/** The same from the first request to the last. */
const MANY_CHANGES = 25;

/** The number of the first page. `ignored`: every page is the first one. */
export type Numbering = 0 | 1 | 'ignored' | 'unclear';

/** The list of users, of which the first page came. */
export class Users {
	/** All users that came. */
	readonly seen = new Map<string, JsonObject>();

	numbering: Numbering = 'unclear';

	private readonly pages: Reply[] = [];

	private readonly id: string;

	constructor(
		readonly conversation: DiagnosisSession,
		readonly first: Reply,
	) {
		const found = findIdField(first.records, LISTED_RESOURCES.user.name);
		this.id = found && !found.isDoubtful ? found.field : '';
		this.remember(first);
	}

	/** A page that is known is not asked for again, unless it has to be a fresh one. */
	async fetchPage(asked: Query, mustRefetch = false): Promise<Reply> {
		const cached = this.pages.find(
			({ query: { page, pageSize } }) => page === asked.page && pageSize === asked.pageSize,
		);
		return cached === undefined || mustRefetch
			? this.remember(await this.conversation.fetchList(asked))
			: cached;
	}

	/** The first page in this size, by its number if that is known. */
	async fetchFirst(pageSize: number): Promise<Reply> {
		const { numbering: page } = this;
		return await this.fetchPage({ ...(typeof page === 'number' && { page }), pageSize });
	}

	/** Every first page that was returned, of any size. */
	get firstPages(): readonly Reply[] {
		const { numbering } = this;
		return this.pages.filter(({ query: { page = numbering } }) => page === numbering);
	}

	private remember(page: Reply): Reply {
		for (const record of page.records) this.seen.set(this.keyOf(record), record);
		if (page.records.length > 0) this.pages.push(page);
		return page;
	}

	/** By its ID, as other fields may differ in each answer; without one by all of its content. */
	readonly keyOf = (record: JsonObject): string =>
		JSON.stringify((this.id && readId(record, this.id)) || record);

	/** Whether a page begins as the first one does. */
	startsLikeFirstPage({ records: [record] }: Reply): boolean {
		const [first] = this.first.records;
		return !!record && !!first && this.keyOf(record) === this.keyOf(first);
	}

	/** Whether more users are known than so many. */
	hasMoreThan(length: number): boolean {
		return this.seen.size > length + MAX_CHANGES;
	}
}

const SAID = ['total', 'totalPages', 'more'] as const;
const NOTHING = 'A page says nothing about further pages. List Users reads until one is empty.';
const CHANGED = 'says when a user was changed';
const NO_ZONE = 'has no time zone: ask your service provider which one is meant';

/** Where the list is, what its pages say, what identifies the users known, when they changed. */
export function describeUsers({ conversation, first: { metadata, path }, seen }: Users): void {
	const records = [...seen.values()];
	const place = path ? `The list is at "${path}".` : 'The response is the list itself.';
	const said = SAID.filter((name) => metadata[name] !== undefined).join(', ');
	const about = said ? `The first page names ${said}.` : NOTHING;
	const { name } = LISTED_RESOURCES.user;
	const id = findIdField(records, name)?.field;
	const updatedAt = findUpdatedAtPath(records, name);
	const means = findUpdatedAtField(records, name)?.hasZone === false ? NO_ZONE : CHANGED;
	const rows: ReadonlyArray<[Check, string | undefined, string]> = [
		['itemsPath', path, place],
		['pagingMetadata', said || (records.length > 0 ? 'none' : undefined), about],
		['idField', id, `"${id}" identifies the ${formatCount(records.length, 'user')} seen.`],
		['updatedAtField', updatedAt, `"${updatedAt}" ${means}.`],
	];
	for (const [check, observed, fact] of rows)
		if (observed !== undefined) conversation.findings.push(ok(check, observed, fact));
}

const FOLLOWS = ok('pageHonoured', true, 'Another page number returns other users.');
const SAME =
	'Every page holds the same users: the service ignores "page", so only the users of one page can be read.';

const NUMBERINGS: Readonly<Record<Numbering, readonly Finding[]>> = {
	0: [ok('firstPageNumber', 0, 'Page 1 is the second page, as documented.'), FOLLOWS],
	1: [ok('firstPageNumber', 1, 'Numbering starts at 1.'), FOLLOWS],
	ignored: [failed('pageHonoured', false, SAME)],
	unclear: [],
};

/** Finds out how pages are numbered. */
export async function checkNumbering(users: Users): Promise<void> {
	users.numbering = await findNumbering(users);
	users.conversation.findings.push(...NUMBERINGS[users.numbering]);
}

/** By pages of a size that two of them hold: page 1 is the first one, or the one after page 0. */
async function findNumbering(users: Users): Promise<Numbering> {
	const { records } = users.first;
	// Smaller pages are not told from a change of the list.
	const third = Math.max(MAX_CHANGES + 1, Math.floor(records.length / 3));
	const pageSize = users.hasMoreThan(DEFAULT_PAGE_SIZE) ? DEFAULT_PAGE_SIZE : third;
	const ask = async (page: number, isFresh = false) =>
		await users.fetchPage({ page, pageSize }, isFresh);
	const one = await ask(1);
	const start = users.startsLikeFirstPage(one) ? 1 : 0;
	const before = start === 1 ? one : await ask(0);
	const after = start === 1 ? await ask(2) : one;
	// Page 1 may be page 0 by accident. If users are left out of pages, a new one moves all of them.
	if (!users.startsLikeFirstPage(await ask(start, true))) return 'unclear';
	const earlierKeys = new Set(before.records.map(users.keyOf));
	const newCount = after.records.filter((record) => !earlierKeys.has(users.keyOf(record))).length;
	const { length } = after.records;
	if (length > MAX_CHANGES && 2 * newCount > length) return start;
	// In a list that one page holds, every page may be the last one.
	const isLong = records.length > before.records.length && users.hasMoreThan(before.records.length);
	// An ID may be the place on the page.
	const isSame = JSON.stringify(after.records) === JSON.stringify(before.records);
	return isLong && users.startsLikeFirstPage(after) && isSame ? 'ignored' : 'unclear';
}

const SIZES = [1000, 500, 200, DEFAULT_PAGE_SIZE];
/** A page that ignores smaller sizes is not told from one of the smallest size. */
const MAX_SMALLEST_SIZE = 20;

/**
 * By first pages of several sizes: whether sizes are followed, the largest and the usual one.
 *
 * @returns the largest size that is returned in full
 */
export async function checkSizes(users: Users): Promise<number | undefined> {
	const { findings } = users.conversation;
	const { length } = users.first.records;
	if (length === 0) return undefined;
	let largest: number | undefined;
	for (const size of SIZES) {
		if ((await users.fetchFirst(size)).records.length === size) largest = size;
		// One page holds a short list.
		if (largest !== undefined || users.seen.size < DEFAULT_PAGE_SIZE) break;
	}
	const isMoved = () =>
		users.firstPages.some(({ records }) => Math.abs(records.length - length) > MAX_CHANGES);
	for (const part of [2, 4]) if (!isMoved()) await users.fetchFirst(Math.ceil(length / part));
	if (!isMoved()) {
		const parts = users.firstPages.filter(({ query }) => Number(query.pageSize) < length - 1);
		const what = `The service ignores "pageSize": pages hold up to ${formatCount(length, 'user')}.`;
		if (parts.length > 1 && length > MAX_SMALLEST_SIZE)
			findings.push(warning('pageSizeHonoured', false, what, 'List Users adapts.'));
		// Any size may be that of all pages.
		return undefined;
	}
	findings.push(ok('pageSizeHonoured', true, 'Pages have the requested size.'));
	if (largest === undefined) return undefined;
	const [larger] = SIZES.filter((size) => size > largest).slice(-1);
	if (larger) await users.fetchPage({ page: users.numbering === 1 ? 3 : 2, pageSize: largest });
	const cuts = users.firstPages.filter(({ query }) => Number(query.pageSize) > largest);
	const isCut = cuts.some(({ query }) => query.pageSize === larger);
	const cut = Math.max(0, ...cuts.map(({ records }) => records.length));
	// Larger pages are cut to what the service allows, because the list goes on after them.
	if (!larger || (isCut && cut < larger && users.seen.size > cut + MANY_CHANGES))
		findings.push(
			ok('maxPageSize', largest, `Pages of ${formatCount(largest, 'user')} are complete.`),
		);
	// Nobody is left out of such pages, so that the first one is as long as it should be.
	const meaning = 'This many users are returned if no page size is requested.';
	if (length <= largest && users.hasMoreThan(length))
		findings.push(ok('defaultPageSize', length, meaning));
	return largest;
}
