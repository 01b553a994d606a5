import { request } from 'undici';
import { EXAMPLES, exampleWorkflow } from '../e2e/harness/exampleWorkflow';
import { itemsOf } from '../n8n/execution';
import type { N8nClient, StoredWorkflow } from '../n8n/n8nClient';
import {
	type CredentialReference,
	chainedWorkflow,
	type NewNode,
	ownNode,
	type Workflow,
	webhookUrl,
} from '../n8n/workflow';
import type { ReferenceService } from '../reference-service';
import { USERS, VISITS_A_DAY } from './demoTenant';
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

interface Run {
	does: string;
	workflow: Workflow;
	/** The node it is started at, and the one whose items are looked at. */
	start: string;
	node: string;
	/** What there is to say of the items; undefined if they are wrong. */
	judge: (items: Array<Record<string, unknown>>) => string | undefined;
}

const START = 'When clicking Execute workflow';
const NODE = 'Visitor Service';

/** A workflow that is started by hand, with the action node. The visits of the demo are in UTC. */
function startedByHand(
	name: string,
	parameters: NewNode['parameters'],
	credential: CredentialReference,
): Workflow {
	const trigger = { name: START, type: 'n8n-nodes-base.manualTrigger' };
	const node = ownNode('action', NODE, credential, parameters);
	return chainedWorkflow(name, [trigger, node], { timezone: 'Etc/UTC' });
}

export const listUsersWorkflow = (credential: CredentialReference) =>
	startedByHand(
		'Visitor Service: list all users',
		{ resource: 'user', operation: 'list', returnAll: true },
		credential,
	);

function startedByTrigger(name: string, trigger: NewNode): Workflow {
	return chainedWorkflow(name, [trigger, { name: 'What came', type: 'n8n-nodes-base.noOp' }]);
}

function runsOf(credential: CredentialReference, service: ReferenceService): Run[] {
	const byHand = { start: START, node: NODE };
	const match = { conditions: [{ field: 'expectedAt', condition: 'isToday' }] };
	return [
		{
			...byHand,
			does: 'All users in one list',
			workflow: listUsersWorkflow(credential),
			judge: (items) =>
				items.length === USERS && new Set(items.map(({ id }) => id)).size === USERS
					? `${USERS} users, each once`
					: undefined,
		},
		{
			...byHand,
			does: 'The visits of today, found in the list',
			workflow: startedByHand(
				'Visitor Service: find the visits of today',
				{ resource: 'visit', operation: 'list', pathSegment: 'visits', match },
				credential,
			),
			judge: ({ length }) =>
				length === VISITS_A_DAY ? `${length} of ${service.count('visits')} visits` : undefined,
		},
		{
			...byHand,
			does: 'What the service does, and what to set',
			workflow: startedByHand(
				'Visitor Service: diagnose the connection',
				{ resource: 'connection', operation: 'diagnose' },
				credential,
			),
			judge: ([summary, ...others]) =>
				summary?.status === 'ok' ? `${others.length} findings` : undefined,
		},
		{
			start: NODE,
			node: NODE,
			does: 'A trigger for changed users: click Fetch Test Event',
			workflow: startedByTrigger(
				'Visitor Service: when a user changes',
				ownNode('polling', NODE, credential, { pollTimes: { item: [{ mode: 'everyMinute' }] } }),
			),
			judge: ([user]) => user && `${String(user.id)}, changed ${String(user.updatedAt)}`,
		},
	];
}

/**
 * Runs a workflow for each thing the package does, and imports the examples. Returns where to find
 * them.
 */
export async function showWorkflows(stage: Stage): Promise<Link[]> {
	const { client, credential, n8nUrl, service } = stage;
	const links: Link[] = [];
	const create = async (workflow: Workflow, does: string): Promise<StoredWorkflow> => {
		const stored = await client.createWorkflow(workflow);
		links.push({ does, url: `${n8nUrl}/workflow/${stored.id}` });
		return stored;
	};
	for (const { does, judge, node, start, workflow } of runsOf(credential, service)) {
		await step(does, async () => {
			const stored = await create(workflow, does);
			service.clearRequests();
			const execution = await client.runWorkflow(stored, start);
			if (execution.error) throw new Error(execution.error.message);
			const items = itemsOf(execution, node);
			const detail = judge(items);
			if (detail === undefined)
				throw new Error(`${items.length} items: ${JSON.stringify(items[0])}`);
			return { value: undefined, detail: `${detail}, ${service.requests.length} requests` };
		});
	}
	const does = 'A webhook that only a signed delivery starts';
	await step(does, async () => {
		const trigger = ownNode('webhook', NODE, credential);
		const workflow = startedByTrigger('Visitor Service: signed webhook', trigger);
		return { value: undefined, detail: await deliver(await create(workflow, does), stage) };
	});
	await step('Examples, with the credential', async () => {
		for (const name of EXAMPLES) {
			const example = exampleWorkflow(name, { visitorService: credential });
			await create(example, example.name);
		}
		return { value: undefined, detail: `${EXAMPLES.length} imported` };
	});
	return links;
}

/** A signed delivery, which starts the workflow, and a forged one, which does not. */
async function deliver(
	workflow: StoredWorkflow,
	{ client, n8nUrl, service, webhookSecret }: Stage,
): Promise<string> {
	await client.activateWorkflow(workflow);
	const url = webhookUrl(n8nUrl, workflow, NODE);
	const event = { event: 'user.updated', data: { id: 'user-000123' } };
	const [delivery] = await service.webhooks.send({ url, secret: webhookSecret }, [event]);
	const headers = { 'content-type': 'application/json' };
	const forged = await request(url, { method: 'POST', headers, body: JSON.stringify(event) });
	await forged.body.dump();
	const executions = await client.waitForExecutions(workflow.id, 1);
	const seen = [delivery?.statuses[0], forged.statusCode, executions.length].join(', ');
	if (seen !== '200, 401, 1') throw new Error(`Signed, forged, executions: ${seen}.`);
	return '200, one execution; 401 without a signature, and no other execution';
}
