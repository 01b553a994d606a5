import { USUAL_PAGE_SIZE } from '../listing/pageSize';
import { writeCount } from '../values/count';
import type { Query } from './conversation';
import { type Finding, type Found, ok, warning } from './finding';
import type { Numbering } from './numbering';
import { isStatedSizeCounted, roomOf, stateTheirSize } from './pageLength';
import { type ListedUsers, MAX_CHANGES, MAX_SIZE_ASKED, type UserPage, type Users } from './users';

/** Sizes to try: services that allow a few sizes allow round ones. */
const USUAL_LIMITS = [1000, 500, 250, 200, 100, 50, 25, 20, 10];
const MAX_STEPS = 5;
/** Below it, a page that ignores a size cannot be told from one of the smallest size. */
const MAX_SMALLEST_SIZE = 20;

/** @returns also a large size that works, worth to be tried by List Users; 0 if none is known */
export async function findPageSizes(
	list: ListedUsers,
	numbering: Numbering,
): Promise<{ findings: Found[]; useful: number }> {
	const { users } = list;
	if (!list.isComparable) return { findings: [], useful: 0 };
	const next = { from0: 1, from1: 2, ignored: undefined, unclear: undefined }[numbering];
	// Otherwise List Users read it.
	if (numbering === 'from1') await users.know({ page: 1, pageSize: USUAL_PAGE_SIZE });
	await askForSmallerPages(users, next);
	const honoured = isHonoured(users);
	const { complete, isLargest } = await findLimit(list, honoured === true ? next : undefined);
	const limit = `Pages of ${writeCount(complete, 'user')} are complete, larger ones are not.`;
	const findings = [
		honoured === undefined ? undefined : describeHonoured(honoured, users.first),
		isLargest ? ok('maxPageSize', complete, limit) : undefined,
		await checkDefaultSize(users),
	];
	return { findings, useful: Math.min(complete, MAX_SIZE_ASKED - 1) };
}

function describeHonoured(isHonoured: boolean, { came }: UserPage): Finding {
	const check = 'pageSizeHonoured';
	if (isHonoured) return ok(check, true, 'Pages have the requested size.');
	const what = `The service ignores "pageSize": pages hold up to ${writeCount(came, 'user')}.`;
	return warning(check, false, `${what} List Users adapts.`);
}

/** Asks for sizes below the default one until they tell: one may be below the smallest. */
async function askForSmallerPages(users: Users, secondPage = 0): Promise<void> {
	const [half = 0, quarter = 0] = [2, 4].map((part) => Math.floor(users.first.came / part));
	// Of a few users only two pages tell a size from a change of the list.
	const other: Query = quarter > 0 ? { pageSize: quarter } : { page: secondPage, pageSize: half };
	for (const query of [{ pageSize: half }, other]) {
		if (half > 0 && isHonoured(users) === undefined) await users.know(query);
	}
}

/** A first page of another length as asked for shows it, or two pages of that very size. */
function isHonoured({ first, pages }: Users): boolean | undefined {
	const standard = first.came;
	const sized = pages.filter(({ asked, came }) => asked > 0 && came > 0);
	const hasMoved = ({ asked, came, query }: UserPage) =>
		(query.page ?? 0) === 0 && Math.sign(asked - standard) * (came - standard) > MAX_CHANGES;
	const exact = sized.filter(({ asked, came }) => came !== standard && came === asked);
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
 * Searches for a size the service returns in full, 0 if none is, while the next one is not.
 *
 * @param secondPage its number; undefined if pages cannot show where the list goes on
 */
async function findLimit(
	{ users, largest }: ListedUsers,
	secondPage: number | undefined,
): Promise<{ complete: number; isLargest: boolean }> {
	const none = { complete: 0, isLargest: false };
	if (largest === undefined) return none;
	const likely = roomOf(largest, users.pages);
	if (likely > 0 && likely === largest.came) {
		if (secondPage === undefined) return none;
		if (!users.goesOn) await users.know({ page: secondPage, pageSize: likely });
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
	let complete = Math.max(0, ...users.pages.filter(isFull).map(({ asked }) => asked));
	let tooLarge = MAX_SIZE_ASKED;
	const isBetween = (size: number) => size > complete && size < tooLarge;
	const named = [...sizesNamed(largest), likely, likely + 1];
	for (let step = 0; step < MAX_STEPS && isBetween(complete + 1) && !leavesOut(users); step++) {
		const usual = USUAL_LIMITS.filter(isBetween);
		const likeliest = named.find(isBetween) ?? usual[Math.floor(usual.length / 2)];
		const size = likeliest ?? complete + 1;
		const isComplete = await comesInFull(size);
		if (isComplete === undefined) break;
		if (isComplete) complete = size;
		else tooLarge = size;
		if (likeliest === undefined) break;
	}
	if (complete === 0 || leavesOut(users)) return none;
	// That the next size is not complete may be an accident, unless the largest page has that limit.
	const isSure = async () => likely === complete || (await comesInFull(tooLarge)) === false;
	return { complete, isLargest: tooLarge - complete === 1 && (await isSure()) };
}

/** "At most 200" is proven by 200 and 201, "less than 200" by 199 and 200. */
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
	const { beginning, goesOn, pages } = users;
	const { came, stated, metadata } = users.first;
	if (stated !== undefined && (isStatedSizeCounted(metadata) || stateTheirSize(pages))) {
		return ok(check, stated, 'The service names it in its answer.');
	}
	// A page of another length may be one that users are left out of.
	const isUsual = came % 5 === 0 || Number.isInteger(Math.log2(came));
	const isLonger = goesOn || beginning.came > came + MAX_CHANGES;
	const isOtherComplete = pages.some(
		(page) => page.came !== came && page.came > MAX_CHANGES && page.came === page.asked,
	);
	if (!isUsual || !isLonger || !isOtherComplete) return undefined;
	const again = await users.know({ pageSize: came });
	const meaning = 'This many users are returned if no page size is requested.';
	return again?.came === came ? ok(check, came, meaning) : undefined;
}
