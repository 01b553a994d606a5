import { configurationFailure, type ServiceFailure } from '../failure/serviceFailure';
import { describeFields } from '../response/fieldNames';
import { findIdField, normalizeId, type RecordId, readId } from '../response/identity';
import type { ListedResource } from '../response/resources';
import {
	findCreatedAtField,
	findUpdatedAtPath,
	isUnsetTime,
	readTime,
} from '../response/updateTimes';
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';
import { redactPath } from '../values/serverText';
import { MAX_ZONE_SPREAD_MS, type Precision, spreadMs } from './timePrecision';

/** Dot paths of the fields that distinguish versions. */
interface RecordPaths {
	id: string;
	/** '' if the records have none: that is the path of the record itself, which is not a time. */
	updatedAt: string;
	/** As `updatedAt`. */
	createdAt: string;
}

/** Also how exactly the times there are written; undefined until one shows. */
export interface RecordFields extends RecordPaths {
	precision?: Precision;
}

/** Filters may be exclusive and cut times to whole minutes: this covers both. */
const FILTER_LOOKBACK_MS = MINUTE + SECOND;

/** If all times are multiples of this, they are cut to hours or days, in any zone. */
const TRUNCATION_STEP_MS = 5 * MINUTE;

export type RecordNames = Pick<ListedResource, 'name' | 'plural'>;

/**
 * Finds the ID and the times of records.
 *
 * @param records at least one
 * @param set dot paths that the user set, or an earlier look found; an empty one is detected
 * @param needsCreation whether creations and updates have to be distinguished
 * @throws ServiceFailure that names the option, if the ID or a field that was set is not there
 */
export function findRecordFields(
	records: readonly JsonObject[],
	set: RecordFields,
	names: RecordNames,
	needsCreation: boolean,
): RecordFields {
	const { name } = names;
	const id = set.id || (findIdField(records, name)?.field ?? '');
	const ids = records.map((record) => normalizeId(requireId(record, id, names)));
	if (new Set(ids).size < ids.length) throw sharedIdFailure(id, records, names);
	const createdAt = set.createdAt || findCreatedAtField(records, name)?.path;
	const updatedAt = set.updatedAt || findUpdatedAtPath(records, name);
	for (const field of ['updatedAt', 'createdAt'] as const) {
		const path = set[field];
		if (path !== '' && !records.some((record) => hasTimeValue(record, path)))
			throw missingFieldFailure(field, path, records, names);
	}
	const paths = { id, updatedAt: updatedAt ?? '', createdAt: createdAt ?? '' };
	// A change of the precision would make versions seem new that were pruned as too old.
	const precision = set.precision ?? detectPrecision(records, paths, needsCreation);
	return { ...paths, precision };
}

function detectPrecision(
	records: readonly JsonObject[],
	paths: RecordPaths,
	needsCreation: boolean,
): Precision | undefined {
	const timesAt = (some: readonly JsonObject[], path: string) =>
		some.flatMap((record) => readTime(record, path) ?? []);
	const updates = records.filter((record) => !readLastChange(record, paths).isNeverUpdated);
	const updated = timesAt(updates, paths.updatedAt);
	// A record that was never updated is found by its creation time.
	const usesCreation = needsCreation || updated.length < records.length;
	const created = usesCreation ? timesAt(records, paths.createdAt) : [];
	const times = [...updated, ...created];
	if (times.length === 0) return undefined;
	const unitMs = Math.max(truncationMs(updated), truncationMs(created));
	return { unitMs, hasZone: times.every(({ hasZone }) => hasZone) };
}

/** A few times may be round by chance: too long a unit costs little and hides nothing. */
function truncationMs(times: readonly Instant[]): number {
	const [first] = times;
	if (first === undefined || times.some(({ earliestAt }) => earliestAt % TRUNCATION_STEP_MS !== 0))
		return 0;
	return times.every(({ earliestAt }) => isWholeDays(earliestAt - first.earliestAt)) ? DAY : HOUR;
}

