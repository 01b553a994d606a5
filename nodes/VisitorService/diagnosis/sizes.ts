import { type Found, ok, warning } from './finding';
import type { Numbering } from './numbering';
import { MAX_CHANGES, type UserPage, type Users } from './users';

/** One more than the largest page size in common use, and than any that is recommended. */
export const LARGEST_SIZE_ASKED = 1001;
const LARGEST_SETTING = 1000;

/** Sizes to try, the most useful first: services that allow a few sizes allow round ones. */
const USUAL_LIMITS = [1000, 500, 250, 200, 100, 50, 25, 20, 10];
const MAX_STEPS = 6;

/** Below it, a page that ignores a size cannot be told from one of the smallest size. */
const MAX_SMALLEST_SIZE = 20;

export interface PageSizes {
	findings: Found[];
	/** A large size that works, worth to be tried by List Users. */
	useful?: number;
}

/**
 * Whether `pageSize` is followed, and the largest and the default size.
 *
 * @param largest what the largest size asked for returned; undefined if the answer says nothing
 */
export async function findPageSizes(
	users: Users,
	largest: UserPage | undefined,
	numbering: Numbering,
): Promise<PageSizes> {
	await askForSmallerPages(users);
	const honoured = isHonoured(users);
	const secondPage = honoured === true ? SECOND_PAGES[numbering] : undefined;
	const { limit, useful } =
		largest === undefined ? {} : await findLimit(users, largest, secondPage);
	const { length } = users.first.keys;
	return {
		useful,
		findings: [
			honoured === true
				? ok('pageSizeHonoured', true, 'Pages come at the size asked for.')
				: undefined,
			honoured === false
				? warning(
						'pageSizeHonoured',
						false,
						`The service ignores "pageSize": pages hold up to ${length} users. List Users adapts.`,
					)
				: undefined,
			limit === undefined
				? undefined
				: ok('maxPageSize', limit, `Pages of ${limit} users come in full, larger ones do not.`),
			await checkDefaultSize(users, honoured === true),
		],
	};
}

const SECOND_PAGES: Partial<Record<Numbering, number>> = { from0: 1, from1: 2 };

const sizeAskedFor = ({ query }: UserPage) => Number(query.pageSize ?? 0);

/** Asks for sizes below the default one if nothing shows yet that sizes are followed: one may be below the smallest. */
async function askForSmallerPages(users: Users): Promise<void> {
	const standard = users.first.keys.length;
	for (const pageSize of [Math.floor(standard / 2), Math.floor(standard / 4)]) {
		if (pageSize < 1 || isHonoured(users) !== undefined) return;
		await users.keysOf({ pageSize });
	}
}

/** A page of the size asked for, or clearly longer or shorter than the default one, outweighs all others. */
function isHonoured({ first, seen }: Users): boolean | undefined {
	const standard = first.keys.length;
	const sized = seen.filter((page) => sizeAskedFor(page) > 0 && page.keys.length > 0);
	const isFull = (page: UserPage) => page.keys.length === sizeAskedFor(page);
	// One page of that length may be a change of the list, but not another one with other users.
	const hasNeighbour = (page: UserPage) =>
		sized.some(
			(other) =>
				sizeAskedFor(other) === sizeAskedFor(page) &&
				isFull(other) &&
				!other.keys.some((key) => page.keys.includes(key)),
		);
	const follows = (page: UserPage) => {
		const direction = Math.sign(sizeAskedFor(page) - standard);
		if (direction !== 0 && isFull(page) && hasNeighbour(page)) return true;
		const isLastPage = direction < 0 && page.query.page !== undefined;
		return !isLastPage && direction * (page.keys.length - standard) > standard / 10 + MAX_CHANGES;
	};
	if (sized.some(follows)) return true;
	const unmoved = sized.filter(
		(page) =>
			sizeAskedFor(page) < standard && Math.abs(page.keys.length - standard) <= standard / 10,
	);
	const sizes = new Set(unmoved.map(sizeAskedFor));
	return sizes.size > 1 && standard > MAX_SMALLEST_SIZE ? false : undefined;
}

/**
 * Searches for a size the service returns in full while it does not do so for the next one.
 *
 * @param secondPage its number; undefined if pages cannot show where the list goes on
 */
