import {
	type ICredentialDataDecryptedObject,
	type ICredentialTestFunctions,
	type IDataObject,
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INode,
	type INodeCredentialTestResult,
	type INodeExecutionData,
	type INodeListSearchItems,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypes,
	Workflow,
	type WorkflowParameters,
} from 'n8n-workflow';

import { VisitorServiceApi } from '../../credentials/VisitorServiceApi.credentials';
import { VisitorService as ActionNode } from '../../nodes/VisitorService/VisitorService.node';
import { VisitorServicePollingTrigger } from '../../nodes/VisitorService/VisitorServicePollingTrigger.node';
import { VisitorServiceTrigger } from '../../nodes/VisitorService/VisitorServiceTrigger.node';
import { type ServiceOptions, VisitorService } from '../reference-service/service';
import { contextOf, type LogEntry, type N8n } from './context';
import { CREDENTIAL, CredentialStorage } from './credentialStorage';
import { Network } from './network';
import { VirtualTime } from './virtualTime';

/** The node types of the package, by their short names. */
export const NODES = {
	action: new ActionNode(),
	polling: new VisitorServicePollingTrigger(),
	webhook: new VisitorServiceTrigger(),
} satisfies Record<string, INodeType>;

export type NodeName = keyof typeof NODES;

export const typeOf = (name: NodeName) =>
	`n8n-nodes-visitor-service.${NODES[name].description.name}`;

const nodeTypes = {
	getByNameAndVersion: (type: string): INodeType => {
		const found = (Object.keys(NODES) as NodeName[]).find((name) => typeOf(name) === type);
		if (found === undefined) throw new Error(`There is no node type "${type}".`);
		return NODES[found];
	},
} as INodeTypes;

export interface HostOptions extends Pick<ServiceOptions, 'clientSecret' | 'switches'> {
	/** Milliseconds since 1970. */
	startsAt?: number;
	/** Of each workflow. */
	timezone?: string;
	/** Milliseconds a request takes on its way there, and again on its way back. */
	latency?: () => number;
}

export interface NodeSettings extends Partial<Omit<INode, 'parameters' | 'type'>> {
	node: NodeName;
	parameters?: INodeParameters;
}

/** What a run of the action node shows. */
export interface Run {
	items: IDataObject[];
	/** Those of the second output, with onError `continueErrorOutput`. */
	errorItems: IDataObject[];
	hints: Array<{ message: string; type?: string }>;
	error?: Error & { description?: string };
	/** The items of the first output as n8n passes them on. */
	output: INodeExecutionData[];
}

/** Each host has its own tenant: what the package remembers of tokens is that of the process. */
let hosts = 0;

/**
 * One n8n and one service, in memory and in virtual time, so that a whole run of a node costs
 * milliseconds. The classes of the package run in it as they are.
 */
export class MemoryHost implements N8n {
	readonly url = `https://tenant-${++hosts}.example.test`;

	readonly time: VirtualTime;

	readonly service: VisitorService;

	readonly network: Network;

	readonly credentials: CredentialStorage;

	readonly log: LogEntry[] = [];

	readonly webhookBaseUrl = 'https://n8n.example.test/webhook';

	private readonly timezone: string;

	constructor(hostOptions: HostOptions = {}) {
		const { startsAt, latency, timezone = 'Etc/UTC', ...options } = hostOptions;
		this.timezone = timezone;
		this.time = new VirtualTime(startsAt ?? Date.UTC(2026, 2, 2, 8));
		this.service = new VisitorService({
			...options,
			clock: () => this.time.now(),
			pause: async (milliseconds) => await this.time.sleep(milliseconds),
		});
		this.network = new Network(this.time, latency);
		this.network.add(this.url, this.service);
		this.credentials = new CredentialStorage(new VisitorServiceApi());
		this.credentials.put('one', this.credential());
	}

	/** The fields of the credential as a user fills them in. */
	credential(change: ICredentialDataDecryptedObject = {}): ICredentialDataDecryptedObject {
		const { service, url } = this;
		const { clientId, clientSecret } = service;
		return { authUrl: url, baseUrl: url, clientId, clientSecret, ...change };
	}

