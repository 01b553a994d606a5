import { isOverload } from '../http/temporaryStatus';
import { type Found, failed, ok, twoOfThree, unknown } from './finding';
import { type ListedUsers, MAX_CHANGES, missingIn, type UserPage, type Users } from './users';

/** How pages are numbered. `ignored`: every page is the first one. */
export type Numbering = 'from0' | 'from1' | 'ignored' | 'unclear';

/** By the pages that List Users read, or smaller ones: one reading may show an accident. */
export async function findNumbering(list: ListedUsers): Promise<Numbering> {
	const { users } = list;
	if (!list.isComparable) return 'unclear';
	const told = await twoOfThree(
		comparePages(users, users.pages),
		async () => await readPages(list),
		({ numbering }) => numbering,
		({ isSure }) => isSure,
	);
	return told?.numbering ?? 'unclear';
}

/** Pages 0, 1 and 2, as far as they are needed, of a size of which the known list holds three. */
async function readPages({ users, standard }: ListedUsers): Promise<NumberingShown> {
	const pageSize = Math.max(1, Math.floor(users.first.came / 3));
	const { kind, statusCode = 0 } = standard.failure ?? {};
	const hadNoTime = kind === 'connection' || isOverload(statusCode);
	const pages: UserPage[] = [];
	for (let page = 0; page < 3 && comparePages(users, pages).numbering === 'unclear'; page++) {
		// The host would be left alone if a page for which it had no time were asked for again.
		const read = page === 0 && hadNoTime ? undefined : await users.read({ page, pageSize });
		if (read !== undefined) pages.push(read);
		// If page 0 cannot be read, the first page is the one that is returned without a number.
		else if (page === 0) pages.push({ ...users.first, query: { page } });
		else break;
	}
	return comparePages(users, pages);
}

interface NumberingShown {
	numbering: Numbering;
	/** Whether pages differ altogether, so that no change of the list explains it. */
	isSure: boolean;
}

function comparePages(users: Users, pages: readonly UserPage[]): NumberingShown {
	// As read last: the listing may have asked for a page at several sizes.
	const [zero, one, two] = [0, 1, 2].map((number) =>
		pages.filter(({ query }) => query.page === number).at(-1),
	);
	const unclear = { numbering: 'unclear', isSure: false } as const;
	if (zero === undefined || one === undefined) return unclear;
	const areApart = (some: UserPage) =>
		[some, one].every(({ came }) => came === 0 || came > MAX_CHANGES) &&
		missingIn(some, one.keys) === one.came;
	if (zero.came === 0) {
		// An empty page 0 of another size may have users: then those of this page are left out.
		const hasUsers = users.pages.some(({ query, came }) => query.page === 0 && came > 0);
		if (one.came === 0 || (hasUsers && zero.kind !== 'refused')) return unclear;
		// Refused once although it has users, page 0 tells nothing.
		return { numbering: 'from1', isSure: areApart(zero) && !hasUsers };
	}
	// One that begins with the users of the page before is longer, although no more was asked for.
	const isFirst = ({ asked, came, keys }: UserPage) =>
		keys[0] === zero.keys[0] && (came <= zero.came || asked > zero.asked);
	if (!isFirst(one)) {
		const isNew = 2 * missingIn(zero, one.keys) >= one.came;
		return isNew ? { numbering: 'from0', isSure: areApart(zero) } : unclear;
	}
	if (two === undefined) return unclear;
	// An empty page after two that are alike may be the last one of a list that grew.
	if (!isFirst(two)) {
		const areAlike = two.came > 0 && zero.keys.join() === one.keys.join();
		return { numbering: 'from1', isSure: areAlike && areApart(two) };
	}
	// In a short list, every page after the end may be the last one.
	const isLong = users.beginning.came > zero.came + MAX_CHANGES;
	const isIgnored = isLong || users.first.metadata.more === true;
	return isIgnored ? { numbering: 'ignored', isSure: false } : unclear;
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
