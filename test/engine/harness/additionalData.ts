import './engineSettings';

import { ExternalSecretsProxy } from 'n8n-core';
import type { IWorkflowExecuteAdditionalData } from 'n8n-workflow';

import type { CredentialStore } from './credentialStore';

const BASE = 'https://n8n.example.test';

/** What the server hands to every execution. */
export function additionalData(credentials?: CredentialStore): IWorkflowExecuteAdditionalData {
	const notInTests = (what: string) => () =>
		Promise.reject(new Error(`${what} is not part of the engine tests.`));
	return {
		executionId: '1',
		credentialsHelper: credentials as CredentialStore,
		executeWorkflow: notInTests('Running another workflow'),
		getRunExecutionData: () => Promise.resolve(undefined),
		getRuntimeCredential: () => Promise.resolve(undefined),
		startRunnerTask: notInTests('A task runner'),
		logAiEvent: () => {},
		currentNodeExecutionIndex: 0,
		externalSecretsProxy: new ExternalSecretsProxy(),
		instanceBaseUrl: BASE,
		restApiUrl: `${BASE}/rest`,
		formBaseUrl: `${BASE}/form`,
		formWaitingBaseUrl: `${BASE}/form-waiting`,
		formTestBaseUrl: `${BASE}/form-test`,
		webhookBaseUrl: `${BASE}/webhook`,
		webhookWaitingBaseUrl: `${BASE}/webhook-waiting`,
		webhookTestBaseUrl: `${BASE}/webhook-test`,
		mcpBaseUrl: `${BASE}/mcp`,
		mcpTestBaseUrl: `${BASE}/mcp-test`,
		variables: {},
	};
}
