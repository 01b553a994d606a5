import { emittedIds, pollingWorkflow } from './harness/pollingWorkflow';
import { Testbed } from './harness/testbed';

/** Off by default in n8n 2.41.1, unknown to 1.123, where they must do no harm. */
const DURABLE_CURSORS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

/**
 * Of several poll times each is a job of its own. Those due within the minute before a start run at
 * once, begin with the same cursor, and each emits what is new: n8n 2.41.1 asks only whether a poll
 * still holds its own job when it stores the cursor (poller-state.repository.js, buildFenceClause),
 * not whether another one stored one meanwhile.
 */
const ONE_JOB = { item: [{ mode: 'everyMinute' }] };

const testbed = Testbed.withOwnN8n(DURABLE_CURSORS);

beforeAll(async () => await testbed.service.seed('users', 250));

describe('The polling trigger with durable cursors', () => {
	it('emits each change once, even after n8n was killed', async () => {
		const { ownN8n: n8n, service } = testbed;
		const startDate = new Date().toISOString();
		const workflow = await pollingWorkflow(testbed, {
			startFrom: 'date',
			startDate,
			pollTimes: ONE_JOB,
		});
		await testbed.n8n.activateWorkflow(workflow);
		expect(n8n.log()).not.toContain('durable poll cursors stay disabled');
		// n8n makes the first poll some time after the activation, so that "from now on" would not be a
		// fixed time.
		await service.upsert('users', { id: 'first' });
		expect(await emittedIds(testbed, workflow, 1)).toEqual([['first']]);

		await n8n.kill();
		await service.upsert('users', { id: 'second' });
		await n8n.restart();
		expect(await emittedIds(testbed, workflow, 2)).toEqual([['first'], ['second']]);
	}, 600_000);
});
