import { randomUUID } from 'node:crypto';

/** A stored credential, as nodes refer to it. */
export interface CredentialReference {
	id: string;
	name: string;
}

export interface WorkflowNode {
	id: string;
	name: string;
	/** For a node of this package `n8n-nodes-visitor-service.<node name>`. */
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, CredentialReference>;
	webhookId?: string;
	onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
}

export interface Connection {
	node: string;
	type: string;
	index: number;
}

export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	/** By node name, then by kind (`main`, `ai_tool`, …), then one list per output. */
	connections: Record<string, Record<string, Connection[][]>>;
	settings?: Record<string, unknown>;
	pinData?: Record<string, unknown>;
}

/** What has to be said of a node; the rest is what the editor would fill in. */
export type NewNode = Pick<WorkflowNode, 'name' | 'type'> & Partial<WorkflowNode>;

export const NODE_TYPES = {
	action: 'n8n-nodes-visitor-service.visitorService',
	webhook: 'n8n-nodes-visitor-service.visitorServiceTrigger',
	polling: 'n8n-nodes-visitor-service.visitorServicePollingTrigger',
};

/** What the Execute button starts. */
export const START: NewNode = { name: 'Start', type: 'n8n-nodes-base.manualTrigger' };

/** The version the editor would choose, where that is not 1. */
const NEWEST_VERSIONS: Record<string, number> = { [NODE_TYPES.webhook]: 1.1 };

/** A node of this package, with its credential, if it has one. */
export function ownNode(
	kind: keyof typeof NODE_TYPES,
	name: string,
	visitorServiceApi?: CredentialReference,
	parameters: Record<string, unknown> = {},
): NewNode {
	return {
		...{ name, type: NODE_TYPES[kind], parameters },
		...(kind === 'webhook' && { webhookId: randomUUID() }),
		...(visitorServiceApi && { credentials: { visitorServiceApi } }),
	};
}

/** The node as the editor would save it. */
export function workflowNode(node: NewNode, index = 0): WorkflowNode {
	return {
		id: randomUUID(),
		typeVersion: NEWEST_VERSIONS[node.type] ?? 1,
		position: [index * 220, 0],
		parameters: {},
		...node,
	};
}

/** A workflow in which each node feeds the next one. */
export function chainedWorkflow(
	name: string,
	chain: NewNode[],
	settings: Record<string, unknown> = {},
): Workflow {
	const nodes = chain.map(workflowNode);
	const connections: Workflow['connections'] = {};
	for (const [index, node] of nodes.entries()) {
		const next = nodes[index + 1];
		if (next) connections[node.name] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
	}
	return { name, nodes, connections, settings: { executionOrder: 'v1', ...settings } };
}

/** The address under which an active workflow's webhook trigger is called. */
export function webhookUrl(n8nUrl: string, workflow: Workflow, node: string): string {
	const webhookId = workflow.nodes.find(({ name }) => name === node)?.webhookId;
	if (webhookId === undefined) throw new Error(`${workflow.name} has no webhook node "${node}".`);
	// The path in the description of the trigger.
	return `${n8nUrl}/webhook/${webhookId}/webhook`;
}
