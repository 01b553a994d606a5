import { configurationFailure } from '../failure/serviceFailure';
import { redactPath } from '../response/fieldNames';
import { DAY } from '../values/instant';
import type { JsonObject } from '../values/json';
import { findVolatileFields, type RecordSample } from './contents';
import {
	filterLookbackMs,
	findRecordFields,
	isNeverUpdated,
	missingFieldFailure,
	type RecordFields,
	readUpdatedAt,
} from './fields';
import { mayRejectTime, type PolledList } from './polledList';
import { MAX_ZONE_SPREAD_MS } from './timePrecision';

export const TRIGGERS = [
	'createdOrUpdated',
	'created',
	'updated',
	'removed',
	'startsToMatch',
] as const;

export interface PollSettings {
	triggerOn: (typeof TRIGGERS)[number];
	/** Whether the list accepts `updatedSince`. */
	acceptsUpdatedSince: boolean;
	/** Dot paths; an empty one is detected. */
	paths: RecordFields;
	pageSize: number;
	/** Dot paths of fields that do not count as a change. */
	ignoreFields: readonly string[];
	/** Undefined = now. */
	startAt?: number;
	overlapMs: number;
	maxItems: number;
	/** Whether a record may start the workflow. */
	matches: (record: JsonObject) => boolean;
}

/** How a list behaves, found out before its changes can be. */
export interface ListProfile {
	fields: RecordFields;
	/**
	 * How changes are found: by asking the service for them; by reading the whole list and looking at
	 * its times, because the service leaves records out of what it finds; or by comparing the whole
	 * list with what it held before, because nothing else tells what was created, updated or removed.
	 */
	reads: 'changes' | 'all' | 'comparison';
	/** Dot paths of fields that do not count: they differ in each response, or the user says so. */
	without: readonly string[];
	/** One record, as the last poll saw it; none if contents do not count. */
	sample?: RecordSample;
}

/** Pages that are looked at in a row, such as for one never updated; and looks for the newest. */
export const MAX_PROBE_PAGES = 10;

/** Whether only what is there counts, or what matches, and no time. */
export function ignoresTimes(triggerOn: PollSettings['triggerOn']): boolean {
	return triggerOn === 'removed' || triggerOn === 'startsToMatch';
}

/**
 * Finds out how a list behaves, so that a trigger that could not work fails when its workflow is
 * published.
 *
 * @returns that, the records that were looked at, and what the user should know; undefined if the
 *   list has no records
 * @throws ServiceFailure that names the option, if records have no ID, or no time that is needed,
 *   or the filter is misread
 */
export async function probeList(
	list: PolledList,
	settings: PollSettings,
): Promise<{ profile: ListProfile; records: JsonObject[]; notes: string[] } | undefined> {
	const { acceptsUpdatedSince, ignoreFields, pageSize, paths, startAt, triggerOn } = settings;
	const { names } = list.source;
	let records = await list.fetchSample(1, pageSize);
	if (records.length === 0) return undefined;
	const needsCreation = triggerOn !== 'createdOrUpdated';
	const find = () => findRecordFields(records, paths, names, needsCreation);
	let fields = find();
	// Of users who were imported, a first page may show no time at all.
	if (acceptsUpdatedSince && fields.precision === undefined) {
		records = await list.fetchSample(MAX_PROBE_PAGES, pageSize);
		fields = find();
	}
	const { createdAt, updatedAt } = fields;
	const lacksTimes = needsCreation && (createdAt === '' || updatedAt === '');
	const canFilter = acceptsUpdatedSince && !ignoresTimes(triggerOn) && !lacksTimes;
	// A list that is compared does not show its past.
	if (!canFilter && startAt !== undefined)
		throw missingFieldFailure(createdAt === '' ? 'createdAt' : 'updatedAt', '', records, names);
	const comparesContent = triggerOn !== 'created' && !ignoresTimes(triggerOn);
	const sample = { records, pageSize };
	// At the same time, as n8n may leave half a minute for all that a poll asks.
	const [reads, differing] = await Promise.all([
		canFilter ? chooseStrategy(list, fields, sample) : ('comparison' as const),
		comparesContent ? findVolatileFields(list, fields, sample) : [],
	]);
	const volatile = differing.filter((path) => !ignoreFields.includes(path));
	const notes = volatile.map(
		(path) =>
			`"${redactPath(path)}" differs in each response, so it does not count as a change. To make sure that it never does, add it to Ignore Fields.`,
	);
	if (reads === 'all') {
		notes.unshift(
			'The service leaves users that were never updated out of what it finds by "updatedSince", or was too slow to show that it does not, so each poll reads the whole list. Ask your service provider to give them an update time, or lower Page Size.',
		);
	}
	return { profile: { fields, reads, without: [...volatile, ...ignoreFields] }, records, notes };
}

