import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { ListedResource } from '../answer/resources';
import { writeUpdatedSince } from '../answer/updatedSince';
import { AdaptivePace } from '../http/adaptivePace';
import { describeListing } from '../listing/describeListing';
import { FieldSelection } from '../listing/fieldSelection';
import { listRecords } from '../listing/listRecords';
import { RecordMatch } from '../listing/recordMatch';
import { connectToTenant } from '../tenant/connection';
import { addHint } from './executionHint';
import { executionHost } from './host';
import { type ListParameters, listKeys, readListParameters } from './listParameters';

/** Lists one resource for one input item, and says in a hint what was read. */
export async function list(
	context: IExecuteFunctions,
	resource: ListedResource,
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const zone = context.getTimezone();
	const parameters = readListParameters(
		// Null, because n8n throws for a parameter that is hidden if no fallback is given.
		(name) => context.getNodeParameter(name, itemIndex, null),
		resource,
		zone,
	);
	const query = queryOf(parameters);
	const match = new RecordMatch(parameters.conditions, zone);
	const isSearch = parameters.conditions.length > 0;
	const keys = listKeys(parameters.resource, parameters.segment);
	const tenant = await connectToTenant(executionHost(context, itemIndex), {
		keys,
		itemsPath: parameters.itemsPath,
	});
	const pace = new AdaptivePace(parameters.concurrency, tenant.clock);
	const startedAt = tenant.clock.now();
	const fields = new FieldSelection(parameters.fields);
	// One object for all: a million equal ones would only fill the memory, and n8n replaces it, never
	// changes it.
	const pairedItem = { item: itemIndex };
	let requests = 0;
	let retries = 0;

	const reading = listRecords<INodeExecutionData>({
		...parameters,
		resource: resource.name,
		// One page at least, so that the service answers while n8n takes in the page before it.
		maxAhead: Math.max(2 * parameters.concurrency - 2, 1),
		keys,
		limit: parameters.returnAll ? undefined : parameters.limit,
		firstPage: parameters.page,
		isWanted: isSearch ? match.holds : undefined,
		keepAs: (record) => ({ json: fields.pick(record) as IDataObject, pairedItem }),
		fetchPage: async (page, pageSize) => {
			requests++;
			return await tenant.get(
				{ segment: parameters.segment, query: { page, pageSize, ...query } },
				{
					timeout: parameters.timeout,
					maxRetries: parameters.maxRetries,
					pace,
					onRetry: () => {
						requests++;
						retries++;
					},
				},
			);
		},
		// What is still in flight must not be repeated when the listing is over, for whatever reason.
	}).finally(() => pace.close());
	const listing = await tenant.concealing(reading);

	const hint = describeListing({
		...listing.report,
		singular: parameters.resource.name,
		plural: parameters.resource.plural,
		found: isSearch ? listing.records.length : undefined,
		requests,
		retries,
		duration: tenant.clock.now() - startedAt,
		wholeList: parameters.page === 0 && listing.report.endedBy !== 'limit',
		maxPages: parameters.maxPages,
		untilStable: parameters.untilStable,
		missingFields: listing.records.length > 0 ? fields.missing : [],
		unreadableTimes: match.unreadableTimes,
		missingMatchFields: listing.report.records > 0 ? match.missing : [],
	});
	addHint(context, hint.message, hint.warning ? 'warning' : 'info');
	return listing.records;
}

/** `sort` and `updatedSince` are sent only when set. */
function queryOf({
	updatedSince,
	updatedSinceFormat,
	sort,
}: ListParameters): Record<string, string | number> {
	return {
		...(sort !== '' && { sort }),
		...(updatedSince !== undefined && {
			updatedSince: writeUpdatedSince(updatedSince, updatedSinceFormat),
		}),
	};
}
