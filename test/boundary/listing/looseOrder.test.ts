import type { IDataObject } from 'n8n-workflow';
import type { JsonObject, JsonValue } from '../../reference-service';
import { hostWith, list, requestedPages, synthetic } from '../listedHost';

const UNPROVEN = /changed while|may not be allowed|Page Size|Until Stable|may be missing/;

/** Which of equal ones comes first differs from page to page, and is the same each time. */
function sortedLoosely(users: readonly IDataObject[], page: number): IDataObject[] {
	const rank = ({ id }: IDataObject) =>
		(Number((id as string).replace(/\D/g, '')) * (page + 3)) % 211;
	return [...users].sort((one, other) => rank(one) - rank(other));
}

type Envelope = (data: JsonObject[], all: number, page: number) => JsonValue;

const hostWithoutOrder = async (count: number, envelope: Envelope) => {
	const users = synthetic('users', count);
	const respondWith = ({ query }: { query: Record<string, string> }) => {
		const [page, size] = [Number(query.page), Number(query.pageSize)];
		const data = sortedLoosely(users, page).slice(page * size, (page + 1) * size);
		return { status: 200, body: envelope(data as JsonObject[], count, page) };
	};
	return await hostWith({}, { switches: { list: { respondWith } } });
};

describe.each<[string, Envelope]>([
	['a total', (users, total) => ({ users, total })],
	['nothing', (users) => users],
	['whether there are more', (users, total, page) => ({ users, hasMore: (page + 1) * 20 < total })],
])('a list without a fixed order that states %s', (_, envelope) => {
	it.each([100, 101, 110, 119])('of %d users', async (count) => {
		for (const options of [{ pageSize: 20 }, { pageSize: 20, concurrency: 1 }]) {
			const { error, hints, items } = await list(await hostWithoutOrder(count, envelope), {
				options,
			});
			expect(error).toBeUndefined();
			expect(items.length).toBeLessThan(count);
			expect(hints[0]?.message).toContain('the list has no fixed order');
			expect(hints[0]?.message).toContain('Set Sort to a field in which no two users are equal');
			expect(hints[0]?.message).not.toMatch(UNPROVEN);
		}
	});

	it('is said by Find, too, and with Until Stable and Limit', async () => {
		const options = { pageSize: 20 };
		for (const parameters of [
			{ operation: 'find', field: 'email', value: 'nobody', options },
			{ options: { ...options, untilStable: true } },
			{ returnAll: false, limit: 95, options },
		]) {
			const { hints } = await list(await hostWithoutOrder(110, envelope), parameters);
			expect(hints[0]?.message).toContain('the list has no fixed order');
			expect(hints[0]?.message).not.toMatch(UNPROVEN);
		}
	});
});

it.each([345, 1001])('no Page Size is named if larger pages are tried: %d users', async (count) => {
	// Equal ones are in groups of 40.
	const users = synthetic('users', count);
	const respondWith = ({ query }: { query: Record<string, string> }) => {
		const [page, size] = [Number(query.page), Number(query.pageSize)];
		const ranked = users.map((user, index) => ({
			user,
			rank: 1000 * Math.floor(index / 40) + ((index * (page + 3 + size)) % 37),
		}));
		const sorted = ranked.sort((one, other) => one.rank - other.rank).map(({ user }) => user);
		const data = sorted.slice(page * size, (page + 1) * size);
		return { status: 200, body: { data, total: count } };
	};
	const { hints } = await list(await hostWith({}, { switches: { list: { respondWith } } }));
	expect(hints[0]?.message).toContain('the list has no fixed order');
	expect(hints[0]?.message).not.toMatch(UNPROVEN);
});

it('a list that changes is not said to have no fixed order', async () => {
	const users = synthetic('users', 110);
	let requests = 0;
	const respondWith = ({ query }: { query: Record<string, string> }) => {
		if (requests++ === 2) users.unshift({ ...users[0], id: 'new' });
		const [page, size] = [Number(query.page), Number(query.pageSize)];
		return { status: 200, body: users.slice(page * size, (page + 1) * size) as JsonValue };
	};
	const host = await hostWith({}, { switches: { list: { respondWith } } });
	const { hints } = await list(host, { options: { pageSize: 20, concurrency: 1 } });
	expect(hints[0]?.message).toContain('has no fixed order, or it changed while it was read');
	expect(requestedPages(host)).toHaveLength(9);
});
