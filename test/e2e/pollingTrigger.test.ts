import { itemsOf } from '../n8n/execution';
import type { StoredWorkflow } from '../n8n/n8nClient';
import type { RunningN8n } from '../n8n/startN8n';
import { type WorkflowNode, workflowNode } from '../n8n/workflow';
import {
	emittedIds,
	everyFewSeconds,
	nextPoll,
	POLLING_TRIGGER,
	pollingWorkflow,
} from './harness/pollingWorkflow';
import { NODE_TYPES, Testbed } from './harness/testbed';

/** Several polls, and starts of n8n. */
const TIMEOUT = 600_000;

let n8n: RunningN8n;
let testbed: Testbed;

beforeAll(async () => {
	// An n8n of its own: it is restarted.
	({ n8n, testbed } = await Testbed.withOwnN8n());
	await testbed.service.seed('users', 250);
});

afterAll(async () => {
	await testbed.close();
});

const OTHER_TRIGGER = 'Changed users, once more';

/**
 * The IDs that each of the two triggers emitted, by execution, once there are so many executions.
 */
async function emittedByEach(workflow: StoredWorkflow, executions: number): Promise<unknown> {
	const all = await testbed.n8n.waitForExecutions(workflow.id, executions);
	const emitted: Record<string, unknown[][]> = { [POLLING_TRIGGER]: [], [OTHER_TRIGGER]: [] };
	for (const { id } of all.reverse()) {
		const execution = await testbed.n8n.waitForExecution(id);
		for (const [trigger, ids] of Object.entries(emitted)) {
			if (!(trigger in execution.nodes)) continue;
			ids.push(itemsOf(execution, trigger).map((user) => user.id));
		}
	}
	return emitted;
}

describe('The polling trigger in the real n8n', () => {
	it(
		'emits each change once, even across a restart',
		async () => {
			const { service } = testbed;
			const workflow = await pollingWorkflow(testbed);
			await testbed.n8n.activateWorkflow(workflow);
			expect(service.requests.some(({ query }) => query.updatedSince !== undefined)).toBe(true);

			await service.upsert('users', { id: 'first' });
			expect(await emittedIds(testbed, workflow, 1)).toEqual([['first']]);

			await n8n.end();
			await service.upsert('users', { id: 'second' });
			await n8n.restart();
			expect(await emittedIds(testbed, workflow, 2)).toEqual([['first'], ['second']]);

			// A poll that finds nothing emits nothing.
			await nextPoll(service);
			await Promise.all([
				service.upsert('users', { id: 'third' }),
				service.upsert('users', { id: 'first' }),
			]);
			const all = await emittedIds(testbed, workflow, 3);
			expect(all.map((ids) => ids.map(String).sort())).toEqual([
				['first'],
				['second'],
				['first', 'third'],
			]);
			await testbed.n8n.deactivateWorkflow(workflow.id);
		},
		TIMEOUT,
	);

	it(
		'keeps the places of two polling triggers in one workflow across a restart',
		async () => {
			const { n8n: client, service } = testbed;
			const credentials = { visitorServiceApi: await testbed.createCredential() };
			// Not at the same time: on one SQLite connection, as n8n 1.123 has it, the later of two saves
			// may be carried out first.
			const triggerFrom = (name: string, second: number): WorkflowNode =>
				workflowNode({
					name,
					type: NODE_TYPES.polling,
					credentials,
					parameters: { pollTimes: everyFewSeconds(second) },
				});
			const one = triggerFrom(POLLING_TRIGGER, 0);
			const other = triggerFrom(OTHER_TRIGGER, 2);
			const workflow = await client.createWorkflow({
				name: 'Two',
				nodes: [one, other],
				connections: {},
			});
			try {
				await client.activateWorkflow(workflow);
				// n8n 2.41 publishes only the changed trigger again, with static data of its own.
				other.parameters.options = { overlap: 6 };
				await client.activateWorkflow(await client.updateWorkflow(workflow));
				await service.upsert('users', { id: 'before' });
				await client.waitForExecutions(workflow.id, 2);
				await n8n.restart();
				await service.upsert('users', { id: 'after' });
				const each = [['before'], ['after']];
				expect(await emittedByEach(workflow, 4)).toEqual({
					[POLLING_TRIGGER]: each,
					[OTHER_TRIGGER]: each,
				});
			} finally {
				await client.deleteWorkflow(workflow.id);
			}
		},
		TIMEOUT,
	);

	it(
		'shows the users changed last as a test event, and still emits them afterwards',
		async () => {
			const { n8n: client, service } = testbed;
			const startDate = new Date().toISOString();
			await service.upsert('users', { id: 'shown' });
			const workflow = await pollingWorkflow(testbed, { startFrom: 'date', startDate });
			const test = await client.runWorkflow(workflow, POLLING_TRIGGER);
			expect(test.status).toBe('success');
			const shown = itemsOf(test, POLLING_TRIGGER);
			expect(shown.length).toBeLessThanOrEqual(10);
			expect(shown[0]).toMatchObject({ id: 'shown' });

			await testbed.n8n.activateWorkflow(workflow);
			expect(await emittedIds(testbed, workflow, 2)).toEqual([['shown']]);
			expect((await client.runWorkflow(workflow, POLLING_TRIGGER)).status).toBe('success');
			await nextPoll(service);
			await service.upsert('users', { id: 'later' });
			expect(await emittedIds(testbed, workflow, 4)).toEqual([['shown'], ['later']]);
		},
		TIMEOUT,
	);
});
