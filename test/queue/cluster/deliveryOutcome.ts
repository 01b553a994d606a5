import { type Delivery, isDelivered } from '../../reference-service/webhookDeliveries';
import type { EventExecution } from './executionStore';

export interface DeliveryOutcome {
	/** Events that got a 2xx. */
	accepted: number;
	/** Accepted events without an execution that succeeded, with the statuses of those they have. */
	lost: string[];
	/** Events with more than one execution. */
	doubled: string[];
	/**
	 * Events with more executions than times they were sent: made by n8n, not by the sender's
	 * retries.
	 */
	multiplied: string[];
}

/** Compares what the sender was told with what was executed. */
export function outcomeOf(
	deliveries: readonly Delivery[],
	executions: readonly EventExecution[],
): DeliveryOutcome {
	const executed = new Map<string, string[]>();
	for (const { event, status } of executions) {
		if (event !== null) executed.set(event, [...(executed.get(event) ?? []), status]);
	}
	const outcome: DeliveryOutcome = { accepted: 0, lost: [], doubled: [], multiplied: [] };
	for (const delivery of deliveries) {
		const { id } = delivery.event;
		const ended = executed.get(id) ?? [];
		if (isDelivered(delivery)) {
			outcome.accepted++;
			if (!ended.includes('success')) outcome.lost.push(`${id} (${ended.join(', ')})`);
		}
		if (ended.length > 1) outcome.doubled.push(id);
		if (ended.length > delivery.statuses.length) outcome.multiplied.push(id);
	}
	return outcome;
}
