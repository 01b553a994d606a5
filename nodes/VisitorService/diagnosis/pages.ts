import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import { writeCount } from '../values/count';
import type { Reply } from './conversation';
import { type Found, failed, ok, unknown, warning } from './finding';
import { isNew, keyOf, MAX_CHANGES, recordsOf, type Users } from './users';

/** How pages are numbered. `ignored`: every page is the first one. */
export type Numbering = 'from0' | 'from1' | 'ignored' | 'unclear';

/** More than is ever recommended, so that a page of that size is complete. */
const MAX_SIZE_ASKED = 1001;
/** Smaller pages are not told from a change of the list. */
const MIN_SIZE_ASKED = 3;
/** Below it, a page that ignores a size cannot be told from one of the smallest size. */
const MAX_SMALLEST_SIZE = 20;

/** By three pages of one size: those that List Users read, or smaller ones. */
export async function findNumbering(users: Users): Promise<Numbering> {
	const { conversation, first } = users;
	const areTold = new Set(first.records.map(keyOf)).size === first.records.length;
	if (!areTold || first.query.page !== undefined) return 'unclear';
	const ask = async (page: number, pageSize: number, isFresh = false) =>
		await users.ask({ page, pageSize }, isFresh);
	const isRead = (page: number) =>
		conversation.pages.some(
			({ query }) => query.page === page && query.pageSize === USUAL_PAGE_SIZE,
		);
	if (isRead(0) && isRead(1)) {
		const [zero, one] = [await ask(0, USUAL_PAGE_SIZE), await ask(1, USUAL_PAGE_SIZE)];
		if (isSecond(users, zero, one) && recordsOf(zero).length === USUAL_PAGE_SIZE) return 'from0';
	}
	const pageSize = Math.floor(first.records.length / 3);
	if (pageSize < MIN_SIZE_ASKED) return 'unclear';
	const one = await ask(1, pageSize);
	if (!users.begins(one)) {
		const zero = await ask(0, pageSize);
		// If users are left out of pages, one that is new moves all of them.
		const isSure =
			recordsOf(zero).length === pageSize || users.begins(await ask(0, pageSize, true));
		return isSecond(users, zero, one) && isSure ? 'from0' : 'unclear';
	}
	const two = await ask(2, pageSize);
	// A longer one may repeat the end of the page before it.
	const { length } = recordsOf(one);
	if (isNew(two, one) && length > pageSize && length !== first.records.length) return 'unclear';
	// One page 1 that is page 0 may be an accident.
	if (isNew(two, one)) return users.begins(await ask(1, pageSize, true)) ? 'from1' : 'unclear';
	// In a short list, every page after the end may be the last one.
	const isLong = users.longest.records.length > recordsOf(one).length + MAX_CHANGES;
	const saysMore = one.kind === 'list' && one.metadata.more === true;
	return users.begins(two) && (isLong || saysMore) ? 'ignored' : 'unclear';
}

/** Whether one page is the first one, and the other holds the users after it. */
const isSecond = (users: Users, zero: Reply, one: Reply) =>
	users.begins(zero) && !users.begins(one) && isNew(one, zero);

export function describeNumbering(numbering: Numbering): Found[] {
	const check = 'firstPageNumber';
	const follows = ok('pageHonoured', true, 'Another page number returns other users.');
	const same =
		'Every page holds the same users: the service ignores "page", so only the users of one page can be read.';
	const findings: Record<Numbering, Found[]> = {
		from0: [ok(check, 0, 'Page 1 is the second page, as documented.'), follows],
		from1: [ok(check, 1, 'Numbering starts at 1.'), follows],
		ignored: [unknown(check, 'The service ignores "page".'), failed('pageHonoured', false, same)],
		unclear: [],
	};
	return findings[numbering];
}

