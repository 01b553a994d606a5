import './harness/engineSettings';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { HOST_RULES } from '../host/hostRules';
import { NODES, typeOf } from '../host/memoryHost';
import { comparable, inMemory, type Outcome, outcomeOfPoll } from '../host/outcome';
import { WORKFLOWS, type Workflow } from '../host/workflows';
import type { ReferenceService } from '../reference-service';
import { CredentialStore } from './harness/credentialStore';
import { pollContext, startWorkflow } from './harness/runWorkflow';
import { credentialFor, Process, tenants } from './tenants';

const start = tenants();

/** Of a webhook n8n's server decides more than n8n-core: the real n8n gets these (`test/e2e`). */
const OF_N8N_CORE = WORKFLOWS.filter(({ node }) => node !== 'webhook');

describe('n8n-core shows the same items, errors and hints as the host in memory', () => {
	it.each([...OF_N8N_CORE, ...HOST_RULES])('for $title ($node)', async (workflow) => {
		const { switches, users = 0 } = workflow;
		const service = await start({ switches });
		await service.seed('users', users);
		const outcomes = await inEngine(workflow, service);
		expect(comparable(outcomes, service.url)).toEqual(await inMemory(workflow));
	});
});

async function inEngine(workflow: Workflow, service: ReferenceService): Promise<Outcome[]> {
	const store = new CredentialStore(new VisitorServiceApi());
	const fields = credentialFor(service, workflow.credential as ICredentialDataDecryptedObject);
	const run = runsOf(workflow, store, fields);
	const outcomes: Outcome[] = [];
	for (const step of workflow.steps) {
		if (typeof step === 'function') await step(service);
		else outcomes.push(...(await run()));
	}
	return outcomes;
}

function runsOf(
	{ continueOnFail, items, node, onError, parameters = {} }: Workflow,
	store: CredentialStore,
	fields: ICredentialDataDecryptedObject,
): () => Promise<Outcome[]> {
	if (node === 'credential') return async () => [{ items: [await new Process().test(fields)] }];
	const credentials = store.add(fields, 'one');
	const tested = {
		type: typeOf(node),
		class: NODES[node],
		parameters,
		credentials,
		onError,
		continueOnFail,
	};
	if (node === 'polling') {
		const context = pollContext(tested, store);
		return async () => {
			const items = NODES.polling.poll.call(context).then((output) => output?.[0] ?? []);
			const outcome = await outcomeOfPoll(items.then((started) => started.map(({ json }) => json)));
			return outcome === undefined ? [] : [outcome];
		};
	}
	return async () => {
		const result = await startWorkflow(tested, store, items).finished;
		const { hints } = result.task;
		return [{ items: result.json(), errorItems: result.json(1), hints, error: result.error }];
	};
}
