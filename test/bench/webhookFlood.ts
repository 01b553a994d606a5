import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { Pool } from 'undici';
import { median, type Subject, withN8n } from './bench';
import { openTrigger } from './webhookReceivers';

/** Forged deliveries a second, sent whether the earlier ones are answered or not. */
const FORGED_A_SECOND = 1_000;
const GENUINE_A_SECOND = 10;
const SECONDS = 10;
const CONNECTIONS = 200;
/** Milliseconds. */
const RETRY_AFTER = 1_000;
/** Batches a second. */
const TICKS = 10;

const FORGERIES: Array<{ name: string; headers: Record<string, string> }> = [
	{ name: 'without a signature', headers: {} },
	{ name: 'with a wrong signature', headers: { 'x-signature': '0'.repeat(64) } },
];

/** Forged deliveries pour in while genuine ones come: counts what becomes of both. */
export async function measureFlood(subject: Subject): Promise<void> {
	const forged = FORGED_A_SECOND * SECONDS;
	console.log(`${forged} forged deliveries in ${SECONDS} seconds, with genuine ones among them\n`);
	console.log(
		'| forged | answered | until all were answered, s | genuine, answered | executions | genuine: median, slowest, s |',
	);
	console.log('|---|---|---|---|---|---|');
	for (const { name, headers } of FORGERIES) {
		await withN8n(
			subject,
			async ({ n8n, client }) => {
				const receiver = await openTrigger(client, subject.service);
				const strangers = new Pool(n8n.url, { connections: CONNECTIONS });
				const sender = new Pool(n8n.url, { connections: 10 });
				const deliver = async (pool: Pool, body: string, more: Record<string, string>) => {
					const { statusCode, body: response } = await pool.request({
						method: 'POST',
						path: receiver.path,
						headers: { 'content-type': 'application/json', ...more },
						body,
						headersTimeout: 300_000,
					});
					await response.dump();
					return { statusCode };
				};
				let busyCount = 0;
				// n8n answers 503 while it is too busy to reach its database, and services send again then.
				const deliverGenuine = async () => {
					const body = JSON.stringify({ event: 'visit.updated', eventId: randomUUID() });
					const startedAt = performance.now();
					for (;;) {
						const { statusCode } = await deliver(sender, body, receiver.sign(body));
						const seconds = (performance.now() - startedAt) / 1000;
						if (statusCode !== 503) return { statusCode, seconds };
						busyCount += 1;
						await delay(RETRY_AFTER);
					}
				};
				await deliverGenuine();

				const startedAt = performance.now();
				const rejected: Array<ReturnType<typeof deliver>> = [];
				const accepted: Array<ReturnType<typeof deliverGenuine>> = [];
				for (let tick = 0; tick < SECONDS * TICKS; tick++) {
					for (let count = 0; count < FORGED_A_SECOND / TICKS; count++) {
						rejected.push(deliver(strangers, '{"event":"forged"}', headers));
					}
					for (let count = 0; count < GENUINE_A_SECOND / TICKS; count++) {
						accepted.push(deliverGenuine());
					}
					await delay(Math.max(0, startedAt + ((tick + 1) * 1000) / TICKS - performance.now()));
				}
				const genuine = await Promise.all(accepted);
				const responses = await Promise.all(rejected);
				const seconds = (performance.now() - startedAt) / 1000;
				await Promise.all([strangers.close(), sender.close()]);

				const ok = genuine.filter(({ statusCode }) => statusCode === 200).length;
				const executions = await client.waitForExecutions(receiver.workflowId, ok + 1);
				const took = genuine.map((one) => one.seconds);
				const cells = [
					`${forged} ${name}`,
					countStatuses(responses),
					seconds.toFixed(1),
					`${countStatuses(genuine)}, after ${busyCount} × 503`,
					executions.length - 1,
					`${median(took).toFixed(2)}, ${Math.max(...took).toFixed(2)}`,
				];
				console.log(`| ${cells.join(' | ')} |`);
			},
			{ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' },
		);
	}
	console.log('');
}

/** How many answers there are of each status. */
function countStatuses(responses: ReadonlyArray<{ statusCode: number }>): string {
	const counts = new Map<number, number>();
	for (const { statusCode } of responses) counts.set(statusCode, (counts.get(statusCode) ?? 0) + 1);
	return [...counts].map(([statusCode, count]) => `${count} × ${statusCode}`).join(', ');
}
