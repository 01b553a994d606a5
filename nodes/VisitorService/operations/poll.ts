import type { IDataObject, INodeParameters, IPollFunctions } from 'n8n-workflow';
import { writeUpdatedSince } from '../answer/updatedSince';
import type { ServiceFailure } from '../failure/serviceFailure';
import { AdaptivePace } from '../http/adaptivePace';
import { SERVICE_UNAVAILABLE } from '../http/temporaryStatus';
import { RecordMatch } from '../match/recordMatch';
import { isScheduled, PollTime } from '../polling/budget';
import { newestRecords } from '../polling/newest';
import { CONCURRENCY, type ListSource } from '../polling/pages';
import { poll } from '../polling/poll';
import { connectToTenant, type TenantConnection } from '../tenant/connection';
import { shortDigest } from '../values/digest';
import { clock, pollHost } from './host';
import { type PollingParameters, readPollingParameters } from './pollingParameters';
import { requireNothingToKeep, StoredCursor, type WorkflowPlaces } from './pollStorage';
import { searchWarnings } from './searchHint';

const MAX_POLL_RETRIES = 3;

/** By the ID of the workflow: triggers published at different times share nothing else. */
const processPlaces = new Map<string, WorkflowPlaces>();

/** Of two polls at the same time, in whatever process, each saves the places of both. */
const NEIGHBOUR =
	'Another polling trigger is in the same workflow, and each can set the other back. Move one of them to a workflow of its own.';

/** What a test event in the editor shows: the records changed last. Nothing is stored. */
export async function showNewest(context: IPollFunctions): Promise<IDataObject[]> {
	const parameters = readParameters(context);
	const match = matchOf(context, parameters);
	const { records, notes } = await readTenant(
		context,
		parameters,
		async (source) => await newestRecords(source, { ...parameters, holds: match.holds }),
	);
	const warnings = searchWarnings(match, parameters.resource.plural);
	for (const note of [...notes, ...warnings]) context.logger.warn(note);
	return records as IDataObject[];
}

/** Polls from the stored place on, and stores the new one. */
export async function pollChanges(context: IPollFunctions): Promise<IDataObject[]> {
	const parameters = readParameters(context);
	const match = matchOf(context, parameters);
	const workflowId = context.getWorkflow().id ?? '';
	const places: WorkflowPlaces = processPlaces.get(workflowId) ?? new Map<string, unknown>();
	processPlaces.set(workflowId, places);
	const stored = new StoredCursor(
		context.getWorkflowStaticData('node'),
		context.getWorkflowStaticData('global'),
		context.getNode().id,
		places,
	);
	const before = stored.read();
	const outcome = await readTenant(
		context,
		parameters,
		async (source) => await poll(source, { ...parameters, holds: match.holds }, before),
		() => stored.isOvertaken,
	);
	// n8n starts a poll although the last one is still running. The records of both would be returned
	// twice.
	if (stored.isOvertaken) return [];
	const { records } = outcome;
	const isStored = records.length > 0 || stored.isDurable || !isScheduled(context);
	if (!isStored) requireNothingToKeep(parameters, before, outcome);
	const remarks = [
		...(isScheduled(context) && stored.hasNeighbour ? [NEIGHBOUR] : []),
		// These looked at every record of the list.
		...(parameters.triggerOn === 'startsToMatch'
			? searchWarnings(match, parameters.resource.plural)
			: []),
	];
	const { told } = outcome.cursor;
	const untold = remarks.filter((remark) => !told.includes(remark));
	for (const note of [...outcome.notes, ...untold]) context.logger.warn(note);
	stored.write({ ...outcome.cursor, told: [...told, ...untold] });
	return records as IDataObject[];
}

/**
 * Why a poll failed, in the words of n8n's `Failure` (n8n-workflow 2.41): with durable cursors it
 * decides when n8n polls again. Undefined if only the status code tells.
 */
export type PollFailure =
	| { cause: 'rate-limited' | 'temporarily-unavailable'; retryAfterMs?: number }
	| { cause: 'credential-invalid' | 'configuration-invalid' };

