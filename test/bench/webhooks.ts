import { createHmac, randomUUID } from 'node:crypto';

import { Pool } from 'undici';

import type { N8nInstallation } from '../n8n/prepareN8n';
import type { N8nClient } from '../n8n/n8nClient';
import { chainedWorkflow, type NewNode } from '../n8n/workflow';
import { median, withN8n, type BenchN8n } from './bench';
import type { ServiceProcess } from './startServiceProcess';

const SECRET = 'bench-webhook-secret';
const DELIVERIES = 100;
const ROUNDS = 3;

interface Receiver {
	name: string;
	workflowId: string;
	path: string;
}

/**
 * For each delivery to a trigger n8n 2.41 opens an isolate for expressions, needed or not; its own Webhook node is let
 * off by name. With the variable every trigger is that needs none.
 */
const HOSTS: Array<{ name: string; environment: Record<string, string> }> = [
	{ name: 'as n8n sets it', environment: {} },
	{
		name: 'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true',
		environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
	},
];

/** Deliveries a second into the same workflow, behind n8n's Webhook node and behind the trigger with hmac. */
export async function measureWebhooks(
	installation: N8nInstallation,
	tarball: string,
	service: ServiceProcess,
): Promise<void> {
	console.log(`Webhooks, ${DELIVERIES} deliveries, median of ${ROUNDS} rounds, alternating (deliveries/s)\n`);
	console.log(
		'| n8n | connections | Webhook node | trigger, hmac | ratio | trigger, hmac, ignoreRepeats | of hmac alone | accepted = executions | target |',
	);
	console.log('|---|---|---|---|---|---|---|---|---|');
	for (const { name, environment } of HOSTS) {
		await measureHost(name, environment, installation, tarball, service);
	}
	console.log('');
}

async function measureHost(
	host: string,
	environment: Record<string, string>,
	installation: N8nInstallation,
	tarball: string,
	service: ServiceProcess,
): Promise<void> {
	const measure = async ({ n8n, client }: BenchN8n) => {
		const credential = await client.createCredential({
			name: 'Webhooks',
			type: 'visitorServiceApi',
			data: {
				authUrl: service.url,
				baseUrl: service.url,
				clientId: 'bench',
				clientSecret: 'bench',
				webhookSecret: SECRET,
			},
		});
		const trigger = (parameters: Record<string, unknown>): NewNode => ({
			name: 'Trigger',
			type: 'n8n-nodes-visitor-service.visitorServiceTrigger',
			parameters,
			webhookId: randomUUID(),
			credentials: { visitorServiceApi: credential },
		});
		const plain = await open(client, 'Webhook node', {
			name: 'Trigger',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			parameters: { httpMethod: 'POST', path: randomUUID(), responseMode: 'onReceived', options: {} },
			webhookId: randomUUID(),
		});
		const signed = await open(client, 'hmac', trigger({}));
		const unrepeated = await open(client, 'ignoreRepeats', trigger({ options: { ignoreRepeats: true } }));
		const receivers = [plain, signed, unrepeated];

		for (const connections of [10, 100]) {
			const rates = new Map<Receiver, number[]>(receivers.map((receiver) => [receiver, []]));
			for (let round = 0; round <= ROUNDS; round++) {
				for (const receiver of receivers) {
					const rate = await deliverAll(n8n.url, receiver, connections);
					// The first round warms up.
					if (round > 0) rates.get(receiver)?.push(rate);
				}
			}
			const [webhookNode = NaN, hmac = NaN, repeats = NaN] = receivers.map((receiver) =>
				median(rates.get(receiver) ?? []),
			);
			const counts = await Promise.all(
				receivers.map(async ({ workflowId }) => (await client.listExecutions({ workflowId })).length),
			);
			const expected = DELIVERIES * (ROUNDS + 1) * (connections === 10 ? 1 : 2);
			const complete = counts.every((count) => count === expected);
			const ratio = hmac / webhookNode;
			const cells = [
				host,
				connections,
				webhookNode.toFixed(0),
				hmac.toFixed(0),
				`${ratio.toFixed(2)}×`,
				repeats.toFixed(0),
				`${(repeats / hmac).toFixed(2)}×`,
				`${counts.join(', ')} of ${expected}${complete ? '' : ' (!)'}`,
				`≥ 0.95×: ${ratio >= 0.95 ? 'reached' : 'missed'}; ≥ 0.9×: ${repeats / hmac >= 0.9 ? 'reached' : 'missed'}`,
			];
			console.log(`| ${cells.join(' | ')} |`);
		}
	};
	await withN8n(installation, tarball, service, measure, environment);
}

async function open(client: N8nClient, name: string, node: NewNode): Promise<Receiver> {
	const workflow = await client.createWorkflow(
		chainedWorkflow(name, [node, { name: 'Then', type: 'n8n-nodes-base.noOp' }]),
	);
	await client.activateWorkflow(workflow);
	const path = node.type.endsWith('.webhook')
		? `/webhook/${String(node.parameters?.path)}`
		: `/webhook/${String(node.webhookId)}/webhook`;
	return { name, workflowId: workflow.id, path };
}

/** @returns deliveries a second, from the first request to the last answer */
async function deliverAll(url: string, receiver: Receiver, connections: number): Promise<number> {
	const pool = new Pool(url, { connections });
	let next = 0;
	const deliverOn = async () => {
		while (next < DELIVERIES) {
			const body = JSON.stringify({ event: 'visit.updated', eventId: randomUUID(), n: next++ });
			const { statusCode, body: answer } = await pool.request({
				method: 'POST',
				path: receiver.path,
				headers: {
					'content-type': 'application/json',
					'x-signature': createHmac('sha256', SECRET).update(body).digest('hex'),
				},
				body,
			});
			await answer.dump();
			if (statusCode !== 200) throw new Error(`${receiver.name} answered ${statusCode}.`);
		}
	};
	const startedAt = performance.now();
	await Promise.all(Array.from({ length: connections }, deliverOn));
	const seconds = (performance.now() - startedAt) / 1000;
	await pool.close();
	return DELIVERIES / seconds;
}
