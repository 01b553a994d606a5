import { randomBytes } from 'node:crypto';
import {
	type Execution,
	type ExecutionSummary,
	hasEnded,
	isComplete,
	readExecution,
	readExecutionSummary,
} from './execution';
import { N8nRejection, N8nSession } from './n8nSession';
import { array, isObject, object, string } from './responseShape';
import { waitFor } from './waitFor';
import type { CredentialReference, Workflow } from './workflow';

/** A failing trigger is tried again for about 16 s before n8n 2.x gives up. */
const ACTIVATION_TIMEOUT_MS = 60_000;
const EXECUTION_TIMEOUT_MS = 120_000;
const EXECUTIONS_PER_PAGE = 100;
/** More are not given at once by 1.123. */
const ROWS_PER_PAGE = 50;

export interface Owner {
	email: string;
	password: string;
}

/** An owner for instances that live as long as a test. */
export const TEST_OWNER: Owner = { email: 'owner@example.test', password: 'Loopback-only-1' };

/** An owner for an instance that others who use this machine can reach, too. */
export const newOwner = (): Owner => ({
	email: TEST_OWNER.email,
	password: `Own-${randomBytes(9).toString('base64url')}1`,
});

export interface CredentialTestResult {
	passed: boolean;
	message: string;
}

export interface NewCredential {
	name: string;
	/** The credential type's name, such as `visitorServiceApi`. */
	type: string;
	data: Record<string, unknown>;
}

/** The credential for a service, as a user fills it in. */
export function visitorServiceCredential(
	{ url, clientId, clientSecret }: { url: string; clientId: string; clientSecret: string },
	more: Record<string, unknown> = {},
): NewCredential {
	const data = { authUrl: url, baseUrl: url, clientId, clientSecret, ...more };
	return { name: 'Visitor Service', type: 'visitorServiceApi', data };
}

export interface StoredWorkflow extends Workflow {
	id: string;
	versionId: string;
	active: boolean;
}

export interface DataTableColumn {
	name: string;
	type: 'string' | 'number' | 'boolean' | 'date';
}

export interface DataTable {
	id: string;
	rows: () => Promise<Array<Record<string, unknown>>>;
	remove: () => Promise<void>;
}

/**
 * Signs in to an n8n as its owner, whom this creates on a fresh one. Works with 1.123 and 2.x:
 * where they differ it looks at what the host responds, not at its version.
 */
export async function signIn(url: string, owner: Owner = TEST_OWNER): Promise<N8nClient> {
	const session = new N8nSession(url);
	const settings = object(await session.send('GET', '/settings'), 'The settings');
	const { showSetupOnFirstLoad } = object(settings.userManagement, 'The user management settings');
	if (showSetupOnFirstLoad === true) {
		const names = { firstName: 'Instance', lastName: 'Owner' };
		await session.send('POST', '/owner/setup', { ...owner, ...names });
	} else {
		const { email: emailOrLdapLoginId, password } = owner;
		await session.send('POST', '/login', { emailOrLdapLoginId, password });
	}
	return new N8nClient(session);
}

/** Does what a person does in the editor, through the interface that the editor uses. */
export class N8nClient {
	constructor(private readonly session: N8nSession) {}

	async close(): Promise<void> {
		await this.session.close();
	}

	async createCredential(credential: NewCredential): Promise<CredentialReference> {
		const stored = await this.session.change('POST', '/credentials', credential);
		const created = object(stored, 'The created credential');
		return {
			id: string(created.id, 'The id of a credential'),
			name: string(created.name, 'The name of a credential'),
		};
	}

	async deleteCredential(id: string): Promise<void> {
		await this.session.change('DELETE', `/credentials/${id}`);
	}

	/** What the Test button of a stored credential shows. */
	async testCredential(id: string, credential: NewCredential): Promise<CredentialTestResult> {
		const given = await this.session.send('POST', '/credentials/test', {
			credentials: { id, ...credential },
		});
		const response = object(given, 'The result of the credential test');
		return {
			passed: response.status === 'OK',
			message: typeof response.message === 'string' ? response.message : '',
		};
	}

	async createWorkflow(workflow: Workflow): Promise<StoredWorkflow> {
		const draft = { active: false, settings: {}, ...workflow };
		const stored = await this.session.change('POST', '/workflows', draft);
		const created = object(stored, 'The created workflow');
		return {
			...workflow,
			id: string(created.id, 'The id of a workflow'),
			versionId: string(created.versionId, 'The version of a workflow'),
			active: false,
		};
	}

