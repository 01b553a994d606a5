import type { Failure, IDataObject, INodeParameters, IPollFunctions } from 'n8n-workflow';
import {
	configurationFailure,
	type FailureKind,
	type ServiceFailure,
} from '../failure/serviceFailure';
import { SERVICE_UNAVAILABLE } from '../http/backoff';
import { RecordMatcher } from '../match/recordMatch';
import { pollList } from '../polling/poll';
import { PollRateLimiter, usesDurableScheduler } from '../polling/pollBudget';
import type { ListSource } from '../polling/polledList';
import { previewRecords } from '../polling/preview';
import { connectToTenant } from '../tenant/connection';
import { shortDigest } from '../values/digest';
import { locatedValue, requireZone } from '../values/parameters';
import { formatNumber } from '../values/scalar';
import { Execution } from './execution';
import { clock } from './host';
import { toQuery } from './listSettings';
import { type PollingSettings, readPollingSettings } from './pollingSettings';
import { openCursorStore } from './pollStorage';

const MAX_POLL_RETRIES = 3;

/** Returns the records changed last, for a test event in the editor. Nothing is stored. */
export async function previewPoll(context: IPollFunctions): Promise<IDataObject[]> {
	const settings = readSettings(context);
	const { records, notes } = await withListSource(context, settings, async (source) => {
		const preview = await previewRecords(source, settings);
		if (preview.records.length === 0) throw nothingToShowFailure(settings, preview.readCount);
		return { ...preview, notes: [...preview.notes, ...settings.warnings()] };
	});
	for (const note of notes) context.logger.warn(note);
	return records as IDataObject[];
}

/** More helpful than n8n's own message that there is no data. */
function nothingToShowFailure(
	{ resource: { name, plural }, warnings }: ReturnType<typeof readSettings>,
	readCount: number,
): ServiceFailure {
	if (readCount === 0)
		return configurationFailure(
			`The list of ${plural} is empty, so there is no ${name} to show.`,
			'Publish the workflow all the same, or check the credential and Query Parameters.',
		);
	return configurationFailure(
		[
			`None of the ${formatNumber(readCount)} ${plural} that were read matches Conditions.`,
			...warnings(),
		].join(' '),
		'Change Conditions, or publish the workflow all the same.',
	);
}

/** Polls from the stored cursor on, and stores the new one. */
export async function pollChanges(context: IPollFunctions): Promise<IDataObject[]> {
	const settings = readSettings(context);
	const stored = openCursorStore(context);
	requireZone(context.getTimezone());
	if (usesDurableScheduler(context) && !stored.isDurable) throw cursorNotDurableFailure();
	// With other triggers, conditions are not compared with every record of the list.
	const warnings = settings.triggerOn === 'startsToMatch' ? settings.warnings : () => [];
	const { cursor, notes, records } = await withListSource(context, settings, async (source) => {
		const outcome = await pollList(source, { ...settings, warnings }, stored.cursor);
		const [unknownField] = stored.cursor.kind === 'none' ? settings.missingFields() : [];
		if (unknownField !== undefined && !stored.isOvertaken())
			throw configurationFailure(unknownField, 'Set Conditions to fields that are there.');
		return outcome;
	});
	// n8n starts a poll even if the last one is still running. Both would return the same records.
	if (stored.isOvertaken()) return [];
	for (const note of notes) context.logger.warn(note);
	stored.write(cursor);
	return records as IDataObject[];
}

/** n8n's scheduler stores the cursor of a poll without items only with durable cursors (2.41.1). */
function cursorNotDurableFailure(): ServiceFailure {
	return configurationFailure(
		'This n8n forgets how far a poll without results has come, so part of the list would never be read.',
		'Start n8n with N8N_POLLER_DURABLE_CURSORS_ENABLED=true, or without N8N_SCHEDULER_POLL_TRIGGERS_ENABLED.',
	);
}

