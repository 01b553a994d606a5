import './engineSettings';

import { Credentials, getAdditionalKeys } from 'n8n-core';
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
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	isExpression,
	NodeHelpers,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { NodeRegistry } from './nodeRegistry';

/** The host whose way of storing a refreshed credential is followed. */
export type HostVersion = '1.123.81' | '2.41.1';

const STAND_IN: INode = {
	id: 'credential',
	name: 'Credential',
	type: 'test.credential',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const STAND_IN_TYPES = new NodeRegistry({
	[STAND_IN.type]: {
		description: {
			displayName: 'Credential',
			name: 'credential',
			group: ['input'],
			version: 1,
			description: '',
			defaults: { name: 'Credential' },
			inputs: [],
			outputs: [],
			properties: [],
		},
	},
});

/**
 * Credentials as n8n keeps them, in memory instead of a database. It follows
 * `credentials-helper.js` of n8n 2.41.1 (or 1.123.81): defaults are filled in, stored expressions
 * are resolved on every read, `preAuthentication` runs when the expirable field is empty or the
 * request was refused, and its answer is stored.
 */
export class CredentialStore extends ICredentialsHelper {
	/** How often stored data was read to be used, and how often it was replaced. */
	reads = 0;
	writes = 0;
	/** How often the credential was asked to make a new token. */
	preAuthentications = 0;

	private readonly types: Map<string, ICredentialType>;
	private readonly stored = new Map<string, ICredentialDataDecryptedObject>();

	constructor(
		types: ICredentialType[],
		private readonly host: HostVersion = '2.41.1',
	) {
		super();
		this.types = new Map(types.map((type) => [type.name, type]));
	}

	/** Stores a credential and gives back what a node has to carry to use it. */
	add(
		type: string,
		data: ICredentialDataDecryptedObject,
		id = `${type}-${this.stored.size + 1}`,
	): Record<string, INodeCredentialsDetails> {
		this.stored.set(id, structuredClone(data));
		return { [type]: { id, name: `Test ${id}` } };
	}

	/** What is stored, expressions unresolved. Not counted as a read. */
	peek(id: string): ICredentialDataDecryptedObject {
		const data = this.stored.get(id);
		if (data === undefined) throw new Error(`No credential "${id}" is stored.`);
		return structuredClone(data);
	}

	/** Replaces fields behind n8n's back, as another process would. Not counted as a write. */
	poke(id: string, change: ICredentialDataDecryptedObject): void {
		this.stored.set(id, { ...this.peek(id), ...structuredClone(change) });
	}

	override getParentTypes(): string[] {
		return [];
	}

	override isCredentialUsableByNode(): boolean {
		return true;
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
		workflow?: Workflow,
		node?: INode,
	): Promise<IHttpRequestOptions> {
		const options = requestOptions as IHttpRequestOptions;
		const { authenticate } = this.type(typeName);
		if (authenticate === undefined) return options;
		if (typeof authenticate === 'function') return await authenticate(credentials, options);
		if (workflow === undefined || node === undefined) {
			throw new Error('n8n needs a workflow and a node to resolve a declared authentication.');
		}
		const resolve = (value: string) =>
			isExpression(value)
				? String(
						workflow.expression.getSimpleParameterValue(
							node,
							value,
							'internal',
							{ $credentials: credentials },
							undefined,
							'',
						) ?? '',
					)
				: value;
		for (const [part, entries] of Object.entries(authenticate.properties)) {
			const target: Record<string, unknown> = {
				...(options[part as keyof IHttpRequestOptions] as Record<string, unknown> | undefined),
			};
			for (const [key, value] of Object.entries(entries as Record<string, string>)) {
				target[resolve(key)] = resolve(value);
			}
			Object.assign(options, { [part]: target });
		}
		return options;
	}

	override async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const type = this.type(typeName);
		const expirable = type.properties.find(
			(property) => property.type === 'hidden' && property.typeOptions?.expirable === true,
		)?.name;
		if (expirable === undefined || type.preAuthentication === undefined) return undefined;
		const isTest = node.parameters.temp === '' && node.type === 'n8n-nodes-base.noOp';
		if (credentials[expirable] !== '' && !credentialsExpired && !isTest) return undefined;

		const output = await this.callPreAuthentication(type, helpers, credentials);
		if (output[expirable] === undefined || node.credentials === undefined) return undefined;
		const details = node.credentials[typeName];
		if (details === undefined) throw new Error(`The node carries no credential "${typeName}".`);
		await this.updateCredentials(
			details,
			typeName,
			this.merge(details, credentials, output, expirable),
		);
		return Object.assign(credentials, output);
	}

	override async runPreAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const type = this.type(typeName);
		if (type.preAuthentication === undefined) return undefined;
		return await this.callPreAuthentication(type, helpers, credentials);
	}

	override async getCredentials(
		details: INodeCredentialsDetails,
		type: string,
	): Promise<ICredentials> {
		const { id, name } = details;
		const credentials = new Credentials({ id, name }, type);
		await credentials.setData(this.peek(this.idOf(details)));
		return credentials;
	}

	override getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		details: INodeCredentialsDetails,
		typeName: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		return new Promise((resolve) => {
			this.reads += 1;
			const stored = this.peek(this.idOf(details));
			const resolveExpressions = () =>
				this.resolveStored(stored, additionalData, typeName, mode, executeData, values);
			resolve(raw === true ? stored : resolveExpressions());
		});
	}

	private resolveStored(
		stored: ICredentialDataDecryptedObject,
		additionalData: IWorkflowExecuteAdditionalData,
		typeName: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		values?: ICredentialsExpressionResolveValues,
	): ICredentialDataDecryptedObject {
		const properties = this.getCredentialsProperties(typeName);
		const data: INodeParameters = {
			...NodeHelpers.getNodeParameters(
				properties,
				stored as INodeParameters,
				true,
				false,
				null,
				null,
			),
		};
		// n8n adds these two fields to every credential with `authenticate`; they are in no
		// `properties`.
		for (const field of ['allowedHttpRequestDomains', 'allowedDomains']) {
			if (data[field] === undefined && stored[field] !== undefined) {
				data[field] = stored[field] as INodeParameters[string];
			}
		}
		const keys = getAdditionalKeys(additionalData, mode, null, { isCredential: true });
		if (values !== undefined) {
			return values.workflow.expression.getParameterValue(
				data,
				values.runExecutionData,
				values.runIndex,
				values.itemIndex,
				values.node.name,
				values.connectionInputData,
				mode,
				keys,
				executeData,
				false,
				data,
			) as ICredentialDataDecryptedObject;
		}
		const workflow = new Workflow({
			nodes: [STAND_IN],
			connections: {},
			active: false,
			nodeTypes: STAND_IN_TYPES,
		});
		return workflow.expression.getComplexParameterValue(
			STAND_IN,
			data,
			mode,
			keys,
			undefined,
			undefined,
			data,
		) as ICredentialDataDecryptedObject;
	}

	override updateCredentials(
		details: INodeCredentialsDetails,
		_type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		this.writes += 1;
		this.stored.set(this.idOf(details), structuredClone(data));
		return Promise.resolve();
	}

	override updateCredentialsOauthTokenData(): Promise<void> {
		return Promise.reject(new Error('No credential here extends an OAuth2 credential of n8n.'));
	}

	override getCredentialsProperties(typeName: string): INodeProperties[] {
		return this.type(typeName).properties;
	}

	private type(name: string): ICredentialType {
		const type = this.types.get(name);
		if (type === undefined) throw new Error(`The test registered no credential type "${name}".`);
		return type;
	}

	private idOf(details: INodeCredentialsDetails): string {
		if (!details.id) throw new Error(`Found credential "${details.name}" with no ID.`);
		return details.id;
	}

	private async callPreAuthentication(
		type: ICredentialType,
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
	): Promise<ICredentialDataDecryptedObject> {
		this.preAuthentications += 1;
		if (type.preAuthentication === undefined)
			throw new Error(`"${type.name}" has no preAuthentication.`);
		const context = this.host === '2.41.1' ? withinAllowedDomains(helpers, credentials) : helpers;
		return (await type.preAuthentication.call(
			context,
			credentials,
		)) as ICredentialDataDecryptedObject;
	}

	/**
	 * n8n 1.123 stores the resolved data; 2.41 keeps what was stored as an expression, the expirable
	 * field apart.
	 */
	private merge(
		details: INodeCredentialsDetails,
		resolved: ICredentialDataDecryptedObject,
		output: ICredentialDataDecryptedObject,
		expirable: string,
	): ICredentialDataDecryptedObject {
		if (this.host === '1.123.81') return { ...resolved, ...output };
		const stored = this.peek(this.idOf(details));
		const merged = { ...stored };
		for (const [key, value] of Object.entries(output)) {
			if (key === expirable || !isExpression(stored[key])) merged[key] = value;
		}
		return merged;
	}
}

/** Since 2.x the token call of a credential keeps to the domains its user allowed. */
function withinAllowedDomains(
	helpers: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): IHttpRequestHelper {
	return {
		helpers: {
			httpRequest: async (options: IHttpRequestOptions) => {
				const allowedDomains = getCredentialOwnRequestAllowedDomains(credentials);
				const limited = allowedDomains === undefined ? options : { ...options, allowedDomains };
				const answer: unknown = await helpers.helpers.httpRequest(limited);
				return answer;
			},
		},
	};
}
