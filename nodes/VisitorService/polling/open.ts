import { spelledAlike } from '../answer/identity';
import { FILTER_SLACK } from '../answer/updatedSince';
import { findUpdateTimes } from '../answer/updateTimes';
import { ServiceFailure } from '../failure/serviceFailure';
import { DAY } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';
import type { KnownList } from './cursor';
import {
	findRecordFields,
	isNeverUpdated,
	missingTime,
	type RecordFields,
	type RecordNames,
	readStanding,
	readUpdate,
	requireId,
} from './fields';
import { slackFor } from './filterSlack';
import type { PolledList } from './reading';
import { CLOCK_TOLERANCE, type ServiceTime } from './serviceTime';
import { MAX_ZONE_SHIFT, readMoment, type TriggerOn } from './versions';
import { findVolatileFields } from './volatileFields';

export interface ListRules {
	triggerOn: TriggerOn;
	/** Whether the list accepts `updatedSince`. */
	acceptsUpdatedSince: boolean;
	/** Dot paths; an empty one is detected. */
	paths: RecordFields;
	pageSize: number;
}

export interface OpenedList extends Pick<KnownList, 'fields' | 'reads'> {
	/** Of the first page, without a filter. */
	records: JsonObject[];
}

const YEAR = 366 * DAY;

/** Enough that one of them was changed long ago, if the page is one of the whole list. */
const MANY = 100;

/** Pages that are looked at in a row, such as for one that was never updated. */
const MAX_PROBED = 10;

/**
 * Finds out what has to be known of a list before its changes can be told, so that a trigger that
 * could not work fails when its workflow is published.
 *
 * @returns undefined if the list has no records
 * @throws ServiceFailure that names the option, if records have no ID, or no time that is needed
 */
export async function openList(
	list: PolledList,
	clock: ServiceTime,
	rules: ListRules,
): Promise<OpenedList | undefined> {
	const { names } = list.source;
	const records = await list.readPage(rules);
	if (records.length === 0) return undefined;
	const fields = findRecordFields(records, rules.paths, names);
	for (const record of records) {
		const standing = readStanding(record, fields, rules.triggerOn);
		if (standing) clock.noteUpdate(standing.earliest);
	}
	const reads = await chooseReading(list, clock, { records, fields }, rules);
	return { records, fields, reads };
}

/** Before any content is remembered it has to be known which fields do not belong to it. */
export async function findVolatile(
	list: PolledList,
	{ fields, records }: OpenedList,
	{ pageSize, triggerOn }: ListRules,
): Promise<string[]> {
	if (triggerOn === 'created' || triggerOn === 'removed') return [];
	return await findVolatileFields(list, fields, { records, query: { page: 0, pageSize } });
}

type OpenedPage = Pick<OpenedList, 'records' | 'fields'>;

/** How changes are found. */
async function chooseReading(
	list: PolledList,
	clock: ServiceTime,
	{ records, fields }: OpenedPage,
	rules: ListRules,
): Promise<KnownList['reads']> {
	if (isCompared(rules, fields)) return 'comparison';
	if (fields.updatedAt === '') throw missingTime('', records, list.source.names);
	if (!(await honoursFilter(list, clock, fields, rules))) return 'allIgnored';
	return (await findsNeverUpdated(list, { records, fields }, rules)) ? 'changes' : 'allIncomplete';
}

/** Whether there is no other way to tell what was created, updated or removed. */
function isCompared({ acceptsUpdatedSince, triggerOn }: ListRules, fields: RecordFields): boolean {
	if (!acceptsUpdatedSince || triggerOn === 'removed') return true;
	return triggerOn !== 'createdOrUpdated' && (fields.createdAt === '' || fields.updatedAt === '');
}

/**
 * Finds out whether the service pays attention to `updatedSince`, by a time no record can have been
 * changed since. One that refuses times in the future is asked for the present, and recognized by
 * records changed long ago.
 */
