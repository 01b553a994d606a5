import { answer, askedUsers } from './askedTenant';
import { slice, usersOf } from './memoryTenant';

const key = (number: number) => JSON.stringify(`user-${String(number).padStart(5, '0')}`);

/** A list of that many users, of which a page holds 10 if no size is asked for. */
async function listOf(count: number, first = usersOf(count)) {
	const all = usersOf(count);
	return await askedUsers(({ page = 0, pageSize = 10 }, number) =>
		answer(200, slice(number === 1 ? first : all, Number(page), Number(pageSize))),
	);
}

describe('the users list of a diagnosis', () => {
	it('tells users apart by their ID, or else by all of them', async () => {
		const { users } = await listOf(12);
		expect(users.first.keys.slice(0, 2)).toEqual([key(1), key(2)]);
		expect(users.keyOf({ id: 7, name: 'Seven' })).toBe('7');
		const without = await askedUsers(() => answer(200, [{ name: 'One' }, { name: 'Two' }]));
		expect(without.users.first.keys).toEqual(['{"name":"One"}', '{"name":"Two"}']);
	});

	it('takes a refusal for a page without users, and a fault for no answer', async () => {
		const { users } = await askedUsers(({ page }) => {
			if (page === undefined) return answer(200, [{ id: 1 }]);
			return page === 1
				? answer(400, { message: 'No.' })
				: answer(page === 2 ? 500 : 200, '<html>');
		});
		const refused = await users.read({ page: 1 });
		expect(refused).toMatchObject({ kind: 'refused', keys: [], failure: { serverText: 'No.' } });
		expect(await users.read({ page: 2 })).toBeUndefined();
		expect(await users.read({ page: 3 })).toBeUndefined();
		expect(users.seen).toHaveLength(1);
	});

	it('keeps what it saw without filter and order', async () => {
		const { users } = await listOf(12);
		await users.read({ page: 1 });
		await users.read({ sort: 'id' });
		await users.read({ updatedSince: 1 });
		expect(users.seen.map(({ query }) => query)).toEqual([{}, { page: 1 }]);
		expect([...users.answers.keys()]).toEqual(['{}', '{"page":1}']);
	});

	it('fetches as List Users does, and looks at the page', async () => {
		const { users } = await listOf(12);
		expect((await users.fetch({ page: 1 })).statusCode).toBe(200);
		expect(users.seen).toHaveLength(2);
		const { users: failing } = await askedUsers(({ page }) =>
			page === undefined ? answer(200, [{ id: 1 }]) : answer(400),
		);
		await expect(failing.fetch({ page: 1 })).rejects.toMatchObject({ kind: 'badRequest' });
	});

	it('asks once for the users of a page, unless they are to be new', async () => {
		const { users, asked } = await listOf(12);
		expect(await users.keysOf({ page: 1 })).toEqual([key(11), key(12)]);
		await users.keysOf({ page: 1 });
		expect(asked).toHaveLength(2);
		await users.keysOf({ page: 1 }, true);
		expect(asked).toHaveLength(3);
	});

	it('knows the longest beginning, and whether the list goes on after it', async () => {
		const { users } = await listOf(60);
		expect([users.beginning.keys.length, users.goesOn]).toEqual([10, false]);
		await users.read({ page: 0, pageSize: 20 });
		await users.read({ page: 1, pageSize: 5 });
		expect([users.beginning.keys.length, users.goesOn]).toEqual([20, false]);
		await users.read({ page: 1, pageSize: 25 });
		expect([users.beginning.keys.length, users.goesOn]).toEqual([20, true]);
	});

	it('does not take two users more for a list that goes on', async () => {
		const { users } = await listOf(12);
		await users.read({ page: 1 });
		expect(users.goesOn).toBe(false);
		const { users: longer } = await listOf(13);
		await longer.read({ page: 1 });
		expect(longer.goesOn).toBe(true);
	});

	it('knows whether users follow a page, and whether it holds all of them', async () => {
		const { users } = await listOf(12);
		const short = await users.read({ pageSize: 5 });
		const long = await users.read({ pageSize: 12 });
		if (short === undefined || long === undefined) throw new Error('There are pages.');
		expect([users.isFollowed(short), users.isFollowed(long)]).toEqual([true, false]);
		expect([users.isWhole(short), users.isWhole(long)]).toEqual([false, true]);
		expect(users.isWhole(users.first)).toBe(false);
		expect(users.isFollowed({ ...short, keys: ['another'] })).toBe(false);
	});

	it('asks for the usual size only if the service accepts it', async () => {
		const { users } = await listOf(12);
		expect(users.usualSize).toEqual({});
		await users.read({ pageSize: 100 });
		expect(users.usualSize).toEqual({ pageSize: 100 });
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
		const { users } = await listOf(30, first);
		expect(users.isComparable(await users.read({ pageSize: 30 }))).toBe(isComparable);
	});

	it('compares pages if nothing else is known', async () => {
		const { users } = await listOf(30);
		expect(users.isComparable(undefined)).toBe(true);
	});
});
