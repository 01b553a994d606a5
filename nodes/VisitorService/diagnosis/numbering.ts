import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import { type Found, failed, ok, warning, withheld } from './finding';
import { MAX_CHANGES, type Seen, type UserPage } from './seen';
import type { Users } from './users';

/** How pages are numbered. `ignored`: every page is the first one; `skips`: `page` counts users, not pages. */
export type Numbering = 'from0' | 'from1' | 'ignored' | 'skips' | 'unclear';

/** Users of the page before that a page may begin with. */
const MAX_OVERLAP = 3;

const ROUND_SIZES = [1, 2, 3, 5, 10, 20, 25, 50];

/** The keys of a page; undefined if its answer does not tell. */
type ReadKeys = (page: number) => Promise<readonly string[] | undefined>;

/** The pages that List Users read may show it. If not, pages 0, 1 and 2 of one size are asked for. */
export async function findNumbering(
	users: Users,
	seen: Seen,
): Promise<{ numbering: Numbering; seen: Seen }> {
	const numbered = seen.pages.filter(({ query }) => query.page !== undefined);
	const zero = numbered.find(({ query }) => query.page === 0);
	for (const size of new Set(numbered.map(({ query }) => Number(query.pageSize)))) {
		const found = await comparePages(seen, size, async (page) => {
			const known = seen.find({ page, pageSize: size }) ?? (page === 0 ? zero : undefined);
			return await Promise.resolve(known?.keys);
		});
		// A change of the list moves a smaller page altogether.
		const isSure = Math.min(size, zero?.keys.length ?? 0) > MAX_CHANGES;
		if (isSure && found !== 'unclear') return { numbering: found, seen };
	}
	const pageSize = sizeOfSeveralPages(seen);
	const pages: UserPage[] = [];
	const read = async (page: number, known?: Seen) => {
		const query = { page, pageSize };
		const found = known?.find(query) ?? (await users.read(query));
		if (found !== undefined) pages.push(found);
		return found?.keys;
	};
	const found = await comparePages(seen, pageSize, async (page) => await read(page, seen));
	const isSure =
		found === 'unclear' ||
		pageSize > MAX_CHANGES ||
		(await comparePages(seen, pageSize, read)) === found;
	return { numbering: isSure ? found : 'unclear', seen: seen.with(...pages) };
}

async function comparePages(seen: Seen, size: number, read: ReadKeys): Promise<Numbering> {
	const zero = await read(0);
	const one = await read(1);
	if (zero === undefined || one === undefined) return 'unclear';
	const begin = (zero.length === 0 ? seen.beginning.keys : zero).slice(0, size);
	const isFirst = (keys: readonly string[]) => {
		const shared = keys.filter((key) => begin.includes(key)).length;
		// One that begins with the end of the page before begins farther down.
		const isAtBegin = begin.indexOf(keys[0] ?? '') < MAX_CHANGES;
		const isLonger = zero.length > 0 && keys.length > zero.length + MAX_CHANGES;
		return isAtBegin && !isLonger && 2 * shared > Math.min(keys.length, begin.length);
	};
	if (zero.length === 0) {
		// A page 0 of another size may have users: then those of this page are left out.
		const isEmpty = seen.pages.every(({ query, keys }) => query.page !== 0 || keys.length === 0);
		return isEmpty && isFirst(one) ? 'from1' : 'unclear';
	}
	if (!isFirst(one)) return 'from0';
	const two = await read(2);
	if (two === undefined) return 'unclear';
	if (one[0] === begin[1] && two[0] === begin[2] && size > 2) return 'skips';
	if (!isFirst(two)) {
		// The last page may be returned for each one after the end, and a change of the list makes it another one.
		const others = two.filter((key) => !one.includes(key)).length;
		return two.length === 0 || others >= Math.min(size, MAX_CHANGES + 1) ? 'from1' : 'unclear';
	}
	// Pages may begin with the last users of the page before, and in a short list one after the end may be the last.
	if (size <= MAX_OVERLAP) return 'unclear';
	const isLong = seen.beginning.keys.length > zero.length + MAX_CHANGES;
	const isSaid = seen.first.metadata.more === true;
	return (isLong || isSaid) && one[0] === two[0] ? 'ignored' : 'unclear';
}

/** A size of which the known list holds three pages, or fewer if it is shorter than three users. */
function sizeOfSeveralPages({ beginning, first, goesOn }: Seen): number {
	const { length } = beginning.keys;
	if (length > USUAL_PAGE_SIZE || (goesOn && length === USUAL_PAGE_SIZE)) {
		return USUAL_PAGE_SIZE;
	}
	const third = Math.min(length, first.keys.length) / 3;
	return ROUND_SIZES.filter((size) => size <= third).at(-1) ?? 1;
}

/** @param isRead whether List Users reads the list from its beginning with the defaults, as far as is known */
export function describeNumbering(numbering: Numbering, isRead: boolean): Found[] {
	const follows = ok('pageHonoured', true, 'Another page number returns other users.');
	switch (numbering) {
		case 'from0':
			return [ok('firstPageNumber', 0, 'Page 1 is the second page, as documented.'), follows];
		case 'from1':
			return [
				isRead
					? ok('firstPageNumber', 1, 'Numbering starts at 1, and List Users allows for it.')
					: warning('firstPageNumber', 1, 'Numbering starts at 1, and page 0 holds no users.'),
				follows,
			];
		case 'ignored':
			return [
				withheld('firstPageNumber', 'The service ignores "page".'),
				failed(
					'pageHonoured',
					false,
					'Every page holds the same users: the service ignores "page", so only the users of one page can be read.',
				),
			];
		case 'skips':
			return [
				failed(
					'pageHonoured',
					false,
					'The service reads "page" as a number of users to skip: page 1 begins at the second user, page 2 at the third.',
				),
			];
		case 'unclear':
			return [];
	}
}
