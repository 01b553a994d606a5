import {
	type IConnections,
	type IDataObject,
	type INode,
	type INodeCredentials,
	type INodeParameters,
	type IWorkflowSettings,
	NodeHelpers,
	Workflow,
} from 'n8n-workflow';

import { type NodeClasses, NodeRegistry } from './nodeRegistry';

export interface TestNode extends Partial<Omit<INode, 'parameters' | 'credentials'>> {
	type: string;
	parameters?: INodeParameters;
	credentials?: INodeCredentials;
}

export interface TestWorkflow {
	nodeTypes: NodeClasses;
	/** Connected in this order, first output to next input. */
	nodes: TestNode[];
	id?: string;
	staticData?: IDataObject;
	settings?: IWorkflowSettings;
	active?: boolean;
}

/** Builds the workflow as n8n holds it for a run: defaults of the parameters filled in. */
export function buildWorkflow(test: TestWorkflow): Workflow {
	const nodeTypes = new NodeRegistry(test.nodeTypes);
	const nodes = test.nodes.map((node, index): INode => {
		const { description } = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
		return {
			id: `node-${index}`,
			name: node.name ?? description.defaults.name ?? description.displayName,
			typeVersion:
				NodeHelpers.getVersionedNodeType(nodeTypes.getByName(node.type)).description
					.defaultVersion ?? latest(description.version),
			position: [index * 200, 0],
			...node,
			parameters: node.parameters ?? {},
		};
	});
	return new Workflow({
		id: test.id ?? 'workflow-1',
		name: 'Test workflow',
		nodes,
		connections: chain(nodes),
		active: test.active ?? false,
		nodeTypes,
		staticData: test.staticData ?? {},
		settings: { executionOrder: 'v1', timezone: 'Etc/UTC', ...test.settings },
	});
}

function latest(version: number | number[]): number {
	return Array.isArray(version) ? Math.max(...version) : version;
}

function chain(nodes: INode[]): IConnections {
	const connections: IConnections = {};
	nodes.slice(1).forEach((node, index) => {
		const previous = nodes[index];
		if (previous === undefined) return;
		connections[previous.name] = { main: [[{ node: node.name, type: 'main', index: 0 }]] };
	});
	return connections;
}
