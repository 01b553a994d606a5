import { fieldsSeen } from '../answer/fieldNames';
import { findIdentity, type RecordId, readIdentity } from '../answer/identity';
import { FILTER_SLACK } from '../answer/updatedSince';
import { findCreationTimes, findUpdatePath, isUnsetTime } from '../answer/updateTimes';
import { ServiceFailure } from '../failure/serviceFailure';
import { DAY, HOUR, type Instant, MINUTE, readInstant } from '../values/instant';
import { type JsonObject, readDotPath } from '../values/json';
import { ANY_ZONE, type Moment, readMoment, type TimeScale, type TriggerOn } from './versions';

/** Dot paths of what tells versions apart. */
export interface RecordPaths {
	id: string;
	/** Empty if the records have none. */
	updatedAt: string;
	/** Empty if the records have none. */
	createdAt: string;
}

/** The same, and how the times there are written, which is missing until one shows. */
export interface RecordFields extends RecordPaths, Partial<TimeScale> {}

/** Times that all stand at multiples of it are cut to hours, or days, in whatever zone. */
const ROUND = 5 * MINUTE;

/** What the sentences of errors call the records. */
export interface RecordNames {
	/** For example `user`. */
	name: string;
	/** For example `users`. */
	plural: string;
}

/**
 * Finds the ID and the times of records.
 *
 * @param records at least one
 * @param set dot paths set by the user; an empty one is detected
 * @throws ServiceFailure that names the option, if the ID or a field that was set is not there
 */
export function findRecordFields(
	records: readonly JsonObject[],
	set: RecordPaths,
	names: RecordNames,
): RecordFields {
	const id = set.id === '' ? findIdentity(records, names.name)?.field : set.id;
	if (id === undefined || records.some((record) => readIdentity(record, id) === undefined)) {
		throw missingId(id, records, names);
	}
	const { name } = names;
	const createdAt = set.createdAt === '' ? findCreationTimes(records, name)?.path : set.createdAt;
	const updatedAt = set.updatedAt === '' ? findUpdatePath(records, name, createdAt) : set.updatedAt;
	for (const label of ['updatedAt', 'createdAt'] as const) {
		const path = set[label];
		if (path !== '' && !records.some((record) => showsTime(record, path)))
			throw missingTime(path, records, names, label);
	}
	return withScale({ id, updatedAt: updatedAt ?? '', createdAt: createdAt ?? '' }, records);
}

/**
 * The first page may have shown no time, or no creation time, and later ones records that have
 * nothing else.
 */
export function completeFields(
	fields: RecordFields,
	records: readonly JsonObject[],
	{ name }: RecordNames,
): RecordFields {
	const isDated = (record: JsonObject) => readUpdate(record, fields) !== undefined;
	const isComplete = fields.createdAt !== '' || records.every(isDated);
	const createdAt = isComplete ? fields.createdAt : (findCreationTimes(records, name)?.path ?? '');
	if (fields.unit !== undefined && createdAt === fields.createdAt) return fields;
	return withScale({ ...fields, createdAt }, records);
}

function withScale(fields: RecordFields, records: readonly JsonObject[]): RecordFields {
	const updates = records.filter((record) => !isNeverUpdated(record, fields));
	const updated = timesAt(updates, fields.updatedAt);
	const created = timesAt(records, fields.createdAt);
	if (updated.length + created.length === 0) return fields;
	const createdUnit = unitOf(created.length > 0 ? created : updated);
	// Who was never updated is found by the creation; and the first update is written as it is.
	const isByCreation = updates.length < records.length || updated.length === 0;
	const unit = Math.max(unitOf(updated), isByCreation ? createdUnit : 0, fields.unit ?? 0);
	const isZoneOpen = [...updated, ...created].some(({ zone }) => zone === 'none');
	return { ...fields, unit, createdUnit, spread: isZoneOpen ? ANY_ZONE : 0 };
}

function timesAt(records: readonly JsonObject[], path: string): Instant[] {
	return records.flatMap((record) => {
		const written = path === '' ? undefined : readDotPath(record, path);
		return isUnsetTime(written) ? [] : (readInstant(written) ?? []);
	});
}

