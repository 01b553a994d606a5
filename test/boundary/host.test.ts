import { MemoryHost } from '../host/memoryHost';
import { PublishedWorkflow } from '../host/publishedWorkflow';

describe('The host in memory', () => {
	it('lists, and says in a hint what was read', async () => {
		const host = new MemoryHost();
		await host.service.seed('users', 250);
		const run = await host.execute({ resource: 'user', operation: 'list', returnAll: true });
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(250);
		expect(run.hints).toEqual([
			expect.objectContaining({ message: expect.stringMatching(/^Read 250 users/) as unknown }),
		]);
		expect(host.credentials).toMatchObject({ reads: 1, writes: 1, preAuthentications: 1 });
	});

	it('lets a wait pass in virtual time', async () => {
		const host = new MemoryHost({
			switches: { list: { faults: [{ status: 429, retryAfter: 40 }] } },
		});
		await host.service.seed('users', 3);
		const startedAt = host.time.now();
		const run = await host.execute({});
		expect(run.items).toHaveLength(3);
		expect(host.time.now() - startedAt).toBeGreaterThanOrEqual(40_000);
		expect(Date.now()).toBeGreaterThan(host.time.now());
	});

	it('polls, and forgets what was not saved', async () => {
		const host = new MemoryHost();
		await host.service.seed('users', 30);
		const workflow = new PublishedWorkflow(host, [{ node: 'polling' }]);
		expect(await workflow.publish()).toEqual([]);
		host.time.pass(60_000);
		await host.service.upsert('users', { id: 'new' });
		expect(await workflow.pollAndDie()).toHaveLength(1);
		expect(await workflow.poll()).toHaveLength(1);
		expect(await workflow.poll()).toEqual([]);
	});
});
