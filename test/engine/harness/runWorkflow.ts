import './engineSettings';

import { ExecutionLifecycleHooks, PollContext, WorkflowExecute } from 'n8n-core';
import type {
	ExecutionError,
	IDataObject,
	INodeExecutionData,
	IRun,
	ITaskData,
	IWorkflowBase,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import type { CredentialStore } from './credentialStore';
import { buildWorkflow, INPUT, NODE, type TestNode } from './workflow';

/** What became of the node that a test is about. */
export class RunResult {
	constructor(readonly run: IRun) {}

	get status(): string {
		return this.run.status;
	}

	/** The error that ended the run. */
	get error(): ExecutionError | undefined {
		return this.run.data.resultData.error;
	}

	get task(): ITaskData {
		const task = this.run.data.resultData.runData[NODE]?.[0];
		if (task === undefined) throw new Error('The node did not run.');
		return task;
	}

	items(output = 0): INodeExecutionData[] {
		return this.task.data?.main?.[output] ?? [];
	}

	json(output = 0): IDataObject[] {
		return this.items(output).map((item) => item.json);
	}
}

export interface RunningWorkflow {
	finished: Promise<RunResult>;
	/** What the Stop button of the editor does. */
	cancel(): void;
}

/**
 * Starts a node in the real execution engine, without server and database; by default with one
 * empty item, as the manual trigger gives. A failed run resolves, with its `error`.
 */
export function startWorkflow(
	node: TestNode,
	credentials: CredentialStore,
	items: IDataObject[] = [{}],
): RunningWorkflow {
	const workflow = buildWorkflow(
		node,
		items.map((json) => ({ json })),
	);
	const mode = 'manual';
	const data = additionalData(credentials);
	const base: IWorkflowBase = {
		id: workflow.id,
		name: workflow.name ?? '',
		active: false,
		isArchived: false,
		activeVersionId: null,
		createdAt: new Date(0),
		updatedAt: new Date(0),
		nodes: Object.values(workflow.nodes),
		connections: workflow.connectionsBySourceNode,
	};
	data.hooks = new ExecutionLifecycleHooks(mode, '1', base);
	const running = new WorkflowExecute(data, mode).run({
		workflow,
		startNode: workflow.getNode(INPUT) ?? undefined,
	});
	return { finished: running.then((run) => new RunResult(run)), cancel: () => running.cancel() };
}

/** The context in which n8n calls `poll` of a node, of a process that lives on. */
export function pollContext(node: TestNode, credentials: CredentialStore): PollContext {
	const workflow = buildWorkflow(node);
	const polled = workflow.getNode(NODE);
	if (polled === null) throw new Error('A poll needs a node.');
	return new PollContext(workflow, polled, additionalData(credentials), 'trigger', 'activate');
}
