import { itemsOf } from '../n8n/execution';
import type { CredentialReference } from '../n8n/workflow';
import { type ReferenceService, startReferenceService } from '../reference-service';
import { Testbed } from './harness/testbed';

let testbed: Testbed;
let elsewhere: ReferenceService;

beforeAll(async () => {
	testbed = await Testbed.open();
	await testbed.service.seed('users', 5);
	elsewhere = await startReferenceService();
});

afterAll(async () => {
	await testbed.close();
	await elsewhere.stop();
});

async function callByHttpRequestNode(url: string, credential: CredentialReference) {
	const workflow = await testbed.createWorkflow([
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
		{
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				url,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'visitorServiceApi',
			},
			credentials: { visitorServiceApi: credential },
		},
	]);
	return await testbed.n8n.runWorkflow(workflow, 'Start');
}

describe("The credential in n8n's HTTP Request node", () => {
	it('gets a token automatically and sends it to the tenant', async () => {
		const execution = await callByHttpRequestNode(
			`${testbed.service.url}/api/external/v2/users?page=0&pageSize=2`,
			await testbed.createCredential(),
		);
		expect(execution.error).toBeNull();
		expect(itemsOf(execution, 'HTTP Request')).toMatchObject([{ total: 5 }]);
	});

	it('sends the token to no other host', async () => {
		const execution = await callByHttpRequestNode(
			`${elsewhere.url}/api/external/v2/users`,
			await testbed.createCredential(),
		);
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toMatch(/another host than the Tenant API URL/);
		expect(elsewhere.requests).toHaveLength(0);
	});
});
