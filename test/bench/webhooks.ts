import { createHmac, randomUUID } from 'node:crypto';

import { Pool } from 'undici';
import type { N8nClient } from '../n8n/n8nClient';
import type { N8nInstallation } from '../n8n/prepareN8n';
import { type CredentialReference, chainedWorkflow, type NewNode } from '../n8n/workflow';
import { type BenchN8n, median, withN8n } from './bench';
import { visitorServiceChain } from './listingWorkflows';
import type { ServiceProcess } from './startServiceProcess';

const SECRET = 'bench-webhook-secret';
const ROUNDS = 5;

interface Receiver {
	name: string;
	workflowId: string;
	path: string;
	sign: (body: string) => Record<string, string>;
	/** What it is to reach, of what the receiver of that name reaches. */
	target?: { of: string; ratio: number };
}

interface Host {
	name: string;
	environment: Record<string, string>;
	/** In one round: as many as take some seconds. */
	deliveries: number;
}

const PLAIN = 'Webhook node';
const HMAC = 'trigger, HMAC';

/**
 * For each delivery to a trigger n8n 2.41 opens an isolate for expressions, needed or not; its own Webhook node is let
 * off by name. With the variable every trigger is that needs none. n8n 1.123 knows no isolates.
 */
function hostsOf({ version }: N8nInstallation): Host[] {
	const usual: Host = { name: 'as n8n sets it', environment: {}, deliveries: 100 };
	if (version.startsWith('1.')) return [usual];
	const lazy: Host = {
		name: 'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true',
		environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		deliveries: 400,
	};
	return [usual, lazy];
}

/** Deliveries a second into the same workflow, behind n8n's Webhook node and behind triggers. */
export async function measureWebhooks(
	installation: N8nInstallation,
	tarball: string,
	service: ServiceProcess,
): Promise<void> {
	console.log(`Webhooks, rounds of some seconds, median of ${ROUNDS}, alternating\n`);
	console.log(
		'| n8n | connections | behind | deliveries/s | of the Webhook node | executions of accepted | target |',
	);
	console.log('|---|---|---|---|---|---|---|');
	for (const host of hostsOf(installation)) {
		const measure = async (bench: BenchN8n) => await measureHost(host, bench, service);
		await withN8n(installation, tarball, service, measure, host.environment);
	}
	console.log('');
}

async function measureHost(
	{ name: host, deliveries }: Host,
	bench: BenchN8n,
	service: ServiceProcess,
): Promise<void> {
	const { n8n, client } = bench;
	const receivers = await openAll(bench, service);
	let delivered = 0;
	for (const connections of [10, 100]) {
		const measured = new Map<string, number[]>(receivers.map(({ name }) => [name, []]));
		// The first round warms up.
		for (let round = 0; round <= ROUNDS; round++) {
			for (const receiver of receivers) {
				const rate = await deliverAll(n8n.url, receiver, connections, deliveries);
				if (round > 0) measured.get(receiver.name)?.push(rate);
			}
			delivered += deliveries;
		}
		const rateOf = (name: string) => median(measured.get(name) ?? []);
		for (const { name, workflowId, target } of receivers) {
			const executions = (await client.listExecutions({ workflowId })).length;
			const cells = [
				host,
				connections,
				name,
				rateOf(name).toFixed(0),
				`${(rateOf(name) / rateOf(PLAIN)).toFixed(2)}×`,
				`${executions} of ${delivered}${executions === delivered ? '' : ' (!)'}`,
				target === undefined ? '' : judge(rateOf(name) / rateOf(target.of), target),
			];
			console.log(`| ${cells.join(' | ')} |`);
		}
	}
}

function judge(reached: number, { of, ratio }: { of: string; ratio: number }): string {
	return `≥ ${ratio}× of "${of}": ${reached.toFixed(2)}×, ${reached >= ratio ? 'reached' : 'missed'}`;
}

