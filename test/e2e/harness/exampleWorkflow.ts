import { readFileSync } from 'node:fs';
import path from 'node:path';

import { array, object, string } from '../../n8n/responseShape';
import type { CredentialReference, Workflow, WorkflowNode } from '../../n8n/workflow';

const EXAMPLES = path.resolve(__dirname, '..', '..', '..', 'examples');

export interface Choices {
	/** The credential for each node of this package. */
	visitorService: CredentialReference;
	/** Credentials of other nodes, by node name, then by type. */
	credentials?: Record<string, Record<string, CredentialReference>>;
	/** Parameters that replace those of the example, by node name. */
	parameters?: Record<string, Record<string, unknown>>;
	/** What a node gives instead of running, by its name. */
	pinData?: Record<string, unknown>;
}

/** An example as it is after its import, once the user has chosen what it leaves open. */
export function exampleWorkflow(name: string, choices: Choices): Workflow {
	const file: unknown = JSON.parse(readFileSync(path.join(EXAMPLES, `${name}.json`), 'utf8'));
	const example = object(file, name);
	return {
		...example,
		...(choices.pinData && { pinData: choices.pinData }),
		name: string(example.name, 'The name of an example'),
		connections: object(
			example.connections,
			'The connections of an example',
		) as Workflow['connections'],
		nodes: array(example.nodes, 'The nodes of an example').map((value) => {
			const node = object(value, 'A node') as unknown as WorkflowNode;
			const credentials = node.type.startsWith('n8n-nodes-visitor-service.')
				? { visitorServiceApi: choices.visitorService }
				: choices.credentials?.[node.name];
			return {
				...node,
				parameters: { ...node.parameters, ...choices.parameters?.[node.name] },
				...(credentials && { credentials }),
			};
		}),
	};
}