/**
 * Whether asking for changes finds each of them, or the whole list has to be read. A filter like
 * `updated_at >= ?` leaves out records without update time: what was created and never updated
 * would never be returned. That shows by the one of them that was created last.
 *
 * @param records those that were looked at
 * @throws ServiceFailure that names the option, if there is no time, or the filter is misread
 */
async function chooseStrategy(
	list: PolledList,
	fields: RecordFields,
	{ pageSize, records }: { pageSize: number; records: readonly JsonObject[] },
): Promise<'changes' | 'all'> {
	if (fields.updatedAt === '')
		throw missingFieldFailure('updatedAt', '', records, list.source.names);
	const latestPlausibleAt = list.clock.latestAt + MAX_ZONE_SPREAD_MS;
	const timesOf = (some: readonly JsonObject[], wereUpdated: boolean) =>
		some
			.filter((record) => isNeverUpdated(record, fields) !== wereUpdated)
			.flatMap((record) => readUpdatedAt(record, fields) ?? [])
			.filter((time) => time < latestPlausibleAt);
	const fetchSince = async (pages: number, newestAt: number) => {
		// The clock that stamps changes may be ahead of a service that refuses later times.
		const sinceAt = Math.min(newestAt, list.clock.latestAt) - filterLookbackMs(fields);
		return await list
			.fetchSample(pages, pageSize, Math.max(0, sinceAt))
			.catch(async (error: unknown) => {
				if (!mayRejectTime(error)) throw error;
				// It may look back a few days only, so that nothing shows how it reads a time.
				await list.fetchSample(1, pageSize, list.clock.latestAt - DAY).catch(() => {
					throw error;
				});
				return undefined;
			});
	};
	// A service that reads `updatedSince` in another format or zone may take it for a later time and
	// find no change, now and for ever. That shows with a time before the newest change read.
	let newest = latestOf(timesOf(records, true));
	for (let probes = 0; probes < MAX_PROBE_PAGES && newest !== -Infinity; probes++) {
		const first = await fetchSince(1, newest);
		if (first === undefined) break;
		let found = timesOf(first, true);
		// Users created just now may fill the first page.
		if (found.length === 0)
			found = timesOf((await fetchSince(MAX_PROBE_PAGES, newest)) ?? [], true);
		if (found.length === 0) {
			throw configurationFailure(
				'The service seems to expect another date format: no changes were returned for a period that has some.',
				'Choose another Updated Since Format in the options. The operation Diagnose finds out which one the service reads.',
			);
		}
		// Of a long list the first page may hold none of the newest, and what is newer would be found
		// all the same.
		if (found.some((time) => time <= newest)) break;
		newest = latestOf(found);
	}
	let created = timesOf(records, false);
	if (created.length === 0 && fields.createdAt !== '') {
		created = timesOf(await list.fetchSample(MAX_PROBE_PAGES, pageSize), false);
		// A look that time cut short tells nothing, and what is not found would never be returned.
		if (created.length === 0 && list.ranOutOfTime) return 'all';
	}
	if (created.length === 0) return 'changes';
	const since = await fetchSince(MAX_PROBE_PAGES, latestOf(created));
	return since === undefined || timesOf(since, false).length > 0 ? 'changes' : 'all';
}

/** A list may hold more users than a function takes arguments. */
function latestOf(times: readonly number[]): number {
	return times.reduce((one, other) => Math.max(one, other), -Infinity);
}
