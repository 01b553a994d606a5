import type { FirstPageNumber } from '../listing/firstPage';
import type { JsonObject } from '../values/json';
import { redactPath } from '../values/serverText';
import { findVolatileFields, type RecordSample } from './contents';
import { findRecordFields, missingFieldFailure, type RecordFields } from './fields';
import { FilterProbe, MAX_PROBE_PAGES } from './filterProbe';
import type { PolledList } from './polledList';

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
	/** None in what an earlier version stored, which only read lists that count from 0. */
	firstPageNumber?: FirstPageNumber;
	/**
	 * How changes are found: by asking the service for them; by reading the whole list and looking at
	 * its times, because the service leaves records out of what it finds; or by comparing the whole
	 * list with what it held before, because nothing else tells what was created, updated or removed.
	 */
	reads: 'changes' | 'all' | 'comparison';
	/** How much earlier than a time changes are requested, so that all since then are found. */
	lookbackMs: number;
	/** Dot paths of fields that do not count: they differ in each response, or the user says so. */
	without: readonly string[];
	/** One record, as the last poll saw it; none if contents do not count. */
	sample?: RecordSample;
}

/** Whether only what is there counts, or what matches, and no time. */
export function ignoresTimes(triggerOn: PollSettings['triggerOn']): boolean {
	return triggerOn === 'removed' || triggerOn === 'startsToMatch';
}

/** What is found out of a list that has records. */
export interface Probe {
	profile: ListProfile;
	/** Those that were looked at. */
	records: JsonObject[];
	/** What the user should know. */
	notes: string[];
}

/**
 * Finds out how a list behaves, so that a trigger that could not work fails when its workflow is
 * published.
 *
 * @param before how it behaved before, whose fields and contents still count
 * @returns undefined if the list has no records
 * @throws ServiceFailure that names the option, if records have no ID, or no time that is needed,
 *   or the filter is misread
 */
export async function probeList(
	list: PolledList,
	settings: PollSettings,
	before?: ListProfile,
): Promise<Probe | undefined> {
	const { acceptsUpdatedSince, ignoreFields, pageSize, startAt, triggerOn } = settings;
	const found = await findFields(list, settings, before?.fields ?? settings.paths);
	if (found === undefined) return undefined;
	const { fields, records } = found;
	const { createdAt, updatedAt } = fields;
	const lacksTimes = distinguishesCreation(triggerOn) && (createdAt === '' || updatedAt === '');
	const canFilter = acceptsUpdatedSince && !ignoresTimes(triggerOn) && !lacksTimes;
	// A list that is compared does not show its past.
	if (!canFilter && startAt !== undefined)
		throw missingFieldFailure(
			createdAt === '' ? 'createdAt' : 'updatedAt',
			'',
			records,
			list.source.names,
		);
	const comparesContent = triggerOn !== 'created' && !ignoresTimes(triggerOn);
	const sample = { records, pageSize };
	// At the same time, as n8n may leave half a minute for all that a poll asks.
	const [{ notes, ...use }, differing] = await Promise.all([
		canFilter ? new FilterProbe(list, fields, sample).run() : COMPARISON,
		comparesContent && !before ? findVolatileFields(list, fields, sample) : [],
	]);
	const volatile = differing.filter((path) => !ignoreFields.includes(path));
	const volatileNotes = volatile.map(
		(path) =>
			`"${redactPath(path)}" differs in each response, so it does not count as a change. To make sure that it never does, add it to Ignore Fields.`,
	);
	const contents = before ?? { without: [...volatile, ...ignoreFields] };
	return {
		profile: { ...contents, fields, ...use },
		records,
		notes: [...notes, ...volatileNotes],
	};
}

const COMPARISON = { reads: 'comparison', lookbackMs: 0, notes: [] } as const;

/** Whether creations and updates have to be distinguished. */
function distinguishesCreation(triggerOn: PollSettings['triggerOn']): boolean {
	return triggerOn !== 'createdOrUpdated';
}

async function findFields(
	list: PolledList,
	{ acceptsUpdatedSince, pageSize, triggerOn }: PollSettings,
	paths: RecordFields,
): Promise<{ fields: RecordFields; records: JsonObject[] } | undefined> {
	const records = await list.fetchSample(1, pageSize);
	if (records.length === 0) return undefined;
	const find = (some: readonly JsonObject[]) =>
		findRecordFields(some, paths, list.source.names, distinguishesCreation(triggerOn));
	const fields = find(records);
	if (!acceptsUpdatedSince || fields.precision !== undefined) return { fields, records };
	// Of users who were imported, a first page may show no time at all.
	const more = await list.fetchSample(MAX_PROBE_PAGES, pageSize);
	return { fields: find(more), records: more };
}
