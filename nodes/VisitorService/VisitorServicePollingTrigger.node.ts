import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { pollingParameters } from './descriptions/pollingParameters';
import { toServiceFailure } from './failure/serviceFailure';
import { getFields, searchFields, testConnection } from './operations/editor';
import { toNodeError } from './operations/host';
import { pollChanges, pollFailure, previewPoll } from './operations/poll';

export class VisitorServicePollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Visitor Service Polling Trigger',
		name: 'visitorServicePollingTrigger',
		icon: { light: 'file:visitorService.svg', dark: 'file:visitorService.dark.svg' },
		group: ['trigger'],
		version: [1],
		subtitle:
			'={{ { createdOrUpdated: "created or updated", startsToMatch: "starts to match" }[$parameter["triggerOn"]] || $parameter["triggerOn"] }}: {{ $parameter["resource"] }}',
		description:
			'Checks on a schedule which users, companies, visits or tasks were created, updated or removed, or start to match',
		defaults: { name: 'Visitor Service Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'visitorServiceApi', required: true, testedBy: 'testConnection' }],
		hints: [
			{
				message:
					'A test shows the records changed last, or for Removed an example. The published workflow continues where it left off.',
				type: 'info',
				location: 'outputPane',
				whenToDisplay: 'beforeExecution',
			},
		],
		properties: pollingParameters,
	};

	methods = {
		credentialTest: { testConnection },
		loadOptions: { getFields },
		listSearch: { searchFields },
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const isTest = this.getMode() === 'manual';
		try {
			const records = isTest ? await previewPoll(this) : await pollChanges(this);
			return records.length === 0 ? null : [records.map((json) => ({ json }))];
		} catch (error) {
			const failure = toServiceFailure(error);
			// While a workflow is published, n8n shows only the message (2.41.1).
			const { description, message } = failure;
			const whole = isTest ? {} : { message: `${message} ${description}`, description: '' };
			throw toNodeError(this.getNode(), failure, { ...whole, failure: pollFailure(failure) });
		}
	}
}
