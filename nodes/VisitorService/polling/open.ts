import { ServiceFailure } from '../failure/serviceFailure';
import type { JsonObject } from '../values/json';
import { findVolatile } from './contents';
import {
	findRecordFields,
	isNeverUpdated,
	missing,
	type RecordFields,
	type RecordPaths,
	readUpdate,
	slackOf,
} from './fields';
import type { PolledList } from './pages';
import { ANY_ZONE, isOfPresence, type TriggerOn } from './versions';

export interface PollSettings {
	triggerOn: TriggerOn;
	/** Whether the list accepts `updatedSince`. */
	acceptsUpdatedSince: boolean;
	/** Dot paths; an empty one is detected. */
	paths: RecordPaths;
	pageSize: number;
	/** Dot paths of fields that do not count as a change. */
	ignoreFields: readonly string[];
	/** Milliseconds since 1970; undefined = now. */
	startDate?: number;
	/** Milliseconds. */
	overlap: number;
	maxItems: number;
	/** Whether a record may start the workflow. */
	holds: (record: JsonObject) => boolean;
}

/** What was found out of a list before its changes could be told. */
export interface OpenedList {
	fields: RecordFields;
	/**
	 * How changes are found: by asking the service for them, by reading the whole list and looking at
	 * its times, because the service leaves records out of what it finds; or by comparing the whole
	 * list with what it held before.
	 */
	reads: 'changes' | 'all' | 'comparison';
	/** Dot paths of the fields that differ in each answer. */
	volatile: readonly string[];
}

/** Pages that are looked at in a row, such as for one that was never updated. */
const MAX_PROBED = 10;

/** What the user should know of the list. */
export function notesOn({ reads, volatile }: OpenedList): string[] {
	const incomplete =
		'The service leaves users that were never updated out of what it finds by "updatedSince", so each poll reads the whole list. Ask your service provider to give them an update time.';
	const differs =
		'differs in each answer, so it does not count as a change. To make sure that it never does, add it to Ignore Fields.';
	return [
		...(reads === 'all' ? [incomplete] : []),
		...volatile.map((path) => `"${path}" ${differs}`),
	];
}

/**
 * Finds out what has to be known of a list before its changes can be told, so that a trigger that
 * could not work fails when its workflow is published.
 *
 * @returns undefined if the list has no records
 * @throws ServiceFailure that names the option, if records have no ID, or no time that is needed,
 *   or the filter is misread
 */
export async function openList(
	list: PolledList,
	rules: PollSettings,
): Promise<{ opened: OpenedList; records: JsonObject[] } | undefined> {
	const { ignoreFields, pageSize, paths, triggerOn } = rules;
	const records = await list.some(1, pageSize);
	if (records.length === 0) return undefined;
	const fields = findRecordFields(records, paths, list.source.names, triggerOn);
	const reads = await chooseReading(list, { fields, records }, rules);
	const hasContents = triggerOn !== 'created' && !isOfPresence(triggerOn);
	const differing = hasContents ? await findVolatile(list, fields, { records, pageSize }) : [];
	const volatile = differing.filter((path) => !ignoreFields.includes(path));
	return { opened: { fields, reads, volatile }, records };
}

/** A list, and the records of its first page. */
type OpenedPage = { fields: RecordFields; records: readonly JsonObject[] };

/**
 * How changes are found.
 *
 * @throws ServiceFailure that names the option, if there is no time, or the filter is misread
 */
async function chooseReading(
	list: PolledList,
	page: OpenedPage,
	rules: PollSettings,
): Promise<OpenedList['reads']> {
	const { fields, records } = page;
	if (isCompared(rules, fields)) return 'comparison';
	if (fields.updatedAt === '') throw missing('updatedAt', '', records, list.source.names);
	await requireReadableFilter(list, page, rules);
	return (await findsNeverUpdated(list, page, rules)) ? 'changes' : 'all';
}

/** Whether there is no other way to tell what was created, updated or removed. */
function isCompared(
	{ acceptsUpdatedSince, triggerOn }: PollSettings,
	fields: RecordFields,
): boolean {
	if (!acceptsUpdatedSince || isOfPresence(triggerOn)) return true;
	return triggerOn !== 'createdOrUpdated' && (fields.createdAt === '' || fields.updatedAt === '');
}

/** @throws ServiceFailure that names the options: the past of a compared list is not known */
export function requireNoStart({ startDate }: PollSettings, { fields, reads }: OpenedList): void {
	if (startDate === undefined || reads !== 'comparison') return;
	const [option, time] =
		fields.createdAt === '' ? ['Created At Path', 'created'] : ['Updated At Path', 'changed last'];
	throw new ServiceFailure(
		`Start Date needs the time a user was ${time}, which no user shows, so ${option} must be set.`,
		`Set ${option} in the options, or choose Now for Start From.`,
		{ kind: 'configuration' },
	);
}

/** When records were changed last; or created, of those that were never updated. */
function timesOf(some: readonly JsonObject[], fields: RecordFields, wereUpdated: boolean) {
	return some
		.filter((record) => isNeverUpdated(record, fields) !== wereUpdated)
		.flatMap((record) => readUpdate(record, fields)?.time ?? []);
}

/**
 * A filter like `updated_at >= ?` leaves out records without update time: what was created and
 * never updated would never be returned. That shows by the one of them that was created last.
 */
async function findsNeverUpdated(
	list: PolledList,
	{ records, fields }: OpenedPage,
	{ pageSize }: PollSettings,
): Promise<boolean> {
	const probe = async (since?: number) =>
		timesOf(await list.some(MAX_PROBED, pageSize, since), fields, false);
	let found = timesOf(records, fields, false);
	if (found.length === 0 && fields.createdAt !== '') found = await probe();
	if (found.length === 0) return true;
	return (await probe(Math.max(0, Math.max(...found) - slackOf(fields)))).length > 0;
}

/**
 * A service that reads `updatedSince` in another format or zone may take it for a later time and
 * find no change, now and for ever. That shows with a time before the newest change known.
 *
 * @throws ServiceFailure if it does
 */
async function requireReadableFilter(
	list: PolledList,
	{ records, fields }: OpenedPage,
	{ pageSize }: PollSettings,
): Promise<void> {
	const until = list.clock.shown + ANY_ZONE;
	// A record that was never updated may be found by no time at all.
	const timesIn = (some: readonly JsonObject[]) =>
		timesOf(some, fields, true).filter((time) => time < until);
	let newest = Math.max(...timesIn(records));
	for (let probes = 0; probes < MAX_PROBED && newest !== -Infinity; probes++) {
		const since = Math.max(0, newest - slackOf(fields));
		const found = timesIn(await list.some(1, pageSize, since));
		if (found.length === 0) throw misreadFormat();
		// Of a long list the first page may hold none of the newest, and what is newer would be found
		// all the same.
		if (found.some((time) => time <= newest)) return;
		newest = Math.max(...found);
	}
}

function misreadFormat(): ServiceFailure {
	return new ServiceFailure(
		'The service seems to expect another date format: no changes were returned for a period that has some.',
		'Choose another Updated Since Format in the options. The operation Diagnose finds out which one the service reads.',
		{ kind: 'configuration' },
	);
}
