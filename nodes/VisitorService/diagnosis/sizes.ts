import {
	isAsLongAsAsked,
	isStatedSizeCounted,
	roomOf,
	stateTheirSize,
} from '../listing/pageLength';
import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import { writeCount } from '../values/count';
import type { Query } from './conversation';
import { type Found, ok, warning } from './finding';
import type { Numbering } from './numbering';
import { findPage, MAX_CHANGES, MAX_SIZE_ASKED, type UserPage, type Users } from './users';

/** Sizes to try: services that allow a few sizes allow round ones. */
const USUAL_LIMITS = [1000, 500, 250, 200, 100, 50, 25, 20, 10];
const MAX_STEPS = 5;

/** Below it, a page that ignores a size cannot be told from one of the smallest size. */
const MAX_SMALLEST_SIZE = 20;

/**
 * Whether `pageSize` is followed, and the largest and the default size.
 *
 * @returns also a large size that works, worth to be tried by List Users, 0 if none is known
 */
export async function findPageSizes(
	users: Users,
	numbering: Numbering,
): Promise<{ findings: Found[]; useful: number }> {
	if (!users.isComparable) return { findings: [], useful: 0 };
	const next = { from0: 1, from1: 2, ignored: undefined, unclear: undefined }[numbering];
	// Otherwise List Users read it.
	if (numbering === 'from1') await users.read({ page: 1, pageSize: USUAL_PAGE_SIZE });
	await askForSmallerPages(users, next);
	const honoured = isHonoured(users);
	const { found, useful } = await findLimit(users, honoured === true ? next : undefined);
	const standard = await checkDefaultSize(users);
	const findings = [describeHonoured(honoured, users), found, standard];
	return { findings, useful };
}

function describeHonoured(isHonoured: boolean | undefined, { first }: Users): Found {
	const check = 'pageSizeHonoured';
	const size = writeCount(first.came, 'user');
	const what = `The service ignores "pageSize": pages hold up to ${size}.`;
	if (isHonoured === false) return warning(check, false, `${what} List Users adapts.`);
	return isHonoured ? ok(check, true, 'Pages have the requested size.') : undefined;
}

function describeLimit(limit: number): Found {
	const meaning = `Pages of ${writeCount(limit, 'user')} are complete, larger ones are not.`;
	return ok('maxPageSize', limit, meaning);
}

/**
 * Asks for sizes below the default one if nothing shows yet that sizes are followed: one may be
 * below the smallest.
 */
async function askForSmallerPages(users: Users, secondPage = 0): Promise<void> {
	const [half = 0, quarter = 0] = [2, 4].map((part) => Math.floor(users.first.came / part));
	// Of a few users only two pages tell a size from a change of the list.
	const other: Query = quarter > 0 ? { pageSize: quarter } : { page: secondPage, pageSize: half };
	for (const query of [{ pageSize: half }, other]) {
		const isNew = findPage(users.pages, query) === undefined;
		if (half > 0 && isNew && isHonoured(users) === undefined) await users.read(query);
	}
}

/**
 * A first page that is longer or shorter as it was asked to be shows it, or two pages of that very
 * size.
 */
function isHonoured({ first, pages }: Users): boolean | undefined {
	const standard = first.came;
	const sized = pages.filter(({ asked, came }) => asked > 0 && came > 0);
	const hasMoved = ({ asked, came, query }: UserPage) =>
		(query.page ?? 0) === 0 && Math.sign(asked - standard) * (came - standard) > MAX_CHANGES;
	const exact = sized.filter((page) => page.came !== standard && isAsLongAsAsked(page));
	const differ = (one: UserPage, other: UserPage) =>
		one.came !== other.came || !one.keys.some((key) => other.keys.includes(key));
	const areOthers = exact.some((one) => exact.some((other) => differ(one, other)));
	if (sized.some(hasMoved) || areOthers) return true;
	const unmoved = sized.filter(
		({ asked, came }) => asked < standard && Math.abs(came - standard) <= standard / 10,
	);
	const sizes = new Set(unmoved.map(({ asked }) => asked));
	return sizes.size > 1 && standard > MAX_SMALLEST_SIZE ? false : undefined;
}

/**
 * Searches for a size the service returns in full while it does not do so for the next one.
 *
 * @param secondPage its number; undefined if pages cannot show where the list goes on
 */