	/** Saves a changed workflow, which is not published thereby. */
	async updateWorkflow(workflow: StoredWorkflow): Promise<StoredWorkflow> {
		const { id, name, nodes, connections, versionId } = workflow;
		const changed = { name, nodes, connections, versionId };
		const stored = await this.session.change('PATCH', `/workflows/${id}`, changed);
		const updated = object(stored, 'The updated workflow');
		return { ...workflow, versionId: string(updated.versionId, 'The version of a workflow') };
	}

	/** Activates a workflow and waits until its triggers run. Throws with the trigger's own error. */
	async activateWorkflow(workflow: StoredWorkflow): Promise<void> {
		await this.session.change('POST', `/workflows/${workflow.id}/activate`, {
			versionId: workflow.versionId,
		});
		await this.publication(workflow.id, 'published');
	}

	async deactivateWorkflow(id: string): Promise<void> {
		await this.session.change('POST', `/workflows/${id}/deactivate`, {});
		await this.publication(id, 'not_published');
	}

	/** Deactivates, archives and deletes a workflow together with its executions. */
	async deleteWorkflow(id: string): Promise<void> {
		await this.deactivateWorkflow(id);
		await this.session.change('POST', `/workflows/${id}/archive`, {});
		await this.session.change('DELETE', `/workflows/${id}`);
	}

	/**
	 * Runs a workflow from `triggerNode`, as its Execute button does, and waits until it has ended.
	 */
	async runWorkflow(
		workflow: StoredWorkflow,
		triggerNode: string,
		timeout = EXECUTION_TIMEOUT_MS,
	): Promise<Execution> {
		const response = await this.startManually(workflow, triggerNode);
		return await this.waitForExecution(
			string(response.executionId, 'The id of the started execution'),
			timeout,
		);
	}

	/**
	 * Runs a workflow whose successful executions are not stored, and waits until n8n has forgotten
	 * it. Throws when it is kept as failed.
	 */
	async runUnsavedWorkflow(
		workflow: StoredWorkflow,
		triggerNode: string,
		timeout = EXECUTION_TIMEOUT_MS,
	): Promise<void> {
		await this.startManually(workflow, triggerNode);
		await waitFor(
			() => `workflow ${workflow.id} has not ended`,
			timeout,
			async () => {
				const [execution] = await this.listExecutions(workflow.id);
				if (execution === undefined || execution.status === 'success') return true;
				if (hasEnded(execution)) throw new Error(`Execution ${execution.id}: ${execution.status}.`);
				return undefined;
			},
		);
	}

	/** Makes a webhook trigger wait for one test event, as its Listen button does. */
	async listenForTestEvent(workflow: StoredWorkflow, triggerNode: string): Promise<void> {
		const response = await this.startManually(workflow, triggerNode);
		if (response.waitingForWebhook !== true) {
			throw new Error(`${triggerNode} does not wait for a test event; it was run instead.`);
		}
	}

	/** All executions of a workflow, newest first. */
	async listExecutions(workflowId: string): Promise<ExecutionSummary[]> {
		const found = new Map<string, ExecutionSummary>();
		let next = '';
		for (;;) {
			const query = `filter=${encodeURIComponent(JSON.stringify({ workflowId }))}&limit=${EXECUTIONS_PER_PAGE}`;
			const given = await this.session.send('GET', `/executions?${query}${next}`);
			const response = object(given, 'The list of executions');
			const page = array(response.results, 'The list of executions').map(readExecutionSummary);
			const before = found.size;
			for (const execution of page) found.set(execution.id, execution);
			// 2.x hands out a cursor and rejects `lastId`; 1.123 knows only `lastId`.
			if (typeof response.nextCursor === 'string') {
				next = `&cursor=${encodeURIComponent(response.nextCursor)}`;
			} else if (!('nextCursor' in response) && page.length === EXECUTIONS_PER_PAGE) {
				// 1.123 sorts by the start and pages by the ID, so that neighbours may be skipped or come
				// again.
				const overlap = found.size > before ? EXECUTIONS_PER_PAGE / 2 : 0;
				next = `&lastId=${Math.min(...page.map(({ id }) => Number(id))) + overlap}`;
			} else {
				return [...found.values()];
			}
		}
	}

	/** Starts an ended execution anew from the data it began with, as its Retry button does. */
	async retryExecution(id: string): Promise<void> {
		await this.session.send('POST', `/executions/${id}/retry`, { loadWorkflow: false });
	}

