import { type Found, ok, warning } from './finding';
import type { FirstPage } from './numbering';
import { MAX_CHANGES, type Reading, type UserPage, type Users } from './users';

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
 * @param largest the answer to the largest size asked for
 */
export async function findPageSizes(
	users: Users,
	largest: Reading,
	first: FirstPage,
): Promise<PageSizes> {
	await askSmallerPages(users);
	const honoured = isHonoured(users);
	const { limit, useful } = await findLimit(users, largest, honoured === true ? first : undefined);
	return {
		useful,
		findings: [
			describeHonoured(honoured, users),
			limit === undefined
				? undefined
				: ok('maxPageSize', limit, `Pages of ${limit} users come in full, larger ones do not.`),
			await checkDefaultSize(users, honoured),
		],
	};
}

/** Asks for sizes below the default one if nothing shows yet that sizes are followed: one may be below the smallest. */
async function askSmallerPages(users: Users): Promise<void> {
	const standard = users.first.keys.length;
	for (const pageSize of [Math.floor(standard / 2), Math.floor(standard / 4)]) {
		const isSeen = users.seen.some(
			({ query }) => query.pageSize === pageSize && query.page === undefined,
		);
		if (pageSize < 1 || isHonoured(users) !== undefined) return;
		if (!isSeen) await users.read({ pageSize });
	}
}

/** A page of the size asked for, or with more or fewer users than the default one, outweighs all others. */
function isHonoured(users: Users): boolean | undefined {
	const standard = users.first.keys.length;
	const sized = users.seen.filter(
		({ query, keys }) => query.pageSize !== undefined && keys.length > 0,
	);
	// So little may be a change of the list, unless two pages of that size hold other users.
	const hasNeighbour = ({ query, keys }: UserPage) =>
		sized.some(
			(other) =>
				other.query.pageSize === query.pageSize &&
				other.keys.length === keys.length &&
				!other.keys.some((key) => keys.includes(key)),
		);
	const follows = (page: UserPage) => {
		const asked = Number(page.query.pageSize);
		const came = page.keys.length;
		if (asked === standard) return false;
		if (came === asked && Math.abs(standard - asked) <= MAX_CHANGES) return hasNeighbour(page);
		if (came === asked) return users.isFollowed(page);
		// By more than a change of the list explains.
		return asked > standard
			? came > standard * 1.1 + 2
			: came < standard * 0.9 - 2 && page.query.page === undefined;
	};
	if (sized.some(follows)) return true;
	const unmoved = sized.filter(
		({ query, keys }) =>
			Number(query.pageSize) < standard && Math.abs(keys.length - standard) <= standard / 10,
	);
	const sizes = new Set(unmoved.map(({ query }) => query.pageSize));
	return sizes.size > 1 && standard > MAX_SMALLEST_SIZE ? false : undefined;
}

function describeHonoured(honoured: boolean | undefined, { first }: Users): Found {
	const check = 'pageSizeHonoured';
	if (honoured === undefined) return undefined;
	if (honoured) return ok(check, true, 'Pages come at the size asked for.');
	const count = first.keys.length;
	return warning(
		check,
		false,
		`The service ignores "pageSize": pages hold up to ${count} users. List Users adapts.`,
	);
}

/** Searches for a size the service returns in full while it does not do so for the next one. */
async function findLimit(
	users: Users,
	largest: Reading,
	first: FirstPage,
): Promise<{ limit?: number; useful?: number }> {
	if (largest.kind === 'unclear') return {};
	const standard = users.first.keys.length;
	const came = largest.kind === 'page' ? largest.page.keys.length : 0;
	const useful = came > standard || came >= LARGEST_SETTING ? LARGEST_SETTING : undefined;
	if (came >= LARGEST_SIZE_ASKED) return { useful };
	const stated = statedLimit(users, largest);
	if (largest.kind === 'page' && stated === undefined) {
		if (first !== 0 && first !== 1) return { useful };
		if (!users.goesOn) await users.read({ page: first + 1, pageSize: came });
		if (!users.goesOn || leavesOut(users)) return { useful };
	}
	const isFull = (page: UserPage) =>
		stated === undefined
			? sizeOf(users, page) >= Number(page.query.pageSize) || users.isWhole(page)
			: page.metadata.pageSize === page.query.pageSize;
	// Beyond its limit a service may fall back to the default size.
	let low = users.seen
		.filter(isFull)
		.reduce((most, { query }) => Math.max(most, Number(query.pageSize ?? 0)), 0);
	let high = LARGEST_SIZE_ASKED;
	const named = stated === undefined ? namedSizes(largest, came) : [stated, stated + 1];
	const candidates = [...named, ...USUAL_LIMITS];
	for (let step = 0; step < MAX_STEPS && high - low > 1; step++) {
		const isInside = (size: number) => size > low && size < high;
		const size = candidates.find(isInside) ?? (low > 0 ? low + 1 : undefined);
		if (size === undefined) break;
		const reading = await users.read({ pageSize: size });
		if (reading.kind === 'unclear') break;
		if (reading.kind === 'page' && isFull(reading.page)) low = size;
		else high = size;
	}
	const limit = low > 0 && high - low === 1 && !leavesOut(users) ? low : undefined;
	return { limit, useful: low > 0 ? Math.min(low, LARGEST_SETTING) : useful };
}

