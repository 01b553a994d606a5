import { hostWith, list, synthetic } from './listedHost';

const SINCE = '2025-06-01T12:00:00.000Z';
const before = (minutes: number) => new Date(Date.parse(SINCE) - minutes * 60_000).toISOString();

/** A service that returns all it has, whatever it is asked for. */
const hostWithTimes = async (...times: unknown[]) => {
	const users = synthetic('users', times.length).map(({ id }, index) => ({
		id,
		updatedAt: times[index],
	}));
	const respondWith = () => ({ status: 200, body: { users, total: users.length } as never });
	return await hostWith({}, { switches: { list: { respondWith } } });
};

it.each<[string, unknown[], string | undefined]>([
	['earlier and later', [before(10), before(-10), before(5)], '2 of 3 users'],
	['only later', [before(-1), before(-10), SINCE], undefined],
	[
		'in seconds since 1970',
		[Date.parse(before(60)) / 1000, Date.parse(SINCE) / 1000],
		'1 of 2 users',
	],
	['never', [null, before(10), '0000-00-00'], '1 of 3 users'],
	['days, maybe of another zone', ['2025-06-01', '2025-05-31', '2025-05-01'], '2 of 3 users'],
])('users changed %s', async (_, times, warned) => {
	const host = await hostWithTimes(...times);
	const { hints, items } = await list(host, { filters: { updatedSince: SINCE } });
	expect(items).toHaveLength(times.length);
	expect(hints[0]?.type).toBe(warned === undefined ? 'info' : 'warning');
	if (warned !== undefined)
		expect(hints[0]?.message).toContain(`${warned} were changed before Updated Since`);
});

it('a search warns, too, and a list without Updated Since does not', async () => {
	const host = await hostWithTimes(before(10), before(5));
	const conditions = [{ field: 'id', condition: 'equals', value: 'none' }];
	const search = { match: { conditions }, filters: { updatedSince: SINCE } };
	const run = await list(host, search);
	expect(run.hints[0]?.message).toContain('2 of 2 users were changed before Updated Since');
	expect((await list(host)).hints[0]?.type).toBe('info');
});
