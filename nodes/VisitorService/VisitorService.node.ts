import {
	NodeApiError,
	NodeConnectionTypes,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { testConnection } from './connectionTest';
import { diagnoseParameters } from './descriptions/diagnoseParameters';
import { listParameters, operationParameters } from './descriptions/listParameters';
import { diagnose } from './operations/diagnose';
import { failedItem, failureOf, nodeErrorOptions } from './operations/failedItem';
import { list } from './operations/list';
import { readResource } from './operations/listParameterValues';

export class VisitorService implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Visitor Service',
		name: 'visitorService',
		icon: { light: 'file:visitorService.svg', dark: 'file:visitorService.dark.svg' },
		group: ['input'],
		version: [1],
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'List the users, companies, visits and tasks of an access and visitor management service',
		defaults: { name: 'Visitor Service' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'visitorServiceApi', required: true, testedBy: 'testConnection' }],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Company', value: 'company' },
					{ name: 'Connection', value: 'connection' },
					{ name: 'Task', value: 'task' },
					{ name: 'User', value: 'user' },
					{ name: 'Visit', value: 'visit' },
				],
				default: 'user',
			},
			...operationParameters,
			...diagnoseParameters,
			...listParameters,
		],
	};

	methods = { credentialTest: { testConnection } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const results: INodeExecutionData[][] = [];
		for (let itemIndex = 0; itemIndex < this.getInputData().length; itemIndex++) {
			try {
				const resource = this.getNodeParameter('resource', itemIndex);
				results.push(
					resource === 'connection'
						? await diagnose(this, itemIndex)
						: await list(this, readResource(resource), itemIndex),
				);
			} catch (error) {
				const failure = failureOf(error);
				if (this.continueOnFail() && failure.kind !== 'cancelled') {
					results.push([failedItem(failure, itemIndex)]);
					continue;
				}
				if (failure.statusCode === undefined) {
					throw new NodeOperationError(this.getNode(), failure.message, nodeErrorOptions(failure, itemIndex));
				}
				throw new NodeApiError(this.getNode(), { message: failure.message }, nodeErrorOptions(failure, itemIndex));
			}
		}
		// A single listing may hold a million items, which need not be copied.
		const [only = []] = results;
		return [results.length === 1 ? only : results.flat()];
	}
}
