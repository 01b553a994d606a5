import { type Found, failed, ok, twoOfThree, unknown } from './finding';
import { MAX_CHANGES, type UserPage, type Users } from './users';

/** How pages are numbered. `ignored`: every page is the first one. */
export type Numbering = 'from0' | 'from1' | 'ignored' | 'unclear';

/**
 * The pages that List Users read may show it. If not, smaller ones are asked for, until two
 * readings say the same: one of them may be an accident of a list that changed.
 */
export async function findNumbering(users: Users): Promise<Numbering> {
	if (!users.isComparable) return 'unclear';
	const meaningOf = (pages: readonly UserPage[]) => comparePages(users, pages);
	const told = await twoOfThree(
		users.pages,
		async () => await readPages(users),
		meaningOf,
		(pages) => isSure(users, pages),
	);
	return told ? meaningOf(told) : 'unclear';
}

/** Pages 0, 1 and 2, as far as they are needed, of a size of which the known list holds three. */
async function readPages(users: Users): Promise<UserPage[]> {
	const pageSize = Math.max(1, Math.floor(users.first.came / 3));
	const pages: UserPage[] = [];
	for (let page = 0; page < 3 && comparePages(users, pages) === 'unclear'; page++) {
		const read = await users.read({ page, pageSize });
		if (read === undefined) break;
		pages.push(read);
	}
	return pages;
}

/**
 * The keys of pages 0, 1 and 2, as they were read last: the listing may have asked for a page at
 * several sizes.
 */
function keysOf(pages: readonly UserPage[]): Array<readonly string[] | undefined> {
	return [0, 1, 2].map((number) => pages.filter(({ query }) => query.page === number).at(-1)?.keys);
}

/** How many users two pages have in common. */
function shared(some: readonly string[], others: readonly string[]): number {
	const known = new Set(some);
	return others.filter((key) => known.has(key)).length;
}

/** Whether pages differ altogether, so that no change of the list explains it. */
function isSure(users: Users, pages: readonly UserPage[]): boolean {
	const [zero, one, two = []] = keysOf(pages);
	// Refused once although it has users, page 0 tells nothing.
	const hasUsers = ({ query, came }: UserPage) => query.page === 0 && came > 0;
	if (zero?.length === 0 && users.pages.some(hasUsers)) return false;
	const areApart = (some: readonly string[] = [], others = some) =>
		[some, others].every(({ length }) => length === 0 || length > MAX_CHANGES) &&
		some.length + others.length > 0 &&
		shared(some, others) === 0;
	// An empty page after two that are alike may be the last one of a list that grew.
	return areApart(two.length > 0 && zero?.join() === one?.join() ? two : zero, one);
}

function comparePages(users: Users, pages: readonly UserPage[]): Numbering {
	const [zero, one, two] = keysOf(pages);
	if (zero === undefined || one === undefined) return 'unclear';
	if (zero.length === 0) {
		// An empty page 0 of another size may have users: then those of this page are left out.
		const isEmpty =
			pages.some(({ kind, query }) => query.page === 0 && kind === 'refused') ||
			users.pages.every(({ query, keys }) => query.page !== 0 || keys.length === 0);
		return isEmpty && one.length > 0 ? 'from1' : 'unclear';
	}
	// One that begins with the users of the page before is longer.
	const isFirst = (keys: readonly string[]) => keys[0] === zero[0] && keys.length <= zero.length;
	if (!isFirst(one)) return 2 * shared(zero, one) > one.length ? 'unclear' : 'from0';
	if (two === undefined) return 'unclear';
	if (!isFirst(two)) return 'from1';
	// In a short list, every page after the end may be the last one.
	const isLong = users.beginning.keys.length > zero.length + MAX_CHANGES;
	return isLong || users.first.metadata.more === true ? 'ignored' : 'unclear';
}

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