	async waitForExecution(id: string, timeout = EXECUTION_TIMEOUT_MS): Promise<Execution> {
		return await waitFor(
			() => `execution ${id} has not ended`,
			timeout,
			async () => {
				const execution = readExecution(await this.session.send('GET', `/executions/${id}`));
				return hasEnded(execution) && isComplete(execution) ? execution : undefined;
			},
		);
	}

	/** Waits until `count` executions of a workflow have ended, and returns all of its executions. */
	async waitForExecutions(workflowId: string, count: number): Promise<ExecutionSummary[]> {
		return await waitFor(
			() => `workflow ${workflowId} has not had ${count} executions`,
			EXECUTION_TIMEOUT_MS,
			async () => {
				const executions = await this.listExecutions(workflowId);
				return executions.filter(hasEnded).length >= count ? executions : undefined;
			},
		);
	}

	/** The same with all that n8n has stored of them, oldest first. */
	async endedExecutions(workflowId: string, count: number): Promise<Execution[]> {
		const executions: Execution[] = [];
		for (const { id } of (await this.waitForExecutions(workflowId, count)).reverse()) {
			executions.push(await this.waitForExecution(id));
		}
		return executions;
	}

	/** Creates a data table in the owner's own project. */
	async createDataTable(name: string, columns: DataTableColumn[]): Promise<DataTable> {
		const project = object(await this.session.send('GET', '/projects/personal'), 'The project');
		const tables = `/projects/${string(project.id, 'The id of the project')}/data-tables`;
		const stored = await this.session.change('POST', tables, { name, columns });
		const created = object(stored, 'The created data table');
		const id = string(created.id, 'The id of a data table');
		return {
			id,
			rows: async () => {
				const rows: Array<Record<string, unknown>> = [];
				for (;;) {
					const given = await this.session.send(
						'GET',
						`${tables}/${id}/rows?take=${ROWS_PER_PAGE}&skip=${rows.length}`,
					);
					const page = object(given, 'The rows of a data table');
					const found = array(page.data, 'The rows of a data table');
					rows.push(...found.map((row) => object(row, 'A row')));
					if (found.length === 0 || rows.length === page.count) return rows;
				}
			},
			remove: async () => {
				await this.session.change('DELETE', `${tables}/${id}`);
			},
		};
	}

	/** What the editor is told of a node type, by its name with that of its package. */
	async nodeType(name: string): Promise<Record<string, unknown>> {
		const nodeInfos = [{ name, version: 1 }];
		const [found] = array(
			await this.session.send('POST', '/node-types', { nodeInfos }),
			'The node types',
		);
		return object(found, `The node type ${name}`);
	}

	private async startManually(
		workflow: StoredWorkflow,
		triggerNode: string,
	): Promise<Record<string, unknown>> {
		// 1.123 runs the workflow that comes with the request; 2.x runs the stored one.
		const body = { workflowData: workflow, triggerToStartFrom: { name: triggerNode } };
		const response = await this.session.send('POST', `/workflows/${workflow.id}/run`, body);
		return object(response, 'The started execution');
	}

	/** 1.123 activates while it responds and has no such status; 2.x does it afterwards. */
	private async publication(
		workflowId: string,
		wanted: 'published' | 'not_published',
	): Promise<void> {
		await waitFor(
			() => `workflow ${workflowId} is not "${wanted}"`,
			ACTIVATION_TIMEOUT_MS,
			async () => {
				const response = await this.publicationStatus(workflowId);
				if (response === undefined || response.status === wanted) return true;
				if (
					wanted === 'published' &&
					(response.status === 'failed' || response.status === 'partial')
				) {
					throw new Error(triggerErrors(response));
				}
				return undefined;
			},
		);
	}

	private async publicationStatus(
		workflowId: string,
	): Promise<Record<string, unknown> | undefined> {
		try {
			const response = await this.session.send(
				'GET',
				`/workflows/${workflowId}/publication-status`,
			);
			return object(response, 'The publication status');
		} catch (error) {
			if (error instanceof N8nRejection && error.statusCode === 404) return undefined;
			throw error;
		}
	}
}

function triggerErrors(publicationStatus: Record<string, unknown>): string {
	const errors = array(publicationStatus.triggers, 'The triggers of a workflow')
		.filter(isObject)
		.map((trigger) => trigger.errorMessage)
		.filter((message) => typeof message === 'string');
	return `The workflow could not be activated: ${errors.join(' ') || 'n8n gives no reason.'}`;
}