async function findLimit(
	users: Users,
	secondPage: number | undefined,
): Promise<{ found: Found; useful: number }> {
	const { largest } = users;
	if (largest === undefined) return { found: undefined, useful: 0 };
	const likely = roomOf(largest, users.pages);
	if (likely > 0 && likely === largest.came) {
		if (secondPage === undefined) return { found: undefined, useful: 0 };
		if (!users.goesOn) await users.read({ page: secondPage, pageSize: likely });
	}
	// One that holds all that is known of the list, but for a change, is as long as it can be.
	const isWhole = (page: UserPage) =>
		!stateTheirSize(users.pages) &&
		!users.goesOn &&
		page.came + MAX_CHANGES >= users.beginning.came;
	const isFull = (page: UserPage) => roomOf(page, users.pages) >= page.asked || isWhole(page);
	const comesInFull = async (pageSize: number) => {
		const page = await users.read({ pageSize });
		return page && page.kind !== 'refused' && isFull(page);
	};
	// Beyond its limit a service may fall back to the default size.
	let low = Math.max(0, ...users.pages.filter(isFull).map(({ asked }) => asked));
	let high = MAX_SIZE_ASKED;
	const isBetween = (size: number) => size > low && size < high;
	const named = [...sizesNamed(largest), likely, likely + 1];
	for (let step = 0; step < MAX_STEPS && high - low > 1 && !leavesOut(users); step++) {
		const usual = USUAL_LIMITS.filter(isBetween);
		const likeliest = named.find(isBetween) ?? usual[Math.floor(usual.length / 2)];
		const size = likeliest ?? low + 1;
		const isComplete = await comesInFull(size);
		if (isComplete === undefined) break;
		if (isComplete) low = size;
		else high = size;
		if (likeliest === undefined) break;
	}
	if (low === 0 || leavesOut(users)) return { found: undefined, useful: 0 };
	const useful = Math.min(low, MAX_SIZE_ASKED - 1);
	// That the next size is not complete may be an accident, unless the largest page has that limit.
	const isLimit = high - low === 1 && (likely === low || (await comesInFull(high)) === false);
	return { found: isLimit ? describeLimit(low) : undefined, useful };
}

/**
 * "At most 200" is proven by 200 and 201, "less than 200" by 199 and 200, "one of 10, 25, 100" by
 * 100 and 101.
 */
function sizesNamed(largest: UserPage): number[] {
	const text = largest.kind === 'refused' ? largest.failure.serverText : undefined;
	return [...(text ?? '').matchAll(/\b\d{1,4}\b/g)]
		.map(([digits]) => Number(digits))
		.sort((one, other) => other - one)
		.flatMap((size) => [size, size + 1, size - 1]);
}

/** Whether a page is cut short although the list goes on: users are left out of it. */
function leavesOut({ beginning, goesOn, pages }: Users): boolean {
	// A page of the default size may be longer than the largest one that can be asked for.
	const sized = pages.filter(({ asked }) => asked > 0);
	const longest = Math.max(0, ...sized.map(({ came }) => came));
	return sized.some((page) => {
		const last = page.keys.at(-1) ?? '';
		const isFollowed = goesOn || last !== beginning.keys.at(-1);
		const isCut = page.asked <= longest && page.asked > roomOf(page, pages);
		return isCut && isFollowed && beginning.keys.includes(last);
	});
}

async function checkDefaultSize(users: Users): Promise<Found> {
	const check = 'defaultPageSize';
	const { first, beginning, goesOn, pages } = users;
	const { came, stated, metadata } = first;
	if (stated !== undefined && (isStatedSizeCounted(metadata) || stateTheirSize(pages))) {
		return ok(check, stated, 'The service names it in its answer.');
	}
	// A page of another length may be one that users are left out of.
	const isUsual = came % 5 === 0 || Number.isInteger(Math.log2(came));
	const isLonger = goesOn || beginning.came > came + MAX_CHANGES;
	const isOtherComplete = pages.some(
		(page) => page.came !== came && page.came > MAX_CHANGES && isAsLongAsAsked(page),
	);
	if (!isUsual || !isLonger || !isOtherComplete) return undefined;
	const isAgain = ({ asked, keys }: UserPage) => asked === came && keys[0] === first.keys[0];
	const again = pages.find(isAgain) ?? (await users.read({ pageSize: came }));
	const meaning = 'This many users are returned if no page size is requested.';
	return again?.came === came ? ok(check, came, meaning) : undefined;
}
