import type { StoredWorkflow } from '../../n8n/n8nClient';
import type { Delivery } from '../../reference-service';
import { outcomeOf } from '../cluster/deliveryOutcome';
import type { QueueCluster } from '../cluster/queueCluster';
import type { MemoryRecord } from './memoryRecord';

const END_TIMEOUT_MS = 120_000;

/**
 * Prints what became of the deliveries of one kind. Lost is what was accepted and has no execution
 * that ended; an execution that failed or crashed with its worker is no loss: it stands in the list
 * of executions.
 *
 * @returns whether nothing was lost, and nothing executed more often than it was sent
 */
export async function reportOutcome(
	{ executions: store }: QueueCluster,
	all: readonly Delivery[],
	name: string,
	workflow: StoredWorkflow,
	eventName: string,
): Promise<boolean> {
	const deliveries = all.filter(({ events }) => events[0]?.event.startsWith(eventName));
	const accepted = deliveries
		.filter(({ state }) => state === 'delivered')
		.flatMap(({ events }) => events.map(({ id }) => id));
	const executions = await store.waitUntilEnded(workflow.id, END_TIMEOUT_MS);
	const named = new Set(executions.map(({ event }) => event));
	// n8n replaces the data of an execution that died with its worker, the event's id among it, by
	// the error.
	const unnamed = executions.filter(({ event }) => event === null).length;
	const lost = Math.max(0, accepted.filter((event) => !named.has(event)).length - unnamed);
	const { doubled, multiplied } = outcomeOf(deliveries, executions);
	const retried = deliveries.filter(({ attempts }) => attempts.length > 1).length;
	const failed = executions.filter(({ status }) => status !== 'success').length;
	console.log(
		`${name}: ${deliveries.length} events, ${retried} of them sent more than once; ${accepted.length} accepted, ${lost} lost; ${executions.length} executions, ${failed} of them failed visibly; ${doubled.length} events executed more than once, ${multiplied.length} more often than sent`,
	);
	return lost === 0 && multiplied.length === 0 && accepted.length === deliveries.length;
}

/** Prints the memory of every process that lived long enough. @returns whether none has grown */
export function reportMemory(memory: MemoryRecord): boolean {
	const lives = memory.judge();
	console.log('\n| process | samples | MB in the second third | MB in the last third | |');
	console.log('|---|---|---|---|---|');
	for (const { process, samples, before, after, isFlat } of lives) {
		const cells = [process, samples, before.toFixed(0), after.toFixed(0), isFlat ? 'flat' : 'GREW'];
		console.log(`| ${cells.join(' | ')} |`);
	}
	if (lives.length === 0) console.log('No process lived long enough: let it run for longer.');
	return lives.length > 0 && lives.every(({ isFlat }) => isFlat);
}
