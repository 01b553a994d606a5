import { object } from '../n8n/answerShape';
import { type Execution, itemsOf } from '../n8n/execution';
import type { StoredWorkflow } from '../n8n/n8nClient';
import { type CredentialReference, webhookUrl } from '../n8n/workflow';
import { type Choices, exampleWorkflow } from './harness/exampleWorkflow';
import { startLoopbackServer } from './harness/loopbackServer';
import { startScriptedModel } from './harness/scriptedModel';
import { Testbed } from './harness/testbed';

const WEBHOOK_SECRET = 'example-webhook-secret';
const SIGNING = { scheme: 'hmac', secret: WEBHOOK_SECRET } as const;
const LONG_AGO = '2020-01-01T00:00:00.000Z';

let testbed: Testbed;
let visitorService: CredentialReference;
const undo: Array<() => Promise<unknown>> = [];

beforeAll(async () => {
	testbed = await Testbed.open();
	visitorService = await testbed.createCredential({ webhookSecret: WEBHOOK_SECRET });
});

afterEach(async () => {
	for (const step of undo.splice(0).reverse()) await step();
});

afterAll(async () => {
	await testbed.close();
});

beforeEach(() => {
	testbed.service.resetSwitches();
	testbed.service.clearRequests();
	testbed.service.revokeTokens();
});

async function importExample(
	name: string,
	choices: Omit<Choices, 'visitorService'> = {},
): Promise<StoredWorkflow> {
	const workflow = await testbed.n8n.createWorkflow(
		exampleWorkflow(name, { visitorService, ...choices }),
	);
	undo.push(async () => {
		await testbed.n8n.deleteWorkflow(workflow.id);
	});
	return workflow;
}

async function credentialFor(node: string, type: string, data: Record<string, unknown>) {
	const credential = await testbed.n8n.createCredential({ name: type, type, data });
	undo.push(async () => {
		await testbed.n8n.deleteCredential(credential.id);
	});
	return { [node]: { [type]: credential } };
}

/** The executions of a workflow that is active, oldest first, once there are so many. */
async function executionsOf(workflow: StoredWorkflow, count: number): Promise<Execution[]> {
	const summaries = await testbed.n8n.waitForExecutions(workflow.id, count);
	expect(summaries).toHaveLength(count);
	const executions: Execution[] = [];
	for (const { id } of summaries.reverse()) executions.push(await testbed.n8n.waitForExecution(id));
	return executions;
}

/** Lets the service deliver an event, signed, and returns the status n8n answered. */
async function deliver(
	workflow: StoredWorkflow,
	node: string,
	event: { id?: string; event: string; data: { id: string; updatedAt?: string } },
): Promise<number | undefined> {
	const url = webhookUrl(testbed.n8nUrl, workflow, node);
	const receiver = await testbed.service.receivers.add({ url, signing: SIGNING });
	const [delivery] = await testbed.service.emit(event);
	await testbed.service.receivers.remove(receiver);
	return delivery?.attempts[0]?.statuses[0] ?? undefined;
}

const ranFully = (execution: Execution) => {
	expect({ status: execution.status, error: execution.error }).toEqual({
		status: 'success',
		error: null,
	});
};

