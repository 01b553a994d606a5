import {
	type INode,
	type INodeCredentials,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	NodeConnectionTypes,
	Workflow,
} from 'n8n-workflow';

export interface TestNode extends Partial<Omit<INode, 'type' | 'parameters' | 'credentials'>> {
	/** By its full name, such as `n8n-nodes-visitor-service.visitorService`. */
	type: string;
	/** What n8n loads by this name. */
	class: INodeType;
	parameters?: INodeParameters;
	credentials?: INodeCredentials;
}

/** The node that a test is about, after one that starts it with these items. */
export const INPUT = 'Input';
export const NODE = 'Node';

/** The workflow as n8n holds it for a run: defaults of the parameters filled in. */
export function buildWorkflow(
	{ class: nodeClass, type, ...settings }: TestNode,
	items: INodeExecutionData[] = [],
): Workflow {
	const { version } = nodeClass.description;
	const common = { typeVersion: 1, position: [0, 0] as [number, number], parameters: {} };
	const typeVersion = [version].flat().at(-1) ?? 1;
	const classes: Record<string, INodeType> = { [INPUT]: inputNode(items), [type]: nodeClass };
	return new Workflow({
		id: 'workflow-1',
		name: 'Test workflow',
		nodes: [
			{ ...common, id: 'input', name: INPUT, type: INPUT },
			{ ...common, id: 'node', name: NODE, typeVersion, ...settings, type },
		],
		connections: { [INPUT]: { main: [[{ node: NODE, type: 'main', index: 0 }]] } },
		active: false,
		nodeTypes: { getByNameAndVersion: (name: string) => classes[name] } as INodeTypes,
		settings: { executionOrder: 'v1', timezone: 'Etc/UTC' },
	});
}

/** A node that starts a run with these items. */
function inputNode(items: INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: INPUT,
			name: 'input',
			group: ['input'],
			version: 1,
			description: 'Gives the items of the test',
			defaults: { name: INPUT },
			inputs: [],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		execute: () => Promise.resolve([items]),
	};
}
