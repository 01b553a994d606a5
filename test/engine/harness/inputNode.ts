import { type INodeExecutionData, type INodeType, NodeConnectionTypes } from 'n8n-workflow';

export const INPUT_NODE_TYPE = 'test.input';

/** A node that starts a run with these items. */
export function inputNode(items: INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: 'Input',
			name: 'input',
			group: ['input'],
			version: 1,
			description: 'Gives the items of the test',
			defaults: { name: 'Input' },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		execute: () => Promise.resolve([items]),
	};
}
