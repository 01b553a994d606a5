import { createHmac, randomUUID } from 'node:crypto';

import { type N8nClient, visitorServiceCredential } from '../n8n/n8nClient';
import { type CredentialReference, chainedWorkflow, type NewNode, ownNode } from '../n8n/workflow';
import { visitorServiceChain } from './listingWorkflows';
import type { ServiceProcess } from './startServiceProcess';

/** A trigger in an active workflow, and how a delivery to it is signed. */
export interface Receiver {
	name: ReceiverName;
	workflowId: string;
	path: string;
	sign: (body: string) => Record<string, string>;
}

export type ReceiverName =
	| 'Webhook node'
	| 'Webhook node, Header Auth'
	| 'bare trigger'
	| 'bare trigger that reads a secret'
	| 'trigger, HMAC'
	| 'trigger, HMAC, Ignore Repeats'
	| 'trigger, HMAC, credential with a token';

const SECRET = 'bench-webhook-secret';

const unsigned = () => ({});

/** Opens the receivers to compare. Each has the same workflow after it. */
export async function openReceivers(
	client: N8nClient,
	service: ServiceProcess,
): Promise<Receiver[]> {
	const plain: NewNode = {
		name: 'Trigger',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { httpMethod: 'POST', path: randomUUID(), responseMode: 'onReceived', options: {} },
		webhookId: randomUUID(),
	};
	// As with the trigger, a secret is read from a credential for each delivery.
	const headerAuth: NewNode = {
		...plain,
		parameters: { ...plain.parameters, path: randomUUID(), authentication: 'headerAuth' },
		webhookId: randomUUID(),
		credentials: {
			httpHeaderAuth: await client.createCredential({
				name: 'Header Auth',
				type: 'httpHeaderAuth',
				data: { name: 'X-Webhook-Token', value: SECRET },
			}),
		},
	};
	const credential = await newCredential(client, service);
	const withToken = await newCredential(client, service);
	const list = chainedWorkflow('List', visitorServiceChain(withToken, {}));
	const { error } = await client.runWorkflow(await client.createWorkflow(list), 'Start');
	if (error !== null) throw new Error(error.message);
	return [
		await open(client, 'Webhook node', plain, unsigned),
		await open(client, 'Webhook node, Header Auth', headerAuth, () => ({
			'x-webhook-token': SECRET,
		})),
		await open(client, 'bare trigger', bareTrigger(false, credential), unsigned),
		await open(client, 'bare trigger that reads a secret', bareTrigger(true, credential), unsigned),
		await open(client, 'trigger, HMAC', trigger(credential), signHmac),
		await open(
			client,
			'trigger, HMAC, Ignore Repeats',
			trigger(credential, { options: { ignoreRepeats: true } }),
			signHmac,
		),
		await open(client, 'trigger, HMAC, credential with a token', trigger(withToken), signHmac),
	];
}

async function newCredential(
	client: N8nClient,
	service: ServiceProcess,
): Promise<CredentialReference> {
	const own = { ...(await service.control.service()), url: service.url };
	return await client.createCredential(visitorServiceCredential(own, { webhookSecret: SECRET }));
}

const trigger = (credential: CredentialReference, parameters = {}) =>
	ownNode('webhook', 'Trigger', credential, parameters);

function bareTrigger(readsSecret: boolean, credential: CredentialReference): NewNode {
	return {
		name: 'Trigger',
		type: 'CUSTOM.bareTrigger',
		typeVersion: 2,
		parameters: { readsSecret },
		webhookId: randomUUID(),
		...(readsSecret && { credentials: { visitorServiceApi: credential } }),
	};
}

function signHmac(body: string): Record<string, string> {
	return { 'x-signature': createHmac('sha256', SECRET).update(body).digest('hex') };
}

async function open(
	client: N8nClient,
	name: ReceiverName,
	node: NewNode,
	sign: Receiver['sign'],
): Promise<Receiver> {
	const workflow = await client.createWorkflow(
		chainedWorkflow(name, [node, { name: 'Then', type: 'n8n-nodes-base.noOp' }]),
	);
	await client.activateWorkflow(workflow);
	// The triggers have the path "webhook" in their descriptions.
	const path = node.type.endsWith('.webhook')
		? `/webhook/${String(node.parameters?.path)}`
		: `/webhook/${String(node.webhookId)}/webhook`;
	return { name, workflowId: workflow.id, path, sign };
}