export function pollFailure({
	kind,
	retryAfter,
	statusCode,
}: ServiceFailure): PollFailure | undefined {
	const wait = retryAfter === undefined ? {} : { retryAfterMs: retryAfter };
	// A 503 with Retry-After announces an outage, not a limit; n8n waits as long for either.
	if (kind === 'rateLimit' && statusCode !== SERVICE_UNAVAILABLE)
		return { cause: 'rate-limited', ...wait };
	switch (kind) {
		case 'rateLimit':
		case 'service':
		case 'connection':
		case 'outOfTime':
			return { cause: 'temporarily-unavailable', ...wait };
		case 'authorization':
			return { cause: 'credential-invalid' };
		case 'configuration':
			return { cause: 'configuration-invalid' };
		default:
			return undefined;
	}
}

function readParameters(context: IPollFunctions): PollingParameters {
	return readPollingParameters(
		// Null, because n8n throws for a parameter that is hidden if no fallback is given.
		(name) => context.getNodeParameter(name, null),
		context.getTimezone(),
	);
}

/** @throws ServiceFailure if a condition has no value, before anything is asked for */
function matchOf(context: IPollFunctions, { match }: PollingParameters): RecordMatch {
	return new RecordMatch(match, { now: clock.now(), zone: context.getTimezone() });
}

/** @param isOvertaken whether reading on is in vain */
async function readTenant<T>(
	context: IPollFunctions,
	parameters: PollingParameters,
	read: (source: ListSource) => Promise<T>,
	isOvertaken = () => false,
): Promise<T> {
	const { keys, segment } = parameters.resource;
	const sought = { keys, itemsPath: parameters.itemsPath };
	const tenant = await connectToTenant(pollHost(context), sought);
	const { clock } = tenant;
	const time = new PollTime(context, clock);
	const pace = time.limit(new AdaptivePace(CONCURRENCY, clock));
	const reading = read({
		service: nameService(tenant.account(), parameters, context.getNode().parameters),
		names: parameters.resource,
		...sought,
		now: () => clock.now(),
		pause: async (milliseconds) => await clock.sleep(milliseconds),
		mayReadOn: () => time.allowsAnotherPage() && !isOvertaken(),
		fetchPage: async (page, pageSize, updatedSince) => {
			const query: Record<string, string | number> = {
				page,
				pageSize,
				...parameters.queryParameters,
			};
			if (parameters.sort !== '') query.sort = parameters.sort;
			if (updatedSince !== undefined) {
				query.updatedSince = writeUpdatedSince(updatedSince, parameters.updatedSinceFormat);
			}
			return await tenant.get(
				{ segment, query },
				{ timeout: time.forOneRequest, maxRetries: MAX_POLL_RETRIES, pace },
			);
		},
		// What is still in flight must not be repeated when the poll is over, for whatever reason.
	}).finally(() => pace.close());
	return await tenant.concealing(reading);
}

/** What may be set otherwise without making what the cursor knows of the list wrong. */
const CHANGES_NOTHING_KNOWN: ReadonlySet<string> = new Set<keyof PollingParameters>([
	'match',
	'startDate',
	'overlap',
	'maxItems',
	'pageSize',
	'sort',
]);

/**
 * A fingerprint of the tenant, the client, the list and the way it is read; a new secret leaves it
 * as it is. What the cursor knows of a list holds only as long as all of these stay: another format
 * may be misread, other paths lead elsewhere. It shows none of them.
 */
function nameService(
	{ apiUrl, clientId }: ReturnType<TenantConnection['account']>,
	parameters: PollingParameters,
	{ match, matchType }: INodeParameters,
): string {
	const read = Object.entries(parameters).filter(([name]) => !CHANGES_NOTHING_KNOWN.has(name));
	// What is known is what matched. Expressions as they are written: their values differ each time.
	const matched = parameters.triggerOn === 'startsToMatch' ? [match, matchType] : [];
	return shortDigest(JSON.stringify([apiUrl, clientId, read, ...matched]), 16);
}
