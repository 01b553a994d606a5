import { Testbed } from './harness/testbed';

let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.open();
});

afterAll(async () => {
	await testbed.close();
});

// All test files share one n8n: what they store at the same time has to be stored (see startN8n.ts).
it('n8n stores workflows that are created at once', async () => {
	const created = await Promise.all(
		Array.from({ length: 20 }, async () =>
			await testbed.createWorkflow([{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' }]),
		),
	);
	expect(new Set(created.map(({ id }) => id)).size).toBe(20);
});