async function honoursFilter(
	list: PolledList,
	clock: ServiceTime,
	fields: RecordFields,
	rules: Pick<ListRules, 'pageSize'>,
): Promise<boolean> {
	const present = clock.reached;
	const asked = present + CLOCK_TOLERANCE + YEAR;
	const found = await list
		.readPage({ pageSize: 1 }, asked)
		.then((records) => ({ kind: 'records' as const, records }), asRefusal);
	const latestOf = (record: JsonObject) => readUpdate(record, fields)?.latest;
	if (found.kind === 'records') {
		// A record may be dated so far ahead by mistake. If the filter is ignored, others come with it.
		const isAhead = (record: JsonObject) => (latestOf(record) ?? 0) >= asked - MAX_ZONE_SHIFT;
		if (!found.records.every(isAhead)) return false;
		return found.records.length === 0 || (await readMany(list, rules, asked)).every(isAhead);
	}
	const recent = await readMany(list, rules, present);
	return !recent.some((record) => (latestOf(record) ?? present) < present - MAX_ZONE_SHIFT);
}

/** The service may refuse larger pages than the user set. */
async function readMany(
	list: PolledList,
	rules: Pick<ListRules, 'pageSize'>,
	since: number,
): Promise<JsonObject[]> {
	const pageSize = Math.min(MANY, rules.pageSize);
	const pages = Math.min(MAX_PROBED, Math.ceil(MANY / pageSize));
	return await list.upTo(pages).readAll({ page: 0, pageSize }, since);
}

function asRefusal(error: unknown): { kind: 'refused' } {
	if (error instanceof ServiceFailure && error.kind === 'badRequest') return { kind: 'refused' };
	throw error;
}

/**
 * A filter like `updated_at >= ?` leaves out records without update time: what was created and
 * never updated would never be returned. That shows by the one of them that was created last.
 */
async function findsNeverUpdated(
	list: PolledList,
	{ records, fields }: OpenedPage,
	{ pageSize }: ListRules,
): Promise<boolean> {
	/** Of those that were never updated. */
	const creationTimes = (some: readonly JsonObject[]) =>
		some
			.filter((record) => isNeverUpdated(record, fields))
			.flatMap((record) => readUpdate(record, fields)?.earliest ?? []);
	const readSome = async (since?: number) =>
		creationTimes(await list.upTo(MAX_PROBED).readAll({ page: 0, pageSize }, since));
	let found = creationTimes(records);
	if (found.length === 0 && fields.createdAt !== '') found = await readSome();
	if (found.length === 0) return true;
	const newest = Math.max(...found);
	return (await readSome(Math.max(0, newest - FILTER_SLACK))).length > 0;
}

/**
 * A service that reads `updatedSince` in another format or zone may take it for a later time and
 * find no change, now and for ever. That shows with a time before the newest change known.
 *
 * @throws ServiceFailure if it does
 */
export async function requireReadableFilter(
	list: PolledList,
	clock: ServiceTime,
	{ records, fields }: OpenedPage,
	rules: Pick<ListRules, 'pageSize'>,
): Promise<void> {
	const slack = slackFor(records, fields);
	let newest = newestUpdate(withoutMistakes(records, fields, clock), fields);
	for (let probes = 0; probes < MAX_PROBED && newest !== -Infinity; probes++) {
		// No earlier than the polls ask: a service that takes the UTC it is asked with for its own time
		// is hours off.
		const since = Math.max(0, newest - slack);
		const found = withoutMistakes(await readMany(list, rules, since), fields, clock);
		if (found.length === 0) throw misreadFormat();
		// Of a long list the first page may hold none of the newest, and what is newer would be found
		// all the same.
		const isFoundByItsTime = (record: JsonObject) =>
			(readUpdate(record, fields)?.earliest ?? newest) <= newest;
		if (found.some(isFoundByItsTime)) return;
		newest = newestUpdate(found, fields);
	}
}

/** A record dated in the future is found however the filter is misread. */
function withoutMistakes(
	records: readonly JsonObject[],
	fields: RecordFields,
	clock: ServiceTime,
): JsonObject[] {
	return records.filter(
		(record) => !clock.isMistake(readUpdate(record, fields)?.earliest ?? -Infinity),
	);
}

/** A record that was never updated does not count: it may be found by no time at all. */
function newestUpdate(records: readonly JsonObject[], fields: RecordFields): number {
	return records
		.filter((record) => !isNeverUpdated(record, fields))
		.reduce(
			(latest, record) => Math.max(latest, readUpdate(record, fields)?.earliest ?? -Infinity),
			-Infinity,
		);
}

function misreadFormat(): ServiceFailure {
	return new ServiceFailure(
		'The service seems to expect another date format: no changes were returned for a period that has some.',
		'Choose another Updated Since Format in the options. The operation Diagnose finds out which one the service reads.',
		{ kind: 'configuration' },
	);
}