/** @returns a large page size too that is worth to be tried by List Users */
export async function findPageSizes(
	users: Users,
	numbering: Numbering,
): Promise<{ findings: Found[]; useful?: number }> {
	const { length } = users.first.records;
	if (length === 0) return { findings: [] };
	const second = { from0: 1, from1: 2, ignored: undefined, unclear: undefined }[numbering];
	const { largest, useful } = await findLargest(users, second);
	for (const part of [2, 4]) {
		if (isHonoured(users) !== true) await users.ask({ pageSize: Math.ceil(length / part) });
	}
	const honoured = isHonoured(users);
	const what = `The service ignores "pageSize": pages hold up to ${writeCount(length, 'user')}.`;
	const limit = `Pages of ${writeCount(largest ?? 0, 'user')} are complete, larger ones are not.`;
	const findings = [
		honoured === true ? ok('pageSizeHonoured', true, 'Pages have the requested size.') : undefined,
		honoured === false
			? warning('pageSizeHonoured', false, `${what} List Users adapts.`)
			: undefined,
		largest !== undefined && honoured === true ? ok('maxPageSize', largest, limit) : undefined,
		honoured === true ? await checkDefaultSize(users) : undefined,
	];
	return { findings, useful };
}

/** A first page whose length moved as its size did shows it, or two that did not. */
function isHonoured({ beginnings, first }: Users): boolean | undefined {
	const { length } = first.records;
	const sized = beginnings.map(({ query, records }) => ({
		asked: query.pageSize ?? length,
		moved: records.length - length,
	}));
	const hasMoved = sized.some(
		({ asked, moved }) => Math.sign(asked - length) * moved > MAX_CHANGES,
	);
	if (hasMoved) return true;
	const unmoved = sized.filter(
		({ asked, moved }) => asked < length && Math.abs(moved) <= length / 10,
	);
	const sizes = new Set(unmoved.map(({ asked }) => asked));
	return sizes.size > 1 && length > MAX_SMALLEST_SIZE ? false : undefined;
}

/**
 * The largest page is known if one of its size is complete, a larger one is not, and the list goes
 * on after it.
 *
 * @param second number of the second page; undefined if pages cannot show where the list goes on
 */
async function findLargest(
	users: Users,
	second?: number,
): Promise<{ largest?: number; useful?: number }> {
	const { length } = users.first.records;
	const lengthAt = async (pageSize: number, isFresh = false) =>
		recordsOf(await users.ask({ pageSize }, isFresh)).length;
	const goesOn = async (pageSize: number) => {
		const page = await users.ask({ pageSize });
		if (second === undefined || !users.begins(page)) return false;
		return isNew(await users.ask({ page: second, pageSize }), page);
	};
	const most = await lengthAt(MAX_SIZE_ASKED);
	if (most === MAX_SIZE_ASKED) return { useful: 1000 };
	if (most > length + MAX_CHANGES) {
		// It was cut off, or is the whole list.
		if (!(await goesOn(most))) return { useful: 1000 };
		return (await lengthAt(most)) === most ? { largest: most, useful: most } : {};
	}
	let isAlways = most === length;
	const isUsual = users.beginnings.some(({ query }) => query.pageSize === USUAL_PAGE_SIZE);
	for (const size of isUsual ? [1000, 500, 200, 100] : [50, 20, 10]) {
		const came = await lengthAt(size);
		if (came > length + MAX_CHANGES && came < size) return { useful: size };
		isAlways &&= came === length;
		if (came !== size) continue;
		// One answer to a larger size may be an accident.
		const isMost =
			(await lengthAt(size + 1)) !== size + 1 &&
			(await lengthAt(size + 1, true)) !== size + 1 &&
			(await goesOn(size));
		return { largest: isMost ? size : undefined, useful: size };
	}
	const isMost = isAlways && (await lengthAt(length)) === length && (await goesOn(length));
	return { largest: isMost ? length : undefined };
}

/** Of a page that users are left out of the length is not the size. */
async function checkDefaultSize(users: Users): Promise<Found> {
	const { length } = users.first.records;
	const isOtherComplete = users.beginnings.some(
		({ query, records }) => records.length === query.pageSize && records.length !== length,
	);
	const isUsual = length % 5 === 0 || Number.isInteger(Math.log2(length));
	const isLonger = users.longest.records.length > length + MAX_CHANGES;
	if (!isUsual || !isLonger || !isOtherComplete) return undefined;
	const again = await users.ask({ pageSize: length });
	const meaning = 'This many users are returned if no page size is requested.';
	return recordsOf(again).length === length ? ok('defaultPageSize', length, meaning) : undefined;
}
