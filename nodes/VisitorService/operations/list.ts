import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { ServiceFailure } from '../failure/serviceFailure';
import { AdaptiveRateLimiter } from '../http/adaptiveRateLimiter';
import { describeListing } from '../listing/describeListing';
import { type ListingReport, listRecords } from '../listing/listRecords';
import { FieldSelection } from '../match/fieldSelection';
import { RecordMatcher } from '../match/recordMatch';
import { connectToTenant } from '../tenant/connection';
import type { GetValue } from '../values/parameters';
import { formatCount } from '../values/scalar';
import type { Execution } from './execution';
import { addHint, tenantHost } from './host';
import { type ListSettings, readFindSettings, readListSettings, toQuery } from './listSettings';

/** Lists one resource for one input item, and says in a hint what was read. */
export async function list(
	context: IExecuteFunctions,
	itemIndex: number,
	execution: Execution,
): Promise<INodeExecutionData[]> {
	const { items } = await readList(context, itemIndex, execution, readListSettings);
	return items;
}

/**
 * The first record whose field equals a value, for one input item.
 *
 * @throws ServiceFailure if there is none, and the user wants to know
 */
export async function find(
	context: IExecuteFunctions,
	itemIndex: number,
	execution: Execution,
): Promise<INodeExecutionData[]> {
	const reading = await readList(context, itemIndex, execution, readFindSettings);
	const { items, recordsRead, match, settings } = reading;
	if (items.length > 0 || settings.ifNotFound === 'noItem') return items;
	const { name, plural } = settings.resource;
	const [warning] = match.warnings(plural);
	throw new ServiceFailure(
		`Found no such ${name} among ${formatCount(recordsRead, name, plural)} read.`,
		warning ?? 'Check Field Name or ID and Value, or set If Not Found to Return No Item.',
		{ kind: 'response' },
	);
}

async function readList(
	context: IExecuteFunctions,
	itemIndex: number,
	execution: Execution,
	readSettings: (valueOf: GetValue, zone: string) => ListSettings,
) {
	const zone = context.getTimezone();
	const settings = readSettings(
		(name, missing) => context.getNodeParameter(name, itemIndex, missing),
		zone,
	);
	const { resource, itemsPath, maxRetries, timeout } = settings;
	const { plural } = resource;
	const query = toQuery(settings);
	const host = tenantHost(context, itemIndex, execution);
	const match = new RecordMatcher(settings.match, { now: host.clock.now(), zone });
	const isSearch = settings.match.conditions.length > 0;
	const tenant = await connectToTenant(host, { ...resource, itemsPath });
	const limiter = new AdaptiveRateLimiter(settings.concurrency, host.clock);
	const startedAt = host.clock.now();
	const fields = new FieldSelection(settings.fields);
	// One object for all: a million equal ones would only fill the memory, and n8n replaces it, never
	// changes it.
	const pairedItem = { item: itemIndex };
	let fetchCount = 0;
	let retries = 0;

	const reading = listRecords<INodeExecutionData>({
		...settings,
		resource: resource.name,
		listNames: resource.listNames,
		filter: isSearch ? match.matches : undefined,
		transform: (record) => {
			match.noteSpelling(record);
			return { json: fields.pick(record) as IDataObject, pairedItem };
		},
		fetchPage: async (page, pageSize) => {
			fetchCount++;
			return await tenant.get(
				{ page, pageSize, ...query },
				{ timeout, maxRetries, limiter, onRetry: () => retries++ },
			);
		},
	});
	const { records: items, report } = await tenant.outcomeOf(reading, limiter);

	const listing = describeListing({
		...settings,
		...report,
		singular: resource.name,
		plural,
		matchCount: isSearch ? items.length : undefined,
		requests: fetchCount + retries,
		retries,
		durationMs: host.clock.now() - startedAt,
	});
	const warnings = [...fields.warnings(plural), ...match.warnings(plural)];
	const remark = searchNote(settings, report, items.length);
	const message = [listing.message, ...remark, ...warnings].join(' ');
	addHint(context, message, listing.warning || warnings.length > 0 ? 'warning' : 'info');
	return { items, recordsRead: report.recordCount, match, settings };
}

/** A remark on a search that succeeded. */
function searchNote(
	{ match: { conditions, type }, limit }: ListSettings,
	{ endedBy, pages }: ListingReport,
	found: number,
): string[] {
	if (conditions.length === 0) return [];
	if (endedBy === 'limit') return limit === 1 ? [] : ['Stopped at Limit: there may be more.'];
	const isExact = conditions.some(({ comparison }) => comparison === 'equals');
	const mayBeOnly = isExact && found === 1 && (type === 'all' || conditions.length === 1);
	return mayBeOnly && pages > 1 ? ['To stop at the first match, use Find, or set Limit to 1.'] : [];
}
