import { randomUUID } from 'node:crypto';
import path from 'node:path';

import { Pool } from 'undici';
import type { N8nClient } from '../n8n/n8nClient';
import { median, printHead, printRow, type Subject, withN8n } from './bench';
import { openReceivers, type Receiver, type ReceiverName } from './webhookReceivers';

const ROUNDS = 3;
/** Milliseconds a round lasts at least: shorter ones show bursts, not what n8n keeps up. */
const ROUND = 5_000;
const WARM_UP = 2_000;
const CONNECTIONS = [10, 100];

interface Target {
	of: ReceiverName;
	ratio: number;
}

interface Host {
	/** How n8n is started; also names the part of the bench. */
	name: string;
	environment: Record<string, string>;
	/** What the trigger is to reach, with a token in its credential and without one. */
	targets: Target[];
}

/**
 * For each delivery to a trigger n8n 2 opens an isolate for expressions, needed or not; its own
 * Webhook node is let off by name. With the variable every trigger is that needs none; in n8n 1.123
 * it changes nothing.
 */
function hostsOf({ installation: { version } }: Subject): Host[] {
	if (version.startsWith('1.')) {
		return [{ name: 'usual', environment: {}, targets: [{ of: 'Webhook node', ratio: 0.95 }] }];
	}
	const usual: Host = {
		name: 'usual',
		environment: {},
		targets: [
			{ of: 'Webhook node', ratio: 0.55 },
			{ of: 'bare trigger', ratio: 0.9 },
			{ of: 'bare trigger that reads a secret', ratio: 0.9 },
		],
	};
	const lazy: Host = {
		name: 'lazy',
		environment: { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		targets: [
			{ of: 'Webhook node', ratio: 0.85 },
			{ of: 'Webhook node, Header Auth', ratio: 0.95 },
		],
	};
	return [usual, lazy];
}

/**
 * Deliveries a second into the same workflow, through n8n's Webhook node and through triggers.
 *
 * @param parts names of hosts; empty for all
 */
export async function measureWebhooks(
	subject: Subject,
	parts: readonly string[] = [],
): Promise<void> {
	const hosts = hostsOf(subject).filter(({ name }) => parts.length === 0 || parts.includes(name));
	if (hosts.length === 0) return;
	console.log(
		`Webhooks, rounds of ${ROUND / 1000} seconds, median of ${ROUNDS}, each round in another order\n`,
	);
	printHead(
		...['n8n', 'connections', 'through', 'deliveries/s', 'each round', 'of the Webhook node'],
		...['executions of accepted', 'target'],
	);
	for (const host of hosts) {
		await withN8n(
			subject,
			async ({ n8n, client }) => {
				const receivers = await openReceivers(client, subject.service);
				const delivered = new Map<ReceiverName, number>();
				for (const connections of CONNECTIONS) {
					const rates = await measureRates(n8n.url, receivers, connections, delivered);
					for (const receiver of receivers) {
						const executions = await describeExecutions(client, receiver, delivered);
						printRow(row(host, connections, receiver.name, rates, executions));
					}
				}
			},
			{ ...host.environment, N8N_CUSTOM_EXTENSIONS: path.join(__dirname, 'bareTrigger') },
		);
	}
	console.log('');
}

type Rates = Map<ReceiverName, number[]>;

/** @param delivered counts what each receiver accepted */
async function measureRates(
	url: string,
	receivers: readonly Receiver[],
	connections: number,
	delivered: Map<ReceiverName, number>,
): Promise<Rates> {
	const rates: Rates = new Map(receivers.map(({ name }) => [name, []]));
	for (let round = 0; round <= ROUNDS; round++) {
		const first = round % receivers.length;
		for (const receiver of [...receivers.slice(first), ...receivers.slice(0, first)]) {
			const duration = round === 0 ? WARM_UP : ROUND;
			const { deliveries, rate } = await deliverFor(duration, url, receiver, connections);
			delivered.set(receiver.name, (delivered.get(receiver.name) ?? 0) + deliveries);
			if (round > 0) rates.get(receiver.name)?.push(rate);
		}
	}
	return rates;
}

async function describeExecutions(
	client: N8nClient,
	{ name, workflowId }: Receiver,
	delivered: ReadonlyMap<ReceiverName, number>,
): Promise<string> {
	const executions = (await client.listExecutions(workflowId)).length;
	const accepted = delivered.get(name) ?? 0;
	return `${executions} of ${accepted}${executions === accepted ? '' : ' (!)'}`;
}

function row(
	{ name: host, targets }: Host,
	connections: number,
	name: ReceiverName,
	rates: Rates,
	executions: string,
): Array<string | number> {
	const rateOf = (receiver: ReceiverName) => median(rates.get(receiver) ?? []);
	const ratio = (of: ReceiverName) => rateOf(name) / rateOf(of);
	const isHeldAgainst = name.startsWith('trigger, HMAC');
	return [
		host,
		connections,
		name,
		rateOf(name).toFixed(1),
		(rates.get(name) ?? []).map((rate) => rate.toFixed(1)).join(', '),
		`${ratio('Webhook node').toFixed(2)}×`,
		executions,
		isHeldAgainst ? targets.map((target) => judge(ratio(target.of), target)).join('; ') : '',
	];
}

function judge(reached: number, { of, ratio }: Target): string {
	return `${reached.toFixed(2)}× of "${of}", ≥ ${ratio}× ${reached >= ratio ? 'reached' : 'missed'}`;
}

/** Delivers for some time. The rate, a second, is from the first request to the last response. */
async function deliverFor(
	milliseconds: number,
	url: string,
	receiver: Receiver,
	connections: number,
): Promise<{ deliveries: number; rate: number }> {
	const pool = new Pool(url, { connections });
	let deliveries = 0;
	const startedAt = performance.now();
	const deliverOn = async () => {
		while (performance.now() - startedAt < milliseconds) {
			const body = JSON.stringify({
				event: 'visit.updated',
				eventId: randomUUID(),
				n: deliveries++,
			});
			const { statusCode, body: response } = await pool.request({
				method: 'POST',
				path: receiver.path,
				headers: { 'content-type': 'application/json', ...receiver.sign(body) },
				body,
			});
			await response.dump();
			if (statusCode !== 200) throw new Error(`${receiver.name} responded with ${statusCode}.`);
		}
	};
	await Promise.all(Array.from({ length: connections }, deliverOn));
	const seconds = (performance.now() - startedAt) / 1000;
	await pool.close();
	return { deliveries, rate: deliveries / seconds };
}
