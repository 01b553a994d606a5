import { LoadOptionsContext } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { VisitorService } from '../../nodes/VisitorService/VisitorService.node';
import { type ReferenceService, type Resource, syntheticRecord } from '../reference-service';
import { additionalData } from './harness/additionalData';
import { CredentialStore } from './harness/credentialStore';
import { type RunResult, runWorkflow } from './harness/runWorkflow';
import { buildWorkflow, type TestNode } from './harness/workflow';
import { credentialFor, LIST_NODE, tenants } from './tenants';

type ListSwitches = Parameters<ReferenceService['set']>[0]['list'];

const startService = tenants();

/** [field, condition, value] */
type Row = [field: unknown, condition: unknown, value?: unknown];

const conditions = (...rows: Row[]) => ({
	match: {
		conditions: rows.map(([field, condition, value]) => ({ field, condition, value })),
	} as INodeParameters,
});

async function tenant(
	seeds: Partial<Record<Resource, number | IDataObject[]>>,
	list: ListSwitches = {},
) {
	const service = await startService({ switches: { list } });
	for (const [resource, records] of Object.entries(seeds)) {
		await service.seed(resource as Resource, records as number);
	}
	const store = new CredentialStore([new VisitorServiceApi()]);
	const credentials = store.add('visitorServiceApi', credentialFor(service));
	const nodeTypes = { [LIST_NODE]: new VisitorService() };
	const nodeOf = (parameters: INodeParameters, settings: Partial<TestNode> = {}): TestNode => ({
		type: LIST_NODE,
		credentials,
		parameters: { resource: 'user', operation: 'list', returnAll: true, ...parameters },
		...settings,
	});
	return {
		service,
		/** Lists what meets the conditions; one item for each list of records returned. */
		find: async (
			filters: INodeParameters,
			parameters: INodeParameters = {},
			settings: Partial<TestNode> = {},
			items?: IDataObject[],
			timezone = 'Etc/UTC',
		): Promise<RunResult> =>
			await runWorkflow({
				nodeTypes,
				credentials: store,
				nodes: [nodeOf({ filters, ...parameters }, settings)],
				items,
				settings: { timezone },
			}),
		/** The fields the editor offers. */
		offer: async (parameters: INodeParameters = {}): Promise<unknown[]> => {
			const workflow = buildWorkflow({ nodeTypes, nodes: [nodeOf(parameters)] });
			const [node] = Object.values(workflow.nodes);
			if (node === undefined) throw new Error('There is no node.');
			const currentNodeParameters = node.parameters;
			const data = additionalData(store, { currentNodeParameters });
			const context = new LoadOptionsContext(workflow, node, data, '');
			const { getFields } = new VisitorService().methods.loadOptions;
			return (await getFields.call(context)).map(({ value }) => value);
		},
	};
}

const all = (resource: Resource, count: number) =>
	Array.from({ length: count }, (_, place) => syntheticRecord(resource, place + 1));

/** As a person would type it. */
const written = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const pagesAsked = ({ requests }: ReferenceService) =>
	requests.filter(({ path }) => path.startsWith('/api/external/')).map(({ query }) => query);

const hintOf = (result: RunResult) => result.task().hints?.[0];

