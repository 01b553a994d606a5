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
	it('keeps pages that came, each answer once, and does not change', async () => {
		const { users, seen } = await askedUsers(({ page }) =>
			page === 9 ? answer(400) : answer(200, usersOf(1)),
		);
		const one = await users.read({ page: 1 });
		const more = seen.with(one, undefined, await users.read({ page: 9 })).with(one);
		expect(more.pages.map(({ query }) => query)).toEqual([{}, { page: 1 }]);
		expect(seen.pages).toEqual([seen.first]);
		expect(more.find({ page: 1 })).toBe(one);
		expect(more.find({ page: 9 })).toBeUndefined();
	});

	it('knows the longest beginning, and whether the list goes on after it', async () => {
		const { seen, read } = await listOf(60);
		expect([seen.beginning.keys.length, seen.goesOn]).toEqual([10, false]);
		const longer = seen.with(
			await read({ page: 0, pageSize: 20 }),
			await read({ page: 1, pageSize: 5 }),
		);
		expect([longer.beginning.keys.length, longer.goesOn]).toEqual([20, false]);
		const further = longer.with(await read({ page: 1, pageSize: 25 }));
		expect([further.beginning.keys.length, further.goesOn]).toEqual([20, true]);
	});

	it('does not take two users more for a list that goes on', async () => {
		const { seen, read } = await listOf(12);
		expect(seen.with(await read({ page: 1 })).goesOn).toBe(false);
		const longer = await listOf(13);
		expect(longer.seen.with(await longer.read({ page: 1 })).goesOn).toBe(true);
	});

	it('knows whether users follow a page', async () => {
		const { seen, read } = await listOf(12);
		const short = await read({ pageSize: 5 });
		const long = await read({ pageSize: 12 });
		const both = seen.with(short, long);
		expect([both.isFollowed(short), both.isFollowed(long)]).toEqual([true, false]);
		expect(both.isFollowed({ ...short, keys: ['another'] })).toBe(false);
	});

	it('asks for the usual size only if the service accepts it', async () => {
		const { seen, read } = await listOf(12);
		expect(seen.usualSize).toEqual({});
		expect(seen.with(await read({ pageSize: 100 })).usualSize).toEqual({ pageSize: 100 });
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
		const other = await read({ pageSize: 30 });
		expect(seen.with(other).isComparable(other)).toBe(isComparable);
	});

	it('compares pages if nothing else is known', async () => {
		expect((await listOf(30)).seen.isComparable(undefined)).toBe(true);
	});
});
