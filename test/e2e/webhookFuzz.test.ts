import { randomUUID } from 'node:crypto';

import { Client } from 'undici';
import {
	describeDelivery,
	isCheck,
	isGenuineContent,
	isPlain,
	type MutatedDelivery,
	nextDelivery,
	SECRET,
	schemes,
	selectionOf,
} from '../fuzz/mutatedDeliveries';
import { itemsOf } from '../n8n/execution';
import { packPackage } from '../n8n/packPackage';
import { chosenVersion, prepareN8n } from '../n8n/prepareN8n';
import { type RunningN8n, startN8n } from '../n8n/startN8n';
import { webhookUrl } from '../n8n/workflow';
import { NODE_TYPES, Testbed } from './harness/testbed';

const DELIVERIES = 2_000;
const CONNECTIONS = 10;
/** Stands for a connection that hung or broke. */
const HUNG = 599;
/** Milliseconds. An answer takes n8n about 0.1 s; a connection without one hangs. */
const HANGING = 60_000;
/** What n8n 1.123 answers to such a body before a trigger sees it. */
const CALLED_JSON_AND_IS_NONE = 422;
const TRIGGER = 'Trigger';
/** n8n reads bodies for its own Webhook node of this version as for the trigger. */
const CONTROL_VERSION = 2;

/**
 * Otherwise n8n 2 makes an isolate for each execution, which takes most of the time
 * (docs/scaling.md).
 */
