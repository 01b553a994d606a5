import { USUAL_PAGE_SIZE } from '../listing/endOfList';
import { writeCount } from '../values/scalar';
import type { Reply } from './conversation';
import { type Found, failed, ok, warning } from './finding';
import { keyOf, MAX_CHANGES, type Users } from './users';

/** How pages are numbered. `ignored`: every page is the first one. */
export type Numbering = 'from0' | 'from1' | 'ignored' | 'unclear';

const FOLLOWS = ok('pageHonoured', true, 'Another page number returns other users.');
const SAME =
	'Every page holds the same users: the service ignores "page", so only the users of one page can be read.';

export const NUMBERINGS: Readonly<Record<Numbering, readonly Found[]>> = {
	from0: [ok('firstPageNumber', 0, 'Page 1 is the second page, as documented.'), FOLLOWS],
	from1: [ok('firstPageNumber', 1, 'Numbering starts at 1.'), FOLLOWS],
	ignored: [failed('pageHonoured', false, SAME)],
	unclear: [],
};

/** Smaller pages are not told from a change of the list. */
const MIN_SIZE_ASKED = 3;
/** Below it, a page that ignores a size cannot be told from one of the smallest size. */
const MAX_SMALLEST_SIZE = 20;
/** The first is more than is ever recommended, so that it shows a maximum of 1,000. */
const SIZES = [1001, 500, 200, 100, MAX_SMALLEST_SIZE];

/** By pages of a size that two of them hold: page 1 is the first one, or the one after page 0. */
export async function findNumbering(users: Users): Promise<Numbering> {
	const { records } = users.first;
	const areTold = new Set(records.map(keyOf)).size === records.length;
	if (!areTold) return 'unclear';
	const third = Math.max(MIN_SIZE_ASKED, Math.floor(records.length / 3));
	const pageSize = users.goesOn(USUAL_PAGE_SIZE) ? USUAL_PAGE_SIZE : third;
	const ask = async (page: number, isFresh = false) => await users.ask({ page, pageSize }, isFresh);
	const one = await ask(1);
	const start = users.begins(one) ? 1 : 0;
	const before = start === 1 ? one : await ask(0);
	const after = start === 1 ? await ask(2) : one;
	// Page 1 may be page 0 by accident. If users are left out of pages, a new one moves all of them.
	const isSure = start === 0 && before.records.length === pageSize;
	if (!users.begins(isSure ? before : await ask(start, true))) return 'unclear';
	if (isNew(after, before)) return start === 1 ? 'from1' : 'from0';
	// In a short list, every page after the end may be the last one.
	const isLong = users.longest.records.length > one.records.length + MAX_CHANGES;
	const isMore = isLong || one.metadata.more === true;
	return isMore && users.begins(after) && countNew(after, before) === 0 ? 'ignored' : 'unclear';
}

/** Whether a page holds several users, most of whom are not on the one before. */
function isNew(page: Reply, before: Reply): boolean {
	const { length } = page.records;
	return length > MAX_CHANGES && 2 * countNew(page, before) > length;
}

function countNew({ records }: Reply, before: Reply): number {
	const known = new Set(before.records.map(keyOf));
	return records.filter((record) => !known.has(keyOf(record))).length;
}

/** By first pages of several sizes: whether sizes are followed, the largest and the usual one. */
export async function checkSizes(
	users: Users,
	numbering: Numbering,
): Promise<{ found: Found[]; largest?: number }> {
	const { length } = users.first.records;
	if (length === 0) return { found: [] };
	const found: Found[] = [];
	const asked = await findLargest(users);
	const most = asked === undefined ? 0 : await users.lengthAt(asked);
	// Users may be left out of any other page.
	const isFull = most > 0 && most === (await users.lengthAt(most));
	for (const part of [2, 4]) {
		if (isHonoured(users) === undefined) await users.lengthAt(Math.ceil(length / part));
	}
	const honoured = isHonoured(users);
	if (honoured === true) {
		found.push(ok('pageSizeHonoured', true, 'Pages have the requested size.'));
	} else if (honoured === false) {
		const what = `The service ignores "pageSize": pages hold up to ${writeCount(length, 'user')}.`;
		found.push(warning('pageSizeHonoured', false, what, 'List Users adapts.'));
	}
	let largest = isFull ? Math.min(Number(asked), 1000) : undefined;
	if (isFull && most !== asked && most > length + MAX_CHANGES) {
		await users.ask({ page: numbering === 'from1' ? 2 : 1, pageSize: most });
		// Cut to what the service allows, because the list goes on after it.
		if (users.goesOn(most)) {
			largest = most;
			const limit = `Pages of ${writeCount(most, 'user')} are complete, larger ones are not.`;
			found.push(ok('maxPageSize', most, limit));
		}
	}
	// Of a page that users are left out of the length is not the size.
	const isUsual = length % 5 === 0 || Number.isInteger(Math.log2(length));
	const mayBeSize = honoured === true && isUsual && users.goesOn(length);
	if (mayBeSize && (await users.lengthAt(length)) === length) {
		const meaning = 'This many users are returned if no page size is requested.';
		found.push(ok('defaultPageSize', length, meaning));
	}
	return { found, largest };
}

/** The largest size that is not answered as no size is. */
async function findLargest(users: Users): Promise<number | undefined> {
	const { length } = users.first.records;
	for (const size of SIZES) {
		const came = await users.lengthAt(size);
		if (came === size || came > length + MAX_CHANGES) return size;
		// One page holds a short list; a large one shows whether it is.
		if (came > 0 && !users.goesOn(length)) return size;
	}
	return undefined;
}

/** A first page whose length moved as its size did shows it, or two that did not. */
function isHonoured({ beginnings, first }: Users): boolean | undefined {
	const { length } = first.records;
	const isMoved = beginnings.some(({ records }) => Math.abs(records.length - length) > MAX_CHANGES);
	const sizes = new Set(beginnings.map(({ query }) => Number(query.pageSize ?? length)));
	const smaller = [...sizes].filter((size) => size < length);
	const isFixed = smaller.length > 1 && length > MAX_SMALLEST_SIZE;
	return isMoved || (isFixed ? false : undefined);
}
