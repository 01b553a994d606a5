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
import { getFields, searchFields, testConnection } from './operations/editor';
import { Execution } from './operations/execution';
import { failedItem, type Work } from './operations/host';
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

	methods = {
		credentialTest: { testConnection },
		loadOptions: { getFields },
		listSearch: { searchFields },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const { length } = this.getInputData();
		const results: INodeExecutionData[][] = Array.from({ length }, () => []);
		const settle = async (itemIndex: number, work: Work) => {
			results[itemIndex] = await work().catch((error: unknown) => [
				failedItem(this, toServiceFailure(error), itemIndex),
			]);
		};
		const execution = new Execution();
		const works: Array<[itemIndex: number, work: Work]> = [];
		// First reads the parameters of all input items, because some may share a reading.
		for (let itemIndex = 0; itemIndex < length; itemIndex++) {
			await settle(itemIndex, async () => {
				const operation = this.getNodeParameter('operation', itemIndex);
				const prepare = OPERATIONS[readOperation(operation, { displayName: 'Operation' })];
				works.push([itemIndex, await prepare(this, itemIndex, execution)]);
				return [];
			});
		}
		for (const [itemIndex, work] of works) await settle(itemIndex, work);
		// A single result is not copied: it may have a million items.
		const [only = []] = results;
		return [length === 1 ? only : results.flat()];
	}
}
