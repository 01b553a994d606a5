import { parse } from 'flatted';
import { array, isObject, object, string } from './responseShape';

/** Statuses after which an execution does not change any more. */
const ENDED = new Set(['success', 'error', 'crashed', 'canceled']);

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	status: string;
	/** `manual`, `webhook`, `trigger`, … */
	mode: string;
}

export interface ExecutionError {
	message: string;
	description: string | null;
	/** The HTTP status as n8n stores it, a text. */
	httpCode: string | null;
	/** The input item it belongs to, from 0. */
	itemIndex: number | null;
	/** The class, such as `NodeApiError`. */
	name: string | null;
}

export interface NodeHint {
	message: string;
	type: string | null;
}

export interface NodeRun {
	/** How long the node ran, in ms. */
	executionTime: number;
	/** The items of each `main` output. */
	outputs: Array<Array<Record<string, unknown>>>;
	hints: NodeHint[];
}

export interface Execution extends ExecutionSummary {
	/** All runs of each node, by its name. */
	nodes: Record<string, NodeRun[]>;
	error: ExecutionError | null;
	lastNode: string | null;
	/** All that n8n has stored of it, as text, to look for what must not be in there. */
	stored: string;
}

export function hasEnded({ status }: Pick<ExecutionSummary, 'status'>): boolean {
	return ENDED.has(status);
}

/**
 * n8n 1.123 stores the status before the data, so that for a moment an ended execution has none.
 */
export function isComplete(execution: Execution): boolean {
	const { status, lastNode, error } = execution;
	return lastNode !== null || error !== null || status === 'canceled' || status === 'crashed';
}

/** The `json` of the items that a node's last run gave on its first output. */
export function itemsOf(execution: Execution, node: string): Array<Record<string, unknown>> {
	return (execution.nodes[node]?.at(-1)?.outputs[0] ?? []).map((item) =>
		object(item.json, `An item of ${node}`),
	);
}

export function readExecutionSummary(response: unknown): ExecutionSummary {
	const summary = object(response, 'An execution');
	return {
		id: string(summary.id, 'The id of an execution'),
		workflowId: string(summary.workflowId, 'The workflow of an execution'),
		status: string(summary.status, 'The status of an execution'),
		mode: string(summary.mode, 'The mode of an execution'),
	};
}

/** Reads an execution with its data, which n8n sends as a text in the format of `flatted`. */
export function readExecution(response: unknown): Execution {
	const summary = readExecutionSummary(response);
	const { data } = object(response, 'An execution');
	const stored = string(data, `The data of execution ${summary.id}`);
	const decoded: unknown = parse(stored);
	const result = isObject(decoded) && isObject(decoded.resultData) ? decoded.resultData : {};
	const runData = isObject(result.runData) ? result.runData : {};
	return {
		...summary,
		nodes: Object.fromEntries(
			Object.entries(runData).map(([node, runs]) => [
				node,
				array(runs, `The runs of ${node}`).map((run) => readNodeRun(run, node)),
			]),
		),
		error: readError(result.error),
		lastNode: typeof result.lastNodeExecuted === 'string' ? result.lastNodeExecuted : null,
		stored,
	};
}

function readNodeRun(value: unknown, node: string): NodeRun {
	const run = object(value, `A run of ${node}`);
	const main = isObject(run.data) && Array.isArray(run.data.main) ? run.data.main : [];
	return {
		executionTime: typeof run.executionTime === 'number' ? run.executionTime : 0,
		outputs: main.map((items: unknown) =>
			// An output that was not reached is null.
			Array.isArray(items) ? items.map((item) => object(item, `An item of ${node}`)) : [],
		),
		hints: (Array.isArray(run.hints) ? run.hints : []).map((value: unknown) => {
			const hint = object(value, `A hint of ${node}`);
			return {
				message: string(hint.message, `A hint of ${node}`),
				type: typeof hint.type === 'string' ? hint.type : null,
			};
		}),
	};
}

function readError(value: unknown): ExecutionError | null {
	if (!isObject(value)) return null;
	const context = isObject(value.context) ? value.context : {};
	const text = (candidate: unknown) => (typeof candidate === 'string' ? candidate : null);
	return {
		message: text(value.message) ?? '',
		description: text(value.description),
		httpCode: text(value.httpCode),
		itemIndex: typeof context.itemIndex === 'number' ? context.itemIndex : null,
		name: text(value.name),
	};
}
