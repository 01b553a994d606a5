import { itemsOf } from '../n8n/execution';
import type { StoredWorkflow } from '../n8n/n8nClient';
import { ownNode, type WorkflowNode, workflowNode } from '../n8n/workflow';
import {
	emittedIds,
	everyFewSeconds,
	nextPoll,
	POLLING_TRIGGER,
	pollingWorkflow,
	SELDOM,
} from './harness/pollingWorkflow';
import { Testbed } from './harness/testbed';

// Several polls, and starts of n8n.
jest.setTimeout(600_000);

/** The poll leaves the rest of the list to the next one. */
const LIMITED = { page: 2, fault: { status: 429, retryAfter: 3600 } };

/** Its n8n is restarted and killed. */
const testbed = Testbed.withOwnN8n();

beforeAll(async () => {
	await testbed.service.seed('users', 250);
	await testbed.service.seed('visits', 250);
});

afterEach(() => {
	testbed.service.resetSwitches();
});

const OTHER_TRIGGER = 'Changed users, once more';

/** The IDs that each of the two triggers emitted, by execution. */
async function emittedByEach(workflow: StoredWorkflow, executions: number): Promise<unknown> {
	const all = await testbed.n8n.endedExecutions(workflow.id, executions);
	const emitted: Record<string, unknown[][]> = { [POLLING_TRIGGER]: [], [OTHER_TRIGGER]: [] };
	for (const execution of all) {
		for (const [trigger, ids] of Object.entries(emitted)) {
			if (!(trigger in execution.nodes)) continue;
			ids.push(itemsOf(execution, trigger).map((user) => user.id));
		}
	}
	return emitted;
}

async function poll(workflow: StoredWorkflow): Promise<void> {
	await testbed.n8n.deactivateWorkflow(workflow.id);
	await testbed.n8n.activateWorkflow(workflow);
}

describe('The polling trigger in the real n8n', () => {
	it('emits each change once, even across a restart, and with two polling triggers in one workflow', async () => {
		const { n8n: client, service } = testbed;
		const credential = await testbed.createCredential();
		// Not at the same time: on one SQLite connection, as n8n 1.123 has it, the later of two saves
		// may be carried out first.
		const triggerFrom = (name: string, second: number): WorkflowNode =>
			workflowNode(ownNode('polling', name, credential, { pollTimes: everyFewSeconds(second) }));
		const one = triggerFrom(POLLING_TRIGGER, 0);
		const other = triggerFrom(OTHER_TRIGGER, 2);
		const workflow = await client.createWorkflow({
			name: 'Two',
			nodes: [one, other],
			connections: {},
		});
		try {
			await client.activateWorkflow(workflow);
			expect(service.requests.some(({ query }) => query.updatedSince !== undefined)).toBe(true);
			// n8n 2.41 publishes only the changed trigger again, with static data of its own.
			other.parameters.options = { overlap: 6 };
			await client.activateWorkflow(await client.updateWorkflow(workflow));
			await service.upsert('users', { id: 'before' });
			await client.waitForExecutions(workflow.id, 2);
			await testbed.ownN8n.end();
			await service.upsert('users', { id: 'meanwhile' });
			await testbed.ownN8n.restart();
			await client.waitForExecutions(workflow.id, 4);
			// A poll that finds nothing emits nothing.
			await nextPoll(service);
			await service.upsert('users', { id: 'before' });
			const each = [['before'], ['meanwhile'], ['before']];
			expect(await emittedByEach(workflow, 6)).toEqual({
				[POLLING_TRIGGER]: each,
				[OTHER_TRIGGER]: each,
			});
		} finally {
			await client.deleteWorkflow(workflow.id);
		}
	});

	it('emits new visits and removed users once, although a list takes several polls and n8n is killed between them', async () => {
		const { n8n: client, service } = testbed;
		const visits = await pollingWorkflow(testbed, {
			resource: 'visit',
			triggerOn: 'created',
			pollTimes: SELDOM,
			options: { pageSize: 100 },
		});
		const removals = await pollingWorkflow(testbed, {
			resource: 'user',
			triggerOn: 'removed',
			pollTimes: SELDOM,
		});
		await client.activateWorkflow(removals);

		service.set({ list: { pageFaults: [LIMITED] } });
		await client.activateWorkflow(visits);
		let goesOnAt = nextPoll(service, 'visits');
		await poll(visits);
		expect(await goesOnAt).not.toBe('0');

		await service.remove('users', 'user-000009');
		await poll(removals);
		await service.upsert('visits', { id: 'announced', createdAt: new Date().toISOString() });
		service.set({ list: { pageFaults: [LIMITED] } });
		await poll(visits);
		goesOnAt = nextPoll(service, 'visits');
		await testbed.ownN8n.kill();
		await testbed.ownN8n.restart();
		expect(await goesOnAt).not.toBe('0');
		expect(await emittedIds(testbed, visits, 1)).toEqual([['announced']]);
		expect(await emittedIds(testbed, removals, 1)).toEqual([['user-000009']]);

		await Promise.all([poll(visits), poll(removals)]);
		expect(await emittedIds(testbed, visits, 1)).toHaveLength(1);
		expect(await emittedIds(testbed, removals, 1)).toHaveLength(1);
	});
});
