import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { actionParameters } from './descriptions/actionParameters';
import { toServiceFailure } from './failure/serviceFailure';
import { diagnose } from './operations/diagnose';
import { getFields, testConnection } from './operations/editor';
import { Execution } from './operations/execution';
import { failedItem, toNodeError } from './operations/host';
import { find, list } from './operations/list';
import * as read from './values/parameters';

const OPERATIONS = { list, find, diagnose };
const readOperation = read.oneOf(Object.keys(OPERATIONS) as Array<keyof typeof OPERATIONS>);

export class VisitorService implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Visitor Service',
		name: 'visitorService',
		icon: { light: 'file:visitorService.svg', dark: 'file:visitorService.dark.svg' },
		group: ['input'],
		version: [1],
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Read users, companies, visits and tasks from your visitor-management service',
		defaults: { name: 'Visitor Service' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'visitorServiceApi', required: true, testedBy: 'testConnection' }],
		properties: actionParameters,
	};

	methods = { credentialTest: { testConnection }, loadOptions: { getFields } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const results: INodeExecutionData[][] = [];
		const execution = new Execution();
		for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex++) {
			try {
				const operation = this.getNodeParameter('operation', itemIndex);
				const perform = OPERATIONS[readOperation(operation, { displayName: 'Operation' })];
				results.push(await perform(this, itemIndex, execution));
			} catch (error) {
				const failure = toServiceFailure(error);
				const node = this.getNode();
				const nodeError = toNodeError(node, failure, { itemIndex });
				if (!this.continueOnFail() || failure.kind === 'cancelled') throw nodeError;
				const item = failedItem(failure, itemIndex);
				// n8n sends an item to the error output by this property only; elsewhere it would cut the
				// item to its sentence.
				results.push([
					node.onError === 'continueErrorOutput' ? { ...item, error: nodeError } : item,
				]);
			}
		}
		// A single listing may hold a million items, which need not be copied.
		const [only = []] = results;
		return [results.length === 1 ? only : results.flat()];
	}
}