describe('Examples in the real n8n', () => {
	it('nightly-sync-to-data-table keeps one row for each user', async () => {
		await testbed.service.seed('users', 120);
		const table = await testbed.n8n.createDataTable('Users', [
			{ name: 'userId', type: 'string' },
			{ name: 'record', type: 'string' },
			{ name: 'syncedAt', type: 'date' },
		]);
		undo.push(table.remove);
		const workflow = await importExample('nightly-sync-to-data-table', {
			parameters: {
				'Keep in Data Table': { dataTableId: { __rl: true, mode: 'id', value: table.id } },
			},
		});

		ranFully(await testbed.n8n.runWorkflow(workflow, 'Every Night'));
		const first = await table.rows();
		expect(first.map(({ userId }) => userId).sort()).toEqual(
			Array.from({ length: 120 }, (_, index) => `user-${String(index + 1).padStart(6, '0')}`),
		);

		await testbed.service.upsert('users', { id: 'user-000007', lastName: 'Changed' });
		await testbed.service.remove('users', 'user-000009');
		ranFully(await testbed.n8n.runWorkflow(workflow, 'Every Night'));
		const second = await table.rows();
		const row = (rows: typeof second, id: string) => rows.find(({ userId }) => userId === id);
		expect(second).toHaveLength(120);
		expect(String(row(second, 'user-000007')?.record)).toContain('"Changed"');
		expect(row(second, 'user-000009')?.syncedAt).toEqual(row(first, 'user-000009')?.syncedAt);
		expect(row(second, 'user-000010')?.syncedAt).not.toEqual(row(first, 'user-000010')?.syncedAt);
	});

	it('changes-to-chat-message sends one message for all changes', async () => {
		const chat = await startLoopbackServer(() => ({ status: 201, body: '{"id":"post-1"}' }));
		undo.push(chat.stop);
		await testbed.service.seed('users', 30);
		const workflow = await importExample('changes-to-chat-message', {
			credentials: await credentialFor('Tell the Channel', 'mattermostApi', {
				accessToken: 'chat-token',
				baseUrl: chat.url,
			}),
			parameters: {
				'Tell the Channel': { channelId: 'visitors' },
				// So that the poll at the activation has something to tell.
				'User Changed': { startFrom: 'date', startDate: LONG_AGO },
			},
		});
		await testbed.n8n.activateWorkflow(workflow);

		const [execution] = await executionsOf(workflow, 1);
		if (execution) ranFully(execution);
		expect(chat.requests).toMatchObject([{ method: 'POST', path: '/api/v4/posts' }]);
		const { channel_id, message } = object(chat.requests[0]?.body, 'The message');
		expect(channel_id).toBe('visitors');
		expect(message).toMatch(/^30 users were created or changed: user-\d{6}(, user-\d{6}){19}$/);
		expect(chat.requests[0]?.authorization).toBe('Bearer chat-token');
	});

	it('signed-webhook-without-repeats lets each event through once', async () => {
		const workflow = await importExample('signed-webhook-without-repeats');
		await testbed.n8n.activateWorkflow(workflow);
		const event = { id: 'event-1', event: 'visit.created', data: { id: 'visit-000001' } };
		expect(await deliver(workflow, 'Event Delivered', event)).toBe(200);
		expect(await deliver(workflow, 'Event Delivered', event)).toBe(200);
		expect(await deliver(workflow, 'Event Delivered', { ...event, id: 'event-2' })).toBe(200);

		// The ID may be that of a record, to which more than one thing happens.
		const another = { ...event, id: 'event-2', event: 'visit.ended' };
		expect(await deliver(workflow, 'Event Delivered', another)).toBe(200);

		const executions = await executionsOf(workflow, 3);
		executions.forEach(ranFully);
		expect(
			executions.map((execution) => itemsOf(execution, 'Your Work').map(({ id }) => id)),
		).toEqual([['event-1'], ['event-2'], ['event-2']]);
	});

	it('signed-webhook-without-repeats has a filter of its own behind the memory of the trigger', async () => {
		const workflow = await importExample('signed-webhook-without-repeats', {
			parameters: { 'Event Delivered': { options: { ignoreRepeats: false } } },
		});
		await testbed.n8n.activateWorkflow(workflow);
		const event = { id: 'event-1', event: 'visit.created', data: { id: 'visit-000001' } };
		await deliver(workflow, 'Event Delivered', event);
		await executionsOf(workflow, 1);
		await deliver(workflow, 'Event Delivered', event);

		const [first, second] = await executionsOf(workflow, 2);
		expect(first && itemsOf(first, 'Your Work')).toHaveLength(1);
		expect(second && itemsOf(second, 'Remove Repeats')).toHaveLength(0);

		ranFully(await testbed.n8n.runWorkflow(workflow, 'Every Week'));
		await deliver(workflow, 'Event Delivered', event);
		const [, , , fourth] = await executionsOf(workflow, 4);
		expect(fourth && itemsOf(fourth, 'Your Work')).toHaveLength(1);
	});

	it('webhook-and-polling lets each state of a user through once, whichever way it came', async () => {
		await testbed.service.seed('users', 3);
		const workflow = await importExample('webhook-and-polling', {
			// So that the poll at the activation brings the users there are.
			parameters: { 'User Changed': { startFrom: 'date', startDate: LONG_AGO } },
		});
		await testbed.n8n.activateWorkflow(workflow);
		const [polled] = await executionsOf(workflow, 1);
		const users = polled ? itemsOf(polled, 'Your Work') : [];
		expect(users).toHaveLength(3);
		const known = object(users[0]?.user, 'A user');
		const data = { id: String(known.id), updatedAt: String(known.updatedAt) };

		await deliver(workflow, 'Event Delivered', { event: 'user.updated', data });
		const [, repeated] = await executionsOf(workflow, 2);
		expect(repeated && itemsOf(repeated, 'Each State Once')).toHaveLength(0);

		const changed = { ...data, updatedAt: '2026-01-31T08:00:00.000Z' };
		await deliver(workflow, 'Event Delivered', { event: 'user.updated', data: changed });
		const [, , delivered] = await executionsOf(workflow, 3);
		expect(delivered && itemsOf(delivered, 'Your Work')).toMatchObject([
			{ user: changed, source: 'webhook' },
		]);
	});

	it('agent-who-is-visiting answers from the visits its tool has read', async () => {
		await testbed.service.seed('visits', 80);
		const model = await startScriptedModel((toolAnswers) => {
			// The token is refused in the middle of the conversation.
			if (toolAnswers.length === 1) testbed.service.revokeTokens();
			if (toolAnswers.length < 2) {
				return { tool: 'List_Visits', toolArguments: { page: toolAnswers.length } };
			}
			const names = [...toolAnswers.join('').matchAll(/Visitor \d{6}/g)].map(([name]) => name);
			return { answer: `${names.length} visits, the last one of ${names.at(-1)}.` };
		});
		undo.push(model.stop);
		const workflow = await importExample('agent-who-is-visiting', {
			credentials: await credentialFor('Model', 'openAiApi', {
				apiKey: 'model-key',
				url: `${model.url}/v1`,
			}),
			pinData: {
				Question: [
					{ json: { action: 'sendMessage', chatInput: 'Who is visiting?', sessionId: 'one' } },
				],
			},
		});

		const execution = await testbed.n8n.runWorkflow(workflow, 'Question');
		ranFully(execution);
		expect(itemsOf(execution, 'Receptionist')).toMatchObject([
			{ output: '80 visits, the last one of Visitor 000080.' },
		]);
		expect([...model.tools().keys()].sort()).toEqual(['List_Users', 'List_Visits']);
		expect(model.tools().get('List_Visits')?.description).toMatch(/^List the visits of the tenant/);
		expect(model.tools().get('List_Visits')?.parameters).toMatchObject({
			properties: { page: { type: 'number', description: 'Page to read; the first one is 0' } },
		});
		expect(execution.nodes['List Visits']).toHaveLength(2);
		// Each call reads one page of 50 and no more, the second one with a new token after a 401.
		const visitRequests = testbed.service.requests.filter(({ path }) => path.endsWith('/visits'));
		expect(visitRequests.filter(({ status }) => status === 200).map(({ query }) => query)).toEqual([
			{ page: '0', pageSize: '50' },
			{ page: '1', pageSize: '50' },
		]);
		expect(
			visitRequests.filter(({ query }) => query.page === '1').map(({ status }) => status),
		).toEqual([401, 200]);
	});

	it('visits-with-confirmed-path reads visits where there is such a list', async () => {
		await testbed.service.seed('users', 30);
		await testbed.service.seed('visits', 70);
		const workflow = await importExample('visits-with-confirmed-path');
		const execution = await testbed.n8n.runWorkflow(workflow, 'Start');
		ranFully(execution);
		expect(itemsOf(execution, 'List Visits')).toHaveLength(50);

		testbed.service.set({ list: { paths: { visits: null } } });
		const without = await testbed.n8n.runWorkflow(workflow, 'Start');
		ranFully(without);
		expect(without.nodes['List Visits']).toBeUndefined();
	});
});
