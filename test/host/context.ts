import { DateTime } from 'luxon';
import {
	type IAdditionalCredentialOptions,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	isObjectEmpty,
	type JsonObject,
	NodeApiError,
	NodeHelpers,
	NodeOperationError,
	type NodeParameterValueType,
	UserError,
	type Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { CREDENTIAL, type CredentialStorage } from './credentialStorage';
import type { Network } from './network';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** What the package wrote into the log of n8n. */
export type LogEntry = { level: Level; message: string; meta?: object };

/** What all contexts of one n8n have in common. */
export interface N8n {
	network: Network;
	credentials: CredentialStorage;
	log: LogEntry[];
	/** Where webhooks are received. */
	webhookBaseUrl: string;
}

export interface Call {
	workflow: Workflow;
	node: INode;
	mode: WorkflowExecuteMode;
	/** Only an execution has any. */
	items?: INodeExecutionData[];
}

/**
 * What every call of n8n to a node finds in its `this`. It follows `node-execution-context.js` and
 * `request-helpers/authentication.js` of n8n-core 2.41.1.
 */
export function contextOf(n8n: N8n, { workflow, node, mode, items: inputItems }: Call) {
	const { credentials, network } = n8n;
	const items = inputItems ?? [];
	const readParameter = (name: string, itemIndex: number, fallback?: unknown) => {
		// Null is a value, as for lodash's `get`.
		const { [name]: written = fallback } = node.parameters as Record<string, unknown>;
		if (written === undefined) throw new UserError(`Could not get parameter "${name}"`);
		const value: unknown = workflow.expression.getParameterValue(
			written as NodeParameterValueType,
			null,
			0,
			itemIndex,
			node.name,
			items,
			mode,
			{},
		);
		writeTimes(value);
		return value;
	};
	const getCredentials = async (
		_type?: string,
		itemIndex = 0,
	): Promise<ICredentialDataDecryptedObject> => {
		const id = node.credentials?.[CREDENTIAL]?.id;
		if (!id) throw new NodeOperationError(node, 'Node does not have any credentials set');
		const item = inputItems && { workflow, node, mode, items: inputItems, itemIndex };
		return await Promise.resolve(credentials.read(id, item));
	};
	const httpRequest = async (options: IHttpRequestOptions) => await network.httpRequest(options);

	async function httpRequestWithAuthentication(
		this: { getExecutionCancelSignal?: () => AbortSignal | undefined },
		_type: string,
		requested: IHttpRequestOptions,
		{ credentialsDecrypted, ...more }: IAdditionalCredentialOptions = {},
	): Promise<unknown> {
		let options = requested;
		if (isWithoutBody(options)) delete options.body;
		if (this.getExecutionCancelSignal !== undefined) {
			options.abortSignal = this.getExecutionCancelSignal();
		}
		const fields = credentialsDecrypted?.data ?? (await getCredentials());
		const renewAndSend = async (isExpired: boolean) => {
			await credentials.preAuthentication({ httpRequest }, fields, node, isExpired);
			// The second attempt gets what the first one was authorized with.
			options = await credentials.authenticate(fields, options);
			return await httpRequest(options);
		};
		try {
			return await renewAndSend(false);
		} catch (error) {
			const { preAuthenticationRetryStatusCode: retryStatuses = 401 } = more as {
				preAuthenticationRetryStatusCode?: number | number[];
			};
			if (![retryStatuses].flat().includes(statusOf(error)))
				throw new NodeApiError(node, error as JsonObject);
			return await renewAndSend(true).catch((second: unknown) => {
				throw new NodeApiError(node, second as JsonObject);
			});
		}
	}

	const write = (level: Level) => (message: string, meta?: object) =>
		n8n.log.push({ level, message, ...(meta && { meta }) });
	return {
		getNode: () => structuredClone(node),
		getWorkflow: () => ({ id: workflow.id, name: workflow.name, active: workflow.active }),
		getMode: () => mode,
		getTimezone: () => workflow.timezone,
		getWorkflowStaticData: (type: string) => workflow.getStaticData(type, node),
		getInputData: () => items,
		getCredentials,
		getNodeParameter: (name: string, fallback?: unknown) => readParameter(name, 0, fallback),
		getParameterOfItem: readParameter,
		getNodeWebhookUrl: () =>
			NodeHelpers.getNodeWebhookUrl(n8n.webhookBaseUrl, workflow.id, node, 'webhook'),
		continueOnFail: () =>
			node.onError === undefined ? node.continueOnFail === true : node.onError !== 'stopWorkflow',
		helpers: { httpRequest, httpRequestWithAuthentication },
		logger: {
			debug: write('debug'),
			info: write('info'),
			warn: write('warn'),
			error: write('error'),
		},
	};
}

/** As `cleanupParameterData`: times inside collections arrive as text, others as objects. */
function writeTimes(value: unknown): void {
	if (typeof value !== 'object' || value === null) return;
	if (Array.isArray(value)) {
		value.forEach(writeTimes);
		return;
	}
	for (const [key, inner] of Object.entries(value)) {
		if (DateTime.isDateTime(inner)) Object.assign(value, { [key]: inner.toString() });
		else writeTimes(inner);
	}
}

function isWithoutBody({ method = 'GET', body }: IHttpRequestOptions): boolean {
	if (!['GET', 'HEAD', 'OPTIONS'].includes(method)) return false;
	if (typeof body === 'object' && body !== null) return isObjectEmpty(body);
	return body === undefined || body === null || body === '';
}

function statusOf(error: unknown): number {
	const { response } = error as { response?: { status?: number } };
	return response?.status ?? 0;
}
