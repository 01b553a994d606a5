import './engineSettings';

import {
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
	type INodeProperties,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { CREDENTIAL, CredentialStorage, type N8nVersion } from '../../host/credentialStorage';

/** What n8n-core asks for credentials. They are kept as those of the host in memory are. */
export class CredentialStore extends ICredentialsHelper {
	private readonly storage: CredentialStorage;

	private added = 0;

	constructor(
		private readonly type: ICredentialType,
		version: N8nVersion = '2.41.1',
	) {
		super();
		this.storage = new CredentialStorage(type, version);
	}

	/** Stores a credential and gives back what a node has to carry to use it. */
	add(
		data: ICredentialDataDecryptedObject,
		id = `credential-${++this.added}`,
	): Record<string, INodeCredentialsDetails> {
		this.storage.put(id, data);
		return { [CREDENTIAL]: { id, name: `Test ${id}` } };
	}

	/** What is stored, expressions unresolved. Not counted as a read. */
	peek(id: string): ICredentialDataDecryptedObject {
		return this.storage.peek(id);
	}

	/** Replaces fields behind n8n's back, as another process would. Not counted as a write. */
	poke(id: string, change: ICredentialDataDecryptedObject): void {
		this.storage.put(id, { ...this.peek(id), ...change });
	}

	override getParentTypes(): string[] {
		return [];
	}

	override isCredentialUsableByNode(): boolean {
		return true;
	}

	override async authenticate(
		credentials: ICredentialDataDecryptedObject,
		_type: string,
		options: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		return await this.storage.authenticate(credentials, options as IHttpRequestOptions);
	}

	override async preAuthentication(
		{ helpers }: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		_type: string,
		node: INode,
		isExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		return await this.storage.preAuthentication(helpers, credentials, node, isExpired);
	}

	override getDecrypted(
		_data: IWorkflowExecuteAdditionalData,
		{ id }: INodeCredentialsDetails,
		_type: string,
		_mode: WorkflowExecuteMode,
		_executeData?: IExecuteData,
		_raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		return new Promise((resolve) => {
			resolve(this.storage.read(id ?? '', values?.node, values?.workflow));
		});
	}

	override getCredentialsProperties(): INodeProperties[] {
		return this.type.properties;
	}

	override getCredentials(): Promise<ICredentials> {
		return notAskedFor();
	}

	override runPreAuthentication(): Promise<undefined> {
		return notAskedFor();
	}

	override updateCredentials(): Promise<void> {
		return notAskedFor();
	}

	override updateCredentialsOauthTokenData(): Promise<void> {
		return notAskedFor();
	}
}

function notAskedFor(): Promise<never> {
	return Promise.reject(new Error('n8n-core asks this for an OAuth2 credential of n8n only.'));
}