	/** Runs the action node once. */
	async execute(
		parameters: INodeParameters,
		settings: Omit<NodeSettings, 'node'> & { items?: IDataObject[]; signal?: AbortSignal } = {},
	): Promise<Run> {
		const { items = [{}], signal, ...rest } = settings;
		const { workflow, node } = this.workflow([{ node: 'action', parameters, ...rest }]);
		const input = items.map((json, item) => ({ json, pairedItem: { item } }));
		const hints: Run['hints'] = [];
		const context = contextOf(this, { workflow, node, mode: 'manual', items: input });
		const execution = {
			...context,
			getNodeParameter: context.getParameterOfItem,
			getExecutionCancelSignal: () => signal,
			addExecutionHints: (...added: Run['hints']) => hints.push(...added),
		} as unknown as IExecuteFunctions;
		try {
			const [output = []] = await this.during(
				async () => await NODES.action.execute.call(execution),
			);
			return { ...shown(output, node), hints };
		} catch (error) {
			// n8n keeps the hints of runs that end well only.
			return { ...shown([], node), hints: [], error: error as Error };
		}
	}

	/** The choices the editor asks for. */
	async loadOptions(
		name: 'getFields',
		parameters: INodeParameters,
	): Promise<INodePropertyOptions[]> {
		const context = this.editorContext(parameters);
		return await this.during(
			async () => await NODES.action.methods.loadOptions[name].call(context),
		);
	}

	/** The same for a resource locator. @param filter what the user has typed */
	async searchList(
		name: 'searchFields',
		parameters: INodeParameters,
		filter?: string,
	): Promise<INodeListSearchItems[]> {
		const context = this.editorContext(parameters);
		const { results } = await this.during(
			async () => await NODES.action.methods.listSearch[name].call(context, filter),
		);
		return results;
	}

	private editorContext(parameters: INodeParameters): ILoadOptionsFunctions {
		const { workflow, node } = this.workflow([{ node: 'action', parameters }]);
		return {
			...contextOf(this, { workflow, node, mode: 'internal' }),
			getCurrentNodeParameter: (parameter: string) => node.parameters[parameter],
		} as unknown as ILoadOptionsFunctions;
	}

	/** What the Test button does: the function that the node's credential names is called. */
	async testConnection(
		data: ICredentialDataDecryptedObject = this.credential(),
	): Promise<INodeCredentialTestResult> {
		const { testConnection } = NODES.action.methods.credentialTest;
		const helpers = {
			request: async (...options: Parameters<Network['request']>) =>
				await this.network.request(...options),
		};
		const context = { helpers } as unknown as ICredentialTestFunctions;
		const credential = { id: 'one', name: 'Test', type: CREDENTIAL, data };
		return await this.during(async () => await testConnection.call(context, credential));
	}

	/** The messages of the log. */
	get logged(): string[] {
		return this.log.map(({ message }) => message);
	}

	async during<T>(work: () => Promise<T>): Promise<T> {
		return await this.time.during(work);
	}

	/** A workflow as n8n holds it, with defaults filled in. @returns its first node too */
	workflow(
		nodes: readonly NodeSettings[],
		more: Partial<WorkflowParameters> = {},
	): { workflow: Workflow; node: INode } {
		const made = nodes.map(({ node, ...settings }, index): INode => {
			const { defaults, version } = NODES[node].description;
			return {
				id: `node-${index}`,
				name: defaults.name ?? node,
				type: typeOf(node),
				typeVersion: [version].flat().at(-1) ?? 1,
				position: [0, 0],
				credentials: { [CREDENTIAL]: { id: 'one', name: 'Visitor Service' } },
				webhookId: 'webhook',
				...settings,
				parameters: structuredClone(settings.parameters ?? {}),
			};
		});
		const workflow = new Workflow({
			id: `workflow-of-${this.url}`,
			nodes: made,
			connections: {},
			active: false,
			nodeTypes,
			settings: { timezone: this.timezone },
			...more,
		});
		const [first] = made;
		if (first === undefined) throw new Error('A workflow needs a node.');
		return { workflow, node: first };
	}
}

/** What n8n makes of the output of a node (`normalizeNodeErrors`, `handleNodeErrorOutput`). */
function shown(output: INodeExecutionData[], { onError }: INode): Omit<Run, 'hints'> {
	const cut = output.map((item) =>
		item.error === undefined ? item : { ...item, json: { error: item.error.message } },
	);
	const isSplit = onError === 'continueErrorOutput';
	const [passed, failed] = [true, false].map((isFirstHalf) =>
		cut.filter(({ error }) => (!isSplit || error === undefined) === isFirstHalf),
	) as [INodeExecutionData[], INodeExecutionData[]];
	return {
		items: passed.map(({ json }) => json),
		errorItems: failed.map(({ json }) => json),
		output: passed,
	};
}
