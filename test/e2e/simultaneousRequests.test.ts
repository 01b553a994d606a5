import { Testbed } from './harness/testbed';

// All test files share one n8n: what they store at the same time has to be stored (see
// n8nSession.ts).
it('n8n stores workflows that are created at once, also in two sessions', async () => {
	const testbeds = [await Testbed.open(), await Testbed.open()];
	try {
		const created = await Promise.all(
			Array.from(
				{ length: 20 },
				async (_, place) =>
					await testbeds[place % 2]?.createWorkflow([
						{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
					]),
			),
		);
		expect(new Set(created.map((workflow) => workflow?.id)).size).toBe(20);
	} finally {
		for (const testbed of testbeds) await testbed.close();
	}
});