/** The receivers to compare, and behind each the same workflow. */
async function openAll({ client }: BenchN8n, service: ServiceProcess): Promise<Receiver[]> {
	const { clientId, clientSecret } = await service.control.service();
	const newCredential = async (name: string) =>
		await client.createCredential({
			name,
			type: 'visitorServiceApi',
			data: {
				authUrl: service.url,
				baseUrl: service.url,
				clientId,
				clientSecret,
				webhookSecret: SECRET,
			},
		});
	const trigger = (
		credential: CredentialReference,
		parameters: Record<string, unknown> = {},
	): NewNode => ({
		name: 'Trigger',
		type: 'n8n-nodes-visitor-service.visitorServiceTrigger',
		parameters,
		webhookId: randomUUID(),
		credentials: { visitorServiceApi: credential },
	});
	const plain: NewNode = {
		name: 'Trigger',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		parameters: { httpMethod: 'POST', path: randomUUID(), responseMode: 'onReceived', options: {} },
		webhookId: randomUUID(),
	};
	// A trigger of n8n's own that does the same work: it verifies an HMAC with a secret from a credential.
	const slack: NewNode = {
		name: 'Trigger',
		type: 'n8n-nodes-base.slackTrigger',
		parameters: { trigger: ['any_event'], watchWorkspace: true, options: {} },
		webhookId: randomUUID(),
		credentials: {
			slackApi: await client.createCredential({
				name: 'Slack',
				type: 'slackApi',
				data: { accessToken: 'bench', signatureSecret: SECRET },
			}),
		},
	};
	const credential = await newCredential('Webhooks');
	const withToken = await newCredential('Webhooks and lists');
	const list = chainedWorkflow('List', visitorServiceChain(withToken, {}));
	const { error } = await client.runWorkflow(await client.createWorkflow(list), 'Start');
	if (error !== null) throw new Error(error.message);
	const ours = (name: string, node: NewNode) => open(client, name, node, signHmac);
	return [
		await open(client, PLAIN, plain, () => ({})),
		{ ...(await ours(HMAC, trigger(credential))), target: { of: PLAIN, ratio: 0.95 } },
		{
			...(await ours(
				'trigger, HMAC, Ignore Repeats',
				trigger(credential, { options: { ignoreRepeats: true } }),
			)),
			target: { of: HMAC, ratio: 0.9 },
		},
		await ours('trigger, HMAC, credential with a token', trigger(withToken)),
		await ours('trigger, no authentication', trigger(credential, { authentication: 'none' })),
		await open(client, "n8n's Slack Trigger", slack, signSlack),
	];
}

function signHmac(body: string): Record<string, string> {
	return { 'x-signature': hmac(body) };
}

/** https://api.slack.com/authentication/verifying-requests-from-slack */
function signSlack(body: string): Record<string, string> {
	const timestamp = String(Math.floor(Date.now() / 1000));
	return {
		'x-slack-request-timestamp': timestamp,
		'x-slack-signature': `v0=${hmac(`v0:${timestamp}:${body}`)}`,
	};
}

function hmac(content: string): string {
	return createHmac('sha256', SECRET).update(content).digest('hex');
}

async function open(
	client: N8nClient,
	name: string,
	node: NewNode,
	sign: Receiver['sign'],
): Promise<Receiver> {
	const workflow = await client.createWorkflow(
		chainedWorkflow(name, [node, { name: 'Then', type: 'n8n-nodes-base.noOp' }]),
	);
	await client.activateWorkflow(workflow);
	// Both triggers have the path "webhook" in their descriptions.
	const path = node.type.endsWith('.webhook')
		? `/webhook/${String(node.parameters?.path)}`
		: `/webhook/${String(node.webhookId)}/webhook`;
	return { name, workflowId: workflow.id, path, sign };
}

/** @returns deliveries a second, from the first request to the last answer */
async function deliverAll(
	url: string,
	receiver: Receiver,
	connections: number,
	deliveries: number,
): Promise<number> {
	const pool = new Pool(url, { connections });
	let next = 0;
	const deliverOn = async () => {
		while (next < deliveries) {
			const body = JSON.stringify({ event: 'visit.updated', eventId: randomUUID(), n: next++ });
			const { statusCode, body: answer } = await pool.request({
				method: 'POST',
				path: receiver.path,
				headers: { 'content-type': 'application/json', ...receiver.sign(body) },
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
	return deliveries / seconds;
}
