import { answer, askedUsers } from './askedTenant';
import { slice, usersOf } from './memoryTenant';

describe('the users list of a diagnosis', () => {
	it('tells users apart by their ID, or else by all of them', async () => {
		const { users, seen } = await askedUsers(() => answer(200, slice(usersOf(12), 0, 10)));
		expect(seen.first.keys.slice(0, 2)).toEqual(['"user-00001"', '"user-00002"']);
		expect(users.keyOf({ id: 7, name: 'Seven' })).toBe('7');
		const without = await askedUsers(() => answer(200, [{ name: 'One' }, { name: 'Two' }]));
		expect(without.seen.first.keys).toEqual(['{"name":"One"}', '{"name":"Two"}']);
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

	it('compares the part that was read if a reading takes many requests', async () => {
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
		expect(await users.list({})).toMatchObject({ kind: 'failed' });
		const queries = asked.map(({ query }) => JSON.stringify(query));
		expect(new Set(queries).size).toBe(queries.length);
	});
});