async function findLimit(
	users: Users,
	largest: UserPage,
	secondPage: number | undefined,
): Promise<{ limit?: number; useful?: number }> {
	const standard = users.first.keys.length;
	const came = largest.keys.length;
	const useful = came > standard || came >= LARGEST_SETTING ? LARGEST_SETTING : undefined;
	const likely = sizeOf(users, largest);
	if (likely >= LARGEST_SIZE_ASKED) return { useful };
	if (came > 0 && likely === came) {
		if (secondPage === undefined) return { useful };
		if (!users.goesOn) await users.read({ page: secondPage, pageSize: came });
		if (!users.goesOn || leavesOut(users)) return { useful };
	}
	const isFull = (page: UserPage) => {
		if (sizeOf(users, page) >= sizeAskedFor(page)) return true;
		return !statesSize(users) && users.isWhole(page);
	};
	// Beyond its limit a service may fall back to the default size.
	let low = Math.max(0, ...users.seen.filter(isFull).map(sizeAskedFor));
	let high = LARGEST_SIZE_ASKED;
	const candidates = [...sizesNamed(largest), likely, likely + 1, ...USUAL_LIMITS];
	for (let step = 0; step < MAX_STEPS && high - low > 1; step++) {
		const size = candidates.find((one) => one > low && one < high) ?? low + 1;
		const page = await users.read({ pageSize: size });
		if (page === undefined) break;
		if (page.kind !== 'refused' && isFull(page)) low = size;
		else high = size;
	}
	const limit = low > 0 && high - low === 1 && !leavesOut(users) ? low : undefined;
	return { limit, useful: low > 0 ? Math.min(low, LARGEST_SETTING) : useful };
}

/** "At most 200" is proven by 200 and 201, "less than 200" by 199 and 200, "one of 10, 25, 100" by 100 and 101. */
function sizesNamed(largest: UserPage): number[] {
	const text = largest.kind === 'refused' ? largest.failure.serverText : undefined;
	return [...(text ?? '').matchAll(/\b\d{1,4}\b/g)]
		.map(([digits]) => Number(digits))
		.sort((one, other) => other - one)
		.flatMap((size) => [size, size + 1, size - 1]);
}

/**
 * Whether the size that pages state proved to be that of the page: it is neither the number of its users, nor the
 * same in each answer.
 */
function statesSize({ seen }: Users): boolean {
	const stating = seen.flatMap(({ keys, metadata, query }) => {
		const stated = metadata.pageSize;
		return keys.length === 0 || stated === undefined ? [] : [{ stated, came: keys.length, query }];
	});
	return (
		new Set(stating.map(({ stated }) => stated)).size > 1 &&
		stating.some(({ stated, came }) => stated !== came) &&
		stating.some(({ stated, query }) => stated === query.pageSize) &&
		stating.every(({ stated, came }) => stated >= came)
	);
}

/** How many users a page has room for, as far as it shows. */
function sizeOf(users: Users, { metadata, keys }: UserPage): number {
	return statesSize(users) ? (metadata.pageSize ?? keys.length) : keys.length;
}

/** Whether pages come shorter than asked for although longer ones come and the list goes on: users are left out of them. */
function leavesOut(users: Users): boolean {
	// A page of the default size may be longer than the largest one that can be asked for.
	const sized = users.seen.filter(({ query }) => query.pageSize !== undefined);
	const longest = Math.max(0, ...sized.map(({ keys }) => keys.length));
	return sized.some((page) => {
		const asked = sizeAskedFor(page);
		return asked <= longest && sizeOf(users, page) < asked && users.isFollowed(page);
	});
}

/** The number of users on a page if no size is asked for. */
async function checkDefaultSize(users: Users, isFollowed: boolean): Promise<Found> {
	const check = 'defaultPageSize';
	const { first, beginning, seen } = users;
	const came = first.keys.length;
	const { pageSize: stated, total = 0, totalPages = 0 } = first.metadata;
	const isCounted = totalPages > 1 && Math.ceil(total / (stated ?? 1)) === totalPages;
	if (stated !== undefined && (isCounted || statesSize(users))) {
		return ok(check, stated, 'The service names it in its answer.');
	}
	const isLonger = users.goesOn || beginning.keys.length > came + MAX_CHANGES;
	// A page of another length was shortened, by users that are left out of it.
	const isUsual = came % 5 === 0 || Number.isInteger(Math.log2(came));
	if (!isFollowed || !isLonger || !isUsual) return undefined;
	const again = await users.keysOf({ pageSize: came });
	const comeInFull = seen.some(
		(page) =>
			sizeAskedFor(page) > 2 &&
			sizeAskedFor(page) === page.keys.length &&
			page.keys.length !== came &&
			users.isFollowed(page),
	);
	return again?.length === came && comeInFull && !leavesOut(users)
		? ok(check, came, 'This many users come if no page size is asked for.')
		: undefined;
}
