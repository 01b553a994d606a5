import './harness/engineSettings';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { NODES, typeOf } from '../host/memoryHost';
import { comparable, inMemory, type Outcome } from '../host/outcome';
import { WORKFLOWS, type Workflow } from '../host/workflows';
import type { ReferenceService } from '../reference-service';
import { CredentialStore } from './harness/credentialStore';
import { runWorkflow } from './harness/runWorkflow';
import { WebhookReceiver } from './harness/webhookReceiver';
import { PolledWorkflow } from './polledWorkflow';
import { credentialFor, Process, tenants } from './tenants';

const start = tenants();

describe('n8n-core shows the same items, errors and hints as the host in memory', () => {
	it.each(WORKFLOWS)('for $title ($node)', async (workflow) => {
		const { switches, users = 0 } = workflow;
		const service = await start({ switches });
		await service.seed('users', users);
		const outcomes = await inEngine(workflow, service);
		expect(comparable(outcomes, service.url)).toEqual(await inMemory(workflow));
	});
});

async function inEngine(workflow: Workflow, service: ReferenceService): Promise<Outcome[]> {
	const { credential, steps } = workflow;
	const store = new CredentialStore(new VisitorServiceApi());
	const fields = credentialFor(service, credential as ICredentialDataDecryptedObject);
	const credentials = store.add(fields, 'one');
	const { run, deliver } = opened(workflow, store, credentials, fields);
	const outcomes: Outcome[] = [];
	for (const step of steps) {
		if (typeof step === 'function') await step(service);
		else outcomes.push(...(await (step === 'run' ? run() : deliver(step))));
	}
	return outcomes;
}

type Calls = {
	run: () => Promise<Outcome[]>;
	deliver: (delivery: { body: string; headers: Record<string, string> }) => Promise<Outcome[]>;
};

function opened(
	{ items, node, onError, parameters = {} }: Workflow,
	store: CredentialStore,
	credentials: ReturnType<CredentialStore['add']>,
	fields: ICredentialDataDecryptedObject,
): Calls {
	const deliver = () => Promise.reject(new Error('Only a webhook trigger gets deliveries.'));
	switch (node) {
		case 'credential':
			return { deliver, run: async () => [{ items: [await new Process().test(fields)] }] };
		case 'polling': {
			const host = { trigger: NODES.polling, store };
			const polled = new PolledWorkflow(host, { name: 'Users', parameters, credentials });
			const run = async () => {
				const started = await polled.poll();
				return started.length > 0 ? [{ items: started }] : [];
			};
			return { deliver, run };
		}
		case 'webhook': {
			const receiver = new WebhookReceiver({
				nodeTypes: { [typeOf(node)]: NODES.webhook },
				nodes: [{ type: typeOf(node), parameters, credentials }],
				credentials: store,
			});
			return {
				run: () => Promise.reject(new Error('A webhook trigger is not run.')),
				deliver: async (delivery) => {
					const { length } = receiver.executions;
					const { statusCode, body } = await receiver.deliver(delivery);
					const started = receiver.executions[length]?.map(({ json }) => json);
					return [{ statusCode, answer: body, items: started }];
				},
			};
		}
		case 'action':
			return {
				deliver,
				run: async () => {
					const result = await runWorkflow({
						nodeTypes: { [typeOf(node)]: NODES.action },
						credentials: store,
						nodes: [{ type: typeOf(node), parameters, credentials, onError }],
						items,
					});
					const { hints } = result.task();
					const shown = result.json();
					const errorItems = result.items(undefined, 1).map(({ json }) => json);
					return [{ items: shown, errorItems, hints, error: result.error }];
				},
			};
	}
}
