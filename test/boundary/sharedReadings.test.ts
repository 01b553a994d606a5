import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { RecordMatcher } from '../../nodes/VisitorService/match/recordMatch';
import type { MemoryHost } from '../host/memoryHost';
import { syntheticRecord } from '../reference-service';
import type { Fault } from '../reference-service/switches';
import { hostWith, list, requestedPages, tokenRequests } from './listedHost';

/* Input items of one execution share a reading if they differ only in what they look for. */

const emailOf = (number: number) => `user-${String(number).padStart(6, '0')}@example.test`;
const itemsFor = (...numbers: number[]) => numbers.map((number) => ({ email: emailOf(number) }));
const usersOf = (...numbers: number[]) => numbers.map((number) => syntheticRecord('users', number));
const failing = (more: object): unknown => expect.objectContaining(more);

const FIND: INodeParameters = {
	...{ resource: 'user', operation: 'find', field: 'email' },
	value: '={{ $json.email }}',
};
const find = async (host: MemoryHost, items: IDataObject[], more: INodeParameters = {}) =>
	await host.execute({ ...FIND, ...more }, { items, onError: 'continueRegularOutput' });

const faultAt = (page: number, fault: Fault, times: number) => ({
	switches: { list: { pageFaults: [{ page, fault, times }] } },
});

it('that differ only in Value get a response by one reading, each with its own record', async () => {
	const host = await hostWith({ users: 2_600 });
	const numbers = Array.from({ length: 20 }, (_, index) => 2_019 - index);
	const run = await find(host, itemsFor(...numbers, 3_000, 2_019));
	expect(run.items).toEqual(usersOf(...numbers, 2_019));
	expect(run.output.map(({ pairedItem }) => pairedItem)).toEqual(
		[...numbers.keys(), 21].map((item) => ({ item })),
	);
	// What a later node changes in one item must stay as it is in the other.
	expect(run.output[0]?.json).not.toBe(run.output[20]?.json);
	expect(requestedPages(host)).toHaveLength(4);
	expect(run.hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(
			/^Found 20 of 2,600 users read \(3 pages, .*\)\. It was read once for 22 input items, 1 of which found nothing\.$/,
		),
	]);
});

it('keep fields of any name', async () => {
	const user = JSON.parse(
		'{"id":1,"email":"a@x.test","__proto__":{"a":1},"constructor":{"b":2}}',
	) as IDataObject;
	const run = await find(await hostWith({ users: [user] }), [user, user]);
	expect(run.items.map((one) => JSON.stringify(one))).toEqual(
		[user, user].map((one) => JSON.stringify(one)),
	);
});

it('end the reading with the last one that finds its record', async () => {
	const host = await hostWith({ users: 20_000 });
	const run = await find(host, itemsFor(3, 7, 120, 7));
	expect(run.items).toEqual(usersOf(3, 7, 120, 7));
	expect(requestedPages(host).length).toBeLessThan(12);
});

it('are all looked at before anything is sent', async () => {
	const host = await hostWith({ users: 20 });
	const run = await host.execute(FIND, { items: [...itemsFor(3), {}] });
	expect(run.error?.message).toBe('The condition on "email" has no value.');
	expect(run.error).toMatchObject({ context: { itemIndex: 1 } });
	expect(host.service.requests).toEqual([]);
});

it('fail one by one with Continue On Fail', async () => {
	const host = await hostWith({ users: 120 });
	const items = [...itemsFor(7, 700), {}, ...itemsFor(8)];
	const run = await find(host, items, { options: { ifNotFound: 'error' } });
	expect(run.items).toEqual([
		...usersOf(7),
		failing({ error: 'Found no such user among 120 users read.' }),
		failing({ error: 'The condition on "email" has no value.' }),
		...usersOf(8),
	]);
	expect(requestedPages(host)).toHaveLength(2);
});

it('keep what was found before a page that cannot be read', async () => {
	const host = await hostWith({ users: 500 }, faultAt(2, { status: 400 }, 0));
	const run = await find(host, itemsFor(7, 407, 408, 8), { options: { pageSize: 100 } });
	const failed = failing({ statusCode: 400 });
	expect(run.items).toEqual([...usersOf(7), failed, failed, ...usersOf(8)]);
});

it.each<[string, number, unknown[], number]>([
	['one failure is that of the item whose turn it is', 1, usersOf(107, 8), 3],
	['the rest is read once more, and only once', 0, Array(2).fill(failing({ statusCode: 501 })), 2],
])('do not all fail because one does: %s', async (_, times, others, requests) => {
	const host = await hostWith({ users: 200 }, faultAt(0, { status: 501 }, times));
	const run = await find(host, itemsFor(7, 107, 8));
	expect(run.items).toEqual([failing({ statusCode: 501 }), ...others]);
	expect(requestedPages(host)).toHaveLength(requests);
});

it('read the rest once more after a connection that breaks', async () => {
	const host = await hostWith({ users: 200 }, faultAt(0, 'reset', 1));
	const run = await find(host, itemsFor(7, 107, 8), { options: { maxRetries: 0 } });
	const error = expect.stringContaining('connection') as unknown;
	expect(run.items).toEqual([failing({ error }), ...usersOf(107, 8)]);
});

it('with another credential, by an expression in it, read the list anew', async () => {
	const host = await hostWith({ users: 20 });
	const { credentials } = host;
	const read = credentials.read.bind(credentials);
	const wrong = host.credential({ clientSecret: 'another secret of sixteen' });
	const reads = jest.spyOn(credentials, 'read').mockReturnValueOnce(wrong);
	reads.mockImplementationOnce(read).mockReturnValueOnce(wrong).mockImplementation(read);
	const run = await find(host, itemsFor(7, 8));
	expect(run.items).toEqual([
		failing({ error: expect.stringContaining('client ID and secret') as unknown }),
		...usersOf(8),
	]);
});

