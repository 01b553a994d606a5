import { Users } from '../../../../../nodes/VisitorService/diagnosis/users';
import { answer, askedTenant, askedUsers, listedUsers } from './askedTenant';
import { slice, usersOf } from './memoryTenant';

describe('the users list of a diagnosis', () => {
	it('tells users apart by their ID, or else by all of them', async () => {
		const { users } = await askedUsers(() => answer(200, slice(usersOf(12), 0, 10)));
		expect(users.first.keys.slice(0, 2)).toEqual(['"user-00001"', '"user-00002"']);
		expect(users.keyOf({ id: 7, name: 'Seven' })).toBe('7');
		const without = await askedUsers(() => answer(200, [{ name: 'One' }, { name: 'Two' }]));
		expect(without.users.first.keys).toEqual(['{"name":"One"}', '{"name":"Two"}']);
	});

	it('asks for Items Path only if the nodes would detect another list, or none', async () => {
		const { conversation } = await askedTenant(() => answer(200));
		const toSet = async (body: unknown, itemsPath: string) =>
			(await Users.readFrom(conversation, answer(200, body), itemsPath)).pathToSet;
		const lists = { users: usersOf(3), archived: usersOf(2) };
		expect(await toSet(lists, 'users')).toBe('');
		expect(await toSet(lists, 'archived')).toBe('archived');
		expect(await toSet({ users: usersOf(2), old: [] }, 'old')).toBe('old');
		expect(await toSet({ a: { b: usersOf(2) }, c: { d: usersOf(3) } }, 'a.b')).toBe('a.b');
	});

	it('takes a refusal for a page without users, and a fault for no answer', async () => {
		const { users } = await askedUsers(({ page }) => {
			if (page === undefined) return answer(200, [{ id: 1 }]);
			return page === 1
				? answer(400, { message: 'No.' })
				: answer(page === 2 ? 500 : 200, '<html>');
		});
		const refused = await users.read({ page: 1 });
		expect(refused).toMatchObject({
			kind: 'refused',
			keys: [],
			failure: { serverText: 'No.' },
		});
		expect(await users.read({ page: 2 })).toBeUndefined();
		expect(await users.read({ page: 3 })).toBeUndefined();
	});

	it('reads the beginning of a list of which half is hidden with few requests', async () => {
		// Half of each page is hidden, so that the listing asks at several sizes how pages join.
		const { users, asked } = await askedUsers(({ page = 0, pageSize = 50 }) =>
			answer(
				200,
				slice(usersOf(1000), Number(page), Number(pageSize)).filter(
					({ id }) => Number(String(id).slice(5)) % 2 === 0,
				),
			),
		);
		const trial = await users.list({});
		expect(trial).toMatchObject({ kind: 'read', whole: false });
		expect(trial.kind === 'read' && trial.keys.length).toBeGreaterThan(50);
		expect(asked.length).toBeLessThanOrEqual(7);
	});

	it('reads a short list to its end, and asks for no page with users twice', async () => {
		const { users, asked } = await askedUsers(() => answer(200, usersOf(30)));
		expect(await users.list({})).toMatchObject({ kind: 'read', whole: true });
		const queries = asked.map(({ query }) => JSON.stringify(query));
		expect(new Set(queries).size).toBe(queries.length);
	});
});

/** A list of that many users, of which a page holds 10 if no size is asked for. */
async function listOf(count: number, first = usersOf(count)) {
	const all = usersOf(count);
	const { users } = await askedUsers(({ page = 0, pageSize = 10 }, number) =>
		answer(200, slice(number === 1 ? first : all, Number(page), Number(pageSize))),
	);
	const read = async (query: Record<string, number>) => {
		const page = await users.read(query);
		if (page === undefined) throw new Error('There is no page.');
		return page;
	};
	return { users, read };
}

describe('what was seen of the users list', () => {
	it('keeps pages that came, each answer once', async () => {
		const { users } = await askedUsers(({ page }) =>
			page === 9 ? answer(400) : answer(200, usersOf(1)),
		);
		expect(users.pages).toEqual([users.first]);
		const one = await users.read({ page: 1 });
		await users.read({ page: 9 });
		expect(users.pages.map(({ query }) => query)).toEqual([{}, { page: 1 }]);
		expect(users.pages[1]).toBe(one);
	});

	it('keeps no page that was filtered or sorted', async () => {
		const { users } = await askedUsers(() => answer(200, usersOf(1)));
		await users.read({ updatedSince: 0, pageSize: 9 });
		await users.read({ sort: 'id,desc' });
		expect(users.pages).toEqual([users.first]);
	});

	it('knows the longest beginning, and whether the list goes on after it', async () => {
		const { users, read } = await listOf(60);
		expect([users.beginning.keys.length, users.goesOn]).toEqual([10, false]);
		await read({ page: 0, pageSize: 20 });
		await read({ page: 1, pageSize: 5 });
		expect([users.beginning.keys.length, users.goesOn]).toEqual([20, false]);
		await read({ page: 1, pageSize: 25 });
		expect([users.beginning.keys.length, users.goesOn]).toEqual([20, true]);
	});

	it('does not take two users more for a list that goes on', async () => {
		const { users, read } = await listOf(12);
		await read({ page: 1 });
		expect(users.goesOn).toBe(false);
		const longer = await listOf(13);
		await longer.read({ page: 1 });
		expect(longer.users.goesOn).toBe(true);
	});

	it('asks for the usual size only if the service accepts it', async () => {
		const { users, read } = await listOf(12);
		expect(users.size).toEqual({});
		await read({ pageSize: 100 });
		expect(users.size).toEqual({ pageSize: 100 });
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
		expect((await listedUsers(users, { isLargestRead: true })).isComparable).toBe(isComparable);
	});

	it('compares pages if nothing else is known', async () => {
		const { users } = await listOf(30);
		expect((await listedUsers(users)).isComparable).toBe(true);
	});
});
