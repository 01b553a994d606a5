import { type Execution, itemsOf } from '../n8n/execution';
import type { StoredWorkflow } from '../n8n/n8nClient';
import { object } from '../n8n/responseShape';
import { type CredentialReference, webhookUrl } from '../n8n/workflow';
import { syntheticRecord, type WebhookEvent } from '../reference-service';
import { type Choices, exampleWorkflow } from './harness/exampleWorkflow';
import { startLoopbackServer } from './harness/loopbackServer';
import { SELDOM } from './harness/pollingWorkflow';
import { startScriptedModel } from './harness/scriptedModel';
import { Testbed } from './harness/testbed';

const WEBHOOK_SECRET = 'example-webhook-secret';

const LONG_AGO = '2020-01-01T00:00:00.000Z';

const testbed = Testbed.shared();
let visitorService: CredentialReference;
const undo: Array<() => Promise<unknown>> = [];

beforeAll(async () => {
	visitorService = await testbed.createCredential({ webhookSecret: WEBHOOK_SECRET });
});

afterEach(async () => {
	for (const step of undo.splice(0).reverse()) await step();
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
async function executionsOf({ id }: StoredWorkflow, count: number): Promise<Execution[]> {
	const executions = await testbed.n8n.endedExecutions(id, count);
	expect(executions).toHaveLength(count);
	return executions;
}

/** Lets the service deliver an event, signed, and returns the status of n8n. */
async function deliver(workflow: StoredWorkflow, node: string, event: WebhookEvent) {
	const url = webhookUrl(testbed.n8nUrl, workflow, node);
	return await testbed.deliver({ url, secret: WEBHOOK_SECRET }, event);
}

const ranFully = (execution: Execution) => {
	expect({ status: execution.status, error: execution.error }).toEqual({
		status: 'success',
		error: null,
	});
};

describe('Examples in the real n8n', () => {
	/** A chat that takes every message, and the credential for the node that posts there. */
	async function startChat(node: string) {
		const chat = await startLoopbackServer(() => ({ status: 201, body: '{"id":"post-1"}' }));
		undo.push(chat.stop);
		const data = { accessToken: 'chat-token', baseUrl: chat.url };
		return {
			credentials: await credentialFor(node, 'mattermostApi', data),
			messages: () => chat.requests.map(({ body }) => object(body, 'The message').message),
		};
	}

	it('visit-arrives-message-to-host names the visitor, and the host with the e-mail', async () => {
		const { credentials, messages } = await startChat('Tell the Host');
		await testbed.service.seed('users', 130);
		const visit = { id: 'visit-1', visitorName: 'Vera', hostId: 'user-000123' };
		await testbed.service.seed('visits', [{ ...visit, state: 'expected' }]);
		const workflow = await importExample('visit-arrives-message-to-host', {
			credentials,
			parameters: {
				'Tell the Host': { channelId: 'visitors' },
				'Visit Arrived': { pollTimes: SELDOM },
			},
		});
		for (const state of ['expected', 'arrived', 'arrived', 'left']) {
			await testbed.service.seed('visits', [{ ...visit, state }]);
			await testbed.n8n.activateWorkflow(workflow);
			await testbed.n8n.deactivateWorkflow(workflow.id);
		}

		const [execution] = await executionsOf(workflow, 1);
		if (execution) ranFully(execution);
		expect(messages()).toEqual(['Vera is here for User 000123 (user-000123@example.test).']);
	});

	it('who-is-inside-now names everybody whose visit has arrived and not ended, or nobody', async () => {
		const { credentials, messages } = await startChat('Tell Everybody');
		const visit = (key: number, state: string) => ({ key, state, visitorName: `Visitor ${key}` });
		await testbed.service.seed('visits', [visit(1, 'expected'), visit(2, 'arrived')]);
		const workflow = await importExample('who-is-inside-now', {
			credentials,
			parameters: { 'Tell Everybody': { channelId: 'visitors' } },
		});
		ranFully(await testbed.n8n.runWorkflow(workflow, 'Alarm'));
		await testbed.service.seed('visits', [visit(1, 'expected'), visit(2, 'left')]);
		ranFully(await testbed.n8n.runWorkflow(workflow, 'Alarm'));
		expect(messages()).toEqual([
			'1 visitors are inside: Visitor 2',
			expect.stringMatching(/^0 visitors are inside: $/),
		]);
	});

	it('who-is-inside-at-18 runs by its schedule, and names everybody inside', async () => {
		const { credentials, messages } = await startChat('Tell Everybody');
		const visit = (id: number, state: string) => ({ id, state, visitorName: `Visitor ${id}` });
		await testbed.service.seed('visits', [visit(1, 'left'), visit(2, 'arrived')]);
		const workflow = await importExample('who-is-inside-at-18', {
			credentials,
			parameters: {
				'Tell Everybody': { channelId: 'visitors' },
				'At 18:00': { rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } },
			},
		});
		await testbed.n8n.activateWorkflow(workflow);
		const [execution] = await testbed.n8n.waitForExecutions(workflow.id, 1);
		ranFully(await testbed.n8n.waitForExecution(String(execution?.id)));
		await testbed.n8n.deactivateWorkflow(workflow.id);
		expect(messages()[0]).toBe('1 visitors are inside: Visitor 2');
	});

	it('rows-of-a-sheet finds the user of each row in one reading', async () => {
		await testbed.service.seed('users', 130);
		const row = (number: string) => ({ json: { email: `user-${number}@example.test` } });
		const workflow = await importExample('rows-of-a-sheet', {
			pinData: { 'Read Sheet': [...['000129', '999999', '000003'].map(row), { json: {} }] },
		});
		testbed.service.clearRequests();
		const execution = await testbed.n8n.runWorkflow(workflow, 'Start');
		ranFully(execution);
		expect(itemsOf(execution, 'Find User').map(({ id }) => id)).toEqual([
			'user-000129',
			'user-000003',
			undefined,
		]);
		expect(itemsOf(execution, 'Find User')[2]?.error).toBe(
			'The condition on "email" has no value.',
		);
		const lists = testbed.service.requests.filter(({ path }) => path.endsWith('/users'));
		expect(lists.filter(({ status }) => status === 200)).toHaveLength(2);
	});

	it('list-as-csv makes one file of all users', async () => {
		await testbed.service.seed('users', 130);
		const workflow = await importExample('list-as-csv');
		const execution = await testbed.n8n.runWorkflow(workflow, 'Start');
		ranFully(execution);
		expect(itemsOf(execution, 'List Users')).toHaveLength(130);
		expect(execution.nodes['Convert to File']).toHaveLength(1);
		expect(itemsOf(execution, 'Convert to File')).toHaveLength(1);
	});

	it('signed-webhook-without-repeats lets each event through once', async () => {
		const workflow = await importExample('signed-webhook-without-repeats');
		await testbed.n8n.activateWorkflow(workflow);
		// A repeat is the same delivery again, its time included.
		const event = {
			id: 'event-1',
			event: 'visit.created',
			createdAt: '2026-01-31T08:00:00.000Z',
			data: { id: 'visit-000001' },
		};
		expect(await deliver(workflow, 'Event Delivered', event)).toBe(200);
		// Of two executions that begin the history of Remove Duplicates at once, n8n lets one fail
		// (UNIQUE constraint).
		await executionsOf(workflow, 1);
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

	it('signed-webhook-without-repeats filters repeats even if the trigger does not ignore them', async () => {
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
			// So that the poll at the activation returns the existing users.
			parameters: { 'User Changed': { startFrom: 'date', startDate: LONG_AGO } },
		});
		await testbed.n8n.activateWorkflow(workflow);
		const [polled] = await executionsOf(workflow, 1);
		const users = polled ? itemsOf(polled, 'Your Work') : [];
		expect(users).toHaveLength(3);
		const firstUser = object(users[0]?.user, 'A user');
		const data = { id: String(firstUser.id), updatedAt: String(firstUser.updatedAt) };

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

	it('user-removed-ends-access keeps a row for each user, and ends the access of a removed one', async () => {
		const { n8n: client, service } = testbed;
		const other = await startLoopbackServer(() => ({ status: 200, body: '{}' }));
		undo.push(other.stop);
		await service.seed('users', 120);
		const table = await client.createDataTable('Users', [
			{ name: 'userId', type: 'string' },
			{ name: 'record', type: 'string' },
			{ name: 'syncedAt', type: 'date' },
		]);
		const dataTableId = { __rl: true, mode: 'id', value: table.id };
		const workflow = await importExample('user-removed-ends-access', {
			parameters: {
				'Keep in Data Table': { dataTableId },
				'Get From Data Table': { dataTableId },
				'End Access Elsewhere': { url: `${other.url}/ended` },
				'Delete From Data Table': { dataTableId },
			},
		});
		const run = async () => {
			ranFully(await client.runWorkflow(workflow, 'Every Night'));
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
		ranFully(await client.waitForExecution(String(removal?.id)));
		expect(other.requests).toMatchObject([
			{ method: 'POST', path: '/ended', body: { email: 'user-000009@example.test' } },
		]);
		const last = await table.rows();
		expect(last).toHaveLength(119);
		expect(row(last, 'user-000009')).toBeUndefined();
	});

	it('agent-who-is-visiting finds the visits of a day among 20,000 in one call', async () => {
		const day = '2026-03-03';
		const visits = Array.from({ length: 20_000 }, (_, number) => ({
			...syntheticRecord('visits', number + 1),
			id: `visit-${String(number + 1).padStart(6, '0')}`,
			// Noon in UTC is the same day in nearly every time zone.
			expectedAt: new Date(Date.UTC(2026, 0, 1 + ((number * 7) % 365), 12)).toISOString(),
		}));
		const wanted = visits.filter(({ expectedAt }) => expectedAt.startsWith(day));
		await testbed.service.seed('visits', visits);
		await testbed.service.seed('users', 250);
		const model = await startScriptedModel((toolResults) => {
			if (toolResults.length === 0) {
				const toolArguments = { firstDay: day, lastDay: day, limit: 100 };
				return { tool: 'Find_Visits', toolArguments };
			}
			// The token is rejected in the middle of the conversation.
			if (toolResults.length === 1) {
				testbed.service.revokeTokens();
				const toolArguments = { field: 'email', text: 'USER-000123@', limit: 1 };
				return { tool: 'Find_Users', toolArguments };
			}
			const [visitors = '', hosts = ''] = toolResults;
			const ids = [...visitors.matchAll(/visit-\d{6}/g)].map(([id]) => id);
			const host = /user-000123(?!@)/.exec(hosts)?.[0] ?? 'nobody';
			return { reply: `${host}: ${[...new Set(ids)].join(' ')}` };
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
		expect(wanted.length).toBeGreaterThan(50);
		const found = itemsOf(execution, 'Receptionist').map(({ output }) => String(output));
		expect(found).toHaveLength(1);
		for (const { id } of wanted) expect(found[0]).toContain(id);
		expect(found[0]).toMatch(/^user-000123: /);
		expect(execution.nodes['Find Visits']).toHaveLength(1);

		expect([...model.tools().keys()].sort()).toEqual(['Find_Users', 'Find_Visits']);
		expect(model.tools().get('Find_Visits')?.description).toMatch(
			/^Find the visits .* exactly as many as the limit, there may be more/,
		);
		expect(model.tools().get('Find_Visits')?.parameters).toMatchObject({
			properties: { firstDay: { type: 'string' }, lastDay: { type: 'string' } },
		});
		// Each page is read once, the first one also in the smaller size, and that of the users with a
		// new token after a 401.
		const { requests } = testbed.service;
		const pages = requests.filter(({ path, status }) => path.endsWith('/visits') && status === 200);
		expect(pages.map(({ query }) => Number(query.page)).sort((one, other) => one - other)).toEqual([
			0,
			...Array.from({ length: 20 }, (_, page) => page),
		]);
		const users = requests.filter(({ path }) => path.endsWith('/users'));
		// A token that is less than a second old is tried once more first.
		expect(users.map(({ status }) => status).join()).toMatch(/^401,(401,)?200/);
	});
});
