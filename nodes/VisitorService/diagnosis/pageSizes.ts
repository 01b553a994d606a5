import { DEFAULT_PAGE_SIZE } from '../listing/largerPage';
import { formatCount } from '../values/scalar';
import { ok, warning } from './finding';
import { MAX_CHANGES, type Users } from './users';

const SIZES = [1000, 500, 200, DEFAULT_PAGE_SIZE];
/** Pages of at most this length may have the smallest size that the service allows. */
const MAX_SMALLEST_SIZE = 20;
/** Users by which a list may differ between the first request and the last. */
const MAX_CHANGES_IN_ALL = 25;

/**
 * Finds out by first pages of several sizes whether sizes are followed, the largest size and the
 * default.
 *
 * @returns the largest size that is returned in full
 */
export async function checkSizes(users: Users): Promise<number | undefined> {
	const { findings } = users.session;
	const { length } = users.first.records;
	if (length === 0) return undefined;
	const largest = await findLargestSize(users);
	for (const part of [2, 4])
		if (!isPageSizeFollowed(users)) await users.fetchFirst(Math.ceil(length / part));
	if (!isPageSizeFollowed(users)) {
		const parts = users.firstPages.filter(({ query }) => Number(query.pageSize) < length - 1);
		const what = `The service ignores "pageSize": pages hold up to ${formatCount(length, 'user')}.`;
		if (parts.length > 1 && length > MAX_SMALLEST_SIZE)
			findings.push(warning('pageSizeHonoured', false, what, 'List Users adapts.'));
		// Then pages may have any size.
		return undefined;
	}
	const upTo = largest !== undefined && largest < DEFAULT_PAGE_SIZE ? `, up to ${largest}` : '';
	findings.push(ok('pageSizeHonoured', true, `Pages have the requested size${upTo}.`));
	if (largest === undefined) return undefined;
	if (await isLargest(users, largest))
		findings.push(
			ok('maxPageSize', largest, `Pages of ${formatCount(largest, 'user')} are complete.`),
		);
	// Such pages do not leave out users, so the first one has its full length.
	const meaning = 'This many users are returned if no page size is requested.';
	const isDefault = users.first.query.pageSize === undefined && length <= largest;
	if (isDefault && users.userCount > length + MAX_CHANGES)
		findings.push(ok('defaultPageSize', length, meaning));
	return largest;
}

async function findLargestSize(users: Users): Promise<number | undefined> {
	const isFull = async (size: number) => (await users.fetchFirst(size)).records.length === size;
	const [top = DEFAULT_PAGE_SIZE, ...smaller] = SIZES;
	if (await isFull(top)) return top;
	// A short list fits into one page of any size, so no page shows which sizes are followed.
	if (users.userCount < DEFAULT_PAGE_SIZE) return undefined;
	const sizes = (await isFull(DEFAULT_PAGE_SIZE)) ? smaller : [];
	for (const size of sizes) if (await isFull(size)) return size;
	const requested = users.firstPages.filter(({ query }) => query.pageSize !== undefined);
	const [cut = 0, ...others] = new Set(requested.map(({ records }) => records.length));
	return cut > 0 && others.length === 0 && (await isFull(cut)) ? cut : undefined;
}

function isPageSizeFollowed({ first, firstPages }: Users): boolean {
	return firstPages.some(
		({ records }) => Math.abs(records.length - first.records.length) > MAX_CHANGES,
	);
}

/** Whether larger pages are cut to what the service allows, because the list goes on after them. */
async function isLargest(users: Users, largest: number): Promise<boolean> {
	const [larger] = SIZES.filter((size) => size > largest).slice(-1);
	if (larger === undefined) return true;
	await users.fetchPage({ page: users.numbering === 'fromOne' ? 3 : 2, pageSize: largest });
	const cuts = users.firstPages.filter(({ query }) => Number(query.pageSize) > largest);
	const isCut = cuts.some(({ query }) => query.pageSize === larger);
	const cut = Math.max(0, ...cuts.map(({ records }) => records.length));
	return isCut && cut < larger && users.userCount > cut + MAX_CHANGES_IN_ALL;
}