const ISOLATES_IF_NEEDED = { N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' };

let n8n: RunningN8n;
let testbed: Testbed;

beforeAll(async () => {
	n8n = await startN8n({
		installation: await prepareN8n(chosenVersion(process.env), console.log),
		tarball: await packPackage(),
		environment: ISOLATES_IF_NEEDED,
	});
	testbed = await Testbed.open({}, n8n.url);
});

afterAll(async () => {
	await testbed.close();
	await n8n.stop();
});

interface Answered {
	delivery: MutatedDelivery;
	statusCode: number;
}

it(`${DELIVERIES} mutated deliveries to the real n8n: none hangs, gets 5xx or is executed unverified`, async () => {
	const credential = await testbed.createCredential({ webhookSecret: SECRET });
	const receivers = await Promise.all(
		schemes.map(async ({ parameters }) => {
			const workflow = await testbed.createWorkflow([
				{
					name: TRIGGER,
					type: NODE_TYPES.webhook,
					parameters,
					webhookId: randomUUID(),
					credentials: { visitorServiceApi: credential },
				},
			]);
			await testbed.n8n.activateWorkflow(workflow);
			const path = new URL(webhookUrl(testbed.n8nUrl, workflow, TRIGGER)).pathname;
			return { workflow, path };
		}),
	);

	const controlId = randomUUID();
	const control = await testbed.createWorkflow([
		{
			name: TRIGGER,
			type: 'n8n-nodes-base.webhook',
			typeVersion: CONTROL_VERSION,
			parameters: { httpMethod: 'POST', path: controlId, options: {} },
			webhookId: randomUUID(),
		},
	]);
	await testbed.n8n.activateWorkflow(control);
	const controlPath = `/webhook/${controlId}`;

	const answers: Answered[] = [];
	const answersOfHost: Array<[place: number, ours: number, itsOwn: number]> = [];
	const connections = Array.from({ length: CONNECTIONS }, () => new Client(testbed.n8nUrl));
	try {
		let number = 0;
		await Promise.all(
			connections.map(async (connection) => {
				while (number < DELIVERIES) {
					const place = number++;
					const delivery = nextSendable();
					const receiver = receivers[delivery.index];
					if (receiver === undefined) throw new Error('No receiver.');
					const path = `${receiver.path}?delivery=${place}`;
					const statusCode = await send(connection, path, delivery);
					answers[place] = { delivery, statusCode };
					if (statusCode < 500 && statusCode !== CALLED_JSON_AND_IS_NONE) continue;
					const itsOwn = await send(connection, controlPath, delivery);
					answersOfHost.push([place, statusCode, itsOwn]);
				}
			}),
		);
	} finally {
		await Promise.all(connections.map(async (connection) => await connection.close()));
	}

	const describe = (place: number) => {
		const { delivery, statusCode } = answers[place] ?? {};
		return `${place}: ${statusCode ?? ''} ${delivery === undefined ? '' : describeDelivery(delivery)}`;
	};
	const placesWhere = (test: (answered: Answered) => boolean) =>
		answers.flatMap((answered, place) => (test(answered) ? [place] : []));

	// n8n itself answers what it cannot even unpack; its own Webhook node does not see such a
	// delivery either.
	const ours = answersOfHost.filter(
		([, statusCode, itsOwn]) => itsOwn !== statusCode || statusCode === HUNG,
	);
	expect(ours.map(([place]) => describe(place))).toEqual([]);
	expect(placesWhere(({ statusCode }) => statusCode === 410).map(describe)).toEqual([]);
	console.info(`${DELIVERIES} deliveries, ${answersOfHost.length} of them answered by n8n itself`);
	const byHost = new Set(answersOfHost.map(([place]) => place));
	const genuine = placesWhere(({ delivery }) => delivery.times === 0).filter(
		(place) => !byHost.has(place),
	);
	const isMissed = ({ delivery, statusCode }: Answered) => statusCode !== 200 && isPlain(delivery);
	const missed = new Set(placesWhere(isMissed));
	expect(genuine.filter((place) => missed.has(place)).map(describe)).toEqual([]);
	expect(genuine.length).toBeGreaterThan(DELIVERIES / 10);

	const executed = new Set<number>();
	for (const [index, { workflow }] of receivers.entries()) {
		const accepted = placesWhere(
			({ delivery, statusCode }) => delivery.index === index && statusCode === 200,
		);
		const known = accepted.filter((place) => {
			const delivery = answers[place]?.delivery;
			if (delivery?.times !== 0 || isCheck(delivery) || !isPlain(delivery)) return false;
			return selectionOf(delivery) === 'selected';
		});
		const executions = await testbed.n8n.waitForExecutions(workflow.id, known.length);
		for (const { id } of executions) {
			// Beside those waited for there are others, of which n8n may not have stored everything yet.
			const [item] = itemsOf(await testbed.n8n.waitForExecution(id), TRIGGER);
			const place = Number((item?.query as { delivery?: string } | undefined)?.delivery);
			expect(executed.has(place)).toBe(false);
			executed.add(place);
		}
		expect(known.filter((place) => !executed.has(place)).map(describe)).toEqual([]);
	}
	const unverified = [...executed].filter((place) => {
		const answered = answers[place];
		if (answered?.statusCode !== 200 || !isGenuineContent(answered.delivery)) return true;
		return selectionOf(answered.delivery) === 'other';
	});
	expect(unverified.map(describe)).toEqual([]);
}, 900_000);

/**
 * What undici and HTTP/1.1 let through: no control characters in a field value (RFC 9110 section
 * 5.5).
 */
function nextSendable(): MutatedDelivery {
	for (;;) {
		const delivery = nextDelivery();
		const { headers, method } = delivery.sent;
		// Other methods are n8n's own to answer unless the trigger registers them.
		if (method !== undefined) continue;
		const values = Object.values(headers).flat();
		if (values.every((value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(value))) return delivery;
	}
}

/** @returns the status code, or `HUNG` */
async function send(connection: Client, path: string, { sent }: MutatedDelivery): Promise<number> {
	try {
		const { statusCode, body } = await connection.request({
			method: 'POST',
			path,
			headers: sent.headers,
			body: sent.body,
			headersTimeout: HANGING,
			bodyTimeout: HANGING,
		});
		await body.dump();
		return statusCode;
	} catch {
		return HUNG;
	}
}
