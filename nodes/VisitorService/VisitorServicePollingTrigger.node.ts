import { createHash } from 'node:crypto';

import {
	type IDataObject,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeApiError,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';

import { readApiAddress, readClient } from '../../credentials/authorization/credentialFields';
import { testConnection } from './connectionTest';
import { pollingParameters } from './descriptions/pollingParameters';
import { LISTED_RESOURCES } from './listing/resources';
import { writeUpdatedSince } from './listing/updatedSince';
import { failureOf } from './operations/failedItem';
import { newestUsers } from './polling/newestUsers';
import { pollFailure } from './polling/pollFailure';
import { type PollingSettings, readPollingSettings } from './polling/pollingSettings';
import { PollPace } from './polling/pollPace';
import { PollTime } from './polling/pollTime';
import { pollUsers } from './polling/pollUsers';
import { StoredCursor } from './polling/storedCursor';
import type { UserSource } from './polling/userList';
import { AdaptivePace } from './transport/adaptivePace';
import { connectToTenant } from './transport/tenantConnection';

const CONCURRENCY = 5;
const MAX_RETRIES = 3;

export class VisitorServicePollingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Visitor Service Polling Trigger',
		name: 'visitorServicePollingTrigger',
		icon: { light: 'file:visitorService.svg', dark: 'file:visitorService.dark.svg' },
		group: ['trigger'],
		version: [1],
		subtitle: 'changed users',
		description: 'Starts the workflow when users were created or changed, without missing any',
		defaults: { name: 'Visitor Service Polling Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'visitorServiceApi', required: true, testedBy: 'testConnection' }],
		hints: [
			{
				message:
					'A test shows the users changed last. The published workflow goes on from its own place, and each change comes out once.',
				type: 'info',
				location: 'outputPane',
				whenToDisplay: 'beforeExecution',
			},
			{
				// n8n gives a poll no way to add a hint of its own (2.41.1), so this one says where to look.
				message:
					'Where the service ignores "updatedSince", each poll reads the whole list and picks the changed users, and n8n\'s log says so.',
				type: 'info',
				location: 'outputPane',
				whenToDisplay: 'beforeExecution',
			},
		],
		properties: pollingParameters,
	};

	methods = { credentialTest: { testConnection } };

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		try {
			const users = this.getMode() === 'manual' ? await showNewest(this) : await pollChanges(this);
			return users.length === 0 ? null : [users.map((json) => ({ json }))];
		} catch (error) {
			const failure = failureOf(error);
			const { message, description, statusCode } = failure;
			const options = { message, description, failure: pollFailure(failure) };
			if (statusCode === undefined) throw new NodeOperationError(this.getNode(), message, options);
			throw new NodeApiError(
				this.getNode(),
				{ message },
				{ ...options, httpCode: String(statusCode) },
			);
		}
	}
}

async function showNewest(context: IPollFunctions): Promise<IDataObject[]> {
	const settings = readSettings(context);
	const { users, notes } = await readTenant(
		context,
		settings,
		async (source) => await newestUsers(source, settings),
	);
	for (const note of notes) context.logger.warn(note);
	return users as IDataObject[];
}

async function pollChanges(context: IPollFunctions): Promise<IDataObject[]> {
	const settings = readSettings(context);
	const stored = new StoredCursor(
		context.getWorkflowStaticData('node'),
		context.getWorkflowStaticData('global'),
		context.getNode().id,
	);
	const { users, cursor, notes } = await readTenant(
		context,
		settings,
		async (source) => await pollUsers(source, settings, stored.read()),
		() => stored.isOvertaken,
	);
	// n8n starts a poll although the last one is still running. The users of both would come out twice.
	if (stored.isOvertaken) return [];
	for (const note of notes) context.logger.warn(note);
	stored.write(cursor);
	return users as IDataObject[];
}

function readSettings(context: IPollFunctions): PollingSettings {
	return readPollingSettings(
		(name) => context.getNodeParameter(name, undefined),
		context.getTimezone(),
	);
}

/** @param isOvertaken whether reading on is in vain */
async function readTenant<T>(
	context: IPollFunctions,
	settings: PollingSettings,
	read: (source: UserSource) => Promise<T>,
	isOvertaken = () => false,
): Promise<T> {
	const service = await nameService(context, settings);
	const tenant = await connectToTenant(context, 0);
	const { clock } = tenant;
	const time = new PollTime(context, clock);
	const pace = new PollPace(new AdaptivePace(CONCURRENCY, clock), () => time.left());
	const reading = read({
		service,
		now: () => clock.now(),
		mayReadOn: () => time.allowsAnotherPage() && !isOvertaken(),
		fetchPage: async (page, pageSize, updatedSince) => {
			const query: Record<string, string | number> = { page, pageSize };
			if (settings.sort !== '') query.sort = settings.sort;
			if (updatedSince !== undefined) {
				query.updatedSince = writeUpdatedSince(updatedSince, settings.updatedSinceFormat);
			}
			const { segment } = LISTED_RESOURCES.user;
			return await tenant.get(
				{ segment, query },
				{ timeout: time.forOneRequest, maxRetries: MAX_RETRIES, pace },
			);
		},
		// What is still in flight must not be repeated when the poll is over, for whatever reason.
	}).finally(() => pace.close());
	return await tenant.concealing(reading);
}

/**
 * A text that is the same for the same tenant and client read the same way, also with a new secret, and says none of
 * it. What is known of a list holds for one way to read it: another format may be misread, other paths lead elsewhere.
 */
async function nameService(
	context: IPollFunctions,
	{ paths, updatedSinceFormat }: PollingSettings,
): Promise<string> {
	const fields = await context.getCredentials('visitorServiceApi');
	const { clientId } = readClient(fields);
	return createHash('sha256')
		.update(JSON.stringify([readApiAddress(fields), clientId, updatedSinceFormat, paths]))
		.digest('base64url')
		.slice(0, 16);
}
