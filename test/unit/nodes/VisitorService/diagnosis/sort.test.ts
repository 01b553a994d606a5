import { checkSort } from '../../../../../nodes/VisitorService/diagnosis/sort';
import type { HttpAnswer } from '../../../../../nodes/VisitorService/http/message';
import type { JsonObject } from '../../../../../nodes/VisitorService/values/json';
import { answer, askedUsers, listedUsers } from './askedTenant';

/** Users with an ID, a name and a number, in an order that is none of them. */
function mixed(count: number): JsonObject[] {
	return Array.from({ length: count }, (_, place) => ({
		id: `user-${String((place * 7) % count).padStart(2, '0')}`,
		name: `name-${String((place * 11) % count).padStart(2, '0')}`,
		age: (place * 3) % count,
	}));
}

const descending = (users: readonly JsonObject[], field: string) =>
	[...users].sort((one, other) => (String(one[field]) < String(other[field]) ? 1 : -1));

/** What is found, and what was asked for. */
async function sortOf(users: readonly JsonObject[], sorted: (sort: string) => HttpAnswer) {
	const tenant = await askedUsers(({ sort }) =>
		sort === undefined ? answer(200, users) : sorted(String(sort)),
	);
	const found = await checkSort(await listedUsers(tenant.users));
	return { found, asked: tenant.asked.slice(1).map(({ query }) => query?.sort) };
}

describe('the format of sort', () => {
	it.each([
		['field,desc', 'id,desc'],
		['-field', '-id'],
		['field:desc', 'id:desc'],
		['field desc', 'id desc'],
	])('finds the spelling %s', async (name, spelled) => {
		const users = mixed(17);
		const { found, asked } = await sortOf(users, (sort) =>
			sort === spelled ? answer(200, descending(users, 'id')) : answer(400),
		);
		expect(found).toMatchObject({ status: 'ok', observed: name });
		expect(found?.meaning).toContain(`"${spelled}" works`);
		expect(asked.at(-1)).toBe(spelled);
	});

	it('tries a second field with the two usual spellings', async () => {
		const users = mixed(17);
		const { found, asked } = await sortOf(users, (sort) =>
			sort === '-name' ? answer(200, descending(users, 'name')) : answer(400),
		);
		expect(found).toMatchObject({ status: 'ok', observed: '-field' });
		expect(asked).toEqual(['id,desc', '-id', 'id:desc', 'id desc', 'name,desc', '-name']);
	});

	it('does not take names that descend anyway, and a new user before them, for sorted', async () => {
		const users = Array.from({ length: 60 }, (_, place) => ({
			name: `name-${(place < 10 ? 30 : 90) - place}`,
		}));
		const tenant = await askedUsers(({ sort, pageSize = 10 }) => {
			const all = sort === undefined ? users : [{ name: 'name-99' }, ...users];
			return answer(200, all.slice(0, Number(pageSize)));
		});
		await tenant.users.read({ pageSize: 60 });
		const found = await checkSort(await listedUsers(tenant.users));
		expect(found).toMatchObject({ status: 'unknown', observed: null });
		expect(found?.meaning).toContain('"name,desc" has no effect');
	});

	it('says what became of each spelling if none works', async () => {
		const users = mixed(17);
		const { found } = await sortOf(users, (sort) => {
			if (sort === 'id,desc') return answer(400);
			return answer(200, sort === '-id' ? users : [...users].reverse());
		});
		expect(found).toMatchObject({ status: 'unknown', observed: null });
		expect(found?.meaning).toContain(
			'"id,desc" is refused, "-id" has no effect, "id:desc" was not clear',
		);
	});

	it('takes no shorter answer without effect for a sorted one', async () => {
		const users = mixed(17);
		const { found } = await sortOf(users, () => answer(200, users.slice(0, 5)));
		expect(found?.meaning).toContain('has no effect');
		expect((await sortOf(users, () => answer(200, []))).found?.meaning).toContain('was not clear');
	});

	it('takes records in order for sorted only if they begin with the greatest value', async () => {
		const users = mixed(17);
		const low = descending(users, 'id').slice(5);
		const { found } = await sortOf(users, () => answer(200, low));
		expect(found).toMatchObject({ status: 'unknown' });
	});

	it.each([1, 2])('does not judge an order by %i records', async (count) => {
		const users = mixed(17);
		const { found } = await sortOf(users, () =>
			answer(200, descending(users, 'id').slice(0, count)),
		);
		expect(found).toMatchObject({ status: 'unknown' });
	});

	it('does not try a field by which the list is sorted already', async () => {
		const users = descending(mixed(17), 'id');
		const { asked } = await sortOf(users, () => answer(400));
		expect(asked[0]).toBe('name,desc');
	});

	it('does not try fields that are missing, alike, of another type, or of mixed shapes', async () => {
		const users = mixed(17).map(({ id, age }, place) => ({
			id,
			alike: 'same',
			few: place % 3 === 0 ? 'one' : 'two',
			...(place > 3 && { missing: place }),
			other: place % 2 === 0 ? place : String(place),
			shape: place % 2 === 0 ? `a-${place}` : `b ${place}`,
			nested: { place },
			age,
		}));
		const { asked } = await sortOf(users, () => answer(400));
		expect(asked).toEqual(['id,desc', '-id', 'id:desc', 'id desc', 'age,desc', '-age']);
	});

	it('sorts numbers as numbers', async () => {
		const users = mixed(17).map(({ age }) => ({ age }));
		const sorted = [...users].sort((one, other) => Number(other.age) - Number(one.age));
		const { found } = await sortOf(users, () => answer(200, sorted));
		expect(found).toMatchObject({ status: 'ok', observed: 'field,desc' });
	});

	it('finds nothing if no field would show it, or the service does not answer', async () => {
		const equal = Array.from({ length: 9 }, () => ({ name: 'same' }));
		const unsorted = await sortOf(equal, () => answer(400));
		expect(unsorted.found).toMatchObject({ status: 'unknown', observed: null });
		expect(unsorted.asked).toEqual([]);
		const { found, asked } = await sortOf(mixed(17), () => answer(500));
		expect(found).toBeUndefined();
		expect(asked).toHaveLength(1);
	});
});