const CAUSES: Partial<Record<FailureKind, Failure['cause']>> = {
	rateLimit: 'temporarily-unavailable',
	service: 'temporarily-unavailable',
	connection: 'temporarily-unavailable',
	outOfTime: 'temporarily-unavailable',
	unexpected: 'temporarily-unavailable',
	authorization: 'credential-invalid',
	configuration: 'configuration-invalid',
};

/**
 * The cause of a failed poll, by which n8n decides with durable cursors when to poll again (2.41).
 * Undefined if only the status code shows it.
 */
export function pollFailure({
	kind,
	retryAfterMs,
	statusCode,
}: ServiceFailure): Failure | undefined {
	// A 503 with Retry-After announces an outage, not a limit; n8n waits as long for either.
	const isLimit = kind === 'rateLimit' && statusCode !== SERVICE_UNAVAILABLE;
	const cause = isLimit ? 'rate-limited' : CAUSES[kind];
	return cause && { cause, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

/** @throws ServiceFailure if a parameter cannot be read, before anything is requested */
function readSettings(context: IPollFunctions) {
	const zone = context.getTimezone();
	const settings = readPollingSettings(
		(name, missing) => context.getNodeParameter(name, missing),
		zone,
	);
	const match = new RecordMatcher(settings.match, { now: clock.now(), zone });
	const warnings = () => match.warnings(settings.resource.plural);
	// Only what has no such field tells its name.
	const missingFields = () => (match.missing.length > 0 ? warnings() : []);
	return { ...settings, matches: match.matches, missingFields, warnings };
}

async function withListSource<T extends { notes: string[] }>(
	context: IPollFunctions,
	settings: PollingSettings,
	read: (source: ListSource) => Promise<T>,
): Promise<T> {
	const { itemsPath, largerPageSize, resource } = settings;
	const host = new Execution().tenantHost(context);
	const tenant = await connectToTenant(host, { ...resource, itemsPath });
	const limiter = new PollRateLimiter(context, host.clock);
	const reading = read({
		fingerprint: listFingerprint(tenant.account(), settings, context.getNode().parameters),
		names: resource,
		listNames: resource.listNames,
		itemsPath,
		largerPageSize,
		now: () => host.clock.now(),
		pause: async (milliseconds) => await host.clock.sleep(milliseconds),
		canContinue: () => limiter.hasTimeForPage,
		fetchPage: async (page, pageSize, { sinceAt, trialTimeoutMs }) => {
			return await tenant.get(
				{ page, pageSize, ...toQuery({ ...settings, sinceAt }) },
				{
					...{ timeoutMs: limiter.requestTimeoutMs, trialTimeoutMs },
					...{ maxRetries: MAX_POLL_RETRIES, limiter },
				},
			);
		},
	});
	const outcome = await tenant.outcomeOf(reading, limiter);
	return { ...outcome, notes: outcome.notes.map(tenant.redact) };
}

/**
 * A fingerprint of the tenant, the client, the list and the way it is read, but not of the secret.
 * If any of these changes, the cursor is no longer valid: another format may be misread, other
 * paths lead elsewhere. None of them can be read from it.
 */
function listFingerprint(
	{ apiUrl, clientId }: { apiUrl: string; clientId: string },
	settings: PollingSettings,
	{ match, matchType }: INodeParameters,
): string {
	const { ignoreFields, itemsPath, paths, queryParameters, resource, triggerOn } = settings;
	const read = [resource, triggerOn, itemsPath, paths, queryParameters, ignoreFields];
	// The cursor remembers which records match these conditions. Expressions count as they are
	// written, because their values differ each time.
	const matched = triggerOn === 'startsToMatch' ? [match, matchType] : [];
	const written = [apiUrl, clientId, ...read, settings.updatedSinceFormat, ...matched];
	// How a field was chosen makes no other condition.
	const plain = (_: string, value: unknown) => locatedValue(value);
	return shortDigest(JSON.stringify(written, plain), 16);
}
