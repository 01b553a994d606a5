import type { INodeParameters } from 'n8n-workflow';
import { type HostOptions, MemoryHost } from '../../host/memoryHost';
import { PolledWorkflow } from './polledWorkflow';

function publish(
	parameters: INodeParameters,
	list: NonNullable<HostOptions['switches']>['list'] = {},
) {
	const host = new MemoryHost({ switches: { list } });
	const workflow = new PolledWorkflow(host, 'process');
	const poll = async () => await workflow.poll('node', parameters);
	return { host, service: host.service, poll };
}

describe('Other List', () => {
	const badges = { paths: { visits: 'badges' } };

	it('starts the workflow for what its path shows', async () => {
		const { poll, service } = publish({ resource: 'other', pathSegment: 'badges' }, badges);
		await service.seed('visits', [{ id: 1 }]);
		expect(await poll()).toEqual({ items: [], isStored: true });
		await service.upsert('visits', { id: 2 });
		expect((await poll()).items).toEqual([expect.objectContaining({ id: 2 })]);
	});

	it.each(['', '../users'])('cannot be published with the path "%s"', async (pathSegment) => {
		const { poll, service } = publish({ resource: 'other', pathSegment }, badges);
		expect((await poll()).failure).toMatch(/^Path Segment is empty or not a valid path\./);
		expect(service.requests).toEqual([]);
	});
});

describe('Query Parameters', () => {
	const query = (name: string, value: string) => ({
		options: { pageSize: 2, queryParameters: { parameters: [{ name, value }] } },
	});

	it('are sent with each page, and when updatedSince is tried', async () => {
		const { host, poll, service } = publish(query('siteId', 'a b&c=ä,'));
		await service.seed('users', 5);
		await poll();
		host.time.pass(60_000);
		await service.upsert('users', { id: 7 });
		expect((await poll()).items).toEqual([expect.objectContaining({ id: 7 })]);
		const asked = service.requests.filter(({ path }) => path.startsWith('/api/external/'));
		expect(asked.map((request) => request.query.siteId)).toEqual(asked.map(() => 'a b&c=ä,'));
		expect(asked.some((request) => 'updatedSince' in request.query)).toBe(true);
	});

	it.each([
		['updatedSince', '1', /^Query Parameters must not hold "updatedSince"\./],
		['siteId', '', /^The query parameter "siteId" has no name, has no value/],
	])('cannot be published with %s "%s"', async (name, value, failure) => {
		const { poll, service } = publish(query(name, value));
		expect((await poll()).failure).toMatch(failure);
		expect(service.requests).toEqual([]);
	});
});
