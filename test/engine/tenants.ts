import './harness/engineSettings';

import { CredentialTestContext } from 'n8n-core';
import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeCredentials,
	INodeParameters,
	INodeType,
} from 'n8n-workflow';
import * as n8nWorkflow from 'n8n-workflow';

import type { N8nVersion } from '../host/credentialStorage';
import {
	type ReferenceService,
	type ReferenceServiceOptions,
	startReferenceService,
} from '../reference-service';
import { additionalData } from './harness/additionalData';
import { CredentialStore } from './harness/credentialStore';
import { type RunningWorkflow, type RunResult, startWorkflow } from './harness/runWorkflow';
import type { TestNode } from './harness/workflow';

const LIST_NODE = 'n8n-nodes-visitor-service.visitorService';
const REQUEST_NODE = 'test.request';

export const HOSTS: N8nVersion[] = ['1.123.81', '2.41.1'];

interface PackageModules {
	VisitorServiceApi: new () => n8nWorkflow.ICredentialType;
	VisitorService: new () => INodeType;
}

/** The package as one process of n8n has it: what it remembers is shared with nobody. */
function loadPackage(): PackageModules {
	let loaded: PackageModules | undefined;
	jest.isolateModules(() => {
		// n8n's own modules are those of the engine; only the package's state is to be apart.
		jest.doMock('n8n-workflow', () => n8nWorkflow);
		loaded = {
			...jest.requireActual<Pick<PackageModules, 'VisitorServiceApi'>>(
				'../../credentials/VisitorServiceApi.credentials',
			),
			...jest.requireActual<Pick<PackageModules, 'VisitorService'>>(
				'../../nodes/VisitorService/VisitorService.node',
			),
		};
	});
	if (loaded === undefined) throw new Error('The package was not loaded.');
	return loaded;
}

/**
 * Sends one request as the HTTP Request node does (`legacy`, versions 2 to 4) or as most other
 * nodes do.
 */
class RequestNode implements INodeType {
	description: INodeType['description'] = {
		displayName: 'Request',
		name: 'request',
		group: ['transform'],
		version: 1,
		description: 'Sends one request with the credential',
		defaults: { name: 'Request' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'visitorServiceApi', required: true }],
		properties: [
			{ displayName: 'Options', name: 'options', type: 'json', default: {} },
			{ displayName: 'Legacy', name: 'legacy', type: 'boolean', default: true },
		],
	};

	async execute(this: IExecuteFunctions) {
		const options = this.getNodeParameter('options', 0) as unknown as IHttpRequestOptions;
		const { url, ...rest } = options;
		const body: unknown = this.getNodeParameter('legacy', 0)
			? await this.helpers.requestWithAuthentication.call(this, 'visitorServiceApi', {
					uri: url,
					json: true,
					...rest,
				})
			: await this.helpers.httpRequestWithAuthentication.call(this, 'visitorServiceApi', options);
		return [[{ json: { body } as IDataObject }]];
	}
}

/**
 * One process of n8n: it runs workflows with the credentials of a store, which several may share.
 */
export class Process {
	private readonly package = loadPackage();

	readonly store: CredentialStore;

	constructor(host: N8nVersion = '2.41.1', store?: CredentialStore) {
		this.store = store ?? new CredentialStore(new this.package.VisitorServiceApi(), host);
	}

	start(
		credentials: INodeCredentials,
		parameters: INodeParameters = {},
		settings: Partial<TestNode> = {},
		items?: IDataObject[],
	): RunningWorkflow {
		const node = {
			type: LIST_NODE,
			class: new this.package.VisitorService(),
			credentials,
			parameters: { resource: 'user', operation: 'list', ...parameters },
			...settings,
		};
		return startWorkflow(node, this.store, items);
	}

	async list(...started: Parameters<Process['start']>): Promise<RunResult> {
		return await this.start(...started).finished;
	}

	async request(
		credentials: INodeCredentials,
		options: Partial<IHttpRequestOptions> & IDataObject,
		legacy = true,
	): Promise<RunResult> {
		const parameters = { options, legacy } as INodeParameters;
		const node = { type: REQUEST_NODE, class: new RequestNode(), credentials, parameters };
		return await startWorkflow(node, this.store).finished;
	}

	/**
	 * What n8n does when Test is clicked: the function that the node's credential names is called.
	 */
	async test(
		data: n8nWorkflow.ICredentialDataDecryptedObject,
	): Promise<n8nWorkflow.INodeCredentialTestResult> {
		const { description, methods } = new this.package.VisitorService();
		const name = description.credentials?.[0]?.testedBy;
		const test = typeof name === 'string' ? methods?.credentialTest?.[name] : undefined;
		if (test === undefined) throw new Error('The node names no test.');
		return await test.call(new CredentialTestContext(additionalData()), {
			id: 'one',
			name: 'Test',
			type: 'visitorServiceApi',
			data,
		});
	}
}

/** Starts services in memory, and stops them after each test. */
export function tenants(): (options?: ReferenceServiceOptions) => Promise<ReferenceService> {
	const started: ReferenceService[] = [];
	afterEach(async () => {
		await Promise.all(started.splice(0).map(async (service) => await service.stop()));
	});
	return async (options = {}) => {
		const service = await startReferenceService({ clock: () => Date.now(), ...options });
		started.push(service);
		return service;
	};
}

/** The credential of a service. */
export const credentialFor = (
	{ url, clientId, clientSecret }: ReferenceService,
	change: n8nWorkflow.ICredentialDataDecryptedObject = {},
): n8nWorkflow.ICredentialDataDecryptedObject => ({
	authUrl: url,
	baseUrl: url,
	clientId,
	clientSecret,
	...change,
});

/** What a service saw: token requests, and list requests by status. */
export function seenBy(service: ReferenceService) {
	const exchanges = service.requests.filter(({ path }) => path === '/auth/app-oauth').length;
	const lists: Record<string, number> = {};
	for (const { path, status } of service.requests) {
		if (path.startsWith('/api/external/')) lists[status] = (lists[status] ?? 0) + 1;
	}
	return { exchanges, lists };
}

/** Waits for what another part of the process does, however long that takes. */
export async function until(isReached: () => boolean): Promise<void> {
	while (!isReached()) await new Promise((resolve) => setImmediate(resolve));
}
