import './engineSettings';

import { PollContext } from 'n8n-core';

import { additionalData } from './additionalData';
import type { CredentialStore } from './credentialStore';
import { buildWorkflow, type TestWorkflow } from './workflow';

/** The context in which n8n calls `poll` of the first node, of a process that lives on. */
export function pollContext(test: TestWorkflow, credentials: CredentialStore): PollContext {
	const workflow = buildWorkflow(test);
	const node = Object.values(workflow.nodes)[0];
	if (node === undefined) throw new Error('A poll needs a node.');
	return new PollContext(workflow, node, additionalData(credentials), 'trigger', 'activate');
}
