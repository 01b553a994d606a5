import { type Execution, itemsOf } from '../n8n/execution';
import { LIST_NODE, Testbed } from './harness/testbed';

let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.open();
	await testbed.service.seed('users', 2_500);
});

afterAll(async () => {
	await testbed.close();
});

beforeEach(() => {
	testbed.service.resetSwitches();
	testbed.service.clearRequests();
});

const ids = (execution: Execution) => itemsOf(execution, LIST_NODE).map(({ id }) => id);
const listRequests = () =>
	testbed.service.requests.filter(({ path }) => path.includes('/external/'));

describe('List Users in the real n8n', () => {
	it('reads 2,500 users, each once, in order, over one token', async () => {
		const execution = await testbed.list(await testbed.createCredential(), { returnAll: true });

		expect(execution.error).toBeNull();
		const read = ids(execution);
		expect(read).toHaveLength(2_500);
		expect(new Set(read).size).toBe(2_500);
		expect(read).toEqual([...read].sort());
		expect(testbed.service.requests.filter(({ path }) => path === '/auth/app-oauth')).toHaveLength(
			1,
		);
		expect(execution.nodes[LIST_NODE]?.[0]?.hints[0]?.message).toMatch(
			/^Read 2,500 users \(25 pages, 2[56] requests, /,
		);
	});

	it('sends what is published and only what is set', async () => {
		await testbed.list(await testbed.createCredential(), {
			limit: 3,
			page: 2,
			filters: { updatedSince: '2020-01-01T00:00:00.000Z' },
			options: { pageSize: 7, sort: 'id,asc' },
		});
		const [request] = listRequests();
		expect(request?.method).toBe('GET');
		expect(request?.path).toBe('/api/external/v2/users');
		expect(request?.query).toEqual({
			page: '2',
			pageSize: '7',
			sort: 'id,asc',
			updatedSince: '2020-01-01T00:00:00Z',
		});

		testbed.service.clearRequests();
		await testbed.list(await testbed.createCredential());
		expect(listRequests()[0]?.query).toEqual({ page: '0', pageSize: '50' });
	});

	it('returns 50 items without returnAll, and as many as limit says from the page asked for', async () => {
		const credential = await testbed.createCredential();
		const first = await testbed.list(credential);
		expect(first.error).toBeNull();
		expect(ids(first)).toHaveLength(50);
		const all = ids(await testbed.list(credential, { returnAll: true }));
		const some = await testbed.list(credential, {
			page: 3,
			limit: 25,
			options: { pageSize: 10 },
		});
		expect(ids(some)).toEqual(all.slice(30, 55));
	});
});