/** With an hour of tolerance, by which clocks are set twice a year. */
function isWholeDays(differenceMs: number): boolean {
	const rest = Math.abs(differenceMs) % DAY;
	return rest % HOUR === 0 && Math.min(rest, DAY - rest) <= HOUR;
}

/**
 * How much earlier than a time changes have to be requested, so that the filter finds all changes
 * since: the times it compares may be cut as those it shows, and be in any zone.
 */
export function filterLookbackMs({ precision }: RecordFields): number {
	return FILTER_LOOKBACK_MS + spreadMs(precision);
}

/** @throws ServiceFailure that names the option, if the record has no ID */
export function requireId(record: JsonObject, path: string, names: RecordNames): RecordId {
	const id = readId(record, path);
	if (id !== undefined) return id;
	const problem = path === '' ? undefined : `A ${names.name} has no ID at "${redactPath(path)}"`;
	throw missingFieldFailure('id', path, [record], names, problem);
}

/** Records that share an ID would count as changes of each other. */
export function sharedIdFailure(
	path: string,
	records: readonly JsonObject[],
	names: RecordNames,
): ServiceFailure {
	const problem = `Several ${names.plural} have the same ID at "${redactPath(path)}"`;
	return missingFieldFailure('id', path, records, names, problem);
}

/** When a record was created. */
export function readCreatedAt(record: JsonObject, { createdAt }: RecordPaths): number | undefined {
	return readTime(record, createdAt)?.earliestAt;
}

/** When a record was last changed, or created if it was never updated; and whether it was. */
export interface LastChange {
	changedAt?: number;
	/** Its update time is missing, unset, or before its creation in any zones. */
	isNeverUpdated: boolean;
}

/** @param latestAt what no clock may show yet; a creation dated so makes no update unset */
export function readLastChange(
	record: JsonObject,
	fields: RecordPaths,
	latestAt = Infinity,
): LastChange {
	const created = readCreatedAt(record, fields);
	const updated = readTime(record, fields.updatedAt)?.earliestAt;
	const isNeverUpdated =
		updated === undefined
			? isUnsetTime(readDotPath(record, fields.updatedAt))
			: created !== undefined &&
				created < latestAt &&
				created - updated > MAX_ZONE_SPREAD_MS + 2 * DAY;
	return { changedAt: isNeverUpdated ? created : updated, isNeverUpdated };
}

/** Whether there is a time at a dot path, even an unset one such as 0000-00-00. */
export function hasTimeValue(record: JsonObject, path: string): boolean {
	const written = readDotPath(record, path);
	if (written === undefined) return false;
	return isUnsetTime(written) || readTime(record, path) !== undefined;
}

export function readUpdatedAt(record: JsonObject, fields: RecordPaths): number | undefined {
	return readLastChange(record, fields).changedAt;
}

/**
 * The failure if the user has to set the path of a field. Its message names the option too, because
 * n8n shows nothing else if a workflow cannot be published (2.41.1).
 *
 * @param path '' if none was found
 * @param problem of the field at that path, if it exists
 */
export function missingFieldFailure(
	field: keyof RecordPaths,
	path: string,
	records: readonly JsonObject[],
	{ name, plural }: RecordNames,
	problem?: string,
): ServiceFailure {
	const [option, target, unknown] = {
		id: ['ID Path', `ID of a ${name}`, `which field is the ID of the ${plural}`],
		updatedAt: [
			'Updated At Path',
			`time a ${name} was changed last`,
			`when the ${plural} were changed last`,
		],
		createdAt: ['Created At Path', `time a ${name} was created`, `when the ${plural} were created`],
	}[field];
	const kind = field === 'id' ? 'ID' : 'time that can be read';
	const absent =
		path === '' ? `Could not tell ${unknown}` : `There is no ${kind} at "${redactPath(path)}"`;
	return configurationFailure(
		`${problem ?? absent}, so ${option} must be set. ${describeFields(records[0])}`,
		`Set ${option} in the options to the dot path of the ${target}.`,
	);
}