it('keep no secret where they are compared', async () => {
	const host = await hostWith({ users: 20 });
	const set = jest.spyOn(Map.prototype, 'set');
	await find(host, itemsFor(7, 8));
	const keys = set.mock.calls.map(([key]) => String(key as unknown));
	set.mockRestore();
	// The service compares each request with its contract.
	const ours = keys.filter((key) => !key.includes('/auth/app-oauth'));
	expect(ours.filter((key) => key.includes(host.service.clientSecret))).toEqual([]);
});

it('with other settings read the list anew', async () => {
	const host = await hostWith({ users: 120 });
	const items = itemsFor(110, 111, 112, 113).map((item, index) => ({
		...item,
		size: index === 2 ? 60 : 50,
	}));
	const run = await find(host, items, { options: { pageSize: '={{ $json.size }}' } });
	expect(run.items).toEqual(usersOf(110, 111, 112, 113));
	const sizes = requestedPages(host).map(({ pageSize }) => pageSize);
	expect(sizes).toEqual(['50', '50', '50', '60', '60']);
	expect(run.hints).toHaveLength(2);
});

it.each<[string, object]>([
	['Must Match', { matchType: '={{ $json.type }}' }],
	[
		'Condition',
		{
			match: { conditions: [{ field: 'email', condition: '={{ $json.is }}', value: emailOf(7) }] },
		},
	],
])('with another %s do not share', async (_, rules) => {
	const conditions = [{ field: 'email', condition: 'equals', value: emailOf(7) }];
	const host = await hostWith({ users: usersOf(7, 8, 9) });
	const all = { matchType: 'all', match: { conditions }, ...rules };
	const items = [
		{ type: 'all', is: 'equals' },
		{ type: 'any', is: 'notEquals' },
	];
	const run = await list(host, all, { items });
	expect(requestedPages(host)).toHaveLength(2);
	expect(run.hints).toHaveLength(2);
});

it('read on if one finds more on a page than it wants', async () => {
	const host = await hostWith({ users: 300 });
	const items = ['Employee', 'receptionist'].map((role) => ({ role }));
	const users = usersOf(...Array.from({ length: 300 }, (_, index) => index + 1));
	const match = {
		conditions: [{ field: 'role', condition: 'equals', value: '={{ $json.role }}' }],
	};
	const run = await list(host, { match, returnAll: false, limit: 12 }, { items });
	const first = (role: string) =>
		users.filter(({ role: own }) => new RegExp(`^${role}$`, 'i').test(own as string)).slice(0, 12);
	expect(run.items).toEqual([...first('employee'), ...first('receptionist')]);
});

it('are compared with few records if any of two Equals is enough', async () => {
	const host = await hostWith({ users: 1_200 });
	const items = itemsFor(7, 700, 1_100);
	const match = {
		conditions: ['email', 'id'].map((field) => ({ field, value: '={{ $json.email }}' })),
	};
	const meets = jest.spyOn(RecordMatcher.prototype, 'meets');
	const run = await list(host, { match, matchType: 'any' }, { items });
	const comparisons = meets.mock.calls.length;
	meets.mockRestore();
	expect(run.items).toEqual(usersOf(7, 700, 1_100));
	expect(comparisons).toBe(items.length);
});

it('without conditions are not shared', async () => {
	const host = await hostWith({ users: 3 });
	const run = await list(host, {}, { items: [{}, {}] });
	expect(run.items).toEqual(usersOf(1, 2, 3, 1, 2, 3));
	expect(requestedPages(host)).toHaveLength(2);
	expect(tokenRequests(host)).toHaveLength(1);
});

it.each<[string, INodeParameters]>([
	['Return All', { returnAll: true }],
	['Limit', { returnAll: false, limit: 3 }],
	['Limit and Page', { returnAll: false, limit: 5, page: 2 }],
	['Until Stable', { returnAll: true, options: { untilStable: true, fields: 'id, role' } }],
	['doubled records', { returnAll: true, options: { removeDuplicates: false } }],
	['records of which the ID is none', { options: { idPath: '' }, returnAll: false, limit: 40 }],
])('list what each would list alone: %s', async (name, parameters) => {
	const roles = ['receptionist', 'Employee', 'nobody', 'receptionist', 'host'];
	const items = roles.map((role) => ({ role }));
	const rules = {
		match: {
			conditions: [
				{ field: 'role', condition: 'equals', value: '={{ $json.role }}' },
				{ field: 'active', condition: 'notEquals', value: '={{ $json.role === "host" }}' },
			],
		},
		...parameters,
	};
	// With Page above 0 pages of another length are an error.
	const duplicatesAcrossPages = parameters.page === undefined ? 3 : 0;
	const records = usersOf(...Array.from({ length: 300 }, (_, index) => index + 1)).map(
		(user, index) => (name.includes('is none') ? { ...user, id: index % 150 } : user),
	);
	const host = async () =>
		await hostWith({ users: records }, { switches: { list: { duplicatesAcrossPages } } });
	const run = await list(await host(), rules, { items });
	for (const [item, json] of items.entries()) {
		const alone = await list(await host(), rules, { items: [json] });
		const own = run.output.filter(
			({ pairedItem }) => (pairedItem as { item: number }).item === item,
		);
		expect(own.map((one) => one.json)).toEqual(alone.items);
	}
	expect(run.hints).toHaveLength(1);
});
