import {
	type ICredentialDataDecryptedObject,
	type ICredentialsExpressionResolveValues,
	ICredentialsHelper,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeProperties,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { CredentialStorage, type N8nVersion } from '../../host/credentialStorage';

type Fields = ICredentialDataDecryptedObject;

/** What n8n-core asks of the credentials of the server, which it does not contain. */
export class CredentialStore extends ICredentialsHelper {
	private readonly storage: CredentialStorage;

	private added = 0;

	constructor(
		private readonly credentialType: ICredentialType,
		version?: N8nVersion,
	) {
		super();
		this.storage = new CredentialStorage(credentialType, version);
	}

	/** Stores a credential and gives back what a node has to carry to use it. */
	add(data: Fields, id = `credential-${++this.added}`): Record<string, INodeCredentialsDetails> {
		this.storage.put(id, data);
		return { [this.credentialType.name]: { id, name: `Test ${id}` } };
	}

	/** What is stored, expressions unresolved. */
	peek(id: string): Fields {
		return this.storage.peek(id);
	}

	/** Replaces fields behind n8n's back, as another process would. */
	poke(id: string, change: Fields): void {
		this.storage.put(id, { ...this.peek(id), ...change });
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
		return await this.storage.authenticate(credentials, options as IHttpRequestOptions);
	}

	override async preAuthentication(
		{ helpers }: IHttpRequestHelper,
		credentials: Fields,
		_type: string,
		node: INode,
		isExpired: boolean,
	): Promise<Fields | undefined> {
		return await this.storage.preAuthentication(helpers, credentials, node, isExpired);
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
		if (values === undefined) return this.storage.read(id ?? '');
		const { workflow, node, connectionInputData: items, itemIndex } = values;
		const run = { data: values.runExecutionData, index: values.runIndex, executeData };
		return this.storage.read(id ?? '', { workflow, node, mode, items, itemIndex, run });
	}

	override getCredentialsProperties(): INodeProperties[] {
		return this.credentialType.properties;
	}

	override getCredentials = notNeeded;

	override runPreAuthentication = notNeeded;

	override updateCredentials = notNeeded;

	override updateCredentialsOauthTokenData = notNeeded;
}

function notNeeded(): Promise<never> {
	return Promise.reject(new Error('n8n-core asks this for a credential of another kind only.'));
}
