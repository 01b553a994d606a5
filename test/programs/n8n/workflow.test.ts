import { VisitorServiceTrigger } from '../../../nodes/VisitorService/VisitorServiceTrigger.node';
import { chainedWorkflow, workflowNode } from '../../n8n/workflow';

describe('chainedWorkflow', () => {
	it('lets each node feed the next one', () => {
		const workflow = chainedWorkflow('Three', [
			{ name: 'A', type: 'n8n-nodes-base.manualTrigger' },
			{ name: 'B', type: 'n8n-nodes-base.noOp' },
			{ name: 'C', type: 'n8n-nodes-base.noOp', typeVersion: 2, parameters: { x: 1 } },
		]);
		expect(workflow.connections).toEqual({
			A: { main: [[{ node: 'B', type: 'main', index: 0 }]] },
			B: { main: [[{ node: 'C', type: 'main', index: 0 }]] },
		});
		expect(workflow.nodes.map(({ typeVersion, parameters }) => [typeVersion, parameters])).toEqual([
			[1, {}],
			[1, {}],
			[2, { x: 1 }],
		]);
		expect(new Set(workflow.nodes.map(({ id }) => id)).size).toBe(3);
	});
});

describe('workflowNode', () => {
	it('has the version the editor would choose', () => {
		const { name, version } = new VisitorServiceTrigger().description;
		const { typeVersion } = workflowNode({ name: 'A', type: `n8n-nodes-visitor-service.${name}` });
		expect(typeVersion).toBe(version);
	});
});
