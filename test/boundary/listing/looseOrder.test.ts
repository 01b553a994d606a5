import type { DeepPartial, ListSwitches } from '../../reference-service';
import { cut, hostWith, list, requestedPages, stated, synthetic } from '../listedHost';

const UNPROVEN = /changed while|may not be allowed|Page Size|Until Stable|may be missing/;

const hostWithoutOrder = async (users: number, lists: DeepPartial<ListSwitches>) =>
	await hostWith({ users }, { switches: { list: { naturalOrder: 'loose', ...lists } } });

describe.each<[string, DeepPartial<ListSwitches>]>([
	['a total', { envelope: 'named', metadata: ['total'] }],
	['nothing', { envelope: 'array' }],
	['whether there are more', { envelope: 'named', metadata: ['hasMore'] }],
])('a list without a fixed order that states %s', (_, lists) => {
	it.each([100, 101, 110, 119])('of %d users', async (count) => {
		for (const options of [{ pageSize: 20 }, { pageSize: 20, concurrency: 1 }]) {
			const { error, hints, items } = await list(await hostWithoutOrder(count, lists), { options });
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
			const { hints } = await list(await hostWithoutOrder(110, lists), parameters);
			expect(hints[0]?.message).toContain('the list has no fixed order');
			expect(hints[0]?.message).not.toMatch(UNPROVEN);
		}
	});
});

it.each([345, 1001])('no Page Size is named if larger pages are tried: %d users', async (count) => {
	const { hints } = await list(await hostWithoutOrder(count, { metadata: ['total'] }));
	expect(hints[0]?.message).toContain('the list has no fixed order');
	expect(hints[0]?.message).not.toMatch(UNPROVEN);
});

it('pages of which all users were on earlier ones are not said to be the reason', async () => {
	const users = synthetic('users', 2345);
	const lists = stated((page, size, requestIndex) => {
		const sorted = requestIndex % 2 === 0 ? users : [...users].reverse();
		return { status: 200, body: { data: cut(sorted, page, size), total: 2345 } };
	});
	const { hints } = await list(await hostWith({}, { switches: { list: lists } }));
	expect(hints[0]?.message).toMatch(/the list has no fixed order, so [\d,]+ users are missing\./);
	expect(hints[0]?.message).not.toMatch(UNPROVEN);
});

it('a list that changes is not said to have no fixed order', async () => {
	const users = synthetic('users', 110);
	const host = await hostWith({ users }, { switches: { list: { envelope: 'array' } } });
	host.service.onListRequest(async ({ number }) => {
		const added = { ...users[0], id: 'new' };
		if (number === 3) await host.service.seed('users', [added, ...users]);
	});
	const { hints } = await list(host, { options: { pageSize: 20, concurrency: 1 } });
	expect(hints[0]?.message).toContain('has no fixed order, or it changed while it was read');
	expect(requestedPages(host)).toHaveLength(9);
});
