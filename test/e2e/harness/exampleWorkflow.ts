import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import type { CredentialReference, Workflow } from '../../n8n/workflow';

const FOLDER = path.resolve(__dirname, '..', '..', '..', 'examples');

/** Their names. */
export const EXAMPLES = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.sort()
	.map((file) => path.basename(file, '.json'));

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
	// test/unit/documents.test.ts checks that it is one.
	const example = JSON.parse(readFileSync(path.join(FOLDER, `${name}.json`), 'utf8')) as Workflow;
	return {
		...example,
		...(choices.pinData && { pinData: choices.pinData }),
		nodes: example.nodes.map((node) => {
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
