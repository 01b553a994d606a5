import './engineSettings';

import {
	getCredentialOwnRequestAllowedDomains,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialsExpressionResolveValues,
	ICredentialsHelper,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	type INodeTypes,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	isExpression,
	NodeHelpers,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

/** The n8n whose rules are followed. */
export type N8nVersion = '1.123.81' | '2.41.1';

type Fields = ICredentialDataDecryptedObject;

/** The node that stands in a credential's expressions where no execution reads it. */
const MOCK_NODE: INode = {
	id: '',
	name: '',
	typeVersion: 1,
	type: 'mock',
	position: [0, 0],
	parameters: {},
};
const MOCK_TYPES = {
	getByNameAndVersion: () => ({ description: { properties: [] } }),
} as unknown as INodeTypes;

/**
 * `CredentialsHelper` of the n8n server (`packages/cli/src/credentials-helper.ts`), which n8n-core
 * does not contain, step by step without its database, overwrites and external secrets.
 */
export class CredentialStore extends ICredentialsHelper {
	private readonly database = new Map<string, string>();

	private added = 0;

	constructor(
		private readonly credentialType: ICredentialType,
		private readonly version: N8nVersion = '2.41.1',
	) {
		super();
	}

	/** Stores a credential and gives back what a node has to carry to use it. */
	add(data: Fields, id = `credential-${++this.added}`): Record<string, INodeCredentialsDetails> {
		this.save(id, data);
		return { [this.credentialType.name]: { id, name: `Test ${id}` } };
	}

	/** What is stored, expressions unresolved. */
	peek(id: string): Fields {
		const data = this.database.get(id);
		if (data === undefined) throw new Error(`Credential with ID "${id}" does not exist.`);
		return JSON.parse(data) as Fields;
	}

	/** Replaces fields behind n8n's back, as another process would. */
	poke(id: string, change: Fields): void {
		this.save(id, { ...this.peek(id), ...change });
	}

	override getParentTypes(): string[] {
		return [];
	}

	override isCredentialUsableByNode(): boolean {
		return true;
	}

	override async authenticate(
		credentials: Fields,
		_type: string,
		options: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = this.credentialType;
		if (typeof authenticate !== 'function') return await notNeeded();
		return await authenticate(credentials, options as IHttpRequestOptions);
	}

	override async preAuthentication(
		{ helpers }: IHttpRequestHelper,
		credentials: Fields,
		_type: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<Fields | undefined> {
		const { name, preAuthentication, properties } = this.credentialType;
		const expirable = properties.find((one) => one.typeOptions?.expirable === true)?.name;
		if (expirable === undefined || preAuthentication === undefined) return undefined;
		if (credentials[expirable] !== '' && !credentialsExpired) return undefined;
		const httpRequest = this.restrictToCredentialDomains(helpers.httpRequest, credentials);
		const called = { helpers: { httpRequest } };
		const output = (await preAuthentication.call(called, credentials)) as Fields;
		if (output[expirable] === undefined || node.credentials === undefined) return undefined;
		const id = node.credentials[name]?.id ?? '';
		// 1.123 stores the fields as they were resolved for this run.
		const stored = this.version === '1.123.81' ? credentials : this.peek(id);
		const saved = { ...stored };
		for (const [key, value] of Object.entries(output)) {
			const isKept = key !== expirable && isExpression(stored[key]);
			if (!isKept || this.version === '1.123.81') saved[key] = value;
		}
		this.save(id, saved);
		return Object.assign(credentials, output);
	}

	override async getDecrypted(
		_data: IWorkflowExecuteAdditionalData,
		{ id }: INodeCredentialsDetails,
		_type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<Fields> {
		await Promise.resolve();
		const original = this.peek(id ?? '');
		const { properties } = this.credentialType;
		const stored = original as INodeParameters;
		const data = NodeHelpers.getNodeParameters(properties, stored, true, false, null, null);
		const decrypted = data as INodeParameters;
		for (const name of ['allowedHttpRequestDomains', 'allowedDomains'])
			if (original[name] !== undefined) decrypted[name] ??= stored[name];
		if (values === undefined) return this.resolveOutsideOfRuns(decrypted, mode);
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = values;
		try {
			return workflow.expression.getParameterValue(
				decrypted,
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				connectionInputData,
				mode,
				{},
				executeData,
				false,
				decrypted,
			) as Fields;
		} catch (error) {
			if (error instanceof Error) error.message += ' [Error resolving credentials]';
			throw error;
		}
	}

	override getCredentialsProperties(): INodeProperties[] {
		return this.credentialType.properties;
	}

	override getCredentials(): Promise<ICredentials> {
		return notNeeded();
	}

	override runPreAuthentication(): Promise<undefined> {
		return notNeeded();
	}

	override updateCredentials(): Promise<void> {
		return notNeeded();
	}

	override updateCredentialsOauthTokenData(): Promise<void> {
		return notNeeded();
	}

	private save(id: string, data: Fields): void {
		this.database.set(id, JSON.stringify(data));
	}

	private resolveOutsideOfRuns(data: INodeParameters, mode: WorkflowExecuteMode): Fields {
		const { expression } = new Workflow({
			nodes: [MOCK_NODE],
			connections: {},
			active: false,
			nodeTypes: MOCK_TYPES,
		});
		const none = undefined;
		return expression.getComplexParameterValue(
			MOCK_NODE,
			data,
			mode,
			{},
			none,
			none,
			data,
		) as Fields;
	}

	private restrictToCredentialDomains(
		httpRequest: IHttpRequestHelper['helpers']['httpRequest'],
		credentials: Fields,
	): typeof httpRequest {
		if (this.version === '1.123.81') return httpRequest;
		return async (options: IHttpRequestOptions): Promise<unknown> => {
			const allowedDomains = getCredentialOwnRequestAllowedDomains(credentials);
			if (allowedDomains === undefined) return await httpRequest(options);
			return await httpRequest({ ...options, allowedDomains });
		};
	}
}

function notNeeded(): Promise<never> {
	return Promise.reject(new Error('n8n-core asks this for a credential of another kind only.'));
}