/**
 * The size that the largest page states, if it is below the one asked for and above what came, and every page
 * of a smaller size states just that size: a size that is the same in each answer says nothing.
 */
function statedLimit({ seen }: Users, largest: Reading): number | undefined {
	if (largest.kind !== 'page') return undefined;
	const limit = largest.page.metadata.pageSize ?? 0;
	const smaller = seen.filter(({ query }) => Number(query.pageSize ?? Infinity) < limit);
	const areTrue = smaller.every(({ query, metadata }) => metadata.pageSize === query.pageSize);
	const isBetween = limit > largest.page.keys.length && limit < LARGEST_SIZE_ASKED;
	return isBetween && smaller.length > 0 && areTrue ? limit : undefined;
}

/** "At most 200" is proven by 200 and 201, "less than 200" by 199 and 200, "one of 10, 25, 100" by 100 and 101. */
function namedSizes(largest: Reading, came: number): number[] {
	if (largest.kind === 'page') return [came, came + 1];
	const text = largest.kind === 'refused' ? largest.text : '';
	return [...text.matchAll(/\b\d{1,4}\b/g)]
		.map(([digits]) => Number(digits))
		.filter((size) => size > 0 && size < LARGEST_SIZE_ASKED)
		.sort((one, other) => other - one)
		.flatMap((size) => [size, size + 1, size - 1]);
}

/** Whether the size that pages state proved to be that of the page, and not the number of its users. */
function statesSize({ seen }: Users): boolean {
	const stating = seen.flatMap(({ keys, metadata, query }) => {
		const stated = metadata.pageSize;
		return keys.length === 0 || stated === undefined ? [] : [{ stated, came: keys.length, query }];
	});
	return (
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
		const asked = Number(page.query.pageSize);
		return asked <= longest && sizeOf(users, page) < asked && users.isFollowed(page);
	});
}

/** The number of users on a page if no size is asked for. */
async function checkDefaultSize(users: Users, honoured: boolean | undefined): Promise<Found> {
	const check = 'defaultPageSize';
	const { first } = users;
	const came = first.keys.length;
	const { pageSize: stated, total = 0, totalPages = 0 } = first.metadata;
	const isCounted = totalPages > 1 && Math.ceil(total / (stated ?? 1)) === totalPages;
	const isProven = statesSize(users) || isCounted;
	if (stated !== undefined && isProven) {
		return ok(check, stated, 'The service names it in its answer.');
	}
	if (honoured !== true || (users.beginning.keys.length <= came + MAX_CHANGES && !users.goesOn))
		return undefined;
	const isAsked = users.seen.some(({ query }) => query.pageSize === came);
	if (!isAsked) await users.read({ pageSize: came });
	const isFull = users.seen.some(
		({ query, keys }) => query.pageSize === came && keys.length === came,
	);
	const others = users.seen.filter(({ query }) => Number(query.pageSize) > 2);
	const comeInFull = others.some(
		(page) =>
			page.query.pageSize === page.keys.length &&
			page.keys.length !== came &&
			users.isFollowed(page),
	);
	const isUsual = came % 5 === 0 || Number.isInteger(Math.log2(came));
	return isFull && isUsual && comeInFull && !leavesOut(users)
		? ok(check, came, 'This many users come if no page size is asked for.')
		: undefined;
}
