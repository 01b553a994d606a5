import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { describeListing } from '../listing/describeListing';
import { listRecords } from '../listing/listRecords';
import { pickFields, readFieldNames } from '../listing/pickFields';
import { LISTED_RESOURCES, type ListedResource } from '../listing/resources';
import { readInstant, writeUpdatedSince } from '../listing/updatedSince';
import { AdaptivePace } from '../transport/adaptivePace';
import { connectToTenant } from '../transport/tenantConnection';
import { addHint } from './executionHint';
import { type ListParameters, readListParameters } from './listParameterValues';

/** Lists one resource for one input item, and says in a hint what was read. */
export async function list(
	context: IExecuteFunctions,
	resource: ListedResource['name'],
	itemIndex: number,
): Promise<INodeExecutionData[]> {
	const parameters = readListParameters(context, LISTED_RESOURCES[resource], itemIndex);
	const query = buildQuery(parameters, context.getTimezone());
	const tenant = await connectToTenant(context, itemIndex);
	const pace = new AdaptivePace(parameters.concurrency, tenant.clock);
	const startedAt = tenant.clock.now();
	const fields = readFieldNames(parameters.fields);
	// One object for all: a million equal ones would only fill the memory, and n8n replaces it, never changes it.
	const pairedItem = { item: itemIndex };
	let requests = 0;
	let retries = 0;

	const reading = listRecords<INodeExecutionData>({
		...parameters,
		resource,
		keys: namesOf(parameters),
		limit: parameters.returnAll ? undefined : parameters.limit,
		firstPage: parameters.returnAll ? 0 : parameters.page,
		mayBeginBehindEnd: !parameters.returnAll && parameters.page > 0,
		keepAs: (record) => ({ json: pickFields(record, fields) as IDataObject, pairedItem }),
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
		plural: parameters.resource.plural,
		records: listing.records.length,
		requests,
		retries,
		duration: tenant.clock.now() - startedAt,
		wholeList: parameters.returnAll,
		maxPages: parameters.maxPages,
		untilStable: parameters.untilStable,
	});
	addHint(context, hint.message, hint.warning ? 'warning' : 'info');
	return listing.records;
}

/** A list at a path of its own is mostly named for that path in the answer as well. */
function namesOf({ resource, segment }: ListParameters): string[] {
	const name = segment.split('/').at(-1)?.toLowerCase() ?? '';
	return [...new Set([...resource.keys, name, name.replace(/[-_]/g, '')])];
}

/** `sort` and `updatedSince` are sent only when set. */
function buildQuery(
	{ resource, updatedSince, updatedSinceFormat, sort }: ListParameters,
	zone: string,
): Record<string, string | number> {
	const query: Record<string, string | number> = {};
	if (sort !== '') query.sort = sort;
	const instant = resource.name === 'user' ? readInstant(updatedSince, zone) : undefined;
	if (instant !== undefined) query.updatedSince = writeUpdatedSince(instant, updatedSinceFormat);
	return query;
}
