import { itemsOf } from '../../n8n/execution';
import type { StoredWorkflow } from '../../n8n/n8nClient';
import { ownNode } from '../../n8n/workflow';
import type { ReferenceService, Resource } from '../../reference-service';
import type { Testbed } from './testbed';

export const POLLING_TRIGGER = 'Changed users';

const SECONDS_BETWEEN_POLLS = 5;

/** n8n rejects an interval of less than a minute, but takes several times in each. */
export function everyFewSeconds(from = 0) {
	return {
		item: Array.from({ length: 60 / SECONDS_BETWEEN_POLLS }, (_, index) => ({
			mode: 'custom',
			cronExpression: `${index * SECONDS_BETWEEN_POLLS + from} * * * * *`,
		})),
	};
}

/** No poll comes in between: n8n polls whenever a workflow is published, or n8n starts. */
export const SELDOM = { item: [{ mode: 'everyMonth', dayOfMonth: 1, hour: 0, minute: 0 }] };

/** A workflow that was not published yet. */
export async function pollingWorkflow(
	testbed: Testbed,
	parameters: Record<string, unknown> = {},
): Promise<StoredWorkflow> {
	return await testbed.createWorkflow([
		ownNode('polling', POLLING_TRIGGER, await testbed.createCredential(), {
			...{ pollTimes: everyFewSeconds(), ...parameters },
		}),
		{ name: 'Nothing', type: 'n8n-nodes-base.noOp' },
	]);
}

/**
 * The IDs that each execution started by the trigger emitted, oldest first, once there are so many
 * executions.
 */
export async function emittedIds(
	{ n8n }: Testbed,
	{ id }: StoredWorkflow,
	executions: number,
): Promise<unknown[][]> {
	const all = await n8n.endedExecutions(id, executions);
	return all
		.filter(({ mode }) => mode === 'trigger')
		.map((execution) => itemsOf(execution, POLLING_TRIGGER).map((user) => user.id));
}

/** Waits for the next request for this list, or for any. @returns which page it asks for */
export async function nextPoll(service: ReferenceService, list?: Resource): Promise<unknown> {
	return await new Promise((resolve) => {
		const stop = service.onListRequest(({ resource, query }) => {
			if (list !== undefined && resource !== list) return;
			stop();
			resolve(query.page);
		});
	});
}