/**
 * Finds out why the service, asked for changes, sends records changed long before: because it
 * ignores `updatedSince`, or because something else of them was changed, whose time they do not
 * show.
 *
 * @param stoppedFor milliseconds since the last poll that could be stored
 * @throws ServiceFailure if the service seems to filter by another time than the one that is known
 *   as update time; for no more than a day, because the user may know of no other
 */
export async function explainUndated(
	list: PolledList,
	clock: ServiceTime,
	{ fields, findsUndated = false }: KnownList,
	rules: Pick<ListRules, 'pageSize'>,
	stoppedFor: number,
): Promise<Pick<KnownList, 'reads' | 'findsUndated'>> {
	if (!(await honoursFilter(list, clock, fields, rules))) return { reads: 'allIgnored' };
	const isTrusted = findsUndated || stoppedFor > DAY;
	if (!isTrusted && (await filtersByOther(list, clock, fields, rules)))
		throw filteredByOther(fields);
	return { reads: 'changes', findsUndated: true };
}

/**
 * Whether the filter, as a rule, finds records by a later time than they show. Those of the older
 * half of a page are looked for, soon after their time: something else of them may have been
 * changed later.
 */
async function filtersByOther(
	list: PolledList,
	clock: ServiceTime,
	fields: RecordFields,
	rules: Pick<ListRules, 'pageSize'>,
): Promise<boolean> {
	const { names } = list.source;
	const records = await list.readPage(rules);
	const shown = withoutMistakes(records, fields, clock)
		.flatMap((record) => {
			const latest = readUpdate(record, fields)?.latest;
			return latest === undefined || isNeverUpdated(record, fields) ? [] : [{ record, latest }];
		})
		.sort((one, other) => one.latest - other.latest);
	const older = shown.slice(0, Math.ceil(shown.length / 2));
	const since = (older.at(-1)?.latest ?? Infinity) + MAX_ZONE_SHIFT + slackFor(records, fields);
	if (since > clock.reached) return false;
	const idOf = (record: JsonObject) => spelledAlike(requireId(record, fields.id, names));
	const found = new Set((await readMany(list, rules, since)).map(idOf));
	return older.filter(({ record }) => found.has(idOf(record))).length * 2 > older.length;
}

function filteredByOther(fields: RecordFields): ServiceFailure {
	return new ServiceFailure(
		`Asked for recent changes, the service sends users whose time at "${fields.updatedAt}" is more than a day older.`,
		'Set Updated At Path in the options to the dot path of the time the service filters by.',
		{ kind: 'configuration' },
	);
}

/**
 * Records without update time count as never updated, so that no change would be found if the field
 * had another name now, or were written in a way that cannot be read.
 *
 * @returns what the user should know if the first page shows creations alone
 * @throws ServiceFailure that names the option, if it shows times elsewhere, or none to be read
 */
export async function requireUpdateTime(
	list: PolledList,
	fields: RecordFields,
	pageSize: number,
): Promise<string | undefined> {
	const { names } = list.source;
	const { updatedAt } = fields;
	const records = await list.readPage({ pageSize });
	if (records.length === 0) return undefined;
	const kinds = new Set(records.map((record) => kindOfTime(record, fields)));
	if (kinds.has('readable')) return undefined;
	const isDated = records.some((record) => readUpdate(record, fields) !== undefined);
	const hasOther =
		!kinds.has('unset') && (!isDated || findUpdateTimes(records, names.name) !== undefined);
	if (kinds.has('unreadable') || hasOther) throw missingTime(updatedAt, records, names);
	return kinds.has('unset') ? undefined : updateTimeGone(updatedAt, names);
}

function updateTimeGone(path: string, { plural }: RecordNames): string {
	return `No ${plural} show a time at "${path}" any more, so updates may be missed. Ask your service provider why, or set Updated At Path to another time.`;
}

/** What stands where an update time is looked for. */
export function kindOfTime(
	record: JsonObject,
	fields: RecordFields,
): 'readable' | 'unset' | 'unreadable' | 'missing' {
	const { updatedAt } = fields;
	if (readDotPath(record, updatedAt) === undefined) return 'missing';
	if (isNeverUpdated(record, fields)) return 'unset';
	return readMoment(record, updatedAt) === undefined ? 'unreadable' : 'readable';
}
