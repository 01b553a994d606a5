import type { FirstPageNumber } from '../listing/firstPage';
import type { JsonObject } from '../values/json';
import { redactPath } from '../values/serverText';
import { findRenewedFields } from './contents';
import type { DifferingRecord } from './differingRecords';
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
	acceptsUpdatedSince: boolean;
	/** Dot paths; '' = detect. */
	paths: RecordFields;
	pageSize: number;
	/** Dot paths of fields that do not count as a change. */
	ignoreFields: readonly string[];
	/** From when on changes are returned; undefined = now. */
	startAt?: number;
	overlapMs: number;
	maxItems: number;
	/** Whether a record may start the workflow. */
	matches: (record: JsonObject) => boolean;
}

/** How a list behaves. It has to be found out before its changes can be found. */
export interface ListProfile {
	fields: RecordFields;
	/** Undefined if stored by an earlier version, which only read lists that count from 0. */
	firstPageNumber?: FirstPageNumber;
	/**
	 * How changes are found: `changes` with the filter of the service; `all` by the times of all
	 * records, because the filter leaves some out; `comparison` by comparing the whole list with what
	 * it held before, because nothing else shows what was created, updated or removed.
	 */
	reads: 'changes' | 'all' | 'comparison';
	/** How much earlier than a time to request changes, so that all since that time are found. */
	lookbackMs: number;
	/** Dot paths of fields that do not count: volatile ones, and those that the user has set. */
	without: readonly string[];
	/** The same of fields that became volatile later; a content says how many it leaves out. */
	renewed?: readonly string[];
	/** Some records of which the content differed in the last polls, and the time did not. */
	differing?: readonly DifferingRecord[];
}

/** Whether only the presence of records counts, or whether they match, and no time. */
export function ignoresTimes(triggerOn: PollSettings['triggerOn']): boolean {
	return triggerOn === 'removed' || triggerOn === 'startsToMatch';
}

/** What was found out about a list that has records. */
export interface Probe {
	profile: ListProfile;
	/** The sample. */
	records: JsonObject[];
	/** What the user should know. */
	notes: string[];
}

/**
 * Finds out how a list behaves, so that a trigger that could not work fails when its workflow is
 * published.
 *
 * @param before the earlier profile, whose fields and contents still count
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
	const hasTimes = !distinguishesCreation(triggerOn) || (createdAt !== '' && updatedAt !== '');
	const canFilter = acceptsUpdatedSince && !ignoresTimes(triggerOn) && hasTimes;
	// A comparison does not show changes of the past.
	if (!canFilter && startAt !== undefined)
		throw missingFieldFailure(
			createdAt === '' ? 'createdAt' : 'updatedAt',
			'',
			records,
			list.source.names,
		);
	const comparesContent = triggerOn !== 'created' && !ignoresTimes(triggerOn);
	const sample = { records, pageSize };
	// At the same time, because n8n may allow half a minute for all requests of a poll.
	const [{ notes, ...use }, differing] = await Promise.all([
		canFilter ? new FilterProbe(list, fields, sample).run() : COMPARISON,
		comparesContent && !before ? findRenewedFields(list, fields, { page: 0, ...sample }) : [],
	]);
	const volatile = differing.filter((path) => !ignoreFields.includes(path));
	const contents = before ?? { without: [...volatile, ...ignoreFields] };
	return {
		profile: { ...contents, fields, ...use },
		records,
		notes: [...notes, ...volatile.map(renewedNote)],
	};
}

/** What the user should know of a field that differs in each response. */
export function renewedNote(path: string): string {
	return `"${redactPath(path)}" differs in each response, so it does not count as a change. To make sure that it never does, add it to Ignore Fields.`;
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
	// A first page of imported users may have no update times.
	const more = await list.fetchSample(MAX_PROBE_PAGES, pageSize);
	return { fields: find(more), records: more };
}
