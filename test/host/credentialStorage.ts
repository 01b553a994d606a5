import {
	getCredentialOwnRequestAllowedDomains,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeProperties,
	type INodeTypes,
	type IRunExecutionData,
	isExpression,
	NodeHelpers,
	Workflow,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

export const CREDENTIAL = 'visitorServiceApi';

type Fields = ICredentialDataDecryptedObject;

/** The input item for which a node reads its credential. */
export interface ReadingItem {
	workflow: Workflow;
	node: INode;
	mode: WorkflowExecuteMode;
	items: INodeExecutionData[];
	itemIndex: number;
	/** Of n8n-core, for expressions that name another node. */
	run?: { data: IRunExecutionData | null; index: number; executeData?: IExecuteData };
}

/** The n8n whose rules are followed. */
export type N8nVersion = '1.123.81' | '2.41.1';

/** Expressions of a credential know no workflow where there is no input item. */
const NOWHERE: INode = {
	id: '',
	name: '',
	type: 'mock',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const noWorkflow = new Workflow({
	nodes: [NOWHERE],
	connections: {},
	active: false,
	nodeTypes: {
		getByNameAndVersion: () => ({ description: { properties: [] as INodeProperties[] } }),
	} as unknown as INodeTypes,
});

/**
 * Credentials as n8n keeps them, by ID, in memory instead of a database. It follows
 * `credentials-helper.js` of n8n 2.41.1.
 */
export class CredentialStorage {
	/** How often stored data was read to be used, and how often it was replaced. */
	reads = 0;
	writes = 0;

	private readonly stored = new Map<string, Fields>();

	/** Whose token call knows no Allowed Domains, and which stores what expressions returned. */
	private readonly isVersion1: boolean;

	constructor(
		private readonly type: ICredentialType,
		version: N8nVersion = '2.41.1',
	) {
		this.isVersion1 = version === '1.123.81';
	}

	/** What is stored, with its expressions. Not counted as a read. */
	peek(id: string): Fields {
		const fields = this.stored.get(id);
		if (fields === undefined) throw new Error(`No credential "${id}" is stored.`);
		return structuredClone(fields);
	}

	/** Stores fields as a user does, or as another process. Not counted as a write. */
	put(id: string, fields: Fields): void {
		this.stored.set(id, structuredClone(fields));
	}

	/** With defaults filled in, and expressions resolved, which n8n does at each reading. */
	read(id: string, item?: ReadingItem): Fields {
		this.reads++;
		const stored = this.peek(id) as INodeParameters;
		const { properties } = this.type;
		const filled = NodeHelpers.getNodeParameters(properties, stored, true, false, null, null);
		// n8n's own fields are in no `properties`.
		const { allowedHttpRequestDomains, allowedDomains } = stored;
		const fields: INodeParameters = {
			...(allowedHttpRequestDomains !== undefined && { allowedHttpRequestDomains }),
			...(allowedDomains !== undefined && { allowedDomains }),
			...filled,
		};
		if (!Object.values(fields).some(isExpression)) return fields as Fields;
		return (item ? resolveFor(item, fields) : resolveAnywhere(fields)) as Fields;
	}

	async authenticate(fields: Fields, options: IHttpRequestOptions): Promise<IHttpRequestOptions> {
		const { authenticate } = this.type;
		if (typeof authenticate !== 'function')
			throw new Error('The credential has no function for it.');
		return await authenticate(fields, options);
	}

	/**
	 * Asks for a new token if the expirable field is '' or the request was rejected, writes it into
	 * the fields, and stores it.
	 *
	 * @returns the fields if they were renewed
	 */
	async preAuthentication(
		helpers: IHttpRequestHelper['helpers'],
		fields: Fields,
		node: INode,
		isExpired: boolean,
	): Promise<Fields | undefined> {
		const { properties, preAuthentication } = this.type;
		const expirable = properties.find(
			({ type, typeOptions }) => type === 'hidden' && typeOptions?.expirable === true,
		)?.name;
		if (expirable === undefined || preAuthentication === undefined) return undefined;
		if (fields[expirable] !== '' && !isExpired) return undefined;
		const output = (await preAuthentication.call(
			{ helpers: this.isVersion1 ? helpers : withinAllowedDomains(helpers, fields) },
			fields,
		)) as Fields;
		const id = node.credentials?.[CREDENTIAL]?.id;
		if (output[expirable] === undefined || !id) return undefined;
		this.writes++;
		this.put(id, this.merged(id, output, expirable, fields));
		return Object.assign(fields, output);
	}

	/** Expressions stay stored, but for the expirable field. */
	private merged(id: string, output: Fields, expirable: string, resolved: Fields): Fields {
		if (this.isVersion1) return { ...resolved, ...output };
		const stored = this.peek(id);
		const changed = Object.entries(output).filter(
			([name]) => name === expirable || !isExpression(stored[name]),
		);
		return { ...stored, ...Object.fromEntries(changed) };
	}
}

function resolveFor(
	{ workflow, node, mode, items, itemIndex, run }: ReadingItem,
	fields: INodeParameters,
): unknown {
	try {
		return workflow.expression.getParameterValue(
			fields,
			run?.data ?? null,
			run?.index ?? 0,
			itemIndex,
			node.name,
			items,
			mode,
			{},
			run?.executeData,
			false,
			fields,
		);
	} catch (error) {
		if (error instanceof Error) error.message += ' [Error resolving credentials]';
		throw error;
	}
}

function resolveAnywhere(fields: INodeParameters): unknown {
	const { expression } = noWorkflow;
	const none = undefined;
	return expression.getComplexParameterValue(NOWHERE, fields, 'internal', {}, none, none, fields);
}

/** The token call of a credential keeps to the domains its user allowed. */
function withinAllowedDomains(
	helpers: IHttpRequestHelper['helpers'],
	fields: Fields,
): IHttpRequestHelper['helpers'] {
	const allowedDomains = getCredentialOwnRequestAllowedDomains(fields);
	if (allowedDomains === undefined) return helpers;
	return {
		httpRequest: async (options: IHttpRequestOptions): Promise<unknown> =>
			await helpers.httpRequest({ ...options, allowedDomains }),
	};
}
