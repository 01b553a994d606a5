import './engineSettings';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
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
import { INPUT_NODE_TYPE, inputNode } from './inputNode';
import { buildWorkflow, type TestWorkflow } from './workflow';

export interface TestRun extends TestWorkflow {
	credentials?: CredentialStore;
	/**
	 * Input of the first node, one item each. Default: one empty item, as the manual trigger gives.
	 */
	items?: Array<IDataObject | INodeExecutionData>;
}

export class RunResult {
	constructor(
		readonly run: IRun,
		private readonly lastNode: string,
	) {}

	get status(): string {
		return this.run.status;
	}

	/** The error that ended the run. */
	get error(): ExecutionError | undefined {
		return this.run.data.resultData.error;
	}

	/** The first run of one node; of the last node without a name. */
	task(node: string = this.lastNode): ITaskData {
		const task = this.run.data.resultData.runData[node]?.[0];
		if (task === undefined) throw new Error(`The node "${node}" did not run.`);
		return task;
	}

	/** The items of the first output. */
	items(node: string = this.lastNode, output = 0): INodeExecutionData[] {
		return this.task(node).data?.main?.[output] ?? [];
	}

	json(node: string = this.lastNode): IDataObject[] {
		return this.items(node).map((item) => item.json);
	}
}

export interface RunningWorkflow {
	finished: Promise<RunResult>;
	/** What the Stop button of the editor does. */
	cancel(): void;
}

/** Starts a workflow in the real execution engine, without server and database. */
export function startWorkflow(test: TestRun): RunningWorkflow {
	const items = (test.items ?? [{}]).map(asItem);
	const workflow = buildWorkflow({
		...test,
		nodeTypes: { ...test.nodeTypes, [INPUT_NODE_TYPE]: inputNode(items) },
		nodes: [{ type: INPUT_NODE_TYPE, name: 'Input' }, ...test.nodes],
	});
	const mode = 'manual';
	const data = additionalData(test.credentials);
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
	const lastNode = Object.keys(workflow.nodes).at(-1) ?? '';
	const running = new WorkflowExecute(data, mode).run({
		workflow,
		startNode: workflow.getNode('Input') ?? undefined,
	});
	return {
		finished: running.then((run) => new RunResult(run, lastNode)),
		cancel: () => running.cancel(),
	};
}

/** Runs a workflow to its end; a failed run resolves, with its `error`. */
export async function runWorkflow(test: TestRun): Promise<RunResult> {
	return await startWorkflow(test).finished;
}

function asItem(item: IDataObject | INodeExecutionData): INodeExecutionData {
	return 'json' in item ? (item as INodeExecutionData) : { json: item };
}
