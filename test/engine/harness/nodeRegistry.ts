import {
	type IDataObject,
	type INodeType,
	type INodeTypes,
	type IVersionedNodeType,
	NodeHelpers,
} from 'n8n-workflow';

export type NodeClasses = Record<string, INodeType | IVersionedNodeType>;

/**
 * The node types one test knows, by their full name (`n8n-nodes-visitor-service.visitorService`).
 */
export class NodeRegistry implements INodeTypes {
	constructor(private readonly classes: NodeClasses) {}

	getByName(name: string): INodeType | IVersionedNodeType {
		const found = this.classes[name];
		if (found === undefined) throw new Error(`The test registered no node type "${name}".`);
		return found;
	}

	getByNameAndVersion(name: string, version?: number): INodeType {
		return NodeHelpers.getVersionedNodeType(this.getByName(name), version);
	}

	getKnownTypes(): IDataObject {
		return {};
	}
}