/** A few times may be round by chance: a longer unit costs a little, but hides nothing. */
function unitOf(times: readonly Instant[]): number {
	const [first] = times;
	if (first === undefined || times.some(({ earliest }) => earliest % ROUND !== 0)) return 0;
	return times.every(({ earliest }) => isWholeDays(earliest - first.earliest)) ? DAY : HOUR;
}

/** Give or take the hour by which clocks are set twice a year. */
function isWholeDays(difference: number): boolean {
	const rest = Math.abs(difference) % DAY;
	return rest % HOUR === 0 && Math.min(rest, DAY - rest) <= HOUR;
}

/**
 * How much earlier than a time the service has to be asked, so that its filter finds all that was
 * changed since: what it compares may be cut as what it shows, and be in any zone.
 */
export function slackOf(
	{ unit = DAY, createdUnit = 0, spread = ANY_ZONE }: RecordFields,
	triggerOn: TriggerOn,
): number {
	const isByCreation = triggerOn === 'created' || triggerOn === 'updated';
	return FILTER_SLACK + Math.max(unit, isByCreation ? createdUnit : 0) + spread;
}

/** @throws ServiceFailure that names the option, if the record has no ID */
export function requireId(record: JsonObject, path: string, names: RecordNames): RecordId {
	const id = readIdentity(record, path);
	if (id === undefined) throw missingId(path, [record], names);
	return id;
}

/** When a record was created. */
export function readCreation(record: JsonObject, { createdAt }: RecordFields): Moment | undefined {
	return createdAt === '' ? undefined : readMoment(record, createdAt);
}

/**
 * Whether a record was never updated: it shows no update time, or one that stands for none, because
 * it is older than the record, in whatever zone either is written.
 */
export function isNeverUpdated(record: JsonObject, fields: RecordFields): boolean {
	const { updatedAt } = fields;
	if (updatedAt === '') return false;
	const updated = readMoment(record, updatedAt);
	if (updated === undefined) return isUnsetTime(readDotPath(record, updatedAt));
	const created = readCreation(record, fields);
	return created !== undefined && created.time - updated.time > ANY_ZONE + 2 * DAY;
}

/** Whether a record has a time at a dot path, be it one that stands for none. */
export function showsTime(record: JsonObject, path: string): boolean {
	const written = readDotPath(record, path);
	if (written === undefined) return false;
	return isUnsetTime(written) || readMoment(record, path) !== undefined;
}

/** When a record was changed last, or created, if it was never changed. */
export function readUpdate(record: JsonObject, fields: RecordFields): Moment | undefined {
	const { updatedAt } = fields;
	if (updatedAt === '') return undefined;
	if (!isNeverUpdated(record, fields)) return readMoment(record, updatedAt);
	const created = readCreation(record, fields);
	// A change that leaves the update time empty shows by what the record holds.
	return created && { ...created, tick: Math.max(1, created.tick) };
}

/**
 * The message names the option as well: it is all n8n shows if a workflow cannot be published
 * (2.41.1).
 */
function missingId(
	path: string | undefined,
	records: readonly JsonObject[],
	{ name, plural }: RecordNames,
): ServiceFailure {
	return new ServiceFailure(
		path === undefined
			? `Could not tell which field is the ID of the ${plural}, so ID Path must be set. ${fieldsSeen(records[0])}`
			: `A ${name} has no ID at "${path}". ${fieldsSeen(records[0])}`,
		`Set ID Path in the options to the dot path of the ID of a ${name}.`,
		{ kind: 'configuration' },
	);
}

export function missingTime(
	path: string,
	records: readonly JsonObject[],
	{ name, plural }: RecordNames,
	label: 'updatedAt' | 'createdAt' = 'updatedAt',
): ServiceFailure {
	const option = label === 'updatedAt' ? 'Updated At Path' : 'Created At Path';
	return new ServiceFailure(
		path === ''
			? `Could not tell when the ${plural} were changed last, so ${option} must be set. ${fieldsSeen(records[0])}`
			: `The ${plural} have no time that can be read at "${path}", so ${option} must be set. ${fieldsSeen(records[0])}`,
		`Set ${option} in the options to the dot path of the time a ${name} was ${label === 'updatedAt' ? 'changed last' : 'created'}.`,
		{ kind: 'configuration' },
	);
}
