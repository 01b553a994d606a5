import './engineSettings';

import { PollContext } from 'n8n-core';
import type {
	IDataObject,
	Workflow,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { additionalData } from './additionalData';
import type { CredentialStore } from './credentialStore';
import { buildWorkflow, type TestWorkflow } from './workflow';

export interface PollTest extends TestWorkflow {
	credentials?: CredentialStore;
	mode?: WorkflowExecuteMode;
	activation?: WorkflowActivateMode;
	/** The time n8n gives one poll, in milliseconds. */
	budget?: () => number;
	/** Stands for the static data of the node, as a durable cursor does. */
	nodeStaticData?: () => IDataObject;
}

/**
 * The context in which n8n calls `poll` of the first node, and the workflow whose static data it
 * keeps.
 */
export function pollContext(test: PollTest): { context: PollContext; workflow: Workflow } {
	const workflow = buildWorkflow(test);
	const node = Object.values(workflow.nodes)[0];
	if (node === undefined) throw new Error('A poll needs a node.');
	const context = new PollContext(
		workflow,
		node,
		additionalData(test.credentials),
		test.mode ?? 'trigger',
		test.activation ?? 'activate',
		undefined,
		undefined,
		undefined,
		undefined,
		test.nodeStaticData,
		test.budget,
	);
	return { context, workflow };
}
