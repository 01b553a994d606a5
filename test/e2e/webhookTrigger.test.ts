import { randomUUID } from 'node:crypto';

import { request } from 'undici';

import { itemsOf } from '../n8n/execution';
import type { StoredWorkflow } from '../n8n/n8nClient';
import { webhookUrl, type NewNode } from '../n8n/workflow';
import type { Receiver } from '../reference-service';
import { NODE_TYPES, Testbed } from './harness/testbed';

const SECRET = 'e2e-webhook-secret';
const TRIGGER = 'Trigger';

let testbed: Testbed;

beforeAll(async () => {
	testbed = await Testbed.open();
});

afterAll(async () => {
	await testbed.close();
});

async function activate(
	parameters: Record<string, unknown>,
	credential?: Record<string, unknown>,
): Promise<{ workflow: StoredWorkflow; url: string }> {
	const node: NewNode = {
		name: TRIGGER,
		type: NODE_TYPES.webhook,
		parameters,
		webhookId: randomUUID(),
		...(credential !== undefined && {
			credentials: { visitorServiceApi: await testbed.createCredential(credential) },
		}),
	};
	const workflow = await testbed.createWorkflow([node]);
	await testbed.n8n.activateWorkflow(workflow);
	return { workflow, url: webhookUrl(testbed.n8nUrl, workflow, TRIGGER) };
}

async function deliver(receiver: Receiver): Promise<number | undefined> {
	const id = await testbed.service.receivers.add(receiver);
	const [delivery] = await testbed.service.emit({
		event: 'visit.created',
		data: { id: 'visit-000001' },
	});
	await testbed.service.receivers.remove(id);
	return delivery?.attempts[0]?.statuses[0] ?? undefined;
}

describe('The webhook trigger in the real n8n', () => {
	it('starts one execution for a signed delivery, and none for a forged one', async () => {
		const { workflow, url } = await activate({}, { webhookSecret: SECRET });
		const signing = {
			scheme: 'hmac' as const,
			secret: SECRET,
		};
		expect(await deliver({ url, signing })).toBe(200);
		expect(await deliver({ url, signing: { ...signing, secret: 'forged' } })).toBe(401);
		expect(await deliver({ url })).toBe(401);

		const [execution, ...others] = await testbed.n8n.waitForExecutions(workflow.id, 1);
		expect(others).toHaveLength(0);
		const [item] = itemsOf(await testbed.n8n.waitForExecution(String(execution?.id)), TRIGGER);
		expect(item).toMatchObject({ event: 'visit.created', body: { data: { id: 'visit-000001' } } });
		expect(Object.keys(item ?? {}).sort()).toEqual([
			'body',
			'event',
			'headers',
			'id',
			'query',
			'receivedAt',
		]);
	});

	it('takes a secret in a header, and hides it in the output', async () => {
		const { workflow, url } = await activate(
			{ authentication: 'header' },
			{ webhookSecret: SECRET },
		);
		const signing = { scheme: 'header' as const, secret: SECRET };
		expect(await deliver({ url, signing })).toBe(200);
		expect(await deliver({ url, signing: { ...signing, secret: '' } })).toBe(401);

		const [execution] = await testbed.n8n.waitForExecutions(workflow.id, 1);
		const { stored } = await testbed.n8n.waitForExecution(String(execution?.id));
		expect(stored).toContain('visit-000001');
		expect(stored).not.toContain(SECRET);
	});

	it('takes anything with authentication none, without a credential', async () => {
		const { workflow, url } = await activate({ authentication: 'none' });
		const { statusCode } = await request(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"type":"user.updated","id":"e-1"}',
		});
		expect(statusCode).toBe(200);
		const [execution] = await testbed.n8n.waitForExecutions(workflow.id, 1);
		const [item] = itemsOf(await testbed.n8n.waitForExecution(String(execution?.id)), TRIGGER);
		expect(item).toMatchObject({ event: 'user.updated', id: 'e-1' });
	});

	it('answers with the status code that is set', async () => {
		const { url } = await activate({ authentication: 'none', options: { responseCode: 202 } });
		expect(await deliver({ url })).toBe(202);
	});

	it('is not activated without the secret it needs, and says what to set', async () => {
		await expect(activate({}, {})).rejects.toThrow(/Webhook Secret/);
	});
});
