import { request } from 'undici';
import { itemsOf } from '../n8n/execution';
import type { N8nClient, StoredWorkflow } from '../n8n/n8nClient';
import { type CredentialReference, type Workflow, webhookUrl } from '../n8n/workflow';
import type { ReferenceService } from '../reference-service';
import { USERS, VISITS_A_DAY } from './demoTenant';
import {
	DIAGNOSE_NODE,
	diagnoseWorkflow,
	exampleWorkflows,
	FIND_NODE,
	findVisitsWorkflow,
	LIST_NODE,
	listUsersWorkflow,
	MANUAL_TRIGGER,
	POLLING_NODE,
	pollingWorkflow,
	signedWebhookWorkflow,
	WEBHOOK_NODE,
} from './demoWorkflows';
import { step } from './steps';

/** A workflow to open in the editor, and what it does. */
export interface Link {
	does: string;
	url: string;
}

export interface Stage {
	client: N8nClient;
	n8nUrl: string;
	service: ReferenceService;
	credential: CredentialReference;
	webhookSecret: string;
}

/**
 * Runs a workflow for each thing the package does, and imports the examples. Returns where to find
 * them.
 */
export async function showWorkflows(stage: Stage): Promise<Link[]> {
	const { client, n8nUrl, service, credential, webhookSecret } = stage;
	const links: Link[] = [];
	const create = async (workflow: Workflow, does: string): Promise<StoredWorkflow> => {
		const stored = await client.createWorkflow(workflow);
		links.push({ does, url: `${n8nUrl}/workflow/${stored.id}` });
		return stored;
	};

	await step('List Users with Return All', async () => {
		const workflow = await create(listUsersWorkflow(credential), 'All users in one list');
		service.clearRequests();
		const execution = await client.runWorkflow(workflow, MANUAL_TRIGGER);
		if (execution.error) throw new Error(`The listing failed: ${execution.error.message}`);
		const ids = itemsOf(execution, LIST_NODE).map((item) => String(item.id));
		const different = new Set(ids).size;
		if (ids.length !== USERS || different !== USERS) {
			throw new Error(
				`${ids.length} items with ${different} different ids came instead of ${USERS} users.`,
			);
		}
		return {
			value: undefined,
			detail: `${ids.length} items, ${ids[0]} to ${ids.at(-1)}, each once, in ${service.requests.length} requests`,
		};
	});

	await step('Find the visits of today', async () => {
		const workflow = await create(
			findVisitsWorkflow(credential),
			'The visits of today, found in the list',
		);
		service.clearRequests();
		const execution = await client.runWorkflow(workflow, MANUAL_TRIGGER);
		if (execution.error) throw new Error(`The search failed: ${execution.error.message}`);
		const visits = itemsOf(execution, FIND_NODE);
		const days = new Set(visits.map(({ expectedAt }) => String(expectedAt).slice(0, 10)));
		if (visits.length !== VISITS_A_DAY || days.size !== 1) {
			throw new Error(
				`${visits.length} visits of ${days.size} days came instead of ${VISITS_A_DAY}.`,
			);
		}
		return {
			value: undefined,
			detail: `${visits.length} of ${service.count('visits')} visits, in one call of ${listRequests(service)} pages`,
		};
	});

	await step('Diagnose the connection', async () => {
		const workflow = await create(
			diagnoseWorkflow(credential),
			'What the service does, and what to set',
		);
		service.clearRequests();
		const execution = await client.runWorkflow(workflow, MANUAL_TRIGGER);
		if (execution.error) throw new Error(`Diagnose failed: ${execution.error.message}`);
		const findings = itemsOf(execution, DIAGNOSE_NODE);
		const [summary] = findings;
		if (summary?.check !== 'summary' || summary.status !== 'ok') {
			throw new Error(`Diagnose says ${JSON.stringify(summary)}.`);
		}
		return {
			value: undefined,
			detail: `${findings.length} findings in ${listRequests(service)} requests, summary: ${summary.status}`,
		};
	});

	await step('Polling trigger, a test event', async () => {
		const workflow = await create(
			pollingWorkflow(credential),
			'A trigger for changed users: click Fetch Test Event',
		);
		const execution = await client.runWorkflow(workflow, POLLING_NODE);
		if (execution.error) throw new Error(`The test event failed: ${execution.error.message}`);
		const [user] = itemsOf(execution, POLLING_NODE);
		if (user === undefined) throw new Error('The polling trigger returned no test event.');
		return { value: undefined, detail: `${String(user.id)}, changed ${String(user.updatedAt)}` };
	});

	const webhook = await step('Signed webhook through the trigger', async () => {
		const workflow = await create(
			signedWebhookWorkflow(credential),
			'A webhook that only a signed delivery starts',
		);
		await client.activateWorkflow(workflow);
		const address = webhookUrl(n8nUrl, workflow, WEBHOOK_NODE);
		service.receivers.add({
			url: address,
			secret: webhookSecret,
		});
		const [delivery] = await service.emit({ event: 'user.updated', data: { id: 'user-000123' } });
		const status = delivery?.attempts[0]?.status;
		if (status !== 200) {
			throw new Error(`n8n answered ${status ?? 'nothing'} to a signed webhook instead of 200.`);
		}
		const [started] = await client.waitForExecutions(workflow.id, 1);
		if (!started) throw new Error('The webhook started no execution.');
		const execution = await client.waitForExecution(started.id);
		const [item] = itemsOf(execution, WEBHOOK_NODE);
		if (execution.status !== 'success' || item?.event !== 'user.updated') {
			throw new Error(
				`The execution ended with "${execution.status}" and the event ${JSON.stringify(item?.event)}.`,
			);
		}
		return {
			value: { address, workflowId: workflow.id },
			detail: `200, execution ${execution.id}, event ${item.event}`,
		};
	});

	await step('Forged webhook without a signature', async () => {
		const { statusCode, body } = await request(webhook.address, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ event: 'user.deleted', data: { id: 'user-000123' } }),
		});
		await body.dump();
		const executions = await client.listExecutions({ workflowId: webhook.workflowId });
		if (statusCode !== 401 || executions.length !== 1) {
			throw new Error(
				`n8n answered ${statusCode} to a forged webhook, and ${executions.length - 1} executions started.`,
			);
		}
		return { value: undefined, detail: '401, nothing executed' };
	});

	await step('Examples, with the credential', async () => {
		const examples = exampleWorkflows(credential);
		for (const example of examples) await create(example, example.name);
		return { value: undefined, detail: `${examples.length} imported` };
	});

	return links;
}

function listRequests({ requests }: ReferenceService): number {
	return requests.filter(({ path }) => path.startsWith('/api/')).length;
}