describe('Match', () => {
	it('finds a user by e-mail, whatever the letter case, and says how many were read', async () => {
		const { find } = await tenant({ users: 2_600 });
		const result = await find(conditions(['email', 'equals', 'USER-002345@example.test']));
		expect(result.error).toBeUndefined();
		expect(result.items()).toEqual([
			{ json: syntheticRecord('users', 2_345), pairedItem: { item: 0 } },
		]);
		expect(hintOf(result)).toMatchObject({
			type: 'info',
			message: expect.stringMatching(/^Found 1 of 2,600 users read \(26 pages, /) as string,
		});
	});

	it.each([
		['user', 'users', 'id', 'equals', 'user-000042'],
		['company', 'companies', 'name', 'contains', 'y 00004'],
		['visit', 'visits', 'state', 'notEquals', 'arrived'],
		['task', 'tasks', 'done', 'equals', 'false'],
	] as const)(
		'filters the list of the resource %s',
		async (resource, plural, field, condition, value) => {
			const { find } = await tenant({ [plural]: 250 });
			const result = await find(conditions([field, condition, value]), { resource });
			const wanted = all(plural, 250).filter((record) => {
				const text = written(record[field]);
				if (condition === 'contains') return text.includes(value);
				return (text === value) === (condition === 'equals');
			});
			expect(wanted.length).toBeGreaterThan(0);
			expect(result.json()).toEqual(wanted);
			expect(hintOf(result)?.message).toContain(`Found ${wanted.length} of 250 ${plural} read`);
		},
	);

	it('finds the visits of a day, in the time zone of the workflow', async () => {
		const visits = [
			['2026-01-30T22:59:59Z', 'the day before'],
			['2026-01-30T23:00:00Z', 'first moment'],
			['2026-01-31T12:00:00', 'noon'],
			['2026-01-31', 'day alone'],
			[1_769_900_399, 'last second'],
			['2026-01-31T23:00:00Z', 'the day after'],
			['2026-02-01', 'the day after, alone'],
			[null, 'no time'],
		].map(([expectedAt, name], place) => ({ id: `visit-${place}`, expectedAt, name }));
		const { find } = await tenant({ visits: visits });
		const day = "DateTime.fromISO('2026-01-31')";
		const result = await find(
			conditions(
				['expectedAt', 'after', `={{ ${day}.minus({ milliseconds: 1 }) }}`],
				['expectedAt', 'before', `={{ ${day}.plus({ days: 1 }) }}`],
			),
			{ resource: 'visit' },
			{},
			undefined,
			'Europe/Berlin',
		);
		expect(result.error).toBeUndefined();
		expect(result.json().map(({ name }) => name)).toEqual([
			'first moment',
			'noon',
			'day alone',
			'last second',
		]);
	});

	it.each<[value: unknown, field: string, names: string[]]>([
		['={{ 7 }}', 'room', ['number', 'text', 'other']],
		['={{ "7" }}', 'room', ['number', 'text']],
		['7.0', 'room', ['number']],
		['={{ true }}', 'active', ['number']],
		['true', 'active', ['number', 'text']],
		['={{ $json.wanted }}', 'tags', ['text']],
		['={{ new Date("2026-01-31T08:00:00Z") }}', 'at', ['number', 'text']],
		['={{ null }}', 'empty', ['text']],
	])('compares the value %j with its type', async (value, field, names) => {
		const { find } = await tenant({
			users: [
				{ id: 'a', name: 'number', room: 7, active: true, at: 1_769_846_400_000, empty: null },
				{
					id: 'b',
					name: 'text',
					room: '7',
					active: 'true',
					tags: ['x', 'VIP'],
					at: '2026-01-31T08:00:00Z',
					empty: '',
				},
				{ id: 'c', name: 'other', room: '07', active: 1, tags: 'x', at: 'never' },
			],
		});
		const result = await find(conditions([field, 'equals', value]), {}, {}, [{ wanted: 'vip' }]);
		expect(result.error).toBeUndefined();
		expect(result.json().map(({ name }) => name)).toEqual(names);
	});

	it('returns the first ones up to Limit, and asks for no more pages than that takes', async () => {
		const { find, service } = await tenant({ users: 20_000 });
		const filters = conditions(['role', 'equals', 'Receptionist']);
		const result = await find(filters, { returnAll: false, limit: 3 });
		expect(result.json().map(({ id }) => id)).toEqual([
			'user-000020',
			'user-000040',
			'user-000060',
		]);
		expect(pagesAsked(service)).toEqual([{ page: '0', pageSize: '100' }]);
		expect(hintOf(result)?.message).toMatch(
			/^Found 3 of 60 users read \(1 page, .* Stopped at Limit: there may be more\.$/,
		);

		service.clearRequests();
		const more = await find(filters, { returnAll: false, limit: 50 });
		expect(more.json()).toEqual(all('users', 1_000).filter(({ role }) => role === 'receptionist'));
		expect(pagesAsked(service).length).toBeLessThanOrEqual(11);
	});

	it('starts the search at Page, whose size is that of a page without conditions', async () => {
		const { find, service } = await tenant({ users: 250 });
		const filters = conditions(['active', 'equals', '={{ false }}']);
		const search = { returnAll: false, limit: 2, page: 4 };
		expect(
			(await find(filters, { ...search, options: { pageSize: 20 } })).json().map(({ id }) => id),
		).toEqual(['user-000090', 'user-000100']);
		service.clearRequests();
		const ids = (await find(filters, { ...search, limit: 15 })).json().map(({ id }) => id);
		expect(ids[0]).toBe('user-000070');
		expect(pagesAsked(service)[0]).toEqual({ page: '4', pageSize: '15' });
	});

	it.each([1, 3, 10])(
		'keeps the order of the list with %d pages in flight',
		async (concurrency) => {
			const { find } = await tenant({ users: 400 }, { latencyMs: 1, latencyJitterMs: 20 });
			const options = { pageSize: 10, concurrency };
			const result = await find(conditions(['department', 'equals', 'department 3']), { options });
			expect(result.json()).toEqual(
				all('users', 400).filter(({ department }) => department === 'Department 3'),
			);
		},
	);

	it('works together with Until Stable, Remove Duplicates and a service that repeats records', async () => {
		const { find } = await tenant({ users: 300 }, { duplicatesAcrossPages: 3 });
		const wanted = all('users', 300).filter(({ role }) => role === 'receptionist');
		const filters = conditions(['role', 'equals', 'receptionist']);
		const stable = await find(filters, { options: { untilStable: true } });
		expect(stable.json()).toEqual(wanted);
		expect(hintOf(stable)?.message).toMatch(
			/^Found 15 of 300 users read .* Read 2 times; found 0 more/,
		);
		const every = await find(conditions(['role', 'isNotEmpty']), {
			options: { removeDuplicates: false },
		});
		expect(every.json().length).toBeGreaterThan(300);
	});

	it('looks at fields that are not returned', async () => {
		const { find } = await tenant({ users: 50 });
		const result = await find(conditions(['email', 'startsWith', 'USER-00001']), {
			options: { fields: ['id'] },
		});
		expect(result.json()).toEqual(
			Array.from({ length: 10 }, (_, n) => ({ id: `user-${String(n + 10).padStart(6, '0')}` })),
		);
	});

	it('combines with Updated Since', async () => {
		const { find, service } = await tenant({ users: 300 });
		const since = '2025-10-01T00:00:00.000Z';
		const filters = { ...conditions(['role', 'equals', 'receptionist']), updatedSince: since };
		expect((await find(filters)).json()).toEqual(
			all('users', 300).filter(
				({ role, updatedAt }) => role === 'receptionist' && written(updatedAt) > since,
			),
		);
		expect(pagesAsked(service)[0]).toMatchObject({ updatedSince: '2025-10-01T00:00:00Z' });
	});

	it('returns no item if nothing matches, and warns of a field that no user has', async () => {
		const { find } = await tenant({ users: 5 });
		const result = await find(conditions(['emial', 'equals', 'a@example.test']));
		expect(result.items()).toEqual([]);
		expect(hintOf(result)).toMatchObject({
			type: 'warning',
			message: expect.stringMatching(
				/^Found 0 of 5 users read .* None of the users has "emial": check Match\.$/,
			) as string,
		});
	});

	it('reads everything if there is no condition', async () => {
		const { find } = await tenant({ users: 5 });
		for (const match of [{}, { conditions: [] }, '', null]) {
			const result = await find({ match });
			expect(result.json()).toHaveLength(5);
			expect(hintOf(result)?.message).toMatch(/^Read 5 users/);
		}
	});

	it.each<[string, INodeParameters, RegExp]>([
		['an empty field', conditions([' ', 'equals', 'a']), /names no field/],
		['a missing field', conditions([undefined, 'equals', 'a']), /names no field/],
		['an unknown condition', conditions(['id', 'like', 'a']), /Condition must be equals, /],
		['an unreadable time', conditions(['id', 'after', 'soon']), /not a point in time/],
		['an empty time', conditions(['id', 'before', '']), /not a point in time/],
		['an object as the value', conditions(['id', 'equals', '={{ {} }}']), /must be text, a number/],
		['text instead of conditions', { match: { conditions: 'id = 1' } }, /names no field/],
	])('fails for %s, before anything is asked', async (_, filters, message) => {
		const { find, service } = await tenant({ users: 5 });
		const { error } = await find(filters);
		expect(error?.message).toMatch(message);
		expect(service.requests).toEqual([]);
	});

	it('fails for the one input item only with Continue On Fail', async () => {
		const { find } = await tenant({ users: 20 });
		const result = await find(
			conditions(['createdAt', 'after', '={{ $json.since }}']),
			{ returnAll: false, limit: 1 },
			{ onError: 'continueRegularOutput' },
			[{ since: '2025-01-01' }, { since: 'soon' }, { since: '2025-01-01T00:00:05Z' }],
		);
		expect(result.error).toBeUndefined();
		expect(result.items().map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(result.json()[1]?.error).toMatch(/not a point in time/);
		expect(result.json()[2]?.id).toBe('user-000006');
	});
});

describe('The fields offered in the editor', () => {
	it('offers the fields of the records, with their dot paths, each once', async () => {
		const { offer } = await tenant({
			users: [
				{ id: 1, name: 'a' },
				{ id: 2, host: { name: 'b', desk: { floor: 1 } }, visits: [{ room: 1 }, { host: 'c' }] },
			],
		});
		expect(await offer()).toEqual([
			'id',
			'name',
			'host',
			'host.name',
			'host.desk',
			'host.desk.floor',
			'visits',
			'visits.room',
			'visits.host',
		]);
	});

	it('offers the fields of the list that is set up', async () => {
		const envelope = { template: { other: [{ id: 'x' }], deep: { list: '{records}' } } };
		const { offer, service } = await tenant(
			{ visits: 3 },
			{ envelope, paths: { visits: 'meetings' } },
		);
		const fields = await offer({
			resource: 'visit',
			pathSegment: 'meetings',
			options: { itemsPath: 'deep.list' },
		});
		expect(fields).toEqual(Object.keys(syntheticRecord('visits', 1)));
		expect(pagesAsked(service)).toHaveLength(1);
	});

	it('offers no fields if the list is empty', async () => {
		const { offer } = await tenant({});
		expect(await offer()).toEqual([]);
	});

	it('the fields offered say what is wrong if the list cannot be read, and nothing secret', async () => {
		const { offer, service } = await tenant({});
		const failed = offer({ resource: 'visit', pathSegment: 'no-such-list' });
		await expect(failed).rejects.toThrow(/has nothing at \/api\/external\/v2\/no-such-list/);
		expect(JSON.stringify(await failed.catch((error: unknown) => error))).not.toContain(
			service.clientSecret,
		);
	});
});
