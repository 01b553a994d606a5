import { request } from 'undici';
import { comparable, inMemory, type Outcome } from '../host/outcome';
import { type SentDelivery, WORKFLOWS, type Workflow } from '../host/workflows';
import type { Execution } from '../n8n/execution';
import { type StoredWorkflow, visitorServiceCredential } from '../n8n/n8nClient';
import { chainedWorkflow, type NewNode, ownNode, START, webhookUrl } from '../n8n/workflow';
import { type ReferenceService, startReferenceService } from '../reference-service';
import { everyFewSeconds, nextPoll } from './harness/pollingWorkflow';
import { Testbed } from './harness/testbed';

const NODE = 'Node';

let service: ReferenceService;
let made: StoredWorkflow | undefined;

const inMemoryBefore = new Map<Workflow, unknown>();

// Before there is any connection, whose timers would go by virtual time too.
beforeAll(async () => {
	for (const workflow of WORKFLOWS) inMemoryBefore.set(workflow, await inMemory(workflow));
});

const testbed = Testbed.shared();

beforeEach(() => {
	made = undefined;
});

afterEach(async () => {
	if (made !== undefined) await testbed.n8n.deleteWorkflow(made.id);
	await service.stop();
});

describe('The real n8n shows the same items, errors and hints as the host in memory', () => {
	it.each(WORKFLOWS)('for $title ($node)', async (workflow) => {
		service = await startReferenceService({ switches: workflow.switches });
		await service.seed('users', workflow.users ?? 0);
		const expected = inMemoryBefore.get(workflow);
		const outcomes = await inN8n(workflow, expected as Outcome[]);
		expect(comparable(outcomes, service.url)).toEqual(expected);
	});
});

/**
 * @param expected tells how many executions to wait for: n8n tells of no poll without items, and
 * responds to a delivery before its execution is listed
 */
async function inN8n(workflow: Workflow, expected: readonly Outcome[]): Promise<Outcome[]> {
	const { node, parameters, steps, onError } = workflow;
	const fields = visitorServiceCredential(service, workflow.credential).data;
	if (node === 'credential') {
		const { passed, message } = await testbed.testCredential(fields);
		return [{ items: [{ status: passed ? 'OK' : 'Error', message }] }];
	}
	const credential = await testbed.createCredential(fields);
	const tested = { ...ownNode(node, NODE, credential, parameters), ...(onError && { onError }) };
	switch (node) {
		case 'action':
			return await runEach(tested, workflow);
		case 'polling':
			return await pollAll(tested, workflow, expected.length);
		case 'webhook':
			return await deliverEach(tested, steps, expected);
	}
}

async function runEach(node: NewNode, { items, steps }: Workflow): Promise<Outcome[]> {
	const pinned = items && { pinData: { [START.name]: items.map((json) => ({ json })) } };
	const run = await create({ ...chainedWorkflow('Same', [START, node]), ...pinned });
	const outcomes: Outcome[] = [];
	for (const step of steps) {
		if (typeof step === 'function') await step(service);
		else outcomes.push(shownBy(await testbed.n8n.runWorkflow(run, START.name)));
	}
	return outcomes;
}

/** The first poll is that of publishing; n8n makes the others by its clock. */
async function pollAll(node: NewNode, { steps }: Workflow, count: number): Promise<Outcome[]> {
	const parameters = { pollTimes: everyFewSeconds(), ...node.parameters };
	const next = { name: 'Nothing', type: 'n8n-nodes-base.noOp' };
	const polled = await create(chainedWorkflow('Same', [{ ...node, parameters }, next]));
	await testbed.n8n.activateWorkflow(polled);
	await nextPoll(service);
	for (const step of steps) if (typeof step === 'function') await step(service);
	const executions = await testbed.n8n.endedExecutions(polled.id, count);
	await nextPoll(service);
	return executions.map(shownBy);
}

async function deliverEach(
	node: NewNode,
	steps: Workflow['steps'],
	expected: readonly Outcome[],
): Promise<Outcome[]> {
	const workflow = await create(chainedWorkflow('Same', [node]));
	await testbed.n8n.activateWorkflow(workflow);
	const url = webhookUrl(testbed.n8nUrl, workflow, NODE);
	const outcomes: Outcome[] = [];
	let started = 0;
	for (const [index, { body, headers }] of (steps as SentDelivery[]).entries()) {
		const response = await request(url, { method: 'POST', body, headers });
		const text = await response.body.text();
		const outcome: Outcome = {
			statusCode: response.statusCode,
			...(text !== '' && { response: JSON.parse(text) as unknown }),
		};
		const awaited = started + (expected[index]?.items?.length ? 1 : 0);
		const executions = await testbed.n8n.waitForExecutions(workflow.id, awaited);
		const [newest] = executions;
		if (newest !== undefined && executions.length > started) {
			outcome.items = shownBy(await testbed.n8n.waitForExecution(newest.id)).items;
		}
		started = executions.length;
		outcomes.push(outcome);
	}
	return outcomes;
}

async function create(workflow: Parameters<typeof testbed.n8n.createWorkflow>[0]) {
	made = await testbed.n8n.createWorkflow(workflow);
	return made;
}

function shownBy(execution: Execution): Outcome {
	const run = execution.nodes[NODE]?.[0];
	const [items = [], errorItems = []] = (run?.outputs ?? []).map((output) =>
		output.map(({ json }) => json as object),
	);
	return { items, errorItems, hints: run?.hints, error: execution.error };
}
