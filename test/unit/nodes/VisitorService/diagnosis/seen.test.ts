import { findPage, LARGEST_SIZE_ASKED } from '../../../../../nodes/VisitorService/diagnosis/seen';
import { answer, askedUsers } from './askedTenant';
import { slice, usersOf } from './memoryTenant';

/** A list of that many users, of which a page holds 10 if no size is asked for. */
async function listOf(count: number, first = usersOf(count)) {
	const all = usersOf(count);
	const { users, seen } = await askedUsers(({ page = 0, pageSize = 10 }, number) =>
		answer(200, slice(number === 1 ? first : all, Number(page), Number(pageSize))),
	);
	const read = async (query: Record<string, number>) => {
		const page = await users.read(query);
		if (page === undefined) throw new Error('There is no page.');
		return page;
	};
	return { seen, read };
}

describe('what was seen of the users list', () => {
	it('keeps pages that came, each answer once', async () => {
		const { users, seen } = await askedUsers(({ page }) =>
			page === 9 ? answer(400) : answer(200, usersOf(1)),
		);
		expect(seen.pages).toEqual([seen.first]);
		const one = await users.read({ page: 1 });
		await users.read({ page: 9 });
		if (one !== undefined) seen.note(one);
		expect(seen.pages.map(({ query }) => query)).toEqual([{}, { page: 1 }]);
		expect(findPage(seen.pages, { page: 1 })).toBe(one);
		expect(findPage(seen.pages, { page: 9 })).toBeUndefined();
	});

	it('keeps no page that was filtered or sorted', async () => {
		const { users, seen } = await askedUsers(() => answer(200, usersOf(1)));
		await users.read({ updatedSince: 0, pageSize: 9 });
		await users.read({ sort: 'id,desc' });
		expect(seen.pages).toEqual([seen.first]);
	});

	it('knows the longest beginning, and whether the list goes on after it', async () => {
		const { seen, read } = await listOf(60);
		expect([seen.beginning.keys.length, seen.goesOn]).toEqual([10, false]);
		await read({ page: 0, pageSize: 20 });
		await read({ page: 1, pageSize: 5 });
		expect([seen.beginning.keys.length, seen.goesOn]).toEqual([20, false]);
		await read({ page: 1, pageSize: 25 });
		expect([seen.beginning.keys.length, seen.goesOn]).toEqual([20, true]);
	});

	it('does not take two users more for a list that goes on', async () => {
		const { seen, read } = await listOf(12);
		await read({ page: 1 });
		expect(seen.goesOn).toBe(false);
		const longer = await listOf(13);
		await longer.read({ page: 1 });
		expect(longer.seen.goesOn).toBe(true);
	});

	it('knows whether users follow a page', async () => {
		const { seen, read } = await listOf(12);
		const short = await read({ pageSize: 5 });
		const long = await read({ pageSize: 12 });
		expect([seen.isFollowed(short), seen.isFollowed(long)]).toEqual([true, false]);
		expect(seen.isFollowed({ ...short, keys: ['another'] })).toBe(false);
	});

	it('asks for the usual size only if the service accepts it', async () => {
		const { seen, read } = await listOf(12);
		expect(seen.usualSize).toEqual({});
		await read({ pageSize: 100 });
		expect(seen.usualSize).toEqual({ pageSize: 100 });
	});
});

describe('pages that can be compared', () => {
	it.each([
		['the same order', usersOf(30), true],
		['another order', usersOf(30).reverse(), false],
		['other users', usersOf(60).slice(30), false],
		['one user more in front', [{ id: 'new' }, ...usersOf(30)], true],
		['one user less in front', usersOf(30).slice(1), true],
		['equal users', usersOf(30).map(() => ({ id: 'same' })), false],
		['no users', [], false],
	])('compares pages that were returned first with %s', async (_, first, isComparable) => {
		const { seen, read } = await listOf(30, first);
		await read({ pageSize: LARGEST_SIZE_ASKED });
		expect(seen.isComparable).toBe(isComparable);
	});

	it('compares pages if nothing else is known', async () => {
		expect((await listOf(30)).seen.isComparable).toBe(true);
	});
});
