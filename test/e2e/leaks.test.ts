import { readFileSync } from 'node:fs';
import { request } from 'undici';
import { spellings } from '../host/spellings';
import { ownNode, webhookUrl } from '../n8n/workflow';
import type { DeepPartial, Switches } from '../reference-service';
import { SHARED_N8N_LOG } from './harness/startSharedN8n';
import { Testbed } from './harness/testbed';

const SECRET = 'canary/secret+5f1e&=% ä';
const TOKEN_PREFIX = 'canary-token-77aa-';
const WEBHOOK_SECRET = 'canary-webhook-secret-31c0';

const switches = { token: { prefix: TOKEN_PREFIX } };
const testbed = Testbed.shared({ clientSecret: SECRET, switches });

beforeAll(async () => await testbed.service.seed('users', 30));

/** One of each kind of what n8n stores and logs: `engine/leaks` has each way to fail. */
const FAILURES: Array<[name: string, switches: DeepPartial<Switches>, fields?: object]> = [
	[
		'a rejection that echoes the request',
		{ token: { errorStyle: 'echo' } },
		{ clientId: 'nobody' },
	],
	['a token beside an echo', { token: { response: 'echoWithToken' }, list: { force: 'html' } }],
	[
		'401 that echoes the token',
		{
			authorization: { permission: 'none', forbidden: { status: 401, body: 'echoAuthorization' } },
		},
	],
	[
		'500 that echoes the token',
		{ errors: { body: 'echoAuthorization' }, list: { force: { status: 500 } } },
	],
	['a cut list response', { list: { force: 'cut' } }],
	['a redirect to another host', { list: { redirectTo: 'http://127.0.0.1:9' } }],
];

it('no failure leaves a secret or a token in executions, workflows, responses or the log', async () => {
	let shown = '';
	for (const [name, switches, fields] of FAILURES) {
		const changes = { webhookSecret: WEBHOOK_SECRET, ...fields };
		testbed.service.resetSwitches();
		testbed.service.revokeTokens();
		testbed.service.set(switches);
		const credential = await testbed.createCredential(changes);
		const parameters = { options: { maxRetries: 0 } };
		const execution = await testbed.list(credential, parameters);
		expect([name, execution.status]).toEqual([name, 'error']);
		shown += execution.stored;
		const goesOn = { onError: 'continueRegularOutput' } as const;
		const continued = await testbed.list(credential, parameters, goesOn);
		shown += continued.stored;
		shown += JSON.stringify(await testbed.testCredential(changes));
	}

	testbed.service.resetSwitches();
	const success = await testbed.list(await testbed.createCredential(), { returnAll: true });
	expect(success.status).toBe('success');
	shown += success.stored;

	shown += await forgeWebhook();
	expect(testbed.service.tokensIssued).toBeGreaterThan(FAILURES.length);
	const log = readFileSync(process.env[SHARED_N8N_LOG] ?? '', 'utf8');
	expect(log.length).toBeGreaterThan(1_000);
	for (const [location, text] of Object.entries({ shown, log })) {
		for (const canary of [SECRET, TOKEN_PREFIX, WEBHOOK_SECRET]) {
			const found = spellings(canary).filter((spelling) => text.includes(spelling));
			expect([location, found]).toEqual([location, []]);
		}
	}
});

/** A genuine delivery by header secret, and one with a wrong signature. */
async function forgeWebhook(): Promise<string> {
	const credential = await testbed.createCredential({ webhookSecret: WEBHOOK_SECRET });
	const workflow = await testbed.createWorkflow([
		ownNode('webhook', 'Trigger', credential, { authentication: 'header' }),
	]);
	await testbed.n8n.activateWorkflow(workflow);
	const url = webhookUrl(testbed.n8nUrl, workflow, 'Trigger');
	for (const [token, status] of [
		[WEBHOOK_SECRET, 200],
		['wrong', 401],
	] as const) {
		const { statusCode } = await request(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', 'x-webhook-token': token },
			body: '{"event":"visit.created"}',
		});
		expect(statusCode).toBe(status);
	}
	const [execution] = await testbed.n8n.waitForExecutions(workflow.id, 1);
	const { stored } = await testbed.n8n.waitForExecution(String(execution?.id));
	return stored;
}
