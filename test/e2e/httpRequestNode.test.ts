import { itemsOf } from '../n8n/execution';
import { START } from '../n8n/workflow';
import { Testbed } from './harness/testbed';

const testbed = Testbed.shared();

beforeAll(async () => await testbed.service.seed('users', 5));

// Where the token is not sent to: `engine/tokens` and `boundary/authorization`.
it("the credential gets a token in n8n's HTTP Request node, which sends it to the tenant", async () => {
	const workflow = await testbed.createWorkflow([
		START,
		{
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: {
				url: `${testbed.service.url}/api/external/v2/users?page=0&pageSize=2`,
				authentication: 'predefinedCredentialType',
				nodeCredentialType: 'visitorServiceApi',
			},
			credentials: { visitorServiceApi: await testbed.createCredential() },
		},
	]);
	const execution = await testbed.n8n.runWorkflow(workflow, START.name);
	expect(execution.error).toBeNull();
	expect(itemsOf(execution, 'HTTP Request')).toMatchObject([{ total: 5 }]);
});
