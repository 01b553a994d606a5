import { exampleWorkflow } from './harness/exampleWorkflow';
import { startLoopbackServer } from './harness/loopbackServer';
import { Testbed } from './harness/testbed';

let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.open();
});

afterAll(async () => {
	await testbed.close();
});

describe('The example of removed users in the real n8n', () => {
	it('keeps one row for each user, ends the access of a removed one, and deletes the row', async () => {
		const { n8n: client, service } = testbed;
		const other = await startLoopbackServer(() => ({ status: 200, body: '{}' }));
		await service.seed('users', 120);
		const table = await client.createDataTable('Users', [
			{ name: 'userId', type: 'string' },
			{ name: 'record', type: 'string' },
			{ name: 'syncedAt', type: 'date' },
		]);
		const dataTableId = { __rl: true, mode: 'id', value: table.id };
		const workflow = await client.createWorkflow(
			exampleWorkflow('user-removed-ends-access', {
				visitorService: await testbed.createCredential(),
				parameters: {
					'Keep in Data Table': { dataTableId },
					'Get From Data Table': { dataTableId },
					'End Access Elsewhere': { url: `${other.url}/ended` },
					'Delete From Data Table': { dataTableId },
				},
			}),
		);
		const run = async () => {
			const { error, status } = await client.runWorkflow(workflow, 'Every Night');
			expect({ status, error }).toEqual({ status: 'success', error: null });
			return await table.rows();
		};
		const row = (rows: Awaited<ReturnType<typeof run>>, id: string) =>
			rows.find(({ userId }) => userId === id);

		const first = await run();
		expect(first.map(({ userId }) => userId).sort()).toEqual(
			Array.from({ length: 120 }, (_, index) => `user-${String(index + 1).padStart(6, '0')}`),
		);
		await client.activateWorkflow(workflow);

		await service.upsert('users', { id: 'user-000007', lastName: 'Changed' });
		await service.remove('users', 'user-000009');
		const second = await run();
		expect(String(row(second, 'user-000007')?.record)).toContain('"Changed"');
		expect(row(second, 'user-000010')?.syncedAt).not.toEqual(row(first, 'user-000010')?.syncedAt);

		// n8n polls each time the workflow is published. Two readings without a user prove that it is
		// gone.
		for (let poll = 0; poll < 2; poll++) {
			await client.deactivateWorkflow(workflow.id);
			await client.activateWorkflow(workflow);
		}
		const [removal] = (await client.waitForExecutions(workflow.id, 3)).filter(
			({ mode }) => mode === 'trigger',
		);
		const { error, status } = await client.waitForExecution(String(removal?.id));
		expect({ status, error }).toEqual({ status: 'success', error: null });
		await other.stop();
		expect(other.requests).toMatchObject([
			{ method: 'POST', path: '/ended', body: { email: 'user-000009@example.test' } },
		]);
		const last = await table.rows();
		expect(last).toHaveLength(119);
		expect(row(last, 'user-000009')).toBeUndefined();
	});
});
