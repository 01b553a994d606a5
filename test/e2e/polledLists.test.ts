import type { StoredWorkflow } from '../n8n/n8nClient';
import type { RunningN8n } from '../n8n/startN8n';
import { emittedIds, pollingWorkflow } from './harness/pollingWorkflow';
import { Testbed } from './harness/testbed';

/** No poll comes in between: n8n polls whenever a workflow is published, or n8n starts. */
const SELDOM = { item: [{ mode: 'everyMonth', dayOfMonth: 1, hour: 0, minute: 0 }] };

/** The poll leaves the rest of the list to the next one. */
const LIMITED = { page: 2, fault: { status: 429, retryAfter: 3600 } };

let n8n: RunningN8n;
let testbed: Testbed;

beforeAll(async () => {
	// An n8n of its own: it is restarted and killed.
	({ n8n, testbed } = await Testbed.withOwnN8n());
	await testbed.service.seed('users', 250);
	await testbed.service.seed('visits', 250);
});

afterAll(async () => {
	await testbed.close();
});

async function poll(workflow: StoredWorkflow): Promise<void> {
	await testbed.n8n.deactivateWorkflow(workflow.id);
	await testbed.n8n.activateWorkflow(workflow);
}

/** The page of visits that the next poll begins with. */
async function nextVisitPage(): Promise<unknown> {
	return await new Promise((resolve) => {
		const stop = testbed.service.onListRequest(({ resource, query }) => {
			if (resource !== 'visits') return;
			stop();
			resolve(query.page);
		});
	});
}

describe('The polling trigger, of lists it reads as a whole,', () => {
	it('emits new visits and removed users once, although a list takes several polls and n8n ends between them', async () => {
		const { n8n: client, service } = testbed;
		const visits = await pollingWorkflow(testbed, {
			resource: 'visit',
			triggerOn: 'created',
			pollTimes: SELDOM,
		});
		const removals = await pollingWorkflow(testbed, {
			resource: 'user',
			triggerOn: 'removed',
			pollTimes: SELDOM,
		});
		await client.activateWorkflow(removals);

		service.set({ list: { pageFaults: [LIMITED] } });
		await client.activateWorkflow(visits);
		let goesOnAt = nextVisitPage();
		await n8n.restart();
		expect(await goesOnAt).not.toBe('0');

		await service.remove('users', 'user-000009');
		await poll(removals);
		await service.upsert('visits', { id: 'announced', createdAt: new Date().toISOString() });
		service.set({ list: { pageFaults: [LIMITED] } });
		await poll(visits);
		goesOnAt = nextVisitPage();
		await n8n.kill();
		await n8n.restart();
		expect(await goesOnAt).not.toBe('0');
		expect(await emittedIds(testbed, visits, 1)).toEqual([['announced']]);
		expect(await emittedIds(testbed, removals, 1)).toEqual([['user-000009']]);

		await Promise.all([poll(visits), poll(removals)]);
		expect(await emittedIds(testbed, visits, 1)).toHaveLength(1);
		expect(await emittedIds(testbed, removals, 1)).toHaveLength(1);
	});
});
